"""Reasons: which likes are near, which words move a score, in what order they are told."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from readers import article, interest, label, unit_rows

from newsloom.classify import explain, prior


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


def test_reasons_tell_the_parts_then_words_then_neighbours():
    vector = unit_rows(1)[0]
    labels = [label(True, number=7, title="Liked before")]
    model = prior.build([interest("chess")], vector[None], labels)
    told = explain.reasons(model, article(), vector, "", labels, vector[None], [("knight", 3.0)])
    assert [reason.kind for reason in told] == ["interest", "feed", "term", "liked"]
    assert told[0].text == "chess"
    assert told[0].effect > told[1].effect > 0
    assert told[2].effect == 3.0
    assert told[3].article_id == 7
