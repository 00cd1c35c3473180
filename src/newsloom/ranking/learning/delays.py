"""How soon one reader reads each feed, and whether that says its articles expire faster or slower.

Pure: what was read when comes as facts. Seed 000 proposed this and did not build it: the judge of
an article guesses how fast it expires, the reader's own delays between publication and reading are
seen. A feed moves its articles by one class at most, and only where feeds explain the delays.
"""

from __future__ import annotations

import hashlib
import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import numpy as np

from newsloom.kernel.ids import FeedId
from newsloom.reading.values.reading import Reading

# Seed 000's proposal: more reads in one second than this are a list marked, not articles read.
MOST_A_SECOND = 30

# Seed 000's proposal: below, how soon something is read depends on the day, not on the feed.
LEAST_EXPLAINED = 0.4

# Delays are looked at up to here; what is unread then is taken as never going to be.
HORIZON = timedelta(days=30)

# With 20 reads spread over one order of magnitude, the median is known within a factor of 2.
LEAST_READS = 20

# One class of sensitivity is a factor of 2 to 6 in half-life, in the usual settings 3 in the mean.
A_CLASS = 3.0

# No one reads sooner; keeps the logarithm finite.
SHORTEST = timedelta(minutes=1)

SECOND = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class FeedDelay:
    """How soon a feed's articles are read, and what follows."""

    reads: int
    median: timedelta
    shift: int  # classes of sensitivity: 1 expires faster, -1 slower
    words: str


@dataclass(frozen=True, slots=True)
class Delays:
    """What one reader's delays say."""

    reads: int = 0
    explained: float = 0.0  # the share of the variance of log delays between feeds
    feeds: Mapping[FeedId, FeedDelay] = field(default_factory=dict)  # those that shift

    def shifted(self, feed: FeedId, rating: int) -> int:
        """The rating of one of its articles, with the correction."""
        found = self.feeds.get(feed)
        return min(max(rating + (found.shift if found else 0), 1), 5)

    def name(self) -> str:
        """Names the correction, to go behind other names; empty when there is none."""
        if not self.feeds:
            return ""
        shifts = " ".join(f"{feed}:{self.feeds[feed].shift}" for feed in sorted(self.feeds))
        return f" delays:{hashlib.sha256(shifts.encode()).hexdigest()[:12]}"

    def words(self, feed: FeedId) -> str:
        """Why that is so; empty when there is no correction."""
        found = self.feeds.get(feed)
        return found.words if found else ""


@dataclass(frozen=True, slots=True)
class _Wait:
    """Hours from publication to reading; or that it was not read so far."""

    hours: float
    read: bool


def observed(readings: Sequence[Reading], now: datetime) -> Delays:
    """What the readings of one reader say: nothing where feeds do not explain the delays."""
    bulk = _bursts([one.read_at for one in readings if one.read_at and not one.in_bulk])
    waits: dict[FeedId, list[_Wait]] = defaultdict(list)
    for one in readings:
        waits[one.feed_id].append(_wait(one, one.in_bulk or one.read_at in bulk, now))
    usable = {feed: some for feed, some in waits.items() if _reads(some) >= LEAST_READS}
    read = sum(map(_reads, usable.values()))
    explained = _explained(
        [[math.log(one.hours) for one in some if one.read] for some in usable.values()]
    )
    if explained < LEAST_EXPLAINED:
        return Delays(read, explained)
    medians = {feed: _median(some) for feed, some in usable.items()}
    # Each feed has one voice: one that publishes by the hundred does not make the others slow.
    usual = float(np.exp(np.median(np.log(list(medians.values())))))
    moved = {feed: _moved(medians[feed], usual, _reads(some)) for feed, some in usable.items()}
    return Delays(read, explained, {feed: one for feed, one in moved.items() if one is not None})


def _wait(one: Reading, in_bulk: bool, now: datetime) -> _Wait:
    """Marked in bulk, it was unread until then, and nothing is known of it from there on."""
    until = min(one.read_at or now, one.published + HORIZON)
    hours = max(until - one.published, SHORTEST) / timedelta(hours=1)
    read = one.read_at is not None and not in_bulk and one.read_at - one.published <= HORIZON
    return _Wait(hours, read)


def _bursts(moments: Iterable[datetime]) -> set[datetime]:
    """Those among more than MOST_A_SECOND within one second."""
    ordered = sorted(moments)
    found: set[datetime] = set()
    for first, moment in enumerate(ordered):
        end = bisect_left(ordered, moment + SECOND)
        if end - first > MOST_A_SECOND:
            found.update(ordered[first:end])
    return found


def _reads(waits: Iterable[_Wait]) -> int:
    return sum(one.read for one in waits)


def _explained(groups: Sequence[Sequence[float]]) -> float:
    """The share of variance that lies between groups, less what chance alone would put there."""
    values = [value for group in groups for value in group]
    spare = len(values) - len(groups)
    if len(groups) < 2 or spare < 1:
        return 0.0
    total = float(np.var(values, ddof=1))
    within = sum(float(np.var(group)) * len(group) for group in groups) / spare
    return max(0.0, 1.0 - within / total) if total > 0 else 0.0


def _median(waits: Sequence[_Wait]) -> float:
    """Hours until half of those are read that ever will be, by Kaplan and Meier.

    An unread article counts for as long as it has waited, so that a feed subscribed to yesterday
    does not look quick. What most feeds keep unread for ever moves no median.
    """
    ordered = sorted(waits, key=lambda one: (one.hours, not one.read))
    waiting, unread = len(ordered), 1.0
    steps: list[tuple[float, float]] = []
    for one in ordered:
        if one.read:
            unread *= 1.0 - 1.0 / waiting
            steps.append((one.hours, 1.0 - unread))
        waiting -= 1
    half = (1.0 - unread) / 2.0
    return next(hours for hours, share in steps if share >= half)


def _moved(own: float, usual: float, reads: int) -> FeedDelay | None:
    ratio = own / usual
    shift = 1 if ratio <= 1 / A_CLASS else -1 if ratio >= A_CLASS else 0
    if not shift:
        return None
    faster = "faster" if shift > 0 else "slower"
    words = (
        f"moved one class {faster}: you read this feed after {_span(own)}, others after "
        f"{_span(usual)}"
    )
    return FeedDelay(reads, timedelta(hours=own), shift, words)


def _span(hours: float) -> str:
    if hours < 1:
        return f"{hours * 60:.0f} min"
    return f"{hours:.0f} h" if hours < 48 else f"{hours / 24:.0f} d"
