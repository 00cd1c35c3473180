"""Variety: no feed takes more than its share of any five rows while others score nearly as much.

Pure: takes rows in the order of their scores, gives them in the order of the list. It looks only
so far ahead, and remembers only what `Start` says, so that a list can be made page by page.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, Protocol, TypeVar

from newsloom.kernel.ids import FeedId
from newsloom.kernel.settings.ranking import Diversification
from newsloom.reading.values.searching import Position

# The rows that a feed's share is counted in: what a small window shows at once. Two of any five
# rows are never more than four of any ten. That rule alone costs as much precision, and lets one
# feed fill the first screen (docs/work/quality.md).
WINDOW = 5

# How many rows may be moved down so that one from another feed can pass. The rows of a busy feed
# that was just liked stand together: several hundred of them, when it writes a hundred a day. To
# read so many costs a few milliseconds, and only where there is such a run.
LOOK_AHEAD = 500


class Candidate(Protocol):
    """A row, as far as variety looks at it."""

    @property
    def position(self) -> Position: ...
    @property
    def feed(self) -> FeedId: ...


Row = TypeVar("Row", bound=Candidate)


class Start(NamedTuple):
    """What the next page needs to know of the rows already shown."""

    recent: Sequence[FeedId] = ()  # feeds of the last WINDOW - 1, the newest last
    last: Position | None = None  # the lowest position of all


START = Start()


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """Rows in the order of the list, each with whether a row that scores less stands above it."""

    rows: tuple[tuple[Row, bool], ...]
    end: Start  # of the page that follows
    waiting: Mapping[FeedId, Position]  # above `end.last`, the first row still to come of each feed
    more: bool


def describe(rule: Diversification) -> str:
    """The rule in a sentence."""
    return (
        f"At most {rule.rows} of {WINDOW} rows come from one feed while others score at least "
        f"{rule.near:.0%} as much."
    )


def visible(rows: Iterable[tuple[int, bool]]) -> Iterator[bool]:
    """Of rows as shown, each with its score and whether it was lowered: whether that can be seen,
    because a row above shows a lower score. Else there is nothing to explain."""
    least: int | None = None
    for score, demoted in rows:
        yield demoted and least is not None and least < score
        least = score if least is None else min(score, least)


def arrange(
    rows: Iterable[Row],
    limit: int,
    *,
    share: int,
    margin: float,
    start: Start = START,
    window: int = WINDOW,
    ahead: int = LOOK_AHEAD,
) -> Page[Row]:
    """The next rows of a list: those of the highest sort key, unless their feed has its share.

    A feed with `share` of the `window - 1` rows above gives way to the first row of another feed
    whose sort key is at most `margin` lower, looked for among the next `ahead` rows. If there is
    none it stays. Within a feed the order is kept. With a share of `window` nothing is moved.
    """
    source = iter(rows)
    held: _Held[Row] = _Held()
    recent, last = deque(start.recent, maxlen=window - 1), start.last
    placed: list[tuple[Row, bool]] = []
    while len(placed) < limit:
        best = held.pop() if held.count else next(source, None)
        if best is None:
            break
        if recent.count(best.feed) >= share:
            full = {feed for feed in recent if recent.count(feed) >= share}
            held.put_back(best)
            best = _beside(full, best.position.sort_key - margin, held, source, ahead) or held.pop()
        demoted = last is not None and best.position > last
        last = last if demoted else best.position
        recent.append(best.feed)
        placed.append((best, demoted))
    # All that stands above the lowest is read, to know which feeds have rows there.
    while (one := next(source, None)) is not None:
        held.add(one)
        if last is None or one.position < last:
            break
    return Page(tuple(placed), Start(tuple(recent), last), held.above(last), more=held.count > 0)


def _beside(
    full: set[FeedId], least: float, held: _Held[Row], source: Iterator[Row], ahead: int
) -> Row | None:
    """The first row of any other feed, unless it stands too low or too far down."""
    found = held.first_beside(full)
    while found is None and held.count <= ahead and (one := next(source, None)) is not None:
        held.add(one)
        if one.position.sort_key < least:
            return None
        found = None if one.feed in full else one
    if found is None or found.position.sort_key < least:
        return None
    return held.take(found.feed)


@dataclass(slots=True)
class _Held(Generic[Row]):
    """Rows that were read and not placed yet, by feed in their order."""

    count: int = 0
    _rows: dict[FeedId, deque[Row]] = field(default_factory=dict)  # none of them is empty

    def add(self, row: Row) -> None:
        self._rows.setdefault(row.feed, deque()).append(row)
        self.count += 1

    def put_back(self, row: Row) -> None:
        self._rows.setdefault(row.feed, deque()).appendleft(row)
        self.count += 1

    def take(self, feed: FeedId) -> Row:
        """The first of a feed."""
        of_feed = self._rows[feed]
        self.count -= 1
        if len(of_feed) == 1:
            del self._rows[feed]
        return of_feed.popleft()

    def pop(self) -> Row:
        """The first of all."""
        return self.take(max(self._firsts(), key=_position).feed)

    def first_beside(self, feeds: set[FeedId]) -> Row | None:
        """The first of any other feed, which stays."""
        others = (row for row in self._firsts() if row.feed not in feeds)
        return max(others, key=_position, default=None)

    def above(self, last: Position | None) -> Mapping[FeedId, Position]:
        """The first row of each feed that has one above a position."""
        found: dict[FeedId, Position] = {}
        for feed, of_feed in self._rows.items():
            if last is not None and of_feed[0].position > last:
                found[feed] = of_feed[0].position
        return found

    def _firsts(self) -> Iterator[Row]:
        return (of_feed[0] for of_feed in self._rows.values())


def _position(row: Candidate) -> Position:
    return row.position
