"""The reader's own head: when it trains, what it learns, and that its bytes are safe."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from readers import DIMENSIONS, NOW, article, label, tasteful, unit_rows

from newsloom.kernel.errors import ModelError
from newsloom.ranking.learning.features import Mix
from newsloom.ranking.learning.head import TrainedHead, folds, from_payload, train
from newsloom.ranking.measure.metrics import calibration_error, roc_auc
from newsloom.ranking.values.models import NotYet


def labelled(liked, feeds=1):
    return [
        label(bool(one), number=number, feed=number % feeds) for number, one in enumerate(liked)
    ]


@pytest.fixture(scope="module")
def head():
    rows, liked = tasteful(300)
    return train(labelled(liked), rows, now=NOW, vector_model="tiny")


def points(model, rows, feed=1, category=""):
    return model.score([article(feed=feed)] * len(rows), rows, [category] * len(rows))


@pytest.mark.parametrize(
    ("likes", "dislikes"),
    [
        pytest.param(0, 0, id="none"),
        pytest.param(30, 0, id="likes only"),
        pytest.param(0, 30, id="dislikes only"),
        pytest.param(19, 30, id="a like too few"),
        pytest.param(30, 19, id="a dislike too few"),
    ],
)
def test_too_few_labels_of_one_kind_is_not_yet(likes, dislikes):
    labels = labelled([True] * likes + [False] * dislikes)
    answer = train(labels, unit_rows(len(labels)), now=NOW)
    assert answer == NotYet(likes, dislikes, (20, 20))


def test_a_setting_lower_than_the_folds_still_needs_one_of_each_a_fold():
    labels = labelled([True] * 4 + [False] * 4)
    answer = train(labels, unit_rows(8), now=NOW, needed=(2, 2))
    assert answer == NotYet(4, 4, (5, 5))


def test_it_learns_a_taste_and_knows_how_sure_it_is(head):
    rows, liked = tasteful(2_000, seed=7)
    rows_seen, taste = tasteful(300)
    assert roc_auc(taste, points(head, rows_seen)) > 0.9
    # The other reader's taste is along the same two directions.
    assert roc_auc(liked, points(head, rows)) > 0.85
    assert calibration_error(liked, points(head, rows) / 100) < 0.1
    assert head.personal


def test_twenty_and_twenty_are_enough_to_reorder():
    rows, liked = tasteful(400, noise=0.1)
    few = np.concatenate([np.flatnonzero(liked)[:20], np.flatnonzero(~liked)[:20]])
    head = train(labelled(liked[few]), rows[few], now=NOW)
    rest = np.setdiff1d(np.arange(400), few)
    assert roc_auc(liked[rest], points(head, rows[rest])) > 0.7


def test_contradicting_labels_leave_everything_near_the_rate_of_likes():
    rows = np.repeat(unit_rows(50), 2, axis=0)
    head = train(labelled([True, False] * 50), rows, now=NOW)
    assert points(head, unit_rows(200, seed=5)) == pytest.approx(np.full(200, 50.0), abs=10)


def test_a_feed_with_labels_has_a_say():
    liked = [number % 2 == 0 for number in range(200)]
    head = train(labelled(liked, feeds=2), unit_rows(200), now=NOW)
    row = unit_rows(1, seed=9)
    assert points(head, row, feed=0)[0] > points(head, row, feed=1)[0] + 20
    kinds = {part.kind: part.effect for part in head.parts(article(feed=0), row[0], "")}
    assert kinds["feed"] > 0


def test_a_category_with_labels_has_a_say():
    labels = [
        replace(one, category="science" if one.positive else "sports")
        for one in labelled([number % 2 == 0 for number in range(100)])
    ]
    head = train(labels, unit_rows(100), now=NOW)
    row = unit_rows(1, seed=9)
    assert points(head, row, category="science")[0] > points(head, row, category="sports")[0] + 20


def test_a_taste_that_bends_is_learned():
    """Liked at both ends of one direction and disliked between: no line through it tells them."""
    rows = unit_rows(1_200)
    rows[:, 0] *= 4
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    liked = np.abs(rows[:, 0]) > np.median(np.abs(rows[:, 0]))
    known, unseen = slice(0, 900), slice(900, None)
    bending = train(labelled(liked[known]), rows[known], now=NOW)
    straight = train(labelled(liked[known]), rows[known], now=NOW, mix=Mix(curves=0.0))
    assert roc_auc(liked[unseen], points(bending, rows[unseen])) > 0.95
    assert roc_auc(liked[unseen], points(straight, rows[unseen])) < 0.7


def test_words_are_learned_where_vectors_say_nothing():
    liked = [number % 2 == 0 for number in range(120)]
    labels = [
        label(one, number=number, title=f"{'Kernel' if one else 'Garden'} news {number}")
        for number, one in enumerate(liked)
    ]
    head = train(labels, unit_rows(120), now=NOW)
    row = unit_rows(1, seed=9)
    up, down = (head.score([article(title)], row, [""])[0] for title in ("A kernel", "A garden"))
    assert up > down + 20
    [told] = [part for part in head.parts(article("A kernel"), row[0], "") if part.kind == "term"]
    assert told.text == "kernel"
    assert told.effect > 0


def test_a_source_with_labels_has_a_say():
    labels = [
        replace(one, article=replace(one.article, source="up.test" if one.positive else "no.test"))
        for one in labelled([number % 2 == 0 for number in range(100)])
    ]
    head = train(labels, unit_rows(100), now=NOW)
    row = unit_rows(1, seed=9)
    up, down = (
        head.score([replace(article(), source=name)], row, [""])[0]
        for name in ("up.test", "no.test")
    )
    assert up > down + 20


def test_parts_add_up_to_the_score(head):
    row = unit_rows(1, seed=4)
    effects = [part.effect for part in head.parts(article(), row[0], "")]
    assert sum(effects) == pytest.approx(points(head, row)[0] - 50.0)


def test_a_label_of_more_weight_counts_as_often():
    rows, liked = tasteful(200)
    heavy = [
        replace(one, weight=3.0) if number < 50 else one
        for number, one in enumerate(labelled(liked))
    ]
    order = np.concatenate([np.arange(200), np.arange(50), np.arange(50)])
    often = labelled(liked[order])
    # The folds differ, the fit does not: weight three is three times the label.
    by_weight = train(heavy, rows, now=NOW)
    by_count = train(often, rows[order], now=NOW)
    unseen = unit_rows(300, seed=8)
    weighed, counted = points(by_weight, unseen), points(by_count, unseen)
    plain = points(train(labelled(liked), rows, now=NOW), unseen)
    assert np.corrcoef(weighed, counted)[0, 1] > np.corrcoef(weighed, plain)[0, 1]


def test_training_is_deterministic(head):
    rows, liked = tasteful(300)
    again = train(labelled(liked), rows, now=NOW, vector_model="tiny")
    assert again.model_id == head.model_id
    assert again.to_payload() == head.to_payload()


def test_every_fold_has_both_kinds():
    truth = np.array([1.0] * 5 + [0.0] * 45)
    parts = folds(truth)
    assert sorted(np.concatenate(parts).tolist()) == list(range(50))
    assert all({0.0, 1.0} == set(truth[part].tolist()) for part in parts)


def test_a_score_does_not_depend_on_the_batch(head):
    rows = unit_rows(100, seed=3)
    together = points(head, rows)
    assert together.tolist() == [points(head, rows[[row]])[0] for row in range(100)]


@settings(max_examples=50)
@given(
    arrays.arrays(
        np.float32,
        st.tuples(st.integers(1, 6), st.just(DIMENSIONS)),
        elements=st.floats(width=32, allow_nan=True, allow_infinity=False),
    )
)
def test_scores_are_points_whatever_the_vectors(head, rows):
    assert ((points(head, rows) >= 0) & (points(head, rows) <= 100)).all()


def test_vectors_of_another_length_are_refused(head):
    with pytest.raises(ModelError, match="24 numbers, not 7"):
        points(head, unit_rows(2, dimensions=7))


def test_labels_without_numbers_in_their_vectors_train_nothing_false():
    rows, liked = tasteful(100)
    rows[:10] = np.nan
    head = train(labelled(liked), rows, now=NOW)
    assert isinstance(head, TrainedHead)
    assert np.isfinite(points(head, rows)).all()


def hashed(payload):
    return payload, hashlib.sha256(payload).hexdigest()


def test_a_head_comes_back_as_it_was(head):
    back = from_payload(*hashed(head.to_payload()))
    rows = unit_rows(20)
    assert back.model_id == head.model_id
    assert back.vector_model == "tiny"
    assert points(back, rows).tolist() == points(head, rows).tolist()


def test_bytes_that_are_not_those_kept_are_refused(head):
    payload, digest = hashed(head.to_payload())
    with pytest.raises(ModelError, match="do not match its hash"):
        from_payload(payload[:-1] + b" ", digest)


BROKEN = {
    "nothing": lambda _: b"",
    "no JSON": lambda _: b"\x80\x04\x95",
    "not an object": lambda _: b"[]",
    "another version": lambda fields: dict(fields, version="head@0"),
    "a field too few": lambda fields: {k: v for k, v in fields.items() if k != "bias"},
    "no number": lambda fields: dict(fields, bias="much"),
    "not finite": lambda fields: dict(fields, bias=float("nan")),
    "weights in a square": lambda fields: dict(fields, weights=[[1.0]]),
    "a direction too few": lambda fields: dict(fields, directions=fields["directions"][1:]),
    "a middle too long": lambda fields: dict(fields, middle=[*fields["middle"], 0.0]),
    "words without weights": lambda fields: dict(fields, words=fields["words"][1:]),
    "a word twice": lambda fields: dict(fields, terms=[fields["terms"][0]] * 2, holders=[1, 1]),
    "a word in more texts than there are": lambda fields: dict(
        fields, holders=[10**6] * len(fields["terms"])
    ),
    "infinite odds of a feed": lambda fields: dict(fields, feeds=[[1, float("inf")]]),
    "the first version": lambda fields: dict(fields, version="head@1"),
    "no date": lambda fields: dict(fields, trained="yesterday"),
}


@pytest.mark.parametrize("breaking", BROKEN.values(), ids=BROKEN.keys())
def test_bytes_that_are_no_head_are_refused(head, breaking):
    broken = breaking(json.loads(head.to_payload()))
    payload = broken if isinstance(broken, bytes) else json.dumps(broken).encode()
    with pytest.raises(ModelError, match="cannot be read"):
        from_payload(*hashed(payload))
