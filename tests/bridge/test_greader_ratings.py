"""Two labels at a server of the Google Reader API are like and dislike, both ways, each once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from bridge.conftest import World
from bridge.greader_server import PASSWORD, USER, GreaderServer, greader_server
from newsloom.articles.store.reader_tables import events
from newsloom.bridges.greader import Greader
from newsloom.bridges.greader_labels import Labels
from newsloom.bridges.plan import Mapped
from newsloom.bridges.service.sync import AccountReport, Synchroniser
from newsloom.bridges.values import DISLIKED_KIND, LIKED_KIND, RatedEntry, RemoteWrite
from newsloom.kernel.http.blocking import BlockingApi
from newsloom.kernel.http.values import ApiReply, ApiRequest
from newsloom.kernel.ids import ArticleId, UserId
from newsloom.kernel.settings import GreaderSettings
from newsloom.reading.values.reading import EventKind

LIKE, DISLIKE = "newsloom-like", "newsloom-dislike"


class Killed(BaseException):
    """The process ended here."""


class Both:
    """A server and Newsloom beside it, which dies before or after any one request."""

    def __init__(self, world: World, server: GreaderServer, call: BlockingApi) -> None:
        self.world, self.server, self._real = world, server, call
        self.settings = GreaderSettings(
            url=server.url, user=USER, password=PASSWORD, top=2, write_marks=True
        )
        self.asked = 0
        self.dies_at: tuple[int, str] | None = None
        seen = int(world.clock.timestamp()) - 3_600
        for key in range(1, 9):
            server.put(key, f"Story number {key * 37 % 100}", seen + key)

    def synchroniser(self) -> Synchroniser:
        remote = Greader(self.settings, self._call, self.world.now)
        return replace(self.world.synchroniser(Mapped()), remote=remote)

    def sync(self) -> AccountReport:
        self.world.later(minutes=30)
        (account,) = self.synchroniser().sync().accounts
        return account

    def _call(self, request: ApiRequest) -> ApiReply:
        self.asked += 1
        if self.dies_at == (self.asked, "before"):
            raise Killed
        reply = self._real(request)
        if self.dies_at == (self.asked, "after"):
            raise Killed
        return reply

    @property
    def user(self) -> UserId:
        return next(one for one, name in self.world.store.users.users() if "/" in name)

    def events(self) -> list[tuple[int, str]]:
        """What was said of each article, by the server's number of it, oldest first."""
        keys = {article: key for key, article in self.articles().items()}
        with self.world.store.database.read() as connection:
            rows = connection.execute(events.select().order_by(events.c.id)).all()
        return [(keys[row.article_id], row.kind) for row in rows]

    def articles(self) -> dict[int, ArticleId]:
        (account,) = self.world.store.bridges.bridge_accounts("greader")
        known = self.world.store.bridges.known_entries(account, list(self.server.items))
        return {key: one.article for key, one in known.items()}

    def say(self, key: int, kind: EventKind) -> None:
        """In Newsloom's own pages."""
        article = self.articles()[key]
        self.world.store.reading.mark(self.user, [article], kind, self.world.clock, "web")

    def label(self, key: int, *labels: str) -> None:
        """As the reader leaves it there, in any app."""
        kept = self.server.items[key].labels - {LIKE, DISLIKE}
        self.server.items[key].labels = kept | set(labels)
        self.server.labels |= set(labels)

    def standing(self) -> dict[int, int]:
        """What stands here of each article: 1 liked, -1 disliked."""
        labels = self.world.store.models.labels(self.user)
        keys = {article: key for key, article in self.articles().items()}
        ratings = [one for one in labels if one.kind in (EventKind.LIKE, EventKind.DISLIKE)]
        return {keys[one.article.id]: 1 if one.positive else -1 for one in ratings}


@pytest.fixture(params=["freshrss"])
def both(world: World, request: pytest.FixtureRequest) -> Iterator[Both]:
    with greader_server(request.param) as server:
        call = BlockingApi(version="1", max_ratio=200)
        yield Both(world, server, call)
        call.close()


def test_labels_there_are_said_here_once_and_taken_back_with_the_label(both: Both) -> None:
    both.settings = replace(both.settings, write_marks=False)
    both.label(2, LIKE)
    both.label(3, DISLIKE)
    both.server.items[3].read = True
    both.sync()
    assert both.standing() == {2: 1, 3: -1}
    both.label(2)
    both.label(3, LIKE)
    both.server.labels |= {LIKE, DISLIKE}  # made labels stay when no article has them
    both.sync()
    assert both.standing() == {3: 1}
    said = both.events()
    for _again in range(3):
        both.sync()
    assert both.events() == said
    # Both at once: the one that came later counts; two that came together say nothing.
    both.label(3, LIKE, DISLIKE)
    both.label(4, LIKE, DISLIKE)
    both.sync()
    assert both.standing() == {3: -1}


