"""Debian's Liferea, unmodified, on a display that nobody sees: it logs in, lists, reads, stars,
marks all, adds and removes a feed, and after each the store is as it should be.

Run where `liferea`, `Xvfb`, `xdotool` and `dbus-run-session` are; elsewhere it is skipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from . import display
from .liferea import Liferea, running
from .scene import Scene

pytestmark = pytest.mark.sync

# The list of feeds, where nothing is unfolded: Newsloom, parish, Sea, and a new one below.
LAST_FEED = (78, 148)


@pytest.fixture
def liferea(scene: Scene, tmp_path: Path) -> Iterator[Liferea]:
    display.need("liferea")
    with running(tmp_path / "home", scene, scene.ann) as program:
        yield program


def test_log_in_list_read_star_mark_all_add_remove(scene: Scene, liferea: Liferea):
    ann, mine = scene.ann, set(scene.articles(scene.ann))
    desktop = liferea.desktop
    desktop.until(lambda: liferea.kept() == len(mine), "not all articles came")
    assert liferea.kept("read = 0") == len(mine)
    assert scene.unread(ann) == mine
    desktop.keys("ctrl+n")  # the next unread article
    desktop.until(lambda: len(scene.unread(ann)) == len(mine) - 1, "nothing was read")
    (read,) = mine - scene.unread(ann)
    desktop.keys("ctrl+t")  # flagged
    desktop.until(lambda: scene.starred(ann) == {read}, "nothing was starred")
    desktop.keys("ctrl+m")  # unread again
    desktop.until(lambda: scene.unread(ann) == mine, "it was not made unread")
    desktop.keys("ctrl+r")  # the feed read
    desktop.until(lambda: len(scene.unread(ann)) == len(mine) - 6, "the feed was not read")
    assert len(scene.labels(ann)) == 1

    clouds = scene.publish("clouds")
    liferea.add(clouds)
    desktop.until(lambda: clouds in scene.subscribed(ann), "no feed was added")
    desktop.until(lambda: liferea.kept() == len(mine) + 6, "its articles did not come")
    desktop.picture("clients-liferea.png")
    liferea.remove(LAST_FEED)
    desktop.until(lambda: clouds not in scene.subscribed(ann), "no feed was removed")
    desktop.until(lambda: liferea.kept() == len(mine), "its articles stayed")
