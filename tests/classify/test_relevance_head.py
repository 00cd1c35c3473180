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

from newsloom.classify.head import TrainedHead, folds, from_payload, train
from newsloom.errors import ModelError
from newsloom.evaluate.metrics import calibration_error, roc_auc
from newsloom.types import NotYet


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
    answer = train(labels, unit_rows(8), now=NOW, min_positive=2, min_negative=2)
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
    "no date": lambda fields: dict(fields, trained="yesterday"),
}


@pytest.mark.parametrize("breaking", BROKEN.values(), ids=BROKEN.keys())
def test_bytes_that_are_no_head_are_refused(head, breaking):
    broken = breaking(json.loads(head.to_payload()))
    payload = broken if isinstance(broken, bytes) else json.dumps(broken).encode()
    with pytest.raises(ModelError, match="cannot be read"):
        from_payload(*hashed(payload))
