"""Debian's Liferea, unmodified, driven by keys; what it has is looked up in its database."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from . import display
from .scene import Person, Scene

FEEDLIST = """<?xml version="1.0"?>
<opml version="1.0"><head><title>Liferea Feed List Export</title></head><body>
<outline title="Newsloom" text="Newsloom" description="Newsloom" type="source" id="newslom"
 sortColumn="time" sourceType="fl_google_reader" xmlUrl="{url}" username="{name}"
 password="{secret}" expanded="true" collapseState="0"/>
</body></opml>
"""

SETTINGS = """[org/gnome/liferea]
confirm-mark-all-read=false
last-window-width=1000
last-window-height=640
"""

NEW_SUBSCRIPTION = (110, 45)  # the button, in a window of this size


@dataclass
class Liferea:
    desktop: display.Desktop

    def kept(self, where: str = "1") -> int:
        """How many articles it has."""
        path = self.desktop.home / ".local/share/liferea/liferea.db"
        try:
            with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as found:
                return found.execute(f"SELECT COUNT(*) FROM items WHERE {where}").fetchone()[0]
        except sqlite3.OperationalError:
            return -1

    def articles(self, where: str = "1") -> set[int]:
        """The numbers of those it has."""
        path = self.desktop.home / ".local/share/liferea/liferea.db"
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as found:
            rows = found.execute(f"SELECT source_id FROM items WHERE {where}").fetchall()
        return {int(one.rpartition("/")[2], 16) for (one,) in rows}

    def add(self, address: str) -> None:
        """Subscribe; where a feed of an account is chosen, with that account's server."""
        self.desktop.click(*NEW_SUBSCRIPTION)
        self.desktop.types(address, "New Subscription")
        self.desktop.keys("Return", window="New Subscription")

    def remove(self, place: tuple[int, int]) -> None:
        """Unsubscribe from the feed in this place of the list."""
        self.desktop.click(*place)
        self.desktop.keys("Delete")
        self.desktop.keys("alt+d", window="Deletion Confirmation")


@contextmanager
def running(home: Path, scene: Scene, person: Person) -> Iterator[Liferea]:
    config, kept = home / ".config/liferea", home / ".config/glib-2.0/settings"
    config.mkdir(parents=True)
    kept.mkdir(parents=True)
    (config / "feedlist.opml").write_text(
        FEEDLIST.format(url=scene.url, name=person.name, secret=person.secret)
    )
    (kept / "keyfile").write_text(SETTINGS)
    with display.running(
        ["liferea", "--debug-update", "--disable-plugins"],
        home,
        "Liferea",
        GSETTINGS_BACKEND="keyfile",
        WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS="1",
        NO_AT_BRIDGE="1",
    ) as desktop:
        yield Liferea(desktop)
