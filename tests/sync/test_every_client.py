"""newsboat, Liferea and RSS Guard, unmodified, and the pages, in turn with one account: what one
does, the others show.

What is missing is the programs' own: newsboat flags nothing that others starred, and has its list
of feeds from when it started; Liferea makes nothing unread that it has read once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from newsloom.accounts.service.account_service import Hasher

from . import display, liferea, newsboat, rss_guard
from .scene import EACH, Person, Scene

pytestmark = pytest.mark.sync

SAME = {"sec-fetch-site": "same-origin"}
PASSWORD = "ann's long password"
LAST_FEED = (78, 148)  # of Liferea's list


@dataclass
class All:
    """Every program, and a browser that has signed in."""

    scene: Scene
    pages: httpx.Client
    terminal: newsboat.Terminal
    cache: Path
    liferea: liferea.Liferea
    guard: rss_guard.RssGuard

    def fetch(self) -> None:
        """Each asks for what is new and what changed; RSS Guard first says what it did."""
        self.guard.fetch()
        self.terminal.keys("R")
        self.liferea.desktop.keys("ctrl+u")

    def agree(self, what: str) -> None:
        """Until each shows what the store has."""
        scene, ann = self.scene, self.scene.ann
        # With its newest answer each has the store's; how long one takes nobody knows.
        self.fetch()
        unread, starred = scene.unread(ann), scene.starred(ann)
        until = self.guard.desktop.until
        until(lambda: self.guard.unread() == unread, f"RSS Guard: {what}")
        until(lambda: self.guard.starred() == starred, f"RSS Guard's stars: {what}")
        until(lambda: self.liferea.articles("read = 0") == unread, f"Liferea: {what}")
        until(lambda: self.liferea.articles("marked = 1") == starred, f"Liferea's flags: {what}")
        self.terminal.until(lambda: newsboat.unread_ids(self.cache) == unread, f"newsboat: {what}")


@pytest.fixture
def everyone(scene: Scene, tmp_path: Path) -> Iterator[All]:
    display.need("newsboat", "liferea", "rssguard")
    ann = scene.ann
    scene.app.store.accounts.set_password(ann.user, Hasher(memory_kib=64).hash(PASSWORD))
    pages = scene.client()
    signed = pages.post("/sign-in", data={"name": "ann", "password": PASSWORD}, headers=SAME)
    assert signed.status_code == 303
    places = [tmp_path / name for name in ("newsboat", "liferea", "rssguard")]
    for one in places:
        one.mkdir()
    with ExitStack() as running:
        command = newsboat.configured(places[0], "feedhq", scene, ann)
        yield All(
            scene,
            pages,
            running.enter_context(newsboat.running(command, places[0])),
            places[0],
            running.enter_context(liferea.running(places[1], scene, ann)),
            running.enter_context(rss_guard.running(places[2], scene, ann)),
        )


def test_what_one_does_the_others_show(scene: Scene, everyone: All):
    ann, mine = scene.ann, set(scene.articles(scene.ann))
    desktop, guard = everyone.liferea.desktop, everyone.guard
    everyone.terminal.shows("harbour")
    desktop.until(lambda: everyone.liferea.kept() == len(mine), "not all articles came")
    desktop.until(lambda: len(guard.feeds()) == 3, "no feeds came")
    everyone.agree("the first time")

    # The pages: one article of parish read, another starred.
    read, starred, *_rest = sorted(mine)
    for number, kind in ((read, "read"), (starred, "star")):
        done = everyone.pages.post(
            f"/articles/{number}/marks", data={"kind": kind}, headers=SAME, follow_redirects=False
        )
        assert done.status_code == 303, done.text
    assert (read in scene.unread(ann), scene.starred(ann)) == (False, {starred})
    everyone.agree("read and starred on the pages")

    # Liferea: the next unread one, flagged.
    before = scene.unread(ann)
    desktop.keys("ctrl+n")
    desktop.until(lambda: len(scene.unread(ann)) == len(before) - 1, "Liferea read nothing")
    desktop.keys("ctrl+t")
    desktop.until(lambda: len(scene.starred(ann)) == 2, "Liferea starred nothing")
    everyone.agree("read and flagged in Liferea")

    # RSS Guard: the folder Sea.
    guard.desktop.keys(rss_guard.NEXT_FEED, rss_guard.NEXT_FEED, rss_guard.FEED_READ)
    guard.fetch()
    guard.desktop.until(lambda: len(scene.unread(ann)) <= 6, "RSS Guard read nothing")
    everyone.agree("a folder read in RSS Guard")

    # newsboat: the rest.
    everyone.terminal.keys("C")  # all feeds read
    everyone.terminal.keys("y")
    everyone.terminal.until(lambda: not scene.unread(ann), "newsboat read nothing")
    everyone.agree("all read in newsboat")
    assert len(scene.starred(ann)) == 2

    # Liferea: a feed more, and less.
    clouds = scene.publish("clouds")
    everyone.liferea.add(clouds)
    desktop.until(lambda: clouds in scene.subscribed(ann), "no feed was added")
    assert "clouds" in everyone.pages.get("/feeds").text
    guard.fetch_feeds()
    desktop.until(lambda: "clouds" in guard.feeds(), "RSS Guard has no feed more")
    desktop.until(lambda: everyone.liferea.kept() == len(mine) + 6, "its articles did not come")
    everyone.liferea.remove(LAST_FEED)
    desktop.until(lambda: clouds not in scene.subscribed(ann), "no feed was removed")
    assert "Follow again: clouds" in everyone.pages.get("/feeds").text
    guard.fetch_feeds()
    desktop.until(lambda: "clouds" not in guard.feeds(), "RSS Guard has it still")


@dataclass
class Apps:
    """RSS Guard and newsboat of one reader."""

    scene: Scene
    person: Person
    guard: rss_guard.RssGuard
    terminal: list[str]
    home: Path  # of newsboat

    def agree(self, feeds: set[str], what: str) -> None:
        """Until both have the reader's feeds, and of their articles what the store has."""
        until = self.guard.desktop.until
        self.guard.fetch_feeds()
        until(lambda: self.guard.feeds() == feeds, f"{self.person.name}'s feeds: {what}")
        self.guard.fetch()
        unread = self.scene.unread(self.person)
        until(lambda: self.guard.unread() == unread, f"{self.person.name}'s RSS Guard: {what}")
        newsboat.reload(self.terminal, self.home)
        assert newsboat.unread_ids(self.home) == unread, f"{self.person.name}'s newsboat: {what}"


