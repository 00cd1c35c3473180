"""The sensitivity report: its protocol on made-up articles, its goals on the labelled news."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime

import numpy as np
import pytest

from newsloom.kernel.errors import UserError
from newsloom.ranking.encoders import registry
from newsloom.ranking.learning import ordinal, shipped
from newsloom.ranking.measure.articles import LabelledArticle, read_articles
from newsloom_lab.evaluate import sensitivity

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
    title = f"A {kind} {number}"
    return LabelledArticle(id=str(number), title=title, language="en", **fields)


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


def test_the_shipped_head_says_which_articles_it_was_trained_on(shared):
    articles = read_articles(shared / "data/sensitivity/articles.jsonl")[:200]
    report = sensitivity.run(
        articles, shipped.sensitivity_head(), registry.embedder("minilm-int8", 1)
    )
    assert report.trained_on == 200
    assert report.rated_twice > 20
    assert report.two_raters_kappa > 0.95
    assert report.quadratic_weighted_kappa > 0.85
    assert asdict(report)["fit"] == ""
    assert len(report.recall) == ordinal.LEVELS