def test_what_was_said_here_gets_its_label_there_once_and_never_comes_back(both: Both) -> None:
    both.sync()
    both.say(5, EventKind.LIKE)
    both.say(6, EventKind.DISLIKE)
    said = both.events()
    both.sync()
    assert both.server.labelled(LIKE) == {5}
    assert both.server.labelled(DISLIKE) == {6}
    edits = [one for one in both.server.asked if "edit-tag" in one]
    for _again in range(3):
        assert both.sync().written == 0
    assert both.events() == said
    assert [one for one in both.server.asked if "edit-tag" in one] == edits
    both.say(5, EventKind.DISLIKE)
    both.say(6, EventKind.UNRATE)
    both.sync()
    assert (both.server.labelled(LIKE), both.server.labelled(DISLIKE)) == (set(), {5})
    # Taken off there right after it was written: that is the reader's later word.
    both.label(5)
    both.sync()
    assert both.standing() == {}
    assert both.server.labelled(DISLIKE) == set()
    both.say(5, EventKind.DISLIKE)
    both.sync()
    assert both.server.labelled(DISLIKE) == {5}


def test_a_label_that_is_not_there_or_a_folder_says_nothing(both: Both) -> None:
    """FreshRSS answers the question for an unknown label with every article."""
    both.sync()
    assert both.standing() == {}
    both.label(1, LIKE)
    both.sync()
    assert both.standing() == {1: 1}
    # Deleted there: that is no word on each of its articles.
    for item in both.server.items.values():
        item.labels.clear()
    both.server.labels.clear()
    both.settings = replace(both.settings, write_marks=False)
    both.sync()
    assert both.standing() == {1: 1}
    for item in both.server.items.values():
        item.folder = DISLIKE
    both.sync()
    assert both.standing() == {1: 1}
    both.settings = replace(both.settings, write_marks=True)
    both.say(2, EventKind.DISLIKE)
    both.sync()
    assert both.server.labelled(DISLIKE) == set()


def test_the_labels_are_made_without_touching_an_article(both: Both) -> None:
    remote = both.synchroniser().remote
    assert isinstance(remote, Greader)
    remote.accounts()
    assert remote.make_labels() == (LIKE, DISLIKE)
    assert not any(item.labels for item in both.server.items.values())
    both.server.asked.clear()
    assert remote.make_labels() == (LIKE, DISLIKE)
    assert not any("edit-tag" in one for one in both.server.asked)


def test_a_server_that_keeps_no_labels_makes_none(world: World) -> None:
    with greader_server("miniflux") as server:
        call = BlockingApi(version="1", max_ratio=200)
        both = Both(world, server, call)
        remote = both.synchroniser().remote
        assert isinstance(remote, Greader)
        remote.accounts()
        assert remote.make_labels() == ()
        both.sync()
        both.say(5, EventKind.LIKE)
        report = both.sync()
        assert (report.problem, report.waiting) == ("", 3)
        assert report.waiting_for == "the server returned 500 for the label"
        assert both.standing() == {5: 1}
        call.close()


@pytest.mark.parametrize("end", ["before", "after"])
def test_a_kill_at_any_request_loses_and_doubles_nothing(both: Both, end: str) -> None:
    """All changes at once, then one run after another that dies one request later."""
    both.label(1, LIKE)
    both.sync()
    both.say(5, EventKind.LIKE)
    both.say(6, EventKind.DISLIKE)
    both.label(1)
    both.label(2, LIKE)
    both.label(3, DISLIKE)
    both.server.labels |= {LIKE, DISLIKE}
    place = 0
    while True:
        place += 1
        both.asked, both.dies_at = 0, (place, end)
        try:
            both.sync()
        except Killed:
            continue
        break
    assert place > 8
    both.dies_at = None
    both.sync()
    assert both.standing() == {2: 1, 3: -1, 5: 1, 6: -1}
    assert both.server.labelled(LIKE) == {2, 5}
    assert both.server.labelled(DISLIKE) == {3, 6}
    said = [one for one in both.events() if one[1] != "finished"]
    assert sorted(said) == [
        (1, "like"), (1, "unrate"), (2, "like"), (3, "dislike"), (5, "like"), (6, "dislike"),
    ]  # fmt: skip


def test_copies_need_the_label_once_and_lose_it_everywhere() -> None:
    labels = Labels({LIKED_KIND: LIKE, DISLIKED_KIND: DISLIKE})
    article, other = ArticleId(1), ArticleId(2)

    def writes(*rated: RatedEntry) -> list[RemoteWrite]:
        return list(labels.ratings(rated))

    liked = RatedEntry(21, article, 1, False, False), RatedEntry(20, article, 1, False, False)
    assert writes(*liked) == [RemoteWrite(20, LIKED_KIND, LIKE)]
    assert writes(replace(liked[0], liked=True), liked[1]) == []
    taken_back = [replace(one, rating=0, liked=True) for one in liked]
    assert writes(*taken_back) == [RemoteWrite(one.key, LIKED_KIND, "") for one in taken_back]
    turned = RatedEntry(30, other, -1, True, False)
    assert writes(turned) == [
        RemoteWrite(30, LIKED_KIND, ""),
        RemoteWrite(30, DISLIKED_KIND, DISLIKE),
    ]