def test_two_accounts_a_feed_added_again_and_a_folder_removed(scene: Scene, tmp_path: Path):
    """Ann reads and removes a feed that both follow, adds it again, and removes her folder. Bob's
    programs notice nothing of it."""
    display.need("newsboat", "rssguard")
    with ExitStack() as running:
        ann, bob = (
            Apps(
                scene,
                person,
                running.enter_context(rss_guard.running(home / "guard", scene, person)),
                newsboat.configured(home, "feedhq", scene, person),
                home,
            )
            for person, home in ((scene.ann, tmp_path / "ann"), (scene.bob, tmp_path / "bob"))
            if not home.mkdir()
        )
        client = scene.client(scene.ann)

        def post(path: str, **data: str) -> str:
            return client.post(f"/reader/api/0/{path}", data=data).text

        def agree(feeds: set[str], what: str) -> None:
            ann.agree(feeds, what)
            bob.agree({"harbour", "bees"}, what)

        agree({"harbour", "tides", "parish"}, "the first time")
        ann.guard.desktop.keys(
            rss_guard.NEXT_FEED, rss_guard.NEXT_FEED, rss_guard.FEED_READ
        )  # the folder Sea
        ann.guard.fetch()
        ann.guard.desktop.until(lambda: len(scene.unread(scene.ann)) == EACH, "nothing was read")
        assert len(scene.unread(scene.bob)) == 2 * EACH
        agree({"harbour", "tides", "parish"}, "a folder read")
        harbour = scene.ann.feeds[0]
        assert post("subscription/edit", ac="unsubscribe", s=f"feed/{harbour}") == "OK"
        agree({"tides", "parish"}, "a feed removed")
        url = scene.publish("harbour", *range(EACH + 3))
        scene.poll(scene.bob.feeds[:1])
        assert '"numResults":1' in post("subscription/quickadd", quickadd=url)
        assert len(scene.unread(scene.ann)) > EACH
        agree({"harbour", "tides", "parish"}, "added again")
        assert post("disable-tag", s="user/-/label/Sea") == "OK"
        agree({"harbour", "tides", "parish"}, "a folder removed")
        folders = {str(title) for (title,) in ann.guard.asked("SELECT title FROM Categories")}
        assert folders == {"Uncategorized"}
        folders = {str(title) for (title,) in bob.guard.asked("SELECT title FROM Categories")}
        assert folders == {"Sea", "Secret"}
