"""Debian's RSS Guard, unmodified, with an account of FreshRSS's kind that is Newsloom.

Its account is written into its database as its own dialogue would (martinrotter/rssguard 4.0.4,
services/greader); every action is given a key in its own settings.
"""

from __future__ import annotations

import base64
import json
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from itertools import accumulate
from operator import xor
from pathlib import Path

from . import display
from .scene import Person, Scene

FETCH, NEXT_FEED, NEXT_ARTICLE, FEED_READ, ALL_READ, UNREAD, STAR, ADD = (
    f"F{number}" for number in range(2, 10)
)

SETTINGS = f"""[main]
first_run=false
first_run_4.0.4=false
update_on_start=false
[gui]
use_tray_icon=false
enable_notifications=false
window_size=@Size(1000 640)
window_position=@Point(0 0)
splitter_feeds=260, 740
[keyboard]
m_actionUpdateAllItems={FETCH}
m_actionSelectNextItem={NEXT_FEED}
m_actionSelectNextMessage={NEXT_ARTICLE}
m_actionMarkSelectedItemsAsRead={FEED_READ}
m_actionMarkAllItemsRead={ALL_READ}
m_actionMarkSelectedMessagesAsUnread={UNREAD}
m_actionSwitchImportanceOfSelectedMessages={STAR}
m_actionAddFeedIntoSelectedItem={ADD}
"""

FRESHRSS = 1
MAIN = "RSS Guard 4"
ACCOUNTS = (120, 11)  # the menu


@dataclass
class RssGuard:
    desktop: display.Desktop
    database: Path

    def fetch(self) -> None:
        """Tell the server what was done here, then ask it for what is new and what changed."""
        self.desktop.keys(FETCH)

    def fetch_feeds(self) -> None:
        """Accounts, ann, Synchronize folders & other items."""
        self.desktop.click(*ACCOUNTS)
        self.desktop.keys("Down", "Right", "Return")

    def asked(self, question: str) -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as found:
            return found.execute(question).fetchall()

    def articles(self, where: str = "1") -> set[int]:
        """The numbers of those it has."""
        found = self.asked(f"SELECT custom_id FROM Messages WHERE {where}")
        return {int(str(one).rpartition("/")[2], 16) for (one,) in found}

    def unread(self) -> set[int]:
        return self.articles("is_read = 0")

    def starred(self) -> set[int]:
        return self.articles("is_important = 1")

    def feeds(self) -> set[str]:
        return {str(title) for (title,) in self.asked("SELECT title FROM Feeds")}

    def labelled(self, label: str) -> set[int]:
        question = f"SELECT message FROM LabelsInMessages WHERE label = 'user/-/label/{label}'"
        return {int(str(one).rpartition("/")[2], 16) for (one,) in self.asked(question)}


@contextmanager
def running(home: Path, scene: Scene, person: Person) -> Iterator[RssGuard]:
    config, database = home / "data/config", home / "data/database/database.db"
    config.mkdir(parents=True)
    (config / "config.ini").write_text(SETTINGS)
    (config / "key.private").write_text("0")
    with _started(home) as desktop:  # it makes its database
        desktop.until(lambda: bool(desktop.windows(MAIN)), "it did not start")
    with closing(sqlite3.connect(database)) as made, made:
        made.execute(
            "INSERT INTO Accounts (type, custom_data) VALUES ('greader', ?)",
            (json.dumps(_account(scene, person)),),
        )
    with _started(home) as desktop:
        yield RssGuard(desktop, database)


def _started(home: Path) -> AbstractContextManager[display.Desktop]:
    command = ["rssguard", "-d", str(home / "data")]
    return display.running(command, home, MAIN, QTWEBENGINE_DISABLE_SANDBOX="1")


def _account(scene: Scene, person: Person) -> dict[str, object]:
    return {
        "service": FRESHRSS,
        "url": scene.url,
        "username": person.name,
        "password": _hidden(person.secret),
        "batch_size": 100,
        "download_only_unread": False,
        "intelligent_synchronization": True,
    }


def _hidden(text: str) -> str:
    """As it hides a password with the key 0: version 3, no flags, each byte with the one before."""
    chained = bytes(accumulate(b"\0" + text.encode(), xor))
    return base64.b64encode(b"\x03\x00" + chained).decode()
