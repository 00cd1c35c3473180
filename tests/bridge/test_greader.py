"""A server of the Google Reader API on loopback: articles and marks in, the label out."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import pytest

from bridge.conftest import HALF_LIVES, World
from bridge.greader_server import PASSWORD, USER, Answer, GreaderServer, greader_server
from newsloom.articles.store.reader_tables import events
from newsloom.bridges.greader import Greader
from newsloom.bridges.plan import Mapped
from newsloom.bridges.service.sync import AccountReport, Synchroniser
from newsloom.kernel.http.api import HttpApi
from newsloom.kernel.http.values import ApiReply, ApiRequest
from newsloom.kernel.settings import GreaderSettings
from newsloom.reading.values.reading import ListQuery

FLAVOURS = ("freshrss", "miniflux")
LABEL = "newsloom-top"


@dataclass
class Bridged:
    """Both sides: the server, and Newsloom beside it."""

    world: World
    server: GreaderServer
    settings: GreaderSettings
    runner: asyncio.Runner
    api: HttpApi
    called: list[ApiRequest] = field(default_factory=list)

    def sync(self) -> AccountReport:
        report = self.synchroniser().sync()
        (account,) = report.accounts
        return account

    def synchroniser(self) -> Synchroniser:
        remote = Greader(self.settings, self._call, self.world.now)
        return replace(self.world.synchroniser(Mapped()), remote=remote)

    def _call(self, request: ApiRequest) -> ApiReply:
        self.called.append(request)
        return self.runner.run(self.api.call(request))

    def put(self, count: int = 6, start: int = 1, **more: Any) -> None:
        seen = int(self.world.clock.timestamp()) - 3_600
        for key in range(start, start + count):
            self.server.put(key, f"Story number {key * 37 % 100}", seen + key, **more)

    def listed(self, *, unread: bool = True) -> list[str]:
        query = ListQuery(limit=1_000, unread_only=unread)
        page = self.world.store.lists.page(self._user(), query, self.world.now(), HALF_LIVES)
        return [one.title for one in page]

    def marks(self) -> list[tuple[str, str]]:
        with self.world.store.database.read() as connection:
            rows = connection.execute(events.select().order_by(events.c.id)).all()
        titles = {
            one.id: one.title
            for one in self.world.store.articles.texts([row.article_id for row in rows])
        }
        return [(row.kind, titles[row.article_id]) for row in rows]

    def _user(self) -> Any:
        return next(
            one for one, name in self.world.store.users.users() if name == f"greader/{USER}"
        )


@contextmanager
def bridging(world: World, flavour: str) -> Iterator[Bridged]:
    with greader_server(flavour) as server, asyncio.Runner() as runner:
        api = HttpApi(version="1.2.3", max_ratio=200)
        runner.run(api.__aenter__())
        settings = GreaderSettings(url=server.url + "/", user=USER, password=PASSWORD, top=2)
        yield Bridged(world, server, settings, runner, api)
        runner.run(api.__aexit__(None, None, None))


@pytest.fixture(params=FLAVOURS)
def bridged(world: World, request: pytest.FixtureRequest) -> Iterator[Bridged]:
    with bridging(world, request.param) as made:
        yield made


@pytest.fixture
def fresh(world: World) -> Iterator[Bridged]:
    with bridging(world, "freshrss") as made:
        yield made


@pytest.fixture
def miniflux(world: World) -> Iterator[Bridged]:
    with bridging(world, "miniflux") as made:
        yield made


def title(bridged: Bridged, key: int) -> str:
    return bridged.server.items[key].title


def test_articles_come_in_and_are_ranked(bridged: Bridged) -> None:
    bridged.put(6)
    report = bridged.sync()
    assert (report.login, report.user, report.new, report.unread) == (USER, f"greader/{USER}", 6, 6)
    numbers = [int(one.rpartition(" ")[2]) for one in bridged.listed()]
    assert numbers == sorted((key * 37 % 100 for key in range(1, 7)), reverse=True)


def test_the_label_is_on_the_best_and_moves_with_them(fresh: Bridged) -> None:
    fresh.put(6)
    report = fresh.sync()
    assert (report.problem, report.written, report.waiting) == ("", 2, 0)
    assert {title(fresh, key) for key in fresh.server.labelled(LABEL)} == set(fresh.listed()[:2])
    fresh.server.put(50, "Story number 99", int(fresh.world.clock.timestamp()))
    fresh.world.later(minutes=30)
    fresh.sync()
    assert {title(fresh, key) for key in fresh.server.labelled(LABEL)} == set(fresh.listed()[:2])
    assert 50 in fresh.server.labelled(LABEL)


def test_what_was_read_there_loses_the_label(fresh: Bridged) -> None:
    fresh.put(6)
    fresh.sync()
    (first, *_rest) = sorted(fresh.server.labelled(LABEL))
    fresh.server.items[first].read = True
    fresh.world.later(minutes=30)
    fresh.sync()
    assert first not in fresh.server.labelled(LABEL)
    assert len(fresh.server.labelled(LABEL)) == 2


def test_a_label_someone_took_off_is_put_back(fresh: Bridged) -> None:
    fresh.put(6)
    fresh.sync()
    best = fresh.server.labelled(LABEL)
    fresh.server.items[min(best)].labels.clear()
    fresh.world.later(minutes=30)
    fresh.sync()
    assert fresh.server.labelled(LABEL) == best


def test_an_empty_label_writes_nothing(bridged: Bridged) -> None:
    bridged.put(6)
    bridged.settings = replace(bridged.settings, label="")
    report = bridged.sync()
    assert (report.written, report.waiting, report.problem) == (0, 0, "")
    assert not any("edit-tag" in text for text in bridged.server.asked)


def test_a_server_without_labels_says_so_and_ranks_all_the_same(miniflux: Bridged) -> None:
    miniflux.put(6)
    report = miniflux.sync()
    assert (report.unread, report.written, report.waiting) == (6, 0, 2)
    assert report.waiting_for == "the server returned 500 for the label"
    assert len(miniflux.listed()) == 6


def test_a_second_run_asks_for_no_text_and_says_nothing(bridged: Bridged) -> None:
    bridged.put(6)
    bridged.settings = replace(bridged.settings, label="")
    bridged.sync()
    bridged.server.asked.clear()
    report = bridged.sync()
    assert (report.entries, report.written, dict(report.marks)) == (0, 0, {})
    assert not any("contents" in text for text in bridged.server.asked)


def test_reading_one_there_is_reading_it_here(bridged: Bridged) -> None:
    bridged.put(6)
    bridged.sync()
    bridged.server.items[3].read = True
    bridged.world.later(minutes=30)
    bridged.sync()
    assert title(bridged, 3) not in bridged.listed()
    assert bridged.marks() == [("finished", title(bridged, 3))]
    bridged.server.items[3].read = False
    bridged.world.later(minutes=30)
    bridged.sync()
    assert title(bridged, 3) in bridged.listed()


def test_mark_all_read_there_teaches_nothing(bridged: Bridged) -> None:
    bridged.put(40)
    bridged.sync()
    for item in bridged.server.items.values():
        item.read = True
    bridged.world.later(minutes=30)
    bridged.sync()
    assert {kind for kind, _title in bridged.marks()} == {"bulk read"}
    assert bridged.listed() == []


def test_stars_come_and_go(bridged: Bridged) -> None:
    bridged.put(6)
    bridged.server.items[2].starred = True
    bridged.server.items[5].starred = True
    bridged.server.items[5].read = True
    bridged.sync()
    assert ("star", title(bridged, 2)) in bridged.marks()
    assert ("star", title(bridged, 5)) in bridged.marks()
    bridged.server.items[2].starred = False
    bridged.server.items[5].starred = False
    bridged.world.later(minutes=30)
    bridged.sync()
    assert ("unstar", title(bridged, 2)) in bridged.marks()
    assert ("unstar", title(bridged, 5)) in bridged.marks()


def test_an_old_star_is_taken_in_however_old(bridged: Bridged) -> None:
    long_ago = int((bridged.world.clock - timedelta(days=900)).timestamp())
    bridged.server.put(1, "Kept for years", long_ago, read=True, starred=True)
    bridged.server.put(2, "Read years ago", long_ago, read=True)
    bridged.sync()
    assert bridged.listed(unread=False) == ["Kept for years"]


def test_what_is_gone_there_stays_here_and_is_not_asked_for_again(bridged: Bridged) -> None:
    bridged.put(6)
    bridged.sync()
    gone = title(bridged, 4)
    del bridged.server.items[4]
    bridged.world.later(minutes=30)
    assert bridged.sync().gone == 1
    assert gone in bridged.listed()
    bridged.server.asked.clear()
    bridged.world.later(minutes=30)
    assert bridged.sync().gone == 0


def test_reading_while_a_list_is_read_makes_nothing_read(miniflux: Bridged) -> None:
    """Miniflux pages by offset: what is read between two parts shifts the rest by one."""
    miniflux.settings = replace(miniflux.settings, label="")
    miniflux.server.page = 3
    miniflux.put(12)
    miniflux.sync()
    parts = iter(range(100))

    def read_one() -> None:
        if next(parts) == 1:  # before the second part of the unread
            miniflux.server.items[12].read = True

    miniflux.server.before_part = read_one
    miniflux.world.later(minutes=30)
    miniflux.sync()
    assert miniflux.marks() == []  # it had been listed already; the one that slipped was looked at
    assert len(miniflux.listed()) == 12
    miniflux.world.later(minutes=30)
    miniflux.sync()
    assert miniflux.marks() == [("finished", title(miniflux, 12))]


def test_a_token_that_ended_is_asked_for_again(bridged: Bridged) -> None:
    bridged.put(3)
    synchroniser = bridged.synchroniser()
    synchroniser.sync()
    bridged.server.forget_logins()
    bridged.server.items[1].read = True
    bridged.world.later(minutes=30)
    (account,) = synchroniser.sync().accounts
    assert account.problem == "" or "label" in account.problem
    assert title(bridged, 1) not in bridged.listed()


def test_a_wrong_password_is_said_and_nothing_is_sent_after(bridged: Bridged) -> None:
    bridged.settings = replace(bridged.settings, password="wrong")
    report = bridged.synchroniser().sync()
    assert report.problem == "the server refuses the user name or the API password"
    assert bridged.server.asked == ["POST /accounts/ClientLogin"]


def test_the_password_goes_only_into_the_login(bridged: Bridged) -> None:
    bridged.put(3)
    bridged.sync()
    carrying = [one for one in bridged.called if b"word" in one.body or "word" in one.url]
    assert [one.url for one in carrying] == [f"{bridged.server.url}/accounts/ClientLogin"]


def bad(status: int = 200, body: str = "", **headers: str) -> Any:
    return lambda: (status, body, headers)


@pytest.mark.parametrize(
    "answer",
    [
        bad(500, "no"),
        bad(200, "<html>sign in</html>"),
        bad(200, "[]"),
        bad(200, '{"itemRefs": [{"id": 5}]}'),
        bad(200, '{"itemRefs": [{"id": "99999999999999999999"}]}'),
        bad(302, "", Location="https://example.org/login"),
    ],
    ids=["error", "html", "list", "numbers", "too-large", "redirect"],
)
def test_a_list_that_is_none_changes_nothing(bridged: Bridged, answer: Any) -> None:
    bridged.put(4)
    bridged.sync()
    before = bridged.listed(), bridged.marks()
    bridged.server.answers["stream/items/ids"] = answer
    bridged.world.later(minutes=30)
    report = bridged.sync()
    assert report.problem
    assert (bridged.listed(), bridged.marks()) == before
    del bridged.server.answers["stream/items/ids"]
    bridged.world.later(hours=7)
    bridged.server.items[1].read = True
    bridged.sync()
    assert title(bridged, 1) not in bridged.listed()


def test_a_server_that_goes_in_a_circle_ends(bridged: Bridged) -> None:
    bridged.put(2)

    def again() -> Answer:
        return 200, json.dumps({"itemRefs": [{"id": "1"}], "continuation": "x"}), {}

    bridged.server.answers["stream/items/ids"] = again
    report = bridged.sync()
    assert report.entries == 1


def test_contents_nobody_asked_for_are_not_taken_in(fresh: Bridged) -> None:
    fresh.put(3)
    stranger = {
        "id": "tag:google.com,2005:reader/item/00000000000000ff",
        "title": "Not asked for",
        "origin": {"streamId": "feed/7"},
    }
    fresh.server.answers["items/contents"] = lambda: (200, json.dumps({"items": [stranger]}), {})
    fresh.sync()
    assert fresh.listed() == []


@pytest.mark.parametrize("answer", [bad(200, "Error"), bad(500, "no"), bad(403, "")])
def test_a_refused_label_waits_and_comes_later(fresh: Bridged, answer: Any) -> None:
    fresh.put(4)
    fresh.server.answers["edit-tag"] = answer
    report = fresh.sync()
    assert (report.written, report.waiting) == (0, 2)
    assert fresh.server.labelled(LABEL) == set()
    del fresh.server.answers["edit-tag"]
    fresh.world.later(hours=7)
    fresh.sync()
    assert len(fresh.server.labelled(LABEL)) == 2
