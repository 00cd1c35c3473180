"""Relevance before labels: 50 for all, then interests, feeds and categories move it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from readers import DIMENSIONS, article, interest, label, unit_rows

from newsloom.ranking.learning import prior

NO_VECTORS = np.empty((0, DIMENSIONS), np.float32)


def scores(model, articles, vectors, categories=None):
    return model.score(articles, vectors, categories or [""] * len(articles)).tolist()


def test_with_nothing_known_all_are_worth_the_same():
    model = prior.build([], NO_VECTORS)
    assert scores(model, [article(number=n) for n in range(5)], unit_rows(5)) == [50.0] * 5
    assert model.personal is False
    assert model.parts(article(), unit_rows(1)[0], "") == ()


def test_an_interest_lifts_what_is_near_and_sinks_nothing_far():
    rows = unit_rows(50)
    model = prior.build([interest("chess")], rows[:1])
    near, *others = scores(model, [article()] * 50, rows)
    assert near == pytest.approx(95.3, abs=0.1)  # log odds 3, the most an interest gives
    assert min(others) >= 26.8  # log odds -1, the least


def test_the_nearest_of_several_interests_counts():
    rows = unit_rows(2)
    model = prior.build([interest("a"), interest("b", 2)], rows)
    assert [part.text for part in model.parts(article(), rows[1], "")] == ["b"]


@pytest.mark.parametrize(
    ("likes", "dislikes", "expected"),
    [
        pytest.param(1, 0, 60.0, id="first like"),
        pytest.param(0, 1, 40.0, id="first dislike"),
        pytest.param(5, 0, 77.8, id="five likes"),
        pytest.param(3, 3, 50.0, id="as many of both"),
    ],
)
def test_a_feed_earns_its_place_slowly(likes, dislikes, expected):
    labels = [label(True)] * likes + [label(False)] * dislikes
    model = prior.build([], NO_VECTORS, labels)
    assert scores(model, [article(feed=1)], unit_rows(1))[0] == pytest.approx(expected, abs=0.1)
    assert scores(model, [article(feed=2)], unit_rows(1)) == [50.0]


def test_a_new_feed_begins_where_its_category_stands():
    labels = [label(True, category="science", feed=feed) for feed in (1, 2, 3)]
    model = prior.build([], NO_VECTORS, labels)
    [new] = scores(model, [article(feed=9)], unit_rows(1), ["science"])
    [elsewhere] = scores(model, [article(feed=9)], unit_rows(1), ["sports"])
    assert (elsewhere, round(new, 1)) == (50.0, 71.4)
    assert [part.kind for part in model.parts(article(feed=9), unit_rows(1)[0], "science")] == [
        "category"
    ]


def test_a_weighty_label_counts_for_more():
    plain = prior.build([], NO_VECTORS, [label(True)])
    starred = prior.build([], NO_VECTORS, [label(True, weight=3.0)])
    assert scores(starred, [article()], unit_rows(1)) > scores(plain, [article()], unit_rows(1))


def test_the_id_changes_with_whatever_could_change_a_score():
    rows = unit_rows(2)
    models = [
        prior.build([], NO_VECTORS),
        prior.build([interest("a")], rows[:1]),
        prior.build([interest("b")], rows[:1]),
        prior.build([interest("a")], rows[1:]),
        prior.build([], NO_VECTORS, [label(True)]),
        prior.build([], NO_VECTORS, [label(False)]),
        prior.build([], NO_VECTORS, [label(True, category="science")]),
    ]
    assert len({model.model_id for model in models}) == len(models)
    assert prior.build([interest("a")], rows[:1]).model_id == models[1].model_id


@given(
    arrays.arrays(
        np.float32,
        st.tuples(st.integers(1, 6), st.just(DIMENSIONS)),
        elements=st.floats(width=32, allow_nan=True, allow_infinity=False),
    )
)
def test_scores_are_points_whatever_the_vectors(rows):
    model = prior.build([interest("chess")], unit_rows(1), [label(True, category="science")])
    for score in scores(model, [article()] * len(rows), rows, ["science"] * len(rows)):
        assert 0.0 <= score <= 100.0


def test_texts_like_what_was_liked_score_above_texts_like_what_was_disliked():
    rows = unit_rows(2)
    labels = [label(True), label(False)]
    model = prior.build([], NO_VECTORS, labels, "", rows)
    plain = prior.build([], NO_VECTORS, labels)
    texts = [labels[0].article] * 2
    scores = model.score(texts, rows, ["", ""])
    before = plain.score(texts, rows, ["", ""])
    assert scores[0] > before[0]
    assert scores[1] < before[1]
    assert model.model_id != plain.model_id
    reasons = model.parts(texts[0], rows[0], "")
    assert "text" in {one.kind for one in reasons}
    assert sum(one.effect for one in reasons) == pytest.approx(scores[0] - 50.0)
    likes_alone = prior.build([], NO_VECTORS, labels[:1], "", rows[:1])
    assert likes_alone.taste is None
