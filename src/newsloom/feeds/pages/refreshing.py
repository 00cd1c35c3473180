"""What a reader has asked for by hand: which feeds, and how many of them have answered."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from newsloom.feeds.schedule import Held
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.ids import FeedId
from newsloom.reading.values.reading import Subscription
from newsloom.web.shared_activity import SharedActivity, number_of

# What takes longer has been asked long ago, or waits behind others of its host.
LOOKED_FOR = timedelta(minutes=30)

LATEST = 10**16  # microseconds since 1970; later nothing was asked for


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the last asking is."""

    of: int = 0  # 0: nothing was asked for lately
    done: int = 0
    failed: int = 0

    @property
    def under_way(self) -> bool:
        return self.done < self.of


@dataclass(slots=True)
class ManualRefresh:
    """The last asking, in whichever process that serves the reader's pages."""

    shared: SharedActivity

    def note(self, feeds: Collection[FeedId], at: datetime) -> None:
        if self.shared.begin():
            self.shared.end(feeds=sorted(feeds), at=micros(at))

    def progress(self, subscriptions: Iterable[Subscription], now: datetime) -> Progress:
        """Feeds that were left meanwhile are not waited for."""
        last = self.shared.last() or {}
        at = moment(min(number_of(last, "at"), LATEST))
        if not timedelta() <= now - at <= LOOKED_FOR:
            return Progress()
        feeds = set(last.get("feeds", ()))
        asked = [one for one in subscriptions if one.feed_id in feeds]
        done = [one for one in asked if one.polled_at is not None and one.polled_at >= at]
        return Progress(len(asked), len(done), sum(one.failures > 0 for one in done))


@dataclass(frozen=True, slots=True)
class Waits:
    """Feeds that wait for the same reason."""

    because: str
    count: int
    first: datetime
    last: datetime


def waits(held: Sequence[Held]) -> tuple[Waits, ...]:
    """Why feeds cannot be asked now, most of them first."""
    reasons: dict[str, list[datetime]] = {}
    for one in held:
        reasons.setdefault(one.because, []).append(one.until)
    found = [
        Waits(because, len(times), min(times), max(times)) for because, times in reasons.items()
    ]
    return tuple(sorted(found, key=lambda one: (-one.count, one.because)))
