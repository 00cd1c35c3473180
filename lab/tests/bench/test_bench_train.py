"""The training and scoring benchmarks measure what they say. How fast it was is for no test."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

from newsloom.kernel.errors import UserError
from newsloom.ranking.encoders import registry
from newsloom_lab.bench import reader, score, train

ENCODER = registry.EMBEDDERS[0]
QUICK = {row.name for row in registry.TRAINERS if row.quick}


@pytest.fixture(scope="module")
def made_up():
    return reader.made_up(300, ENCODER.model_id)


def test_made_up_readers_are_always_alike(made_up):
    again = reader.made_up(300, ENCODER.model_id)
    assert [one.article for one in again.labels] == [one.article for one in made_up.labels]
    assert (again.vectors == made_up.vectors).all()
    assert np.linalg.norm(made_up.vectors, axis=1) == pytest.approx(1.0, abs=1e-5)
    likes = sum(one.positive for one in made_up.labels)
    assert 60 < likes < 200
    assert len({one.article.feed_id for one in made_up.labels}) == reader.FEEDS


def test_training_is_timed_judged_and_promoted_beside_peers(made_up):
    bench = train.run(made_up, sizes=(60, 120, 5_000), rounds=1)
    assert [one.labels for one in bench.times] == [60, 120], "5,000 labels are not there"
    assert [one.judged for one in bench.times] == [240, 180]
    for one in bench.times:
        assert set(one.trainers) == QUICK
        for fit in one.trainers.values():
            assert fit.seconds > 0
            assert fit.kilobytes > 1
            assert fit.roc_auc > 0.55, "it has learned something"
        if find_spec("sklearn") is None:
            assert "not measured" in bench.problem
        else:
            assert len(one.peers) == 3
            assert all(fit.roc_auc > 0.55 for fit in one.peers.values())
    assert bench.promotion.labels == 120
    assert "is active from now on" in bench.promotion.words
    assert bench.seed_ratio == {}, "the seed's figure is for 1,000 labels"


def test_scoring_is_timed_alone_and_through_the_store(made_up):
    bench = score.run(made_up, labels=100, rounds=1)
    assert (bench.articles, bench.labels) == (300, 100)
    assert set(bench.trainers) == QUICK
    for speed in bench.trainers.values():
        assert min(speed.articles_per_second, speed.through_the_store_per_second) > 0
        assert speed.seed_ratio == pytest.approx(
            speed.through_the_store_per_second / score.SEED_ARTICLES_PER_SECOND
        )


def test_through_the_store_every_article_gets_that_models_score(made_up):
    workplace = train.workplace(made_up.vector_model, None, "")
    model = registry.trainer("tfidf-svm", workplace).train(
        made_up.labels, made_up.vectors, reader.NOW
    )
    with reader.living(made_up, marked=False) as app:
        score._pass(app, model)
        found = app.reader().listed(range(1, 301))
    articles = [one.article for one in made_up.labels]
    expected = model.score(articles, made_up.vectors, [""] * 300)
    assert [one.relevance for one in found] == pytest.approx(expected.tolist())


def test_labels_are_shuffled_always_alike(made_up):
    mixed = reader.shuffled(made_up)
    assert [one.article.id for one in mixed.labels] != [one.article.id for one in made_up.labels]
    ids = [made_up.labels.index(one) for one in mixed.labels]
    assert (mixed.vectors == made_up.vectors[ids]).all()
    assert [one.article.id for one in reader.shuffled(made_up).labels] == [
        one.article.id for one in mixed.labels
    ]


def test_too_few_labels_are_said(made_up):
    with pytest.raises(UserError, match="There are 50 labels"):
        train.run(made_up.take(0, 50))
    likes = [one for one in made_up.labels if one.positive][:60]
    only = reader.Labelled("likes", likes, made_up.vectors[:60], "x")
    with pytest.raises(UserError, match="60 likes and 0 dislikes"):
        train.run(only, sizes=(60,))
    with pytest.raises(UserError, match="60 likes and 0 dislikes"):
        score.run(only)
