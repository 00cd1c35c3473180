"""What a case asks of a reader, whichever it is. A driver has no opinion of what is polite.

The first group every reader has. The others are capabilities: a driver that lists one has its
method, and a case that needs one it does not list is not applicable to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Protocol

from newsloom_lab.politeness.clock import CaseClock
from newsloom_lab.politeness.publisher import Headers, Publisher

# What a driver can have beside the first group, and what its absence is told as.
CAPABILITIES = {
    "schedule": "it keeps no times of its own: when it asks is its user's doing",
    "discovery": "it does not look for feeds in a page",
    "refresh": "it has no way to ask for one feed by hand",
    "opml": "it imports no OPML",
    "unsubscribe": "it has no way to leave a feed",
    "users": "it has one user",
    "icons": "it fetches no icons",
    "full text": "it fetches no pages of articles",
    "websub": "it does not take part in WebSub",
    "told": "it has no place that says how a feed is",
    "moves": "it keeps no record of addresses given up",
    "revisions": "it keeps no earlier versions",
    "marks": "it cannot be told here what was read",
    "workers": "it reads documents in its own process",
    "quarantine": "it has no quarantine",
    "loop": "it has no loop of this process to be watched",
    "processes": "it cannot be run twice at once",
    "order": "its list has no order to be read here",
}


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a driver is made for."""

    folder: Path  # empty, its own
    clock: CaseClock
    publisher: Publisher
    proxy: str = ""
    authority: Path | None = None  # a certificate to trust, where a case speaks TLS
    speed: float = 1.0
    settings: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """An article as the reader shows it, best first where there is an order."""

    feed: str  # URL
    title: str
    guid: str = ""
    link: str = ""
    published: datetime | None = None
    text: str = ""
    unread: bool = True


@dataclass(frozen=True, slots=True)
class FeedShown:
    """What a reader says of a feed."""

    url: str
    problem: str = ""  # empty: nothing is wrong
    title: str = ""


class Driver(Protocol):
    """A reader under test."""

    name: str
    version: str
    capabilities: frozenset[str]
    quick: bool  # whether a thousand steps are nothing
    speed: float  # how many of its seconds pass in a real one

    def subscribe(self, url: str, *, user: str = "") -> None:
        """By the reader's own way, whatever it asks for then."""

    def subscribe_all(self, urls: Sequence[str]) -> None:
        """Many at once, without asking for any; by OPML or a list."""

    def poll(self) -> None:
        """What its scheduler does now: ask what is due, if it is its own time to look."""

    def advance(self, span: timedelta, step: timedelta | None = None) -> None:
        """Time passes while it runs as it usually does. A reader that cannot say when it would
        look is made to look every `step`, or by its own loop."""

    def restart(self) -> None:
        """End it and start it anew."""

    def articles(self) -> tuple[Shown, ...]: ...

    def poll_together(self) -> None:
        """As `poll`, by two processes at once that know the same feeds ("processes")."""

    def poll_killed(self, when: Event, after: timedelta) -> None:
        """As `poll`, but killed so long after the event."""

    def close(self) -> None: ...

    # --- capabilities ---

    def refresh(self, url: str) -> str:
        """Ask for one feed by hand; what the reader says."""

    def feeds(self) -> tuple[FeedShown, ...]:
        """What it says of its feeds ("told")."""

    def unsubscribe(self, url: str, *, user: str = "") -> None: ...

    def import_opml(self, document: bytes) -> None: ...

    def icons(self, views: int) -> None:
        """Show the pages with the icons so many times."""

    def want_full_text(self, url: str) -> None: ...

    def moved(self, url: str) -> tuple[str, ...]:
        """Where a feed's address led before ("moves"): addresses given up."""

    def undo_move(self, url: str) -> None: ...

    def revisions(self) -> int:
        """Most earlier versions kept of one article."""

    def mark_all_read(self) -> None: ...

    def release(self, url: str) -> None:
        """End a feed's quarantine: what came is right."""

    def hub_calls(self, url: str, headers: Headers, body: bytes | None) -> tuple[int, str]:
        """What a hub gets that calls the reader back, with a body or without ("websub")."""

    def longest_wait(self) -> float:
        """Seconds that the loop was late at most, at the 99th of a hundred looks ("loop")."""
