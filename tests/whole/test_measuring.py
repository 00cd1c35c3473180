"""After a daily training the curves of the Model page are made; trouble with them stops nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from conftest import Whole
from newsloom.app import App
from newsloom.errors import UserError
from newsloom.evaluate.own import measure
from newsloom.types import EventKind, UserId
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
    for number, one in enumerate(whole.app.store.page(reader.user, *_all(whole))):
        odd = int(one.title.rsplit(" ", 1)[1]) % 2
        reader.mark([one.id], EventKind.LIKE if odd else EventKind.DISLIKE, f"web {number}")


def _all(whole: Whole) -> tuple:
    from newsloom.types import ListQuery

    return ListQuery(limit=100), whole.clock(), whole.app.settings.ranking.half_lives()


def test_the_daily_training_is_measured_with_curves(whole: Whole, publisher: Publisher) -> None:
    labelled(whole, publisher)
    app = replace(whole.app, measure=measure)
    whole.clock.ahead += timedelta(days=2)
    app.train_due()
    protocols = [one.protocol for one in app.store.evaluations(app.user)]
    assert protocols[0] == "cv"
    assert len(protocols) == 2
    [found] = app.store.evaluations(app.user, "cv")
    assert found.report["roc_auc"] > 0.9
    assert len(found.report["learning_curve"]) >= 1
    assert app.desk().measure is not None
    assert whole.app.desk().measure is None


@pytest.mark.parametrize("error", [UserError("too few"), RuntimeError("a bug")])
def test_trouble_with_measuring_leaves_the_training(
    open_whole: Callable[..., Whole], publisher: Publisher, error: Exception
) -> None:
    whole = open_whole(publisher.host)
    labelled(whole, publisher)

    def fails(_app: App, _user: UserId) -> str:
        raise error

    app = replace(whole.app, measure=fails)
    whole.clock.ahead += timedelta(days=2)
    app.train_due()
    assert [one.active for one in app.personal.history(app.user)] == [True]
