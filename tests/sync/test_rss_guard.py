"""Debian's RSS Guard, unmodified, on a display that nobody sees: it logs in, lists, reads, stars,
likes, marks all; and what a feed's coming and going elsewhere makes of its list.

Version 4.0.4 adds and removes no feeds in a Google Reader account and says so; newer ones do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from newsloom.reading.values.reading import EventKind

from . import display, rss_guard
from .rss_guard import RssGuard
from .scene import Scene

pytestmark = pytest.mark.sync

# The button with the label Like beside a shown article, and that of a message.
LIKE, OK = (320, 513), (643, 294)


@pytest.fixture
def guard(scene: Scene, tmp_path: Path) -> Iterator[RssGuard]:
    display.need("rssguard")
    with rss_guard.running(tmp_path / "home", scene, scene.ann) as program:
        yield program


def test_log_in_list_read_star_like_mark_all(scene: Scene, guard: RssGuard):
    ann, mine, desktop = scene.ann, set(scene.articles(scene.ann)), guard.desktop
    desktop.until(lambda: guard.feeds() == {"harbour", "tides", "parish"}, "no feeds came")
    folders = {str(title) for (title,) in guard.asked("SELECT title FROM Categories")}
    assert folders == {"Sea", "Uncategorized"}
    guard.fetch()
    desktop.until(lambda: guard.unread() == mine, "not all articles came")
    assert scene.unread(ann) == mine
    assert guard.labelled("For you") == mine

    desktop.keys(rss_guard.NEXT_FEED, rss_guard.NEXT_FEED, rss_guard.NEXT_ARTICLE)
    desktop.until(lambda: len(guard.unread()) == len(mine) - 1, "nothing was read there")
    (read,) = mine - guard.unread()
    desktop.keys(rss_guard.STAR)
    desktop.picture("clients-rssguard.png")
    desktop.click(*LIKE)
    guard.fetch()  # marks are sent with the next request for news
    desktop.until(lambda: scene.starred(ann) == {read}, "nothing was starred")
    desktop.until(lambda: scene.state(ann, read).rating == 1, "nothing was liked")
    assert scene.unread(ann) == mine - {read}
    desktop.keys(rss_guard.UNREAD)
    guard.fetch()
    desktop.until(lambda: scene.unread(ann) == mine, "it was not made unread")
    desktop.keys(rss_guard.FEED_READ)  # the folder that is chosen
    guard.fetch()
    desktop.until(lambda: len(scene.unread(ann)) == 6, "the folder was not read")
    desktop.keys(rss_guard.ALL_READ)
    guard.fetch()
    desktop.until(lambda: not scene.unread(ann), "not everything was read")
    assert guard.unread() == set()
    # The star and the like; what was read in bulk teaches nothing.
    assert {(one.article.id, one.kind) for one in scene.labels(ann)} == {
        (read, EventKind.STAR),
        (read, EventKind.LIKE),
    }


def test_feeds_added_and_removed_elsewhere(scene: Scene, guard: RssGuard):
    ann, desktop = scene.ann, guard.desktop
    desktop.until(lambda: guard.feeds() == {"harbour", "tides", "parish"}, "no feeds came")
    desktop.keys(rss_guard.NEXT_FEED, rss_guard.ADD)
    desktop.click(*OK)
    reader = replace(scene.app.reader(), user=ann.user)
    feed, _new = scene.app.store.reading.subscribe(
        ann.user, scene.publish("clouds"), scene.app.now()
    )
    scene.poll([feed])
    guard.fetch_feeds()
    desktop.until(lambda: "clouds" in guard.feeds(), "no feed was added")
    guard.fetch()
    desktop.until(lambda: guard.unread() == set(scene.articles(ann)), "its articles did not come")
    reader.unsubscribe(feed)
    guard.fetch_feeds()
    desktop.until(lambda: "clouds" not in guard.feeds(), "no feed was removed")
