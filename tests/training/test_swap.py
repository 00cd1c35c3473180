"""A model changing under readers, two trainings at once, and what is scored again afterwards."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields

import numpy as np
import pytest
from sqlalchemy import text

from newsloom.engines.pipeline import STAGES, StageContext, run_stages
from newsloom.kernel.errors import ModelError
from newsloom.ranking.values.models import Rating, Score
from store.builders import HALF_LIVES, NOW, RATINGS, VECTORS, pending_scores
from training.world import Encoder, LineModel, LineTrainer, trainers

READERS = 4
SWAPS = 12


@pytest.fixture
def two_models(labelled):
    """Two good models of one reader; their ids, the later in force."""
    first = labelled.training().train(labelled.user)
    labelled.label(30)
    second = labelled.training().train(labelled.user)
    assert second.promoted
    return first.model_id, second.model_id


def test_m04_a_batch_is_of_one_model_while_it_changes(labelled, two_models):
    """Readers hold the model they began with to the end; none sees half a change, none fails."""
    service = labelled.training()
    store, user = labelled.store, labelled.user
    texts = store.articles.texts(labelled.ids)
    known = store.articles.vectors(VECTORS, labelled.ids)
    rows = np.array([known[one.id] for one in texts])
    whole = {}
    numbers = {one.model_id: one.id for one in store.models.models(user, "relevance")}
    for name in two_models:
        loaded = service._loader.load(store.models.model(user, numbers[name]))
        whole[name] = loaded.model.score(texts, rows, [""] * len(texts))
    assert np.abs(whole[two_models[0]] - whole[two_models[1]]).max() > 0.1
    ended = threading.Event()
    seen: list[str] = []

    def read():
        mine = 0
        while not ended.is_set() or not mine:
            model = service.active(user).model
            halves = [
                model.score(texts[part], rows[part], [""] * len(texts[part]))
                for part in (slice(0, 150), slice(150, None))
            ]
            assert (np.concatenate(halves) == whole[model.model_id]).all()
            seen.append(model.model_id)
            mine += 1

    with ThreadPoolExecutor(READERS) as pool:
        reading = [pool.submit(read) for _ in range(READERS)]
        try:
            for number in range(SWAPS):
                name, before = two_models[number % 2], len(seen)
                with store.database.write() as connection:
                    connection.execute(text("UPDATE models SET active = FALSE"))
                    connection.execute(
                        text("UPDATE models SET active = TRUE WHERE id = :id"),
                        {"id": numbers[name]},
                    )
                while name not in seen[before:] and not any(one.done() for one in reading):
                    threading.Event().wait(0.001)
        finally:
            ended.set()
        for one in reading:
            one.result()
    assert set(seen) == set(two_models)


def test_m05_of_two_trainings_at_once_one_wins(labelled):
    """Both judged against the same model in force: the slower is kept and says why it waits."""
    together = threading.Barrier(2)

    class Waiting(LineTrainer):
        def train(self, labels, vectors, now):
            if len(labels) == 200:  # the second of its two: both know by now what is in force
                together.wait(timeout=60)
            return LineTrainer.train(self, labels, vectors, now)

    def train(_number):
        return labelled.training(trainers(line=Waiting())).train(labelled.user)

    with ThreadPoolExecutor(2) as pool:
        came = list(pool.map(train, range(2)))
    assert sorted(one.promoted for one in came) == [False, True]
    slower = next(one for one in came if not one.promoted)
    assert "another training finished first" in slower.words
    active = [one for one in labelled.training().history(labelled.user) if one.active]
    assert len(active) == 1


def rescored(labelled, service, limit):
    """One batch of the relevance stage; the articles in the order they were scored."""
    store, user = labelled.store, labelled.user
    model = service.refreshed(user)
    articles, vectors, categories, ratings = pending_scores(
        store, user, model.model_id, limit=limit
    )
    if not articles:
        return []
    points = model.score(articles, vectors, categories)
    scores = [
        Score(one.id, float(score), rating)
        for one, score, rating in zip(articles, points, ratings, strict=True)
    ]
    store.articles.put_scores(user, model.model_id, scores, HALF_LIVES)
    return [one.id for one in articles]


def test_a_promotion_scores_everything_again_the_newest_first_and_once(labelled, two_models):
    store, service = labelled.store, labelled.training()
    store.articles.put_ratings(RATINGS, labelled.ids, [Rating(3, 0.5)] * len(labelled.ids), NOW)
    assert len(rescored(labelled, service, 1_000)) == len(labelled.ids)
    assert rescored(labelled, service, 1_000) == [], "each article once per model"
    service.roll_back(labelled.user)
    order = []
    while batch := rescored(labelled, service, 70):
        order += batch
    with store.database.read() as connection:
        newest = connection.execute(
            text("SELECT article_id FROM states ORDER BY dated_at DESC, article_id DESC")
        ).scalars()
        assert order == list(newest)


class Gone(LineModel):
    """A model whose device is gone since it was trained."""

    def score(self, articles, vectors, categories):
        raise ModelError("the device is gone")


class OnDevice(LineTrainer):
    def load(self, stored):
        return Gone(**{name: getattr(LineTrainer.load(self, stored), name) for name in FIELDS})


FIELDS = [one.name for one in fields(LineModel)]


def test_m14_when_the_device_is_gone_the_model_before_scores_in_the_same_pass(labelled, two_models):
    store, user = labelled.store, labelled.user
    store.articles.put_ratings(RATINGS, labelled.ids, [Rating(3, 0.5)] * len(labelled.ids), NOW)
    with store.database.write() as connection:
        connection.execute(text("UPDATE models SET trainer = 'device' WHERE active"))
    service = labelled.training(trainers(device=OnDevice("device"), quick=False))
    context = StageContext(
        store=store,
        embedder=Encoder(),
        sensitivity=Rater,
        users=lambda: [user],
        present=lambda: [user],
        relevance=service.refreshed,
        broken=service.broken,
        half_lives=HALF_LIVES,
        now=lambda: NOW,
    )
    relevance = tuple(stage for stage in STAGES if stage.name == "relevance")
    (report,) = run_stages(context, clock=lambda: 0.0, stages=relevance)
    assert (report.done, report.problem) == (len(labelled.ids), "")
    taste = service.active(user)
    assert taste.model.model_id == two_models[0]
    assert "the device is gone" in taste.problem


@dataclass(frozen=True)
class Rater:
    model_id: str = RATINGS

    def rate(self, articles, vectors):
        return [Rating(3, 0.5)] * len(articles)
