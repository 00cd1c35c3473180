"""What a reader has asked for by hand: which feeds, and how many of them have answered."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from newsloom.feeds.schedule import Held
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.ids import FeedId
from newsloom.reading.values.reading import Subscription
from newsloom.web.list_view import ListView
from newsloom.web.shared_activity import SharedActivity, number_of


@dataclass(frozen=True, slots=True)
class Fetching:
    """How many feeds are being fetched, and how many of them are done or failed."""

    of: int = 0
    done: int = 0
    failed: int = 0  # of those done

    @property
    def under_way(self) -> bool:
        return self.done < self.of

    @property
    def hopeless(self) -> bool:
        """Whether every one was asked and none could be read."""
        return self.of > 0 and self.failed == self.of


def fetching(feeds: Iterable[Subscription]) -> Fetching:
    """The progress of the first poll of each feed. A feed failed if its poll failed and it has no
    articles. Feeds that were imported with their articles or come over a bridge are never polled
    and do not count."""
    subscriptions = [one for one in feeds if one.polled_at or one.next_poll_at]
    done = [one for one in subscriptions if one.polled_at]
    failed = [one for one in done if (one.failures or one.dead) and not one.articles]
    return Fetching(len(subscriptions), len(done), len(failed))


def listed(view: ListView, subscriptions: Sequence[Subscription]) -> list[Subscription]:
    """The feeds whose articles a list can have."""
    return [
        one
        for one in subscriptions
        if view.feed in {None, one.feed_id} and view.category in {None, one.category}
    ]


# What takes longer has been asked long ago, or waits behind others of its host.
LOOKED_FOR = timedelta(minutes=30)

LATEST = 10**16  # microseconds since 1970; later nothing was asked for


@dataclass(slots=True)
class ManualRefresh:
    """The last asking, in whichever process that serves the reader's pages."""

    shared: SharedActivity

    def note(self, feeds: Collection[FeedId], at: datetime) -> None:
        if self.shared.begin():
            self.shared.end(feeds=sorted(feeds), at=micros(at))

    def progress(self, subscriptions: Iterable[Subscription], now: datetime) -> Fetching:
        """The progress of the last refresh; `of` is 0 if there was none lately. Feeds that were
        unsubscribed since do not count."""
        last = self.shared.last() or {}
        at = moment(min(number_of(last, "at"), LATEST))
        if not timedelta() <= now - at <= LOOKED_FOR:
            return Fetching()
        feeds = set(last.get("feeds", ()))
        asked = [one for one in subscriptions if one.feed_id in feeds]
        done = [one for one in asked if one.polled_at is not None and one.polled_at >= at]
        return Fetching(len(asked), len(done), sum(one.failures > 0 for one in done))


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
