"""The table of all feeds: found by words, sorted, under their categories. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode, urlsplit

from newsloom.feeds.service.arranging import Shelf
from newsloom.feeds.service.feeds import Condition
from newsloom.feeds.values.health import FeedState
from newsloom.kernel.ids import FeedId
from newsloom.reading.values.reading import FeedFigures, Subscription

# Over which articles a week are counted.
COUNTED = timedelta(weeks=4)
LONGEST_WORDS = 200

# The worst first, as the alerts have it.
_STATES = {
    state: place
    for place, state in enumerate(
        (
            FeedState.HELD,
            FeedState.DEAD,
            FeedState.UNHEALTHY,
            FeedState.MOVED,
            FeedState.SLOW,
            FeedState.HEALTHY,
        )
    )
}


@dataclass(frozen=True, slots=True)
class Line:
    """One feed in the table."""

    feed: Subscription
    newest: datetime | None
    weekly: float  # articles
    percent: int | None  # of its articles that are read; None: it has brought none
    condition: Condition | None

    @property
    def host(self) -> str:
        try:
            return urlsplit(self.feed.url).hostname or ""
        except ValueError:
            return ""

    @property
    def weekly_words(self) -> str:
        if 0 < self.weekly < 1:
            return "< 1"
        return f"{self.weekly:,.0f}"


@dataclass(frozen=True, slots=True)
class Sort:
    """A way to sort: what is compared, and which way round it is useful first."""

    name: str
    words: str
    key: Callable[[Line], Any]
    down: bool = False  # the largest first


SORTS: tuple[Sort, ...] = (
    Sort("name", "Name", lambda _one: ()),  # the name parts all that is alike
    Sort("category", "Category", lambda one: (not one.feed.category, one.feed.category.casefold())),
    Sort("unread", "Unread", lambda one: one.feed.unread, down=True),
    # The one that has been silent for longest first.
    Sort("newest", "Last article", lambda one: one.newest.timestamp() if one.newest else 0.0),
    Sort("weekly", "Articles a week", lambda one: one.weekly, down=True),
    Sort("read", "Read", lambda one: -1 if one.percent is None else one.percent),
    Sort("health", "Health", lambda one: _STATES[one.feed.state]),
)


@dataclass(frozen=True, slots=True)
class TableQuery:
    """What part of the table is asked for, and how it is sorted."""

    words: str = ""
    sort: str = ""  # a name of SORTS; "": in the order of the sidebar
    back: bool = False  # the other way round
    chosen: bool = False  # with every row chosen

    def url(self, **changes: object) -> str:
        """The address of the table; what it says beside it may be given as `did` and `n`."""
        said = {name: str(value) for name, value in changes.items() if name in ("did", "n")}
        request = replace(self, **{k: v for k, v in changes.items() if k not in said})  # type: ignore[arg-type]
        parts = {
            "q": request.words,
            "sort": request.sort,
            "back": "1" if request.back else "",
            "chosen": "1" if request.chosen else "",
            **said,
        }
        query = urlencode({name: value for name, value in parts.items() if value})
        return f"/feeds?{query}" if query else "/feeds"

    def sorted_by(self, name: str) -> str:
        """Where a column's heading leads: sorted by it, or then the other way round."""
        return self.url(sort=name, back=self.sort == name and not self.back, chosen=False)


def parse_query(parts: Mapping[str, str]) -> TableQuery:
    """Out of a query or a form; what is not known is left out."""
    words = " ".join(parts.get("q", "")[:LONGEST_WORDS].replace("\0", " ").split())
    sort = parts.get("sort", "")
    known = sort if sort in {one.name for one in SORTS} else ""
    return TableQuery(words, known, bool(known and parts.get("back")), bool(parts.get("chosen")))


@dataclass(frozen=True, slots=True)
class Section:
    """Lines below one heading; without one, all that is sorted."""

    heading: str | None  # a category; "": none; None: no heading
    lines: tuple[Line, ...]


def lines(
    subscriptions: Sequence[Subscription],
    figures: Mapping[FeedId, FeedFigures],
    conditions: Mapping[FeedId, Condition],
) -> dict[FeedId, Line]:
    """A line of each feed."""
    weeks = COUNTED / timedelta(weeks=1)
    found = {}
    for one in subscriptions:
        known = figures.get(one.feed_id)
        had = one.unread + known.read if known else 0
        found[one.feed_id] = Line(
            one,
            known.newest if known else None,
            known.recent / weeks if known else 0.0,
            round(100 * known.read / had) if known and had else None,
            conditions.get(one.feed_id),
        )
    return found


def sections(
    shelves: Sequence[Shelf], known: Mapping[FeedId, Line], how: TableQuery
) -> tuple[Section, ...]:
    """The table: under the categories, in the reader's order, unless it is sorted."""
    found = [
        Section(
            shelf.name,
            tuple(known[one.feed_id] for one in shelf.feeds if _has(one, how.words)),
        )
        for shelf in shelves
    ]
    if not how.sort:
        return tuple(one for one in found if one.lines)
    sort = next(one for one in SORTS if one.name == how.sort)
    every = sorted(
        (line for section in found for line in section.lines),
        key=lambda line: (line.feed.title.casefold(), line.feed.feed_id),
    )
    down = sort.down != how.back
    if sort.name == "name" and how.back:
        every.reverse()
    every.sort(key=sort.key, reverse=down)
    return (Section(None, tuple(every)),) if every else ()


def _has(one: Subscription, words: str) -> bool:
    """Whether a feed has every word in its name, its category or its address."""
    text = f"{one.title} {one.category} {one.url}".casefold()
    return all(word in text for word in words.casefold().split())
