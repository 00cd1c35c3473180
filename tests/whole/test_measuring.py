"""After a daily training the curves of the Model page are made; trouble with them stops nothing."""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from conftest import Whole

from cli.serving import served
from newsloom.ranking.store.store import ModelStore
from newsloom.reading.values.reading import EventKind
from newsloom.store import Store
from publisher import Publisher, rss

SEA, LAW = ("ferry", "harbour", "island", "tide"), ("senate", "vote", "budget", "treaty")


def labelled(whole: Whole, publisher: Publisher) -> None:
    """Sixty articles on two subjects, one liked."""
    articles = [
        (f"{n}", f"https://gazette.test/{n}", f"{(SEA if n % 2 else LAW)[n // 2 % 4]} {n}")
        for n in range(60)
    ]
    whole.follow(publisher.puts("/feed.xml", rss("The Gazette", *articles)))
    whole.run()
    reader = whole.app.reader()
    for number, one in enumerate(whole.app.store.lists.page(reader.user, *_all(whole))):
        odd = int(one.title.rsplit(" ", 1)[1]) % 2
        reader.mark([one.id], EventKind.LIKE if odd else EventKind.DISLIKE, f"web {number}")


def _all(whole: Whole) -> tuple:
    from newsloom.reading.values.reading import ListQuery

    return ListQuery(limit=100), whole.clock(), whole.app.settings.ranking.half_lives()


def test_the_daily_training_is_measured_with_curves(whole: Whole, publisher: Publisher) -> None:
    labelled(whole, publisher)
    whole.clock.ahead += timedelta(days=2)
    app = whole.app
    app.train_due()
    protocols = [one.protocol for one in app.store.models.evaluations(app.user)]
    assert protocols[0] == "cv"
    assert len(protocols) == 2
    [found] = app.store.models.evaluations(app.user, "cv")
    assert found.report["roc_auc"] > 0.9
    assert len(found.report["learning_curve"]) >= 1


@pytest.mark.timeout(240)
def test_serve_trains_and_measures_by_itself(
    whole: Whole, publisher: Publisher, tmp_path: Path
) -> None:
    """The program as a person starts it: nothing here says that it shall measure."""
    labelled(whole, publisher)
    store, user = whole.app.store, whole.app.user
    assert store.models.evaluations(user) == ()
    with served(tmp_path / "news.db", NEWSLOOM_PAGES_ICONS="false"):
        give_up = time.monotonic() + 180
        while not store.models.evaluations(user, "cv") and time.monotonic() < give_up:
            time.sleep(0.2)
    [found] = store.models.evaluations(user, "cv")
    assert found.report["roc_auc"] > 0.9
    assert [one.active for one in whole.app.services.training.history(user)] == [True]


def test_a_store_that_fails_at_measuring_leaves_the_training(
    whole: Whole, publisher: Publisher, caplog: pytest.LogCaptureFixture
) -> None:
    labelled(whole, publisher)
    app = whole.app
    with app.store.database.write() as connection:  # type: ignore[attr-defined]
        connection.exec_driver_sql("""
            CREATE TRIGGER refusing BEFORE INSERT ON evaluations WHEN NEW.protocol = 'cv'
            BEGIN SELECT RAISE(ABORT, 'refused'); END
        """)
    with caplog.at_level(logging.INFO):
        app.train_due()
    assert "the model was not measured" in caplog.text
    assert [one.active for one in app.services.training.history(app.user)] == [True]
    assert app.store.models.evaluations(app.user, "cv") == ()


def test_a_bug_in_measuring_leaves_the_training(whole: Whole, publisher: Publisher) -> None:
    labelled(whole, publisher)
    app = replace(whole.app, store=Forgetful(whole.app.store))
    app.train_due()
    assert [one.active for one in app.services.training.history(app.user)] == [True]
    assert app.store.models.evaluations(app.user, "cv") == ()


class Forgetful:
    """The store, but for a bug where measurements are kept."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.models = ForgetfulModels(store.models)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


class ForgetfulModels:
    def __init__(self, models: ModelStore) -> None:
        self._models = models

    def __getattr__(self, name: str) -> Any:
        return getattr(self._models, name)

    def add_evaluation(self, *_facts: object) -> None:
        raise RuntimeError("a bug")
