"""`kill -9` while articles are saved to services, and while rules are applied: nothing is lost, and
in our own rows nothing is there twice."""

from __future__ import annotations

import asyncio
import multiprocessing
import random
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
from test_sharing import Shelf, newest, once, opened, shelf

import preloaded
from kills import kill_count
from newsloom.app import App, open_app, utc_now
from newsloom.kernel.settings import Settings
from newsloom.rules.service import rules
from newsloom.rules.values import Rule, RuleAction, RuleCondition, RuleMatch
from newsloom.sharing.service import sharing as use
from newsloom.sharing.service.sending import calling_services, sharing

__all__ = ["shelf"]  # the fixture

KILLS = kill_count(40)
SHARES = 60
HELD = timedelta(hours=1)  # longer than a claim, and than the wait after a failure

processes = multiprocessing.get_context("forkserver")
processes.set_forkserver_preload(
    [*preloaded.APP, "newsloom.sharing.service.sending", "newsloom.rules.service.rules"]
)


def killed(work: Callable[..., None], after: float, *given: object) -> bool:
    """Whether a process was still at its work when it was killed, so long after it began."""
    heard, told = processes.Pipe(duplex=False)
    child = processes.Process(target=work, args=(*given, told))
    child.start()
    told.close()
    assert heard.recv() == "begun"
    child.join(after)
    alive = child.is_alive()
    child.kill()
    child.join()
    heard.close()
    assert child.exitcode in {-9, 0}, "killed, or done; not ended by an error"
    return alive


def send(path: Path, host: str, told: Connection) -> None:
    app = opened(path, host)
    told.send("begun")

    async def sending() -> None:
        async with calling_services(app) as caller:
            await sharing(app).once(caller)

    asyncio.run(sending())
    app.close()


@pytest.mark.crash
@pytest.mark.timeout(600)
def test_killed_senders_save_every_article(sampled: Path, tmp_path: Path, shelf: Shelf) -> None:
    path, chance, kills = tmp_path / "news.db", random.Random(20261125), 0
    shutil.copy(sampled, path)
    app = opened(path, shelf.host)
    use.added(app.reader(), "readeck", "", {"url": shelf.url, "token": "x"})
    wanted = newest(app, SHARES)
    for one in wanted:
        use.save(app.reader(), 1, one.id)
    for _round in range(KILLS):
        kills += killed(send, chance.uniform(0.0, 0.2), path, shelf.host)
        assert app.store.check() == ()
    app.close()
    app = opened(path, shelf.host, ahead=HELD)
    once(app)
    with app.store.database.read() as connection:
        states = connection.exec_driver_sql("SELECT article_id, state FROM shares").all()
    app.close()
    assert kills > 2
    assert sorted(states) == sorted((one.id, "sent") for one in wanted)
    taken = Counter(shelf.saved())
    assert set(taken) == {one.url for one in wanted}
    assert sum(taken.values()) <= len(wanted) + kills, "again only what a kill left open"


def rule(name: str, word: str, *actions: tuple[str, str]) -> Rule:
    acts = tuple(RuleAction(kind, value) for kind, value in actions)
    return Rule(name, RuleMatch.ALL, (RuleCondition("title", word),), acts)


RULES = (
    rule("No a", "a", ("mute", "")),
    rule("Less", "the", ("lower", "40"), ("tag", "Seen")),
    rule("Kept", "of", ("star", ""), ("read", ""), ("boost", "20")),
)
ROWS = {
    "rule_effects": "article_id, user_id, points, raised, base, read, starred, tags, did",
    "muted_articles": "article_id, user_id, rule_id",
    "rule_queue": "article_id, user_id",
    "states": "article_id, user_id, read, starred",
    "article_tags": "article_id",
    "events": "article_id, user_id, kind",
}


def ruled(path: Path) -> App:
    settings = Settings()
    return open_app(replace(settings, store=replace(settings.store, path=path)), utc_now)


def apply(path: Path, told: Connection) -> None:
    app = ruled(path)
    told.send("begun")
    app.runner().rank()
    app.close()


def rows(app: App) -> dict[str, list[Any]]:
    with app.store.database.read() as connection:
        return {
            table: sorted(map(repr, connection.exec_driver_sql(f"SELECT {named} FROM {table}")))
            for table, named in ROWS.items()
        }


@pytest.mark.crash
@pytest.mark.timeout(600)
def test_killed_rules_come_to_what_rules_that_ran_through_come_to(
    sampled: Path, tmp_path: Path
) -> None:
    whole, path, chance, kills = tmp_path / "whole.db", tmp_path / "news.db", random.Random(7), 0
    shutil.copy(sampled, path)
    app = ruled(path)
    for one in RULES:
        rules.save(app.reader(), one)
    app.close()
    shutil.copy(path, whole)
    app = ruled(whole)
    app.runner().rank()
    expected = rows(app)
    app.close()
    assert expected["muted_articles"]
    assert expected["article_tags"]
    app = ruled(path)
    for _round in range(KILLS):
        kills += killed(apply, chance.uniform(0.0, 0.25), path)
        assert app.store.check() == ()
    app.close()
    app = ruled(path)
    app.runner().rank()
    assert rows(app) == expected
    app.close()
    assert kills > 2
