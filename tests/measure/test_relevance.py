"""The relevance report: who is judged by whom, over one reader or many, and what cannot be."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import numpy as np
import pytest
from made_up import START, Counting, fruit, head, liked, readers

from newsloom.cli.common import plain
from newsloom.kernel.errors import UserError
from newsloom.kernel.settings import Settings
from newsloom.ranking.encoders import registry
from newsloom.ranking.measure import curves, relevance
from newsloom.ranking.measure.articles import read_articles
from newsloom.ranking.measure.labelled import of_file
from newsloom.ranking.measure.own import by_name
from newsloom.ranking.measure.relevance import MEASURES


def measured(articles, fit, trainer=None):
    return relevance.run(readers(articles), trainer or head(), "counting", fit)


@pytest.mark.parametrize(
    ("fit", "judged"), [("cv", 300), ("time", 100), ("seed", 150), ("seed-random", 150)]
)
def test_a_clear_taste_is_found_by_every_protocol(fit, judged):
    report = measured(liked(300), fit)
    assert (report.judged, report.fit, report.readers) == (judged, fit, 1)
    assert (report.positives, report.negatives) == (150, 150)
    assert report.roc_auc == report.average_precision == 1.0
    assert report.precision == report.recall == report.f1 == 1.0
    for name, _interval in relevance.FORMULAS:
        low, high = getattr(report, f"{name}_interval")
        assert 0.9 < low < 0.99, "so few labels without a mistake do not make it certain"
        assert high == 1.0


def test_every_measure_has_its_plain_name_and_an_interval_around_it():
    report = asdict(measured(liked(200, wrong=range(0, 200, 9)), "cv"))
    for name, _ in MEASURES:
        low, high = report[f"{name}_interval"]
        # Resamples of small bins lie above the calibration error itself: it cannot be negative.
        assert low <= report[name] <= high or name == "calibration_error"
        assert low < high
    assert json.loads(json.dumps(plain(report)))["roc_auc"] == report["roc_auc"]


def test_reading_counts_as_liking_and_skipping_as_not_and_a_star_alone_is_a_like():
    rows = [fruit(number, label=label) for number, label in enumerate(("read", "skip"))]
    [reader] = readers([*rows, fruit(2, starred_at=START), fruit(3)])
    assert [one.positive for one in reader.labels] == [True, False, True]
    assert reader.labels[2].at == START


class Seeing:
    """A trainer that notes what it trained on, and a model of it that notes what it judged."""

    name = "seeing"

    def __init__(self):
        self.seen = []

    def train(self, labels, vectors, now):
        self.seen.append(({one.article.title for one in labels}, set()))
        return self

    def score(self, articles, vectors, categories):
        self.seen[-1][1].update(one.title for one in articles)
        return np.full(len(articles), 50.0)


@pytest.mark.parametrize("fit", ["cv", "time", "seed", "seed-random"])
def test_nothing_of_one_story_or_text_is_on_both_sides(fit):
    """Every article is told three times: as a duplicate, by another outlet, and at its address."""
    rows = []
    for number, one in enumerate(liked(300, days=0.5)):
        mark = number // 3
        same = ({"duplicate": f"d{mark}"}, {"story": f"s{mark}"}, {"url": f"http://a.test/{mark}"})
        rows.append(
            replace(
                one,
                **same[mark % 3],
                title=f"{mark} told {number}",
                label=("like" if mark % 2 else "dislike"),
            )
        )
    trainer = Seeing()
    measured(rows, fit, trainer)
    assert trainer.seen
    for trained, judged in trainer.seen:
        marks = [{title.split()[0] for title in side} for side in (trained, judged)]
        assert judged
        assert trained
        assert not marks[0] & marks[1]


def test_many_readers_count_alike_whatever_their_labels():
    many = [replace(one, reader="many") for one in liked(200)]
    few = [replace(one, reader="few") for one in liked(60, wrong=range(0, 60, 4))]
    report = measured([*few, *many], "cv")
    each = {one.reader: one for one in report.per_reader}
    assert report.readers == 2
    assert list(each) == ["few", "many"]
    assert report.roc_auc == pytest.approx((each["few"].roc_auc + each["many"].roc_auc) / 2)
    assert report.judged == 260
    low, high = report.average_precision_interval
    assert low < report.average_precision < high


def test_a_reader_with_too_few_labels_is_left_out_and_named():
    enough = [replace(one, reader="enough") for one in liked(100)]
    few = [replace(one, reader="few") for one in liked(6)]
    report = measured([*enough, *few], "cv")
    assert report.readers == 1
    [left] = report.left_out
    assert left.startswith("few: Training needs 5 likes")


@pytest.mark.parametrize(
    ("articles", "fit", "words"),
    [
        pytest.param([fruit(1)], "cv", 'No article has a "label"', id="no labels"),
        pytest.param(liked(8), "cv", "Training needs 5 likes", id="too few"),
        pytest.param(liked(100), "all", "--fit is one of cv, time, seed", id="unknown fit"),
        pytest.param(liked(30), "seed", "needs 40 likes", id="too few for the seed"),
        pytest.param(
            [fruit(number, label="like") for number in range(9)],
            "time",
            'needs "labelled_at"',
            id="no times",
        ),
    ],
)
def test_what_cannot_be_measured_is_said(articles, fit, words):
    with pytest.raises(UserError, match=words):
        measured(articles, fit)


def test_each_size_of_a_curve_is_judged_on_the_same_later_labels():
    found = curves.run(readers(liked(200, wrong=range(0, 200, 5))), head(), [40, 120, 999], "time")
    assert [one.labels for one in found.curve] == [40, 120]
    assert found.judged == 50
    assert all(0.5 < one.average_precision <= 1 for one in found.curve)
    assert found.per_reader == ()


def test_a_curve_without_a_size_any_reader_has_says_so():
    with pytest.raises(UserError, match="No reader has 500 labels"):
        curves.run(readers(liked(100)), head(), [500])


def test_labels_of_one_kind_alone_have_no_answer_and_no_trouble():
    """The newest quarter is all likes: nothing can be told apart there."""
    articles = [
        replace(one, label="like") if number >= 70 else one for number, one in enumerate(liked(100))
    ]
    [point] = curves.run(readers(articles), head(), [40]).curve
    assert np.isnan(point.roc_auc)
    assert np.isnan(point.roc_auc_interval[0])


def test_a_curve_names_each_of_many_readers():
    both = [replace(one, reader=name) for name in ("a", "b") for one in liked(100)]
    found = curves.run(readers(both), head(), [40], "cv")
    assert found.curve[0].readers == 2
    assert [name for name, _ in found.per_reader] == ["a", "b"]
    assert found.per_reader[0][1][0][0] == 40


@pytest.mark.parametrize("name", ["head", "tfidf-svm"])
def test_every_quick_trainer_can_be_measured(name):
    report = measured(liked(120), "time", by_name(name, Settings(), "counting"))
    assert report.trainer == name
    assert report.roc_auc == 1.0


def test_each_text_is_embedded_once_however_many_readers_labelled_it():
    class Recording(Counting):
        asked = 0

        def embed(self, texts):
            self.asked += len(texts)
            return super().embed(texts)

    encoder = Recording()
    of_file([replace(one, reader=name) for name in ("a", "b") for one in liked(50)], encoder)
    assert encoder.asked == 50


def test_the_head_on_one_real_reader(shared):
    articles = read_articles(shared / "data/relevance/hackernews_one_reader.jsonl")
    encoder = registry.embedder("minilm-int8", 1)
    report = relevance.run(of_file(articles, encoder), head(), encoder.model_id, "cv")
    assert report.judged == 594
    # The goal. A logistic head on the vector alone reaches .870, words alone .73.
    assert report.roc_auc >= 0.87
    assert report.calibration_error < 0.05
