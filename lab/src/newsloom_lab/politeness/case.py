"""What a case is, what it may do, and what it says. Knows neither a reader nor a publisher's wire.

A case is straight-line code: it says what it requires, in words, and the requests that decide.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, NoReturn

from newsloom_lab.politeness.clock import CaseClock
from newsloom_lab.politeness.feeds import Feed, make_feed
from newsloom_lab.politeness.publisher import Publisher, RecordedRequest

if TYPE_CHECKING:
    from newsloom_lab.politeness.readers.driver import Driver

# As many requests as a person reads before they believe it.
MOST_EVIDENCE = 8


class Outcome(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    NOT_APPLICABLE = "not applicable"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a case came to, why, and the requests that decide it."""

    outcome: Outcome
    words: str
    evidence: tuple[str, ...] = ()


class Broken(Exception):
    """The reader did not do what a case requires."""

    def __init__(self, words: str, evidence: Sequence[RecordedRequest] = ()) -> None:
        super().__init__(words)
        self.evidence = tuple(evidence)


class NotApplicable(Exception):
    """The case judges what this reader leaves to its user, or does not have."""


class ReaderFailed(Exception):
    """The reader could not be started, ended with an error, or did not end."""


def require(holds: object, words: str, evidence: Sequence[RecordedRequest] = ()) -> None:
    """Ends the case as failed unless it holds; `words` say what was seen instead."""
    if not holds:
        raise Broken(words, evidence)


def not_applicable(words: str) -> NoReturn:
    raise NotApplicable(words)


@dataclass(slots=True)
class Stage:
    """What a case acts on: a publisher, a reader and their clock."""

    publisher: Publisher
    reader: Driver
    clock: CaseClock

    def feed(self, path: str, host: int | str = 0, **parts: object) -> Feed:
        """A feed on the publisher; see feeds.make_feed."""
        return make_feed(self.publisher, path, host, **parts)  # type: ignore[arg-type]

    def follow(self, *feeds: Feed) -> None:
        """Subscribe, and let the reader ask for the first time."""
        for feed in feeds:
            self.reader.subscribe(feed.url)
        self.reader.poll()
        for feed in feeds:
            require(feed.requests, f"it never asked for {feed.url}")

    def later(
        self,
        feed: Feed,
        *,
        hours: float = 0,
        minutes: float = 0,
        days: float = 0,
        step: timedelta | None = None,
    ) -> tuple[RecordedRequest, ...]:
        """Let time pass; the requests for the feed meanwhile."""
        mark = self.publisher.mark
        self.advance(hours=hours, minutes=minutes, days=days, step=step)
        return feed.requests_since(mark)

    def advance(
        self,
        *,
        hours: float = 0,
        minutes: float = 0,
        days: float = 0,
        step: timedelta | None = None,
    ) -> None:
        """Let time pass with the reader running, which asks when it wants to."""
        self.reader.advance(timedelta(days=days, hours=hours, minutes=minutes), step)

    def until(self, moment: datetime, step: timedelta | None = None) -> None:
        """Let time pass up to a moment."""
        self.reader.advance(max(moment - self.clock.now(), timedelta(0)), step)

    def next_request(self, feed: Feed, *, hours: float = 25) -> RecordedRequest:
        """The first request for the feed from now on; fails when there is none for so long."""
        mark = self.publisher.mark
        until = self.clock.now() + timedelta(hours=hours)
        look = timedelta(minutes=20 if self.reader.quick else 60)
        while self.clock.now() < until:
            self.reader.advance(look)
            if found := feed.requests_since(mark):
                return found[0]
        raise Broken(f"it did not ask again within {hours:g} hours", feed.requests)

    def titles(self) -> list[str]:
        """Of every article the reader shows."""
        return [one.title for one in self.reader.articles()]


@dataclass(frozen=True, slots=True)
class Case:
    """One rule, and how it is tried."""

    number: str  # "P05"
    title: str
    source: str  # whose rule it is
    run: Callable[[Stage], str]  # returns what was seen, in words; raises Broken
    needs: frozenset[str] = frozenset()  # capabilities; without one it is not applicable
    hosts: int = 1
    proxy: bool = False  # hosts have names, and are reached through a proxy
    tls: bool = False
    speed: float = 20.0  # of a reader in this process: its waits take 1/speed of their time
    flows: bool = False  # the clock goes on while the reader works
    slow: bool = False  # more than a second or two
    settings: tuple[tuple[str, object], ...] = ()  # of Newsloom, where the rule says so


def gap(earlier: RecordedRequest, later: RecordedRequest) -> timedelta:
    """By the case's clock."""
    return later.at - earlier.at


def words_of(span: timedelta) -> str:
    """`2 d 4 h`, `61 min`, `3 s`."""
    seconds = span.total_seconds()
    if abs(seconds) < 120:
        return f"{seconds:.0f} s"
    if abs(seconds) < 2 * 3600:
        return f"{seconds / 60:.0f} min"
    if abs(seconds) < 48 * 3600:
        return f"{seconds / 3600:.1f} h"
    return f"{seconds / 86400:.1f} d"
