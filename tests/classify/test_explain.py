"""Reasons: which likes are near, which words move a score, in what order they are told."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from readers import article, interest, label, unit_rows

from newsloom.ranking.learning import explain, prior
from newsloom.ranking.learning.logistic import probability


def nearby(vector, share):
    """A unit vector with that cosine to another one."""
    other = unit_rows(1, seed=99)[0]
    across = other - (other @ vector) * vector
    return share * vector + np.sqrt(1 - share**2) * across / np.linalg.norm(across)


def test_the_nearest_liked_and_disliked_are_named():
    vector = unit_rows(1)[0]
    shares = {"twin": 0.9, "cousin": 0.5, "stranger": 0.1}
    labels = [
        label(positive, number=number, title=f"{name} {kind}")
        for number, (name, positive, kind) in enumerate(
            ((name, positive, kind) for name in shares for positive, kind in KINDS), start=10
        )
    ]
    vectors = np.array([nearby(vector, share) for share in shares.values() for _ in KINDS])
    reasons = explain.nearest(article(), vector, labels, vectors)
    assert [(reason.kind, reason.text) for reason in reasons] == [
        ("liked", "twin up (90% alike)"),
        ("liked", "cousin up (50% alike)"),
        ("disliked", "twin down (90% alike)"),
        ("disliked", "cousin down (50% alike)"),
    ]
    assert {reason.effect for reason in reasons} == {0.0}


@pytest.mark.parametrize(
    ("liked", "titles", "sentence"),
    [
        (True, ["A bicycle", "Bicycles!", "Old bicycle", "Town"], "3 articles about “bicycles”"),
        (False, ["Bicycles banned", "Ban on a bicycle"], "2 articles about “bicycles”"),
        (True, ["Trams", "Ferries"], "2 similar articles"),
        (True, ["Trams"], "a similar article"),
        (True, [], ""),
    ],
)  # fmt: skip
def test_marks_are_told_in_one_sentence_of_whole_words(liked, titles, sentence):
    vector = unit_rows(1)[0]
    marks = [(one, liked, 0.6) for one in titles] + [("Bicycles", not liked, 0.6)]
    marks.append(("Far bicycles", liked, 0.1))
    labels = [label(kind, number=n, title=one) for n, (one, kind, _) in enumerate(marks, start=10)]
    vectors = np.array([nearby(vector, share) for _, _, share in marks])
    found = explain.by_marks(
        article(title="New bicycles in town"), vector, labels, vectors, liked=liked
    )
    verb = "liked" if liked else "disliked"
    assert found == (f"You {verb} {sentence}." if sentence else "")


KINDS = ((True, "up"), (False, "down"))


def test_an_article_is_no_reason_for_itself():
    vector = unit_rows(1)[0]
    assert explain.nearest(article(number=4), vector, [label(True, number=4)], vector[None]) == ()


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        pytest.param(
            "The court is in session",
            [("court", "The is in session"), ("session", "The court is in")],
            id="small words stay",
        ),
        pytest.param("EU and AI", [("EU", "and AI"), ("AI", "EU and")], id="short names count"),
        pytest.param("Fire, fire!", [("Fire", ", fire!"), ("fire", "Fire, !")], id="case counts"),
        pytest.param("war of war", [("war", "of")], id="every occurrence goes"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_without_each(title, expected):
    assert explain.without_each(title) == expected


@given(st.text())
def test_a_word_left_out_is_gone(title):
    left = explain.without_each(title)
    assert len(left) <= explain.MOST_WORDS
    for word, rest in left:
        assert word in title
        assert word not in dict(explain.without_each(rest))


def test_term_effects_are_the_strongest_first_and_noise_is_left_out():
    without = [("a", 60.0), ("b", 85.0), ("c", 79.5), ("d", 80.0), ("e", 75.0), ("f", 90.0)]
    assert explain.term_effects(80.0, without) == (
        ("a", 20.0),
        ("f", -10.0),
        ("b", -5.0),
        ("e", 5.0),
    )


def test_reasons_tell_the_parts_then_neighbours():
    vector = unit_rows(1)[0]
    labels = [label(True, number=7, title="Liked before")]
    model = prior.build([interest("chess")], vector[None], labels)
    (score,) = model.score([article()], vector[None], [""])
    reasons = explain.reasons(model, article(), vector, "", score, labels, vector[None])
    assert [reason.kind for reason in reasons] == ["interest", "feed", "liked"]
    assert reasons[0].text == "chess"
    assert reasons[0].effect > reasons[1].effect > 0
    assert reasons[2].article_id == 7


@given(
    odds=st.lists(st.floats(-20, 20), max_size=8),
    stored=st.none() | st.floats(0, 100),
)
def test_what_a_score_is_made_of_adds_up_to_it(odds, stored):
    score = 100 * probability(sum(odds))
    parts = prior.points([("term", str(number), one) for number, one in enumerate(odds)])
    assert 50 + sum(one.effect for one in parts) == pytest.approx(score, abs=1e-6)
    relevance = score if stored is None else stored
    reasons = explain.whole(parts, relevance)
    assert 50 + sum(one.effect for one in reasons) == pytest.approx(relevance, abs=1e-6)
    assert sum(one.kind == "rest" for one in reasons) <= 1
    changed = abs(relevance - score) > 2 * explain.STALE
    assert changed <= any(
        "scored before a change of the model or text" in one.text for one in reasons
    )


@given(odds=st.lists(st.floats(-20, 20), min_size=1, max_size=8))
def test_each_part_pulls_its_own_way(odds):
    named = {str(number): one for number, one in enumerate(odds)}
    parts = prior.points([("term", name, one) for name, one in named.items()])
    for one in parts:
        if one.kind != "rest":
            assert one.effect * named[one.text] > 0


def test_words_of_the_title_are_told_apart():
    assert [
        (one.kind, one.text, one.effect) for one in explain.word_reasons([("knight", 3.0)])
    ] == [("term", "knight", 3.0)]
