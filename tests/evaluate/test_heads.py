"""The two reports: their protocol on made-up articles, and their goals on the labelled news."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from newsloom.classify import ordinal, shipped
from newsloom.errors import UserError
from newsloom.evaluate import relevance, sensitivity
from newsloom.evaluate.articles import LabelledArticle, read_articles
from newsloom.models import registry

START = datetime(2026, 1, 1, tzinfo=UTC)


class Counting:
    """Vectors that say where in the file an article stands: enough to check who saw what."""

    model_id = "counting"
    dimensions = 8

    def embed(self, texts):
        rows = np.zeros((len(texts), 8), np.float32)
        rows[:, 0] = [1.0 if "pear" in text else -1.0 for text in texts]
        return rows


def fruit(number, **fields):
    kind = "pear" if number % 2 else "plum"
    return LabelledArticle(id=str(number), title=f"A {kind} {number}", **fields)


def liked(count, **fields):
    return [
        fruit(
            number,
            label="like" if number % 2 else "dislike",
            labelled_at=START + timedelta(days=number),
            source=f"source {number % 7}",
            **fields,
        )
        for number in range(count)
    ]


# --- relevance ---


@pytest.mark.parametrize(("fit", "judged"), [("cv", 100), ("time", 34)])
def test_every_judged_article_was_held_out(fit, judged):
    report = relevance.run(liked(100), Counting(), fit)
    assert report.judged == judged
    assert (report.positives, report.negatives) == (50, 50)
    assert report.roc_auc == 1.0
    assert report.average_precision == 1.0
    assert report.precision == report.recall == report.f1 == 1.0


def test_parts_hold_out_each_article_once_and_never_train_on_it():
    parts = relevance.parts("cv", liked(95))
    assert sorted(np.concatenate([held for _, held in parts]).tolist()) == list(range(95))
    for kept, held in parts:
        assert not set(kept) & set(held)
        assert len(kept) + len(held) == 95


def test_by_time_the_past_judges_the_future():
    [(kept, held)] = relevance.parts("time", liked(90)[::-1])
    assert kept.min() > held.max()
    assert (len(kept), len(held)) == (60, 30)


def test_reading_counts_as_liking_and_skipping_as_not():
    labels = relevance.as_labels(
        [fruit(number, label=label) for number, label in enumerate(("read", "skip"))]
    )
    assert [one.positive for one in labels] == [True, False]


@pytest.mark.parametrize(
    ("articles", "fit", "words"),
    [
        pytest.param([fruit(1)], "cv", 'No article has a "label"', id="no labels"),
        pytest.param(liked(30), "cv", "Training needs 20 likes", id="too few"),
        pytest.param(liked(100), "all", "--fit is one of cv, time", id="unknown fit"),
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
        relevance.run(articles, Counting(), fit)


# --- sensitivity ---


def rated(count):
    return [
        fruit(number, rating=4 if number % 2 else 1, source=f"source {number % 20}")
        for number in range(count)
    ]


@pytest.mark.parametrize("fit", ["cv", "source"])
def test_ratings_of_held_out_articles_agree(fit):
    report = sensitivity.run(rated(100), shipped.sensitivity_head(), Counting(), fit)
    assert report.articles == 100
    assert report.quadratic_weighted_kappa == 1.0
    assert report.exact == report.within_one == 1.0
    assert report.rank_probability_score < 0.02
    assert report.confusion[0] == (50, 0, 0, 0, 0)
    assert report.trained_on == 0


def test_folds_by_source_never_split_one():
    articles = rated(100)
    ratings = np.array([one.rating for one in articles])
    sources = [one.source for one in articles]
    parts = sensitivity.folds("source", ratings, sources)
    homes = {(sources[row], fold) for fold, part in enumerate(parts) for row in part}
    assert len(homes) == len(set(sources))


@pytest.mark.parametrize(
    ("articles", "fit", "words"),
    [
        pytest.param([fruit(1)], "", 'No article has a "rating"', id="no ratings"),
        pytest.param(rated(4), "cv", "5 rated articles or more", id="too few"),
        pytest.param(rated(20)[:4], "source", "need 5 sources", id="too few sources"),
        pytest.param(rated(20), "all", "--fit is one of cv, source", id="unknown fit"),
    ],
)
def test_what_cannot_be_judged_is_said(articles, fit, words):
    with pytest.raises(UserError, match=words):
        sensitivity.run(articles, shipped.sensitivity_head(), Counting(), fit)


# --- on the labelled news ---


def test_the_head_on_one_real_reader(shared):
    articles = read_articles(shared / "data/relevance/hackernews_one_reader.jsonl")
    report = relevance.run(articles, registry.embedder("minilm-int8", 1), "cv")
    assert report.judged == 594
    # TF-IDF measures .738 on these folds, an untuned logistic head on the same vectors .864.
    assert report.roc_auc > 0.85
    assert report.calibration_error < 0.06


def test_the_shipped_head_says_which_articles_it_was_trained_on(shared):
    articles = read_articles(shared / "data/sensitivity/articles.jsonl")[:200]
    report = sensitivity.run(
        articles, shipped.sensitivity_head(), registry.embedder("minilm-int8", 1)
    )
    assert report.trained_on == 200
    assert report.quadratic_weighted_kappa > 0.85
    assert asdict(report)["fit"] == ""
    assert len(report.recall) == ordinal.LEVELS
