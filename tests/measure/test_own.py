"""What the Model page draws of one's own labels: every curve's ends, sums and bounds."""

from __future__ import annotations

import json
import math
from dataclasses import asdict

import pytest
from made_up import START, head, liked, readers

from newsloom.cli.common import plain
from newsloom.kernel.errors import UserError
from newsloom.ranking.measure import own


def report(count=240, wrong=range(0, 240, 8), **settings):
    [reader] = readers(liked(count, wrong=wrong))
    return own.run(reader.labels, reader.vectors, head(), "counting", **settings)


@pytest.fixture(scope="module")
def found():
    return report()


def test_the_curves_go_from_end_to_end(found):
    assert found.roc[0] == (0.0, 0.0)
    assert found.roc[-1] == (1.0, 1.0)
    assert found.precision_recall[-1] == (1.0, found.positives / found.judged)
    for points in (found.roc, found.precision_recall):
        assert [x for x, _ in points] == sorted(x for x, _ in points)
        assert len(points) <= 101


def test_every_label_is_in_one_bin(found):
    assert sum(count for _, _, count in found.reliability) == found.judged == 240
    assert sum(likes for _, likes, _ in found.histogram) == found.positives
    assert sum(rest for _, _, rest in found.histogram) == found.negatives
    assert [start for start, _, _ in found.histogram] == [place / 10 for place in range(10)]


def test_the_learning_curve_doubles_up_to_all_that_trains(found):
    sizes = [size for size, *_ in found.learning_curve]
    assert sizes[:2] == [50, 100]
    assert sizes[-1] == 180
    assert all(low <= middle <= high for _, middle, low, high in found.learning_curve)


def test_it_is_plain_json(found):
    told = json.loads(json.dumps(plain(found), allow_nan=False))
    assert told["fit"] == "cv"
    assert told["trainer"] == "head"
    assert told["roc"][0] == [0.0, 0.0]
    assert set(told) == set(asdict(found))


def test_other_protocols_measure_too():
    found = report(fit="time")
    assert found.judged == 80
    assert found.average_precision > 0.8


def test_only_the_newest_labels_are_measured_on(monkeypatch):
    monkeypatch.setattr(own, "MOST_LABELS", 100)
    [reader] = readers(liked(240))
    found = own.run(reader.labels, reader.vectors, head(), "counting")
    assert found.positives + found.negatives == 100
    assert min(one.at for one in reader.labels) == START


@pytest.mark.parametrize(
    ("count", "words"),
    [pytest.param(0, "no likes or dislikes", id="none"), pytest.param(8, "needs 5", id="few")],
)
def test_too_few_labels_are_said(count, words):
    labels, vectors = [], []
    if count:
        [reader] = readers(liked(count))
        labels, vectors = reader.labels, reader.vectors
    with pytest.raises(UserError, match=words):
        own.run(labels, vectors, head(), "counting")


def test_what_has_no_answer_is_kept_as_null():
    assert own.json_safe({"a": (math.nan, 1.0), "b": [{"c": math.inf}]}) == {
        "a": [None, 1.0],
        "b": [{"c": None}],
    }
