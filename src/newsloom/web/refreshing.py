"""What a reader has asked for by hand: which feeds, and how many of them have answered."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from newsloom.schedule import Held
from newsloom.types import FeedId, Subscription

# What takes longer has been asked long ago, or waits behind others of its host.
LOOKED_FOR = timedelta(minutes=30)


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
class AskedByHand:
    """The last asking. It is forgotten with the process: the feeds are asked all the same."""

    _feeds: frozenset[FeedId] = field(default_factory=frozenset)
    _at: datetime | None = None

    def note(self, feeds: Collection[FeedId], at: datetime) -> None:
        self._feeds, self._at = frozenset(feeds), at

    def progress(self, subscriptions: Iterable[Subscription], now: datetime) -> Progress:
        """Feeds that were left meanwhile are not waited for."""
        at = self._at
        if at is None or now - at > LOOKED_FOR:
            return Progress()
        asked = [one for one in subscriptions if one.feed_id in self._feeds]
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
