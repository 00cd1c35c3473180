"""Lists that go on where a page ended: rows in order from a position, and what variety makes of
them. Reads only, and only as many rows as are looked at.

Pages that begin at a number of rows (`offset`) are in lists.py: they repeat or leave out rows when
articles are read meanwhile, which these do not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any, NamedTuple

from sqlalchemy import Connection, TextClause

from newsloom.kernel.db.sql import fetch, many, rows_of
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.kernel.settings.ranking import Diversification
from newsloom.ranking import rank_key
from newsloom.reading import diversification
from newsloom.reading.store.lists import ranking_queries
from newsloom.reading.store.lists.row_names import is_story
from newsloom.reading.store.lists.rows import ListPosition
from newsloom.reading.values.reading import Order
from newsloom.reading.values.searching import Cursor, Position

# The highest and the lowest number that a column holds.
HIGHEST = 2**63 - 1
TOP = Position(HIGHEST, HIGHEST)

# Rows read at once: at first an eighth more than the page has, since some share a row with another;
# then more each time, as they are looked for in a long run of one feed.
_MOST_AT_ONCE = 500

_FEEDS = many(
    f"SELECT o.id, {ranking_queries.FEED_SHOWN.format(article='o.id')} AS feed_id"  # noqa: S608
    " FROM articles o WHERE o.id IN :ids"
)


class _Row(NamedTuple):
    """A row of a list. The article of its position is the best of those it stands for."""

    position: Position
    shown: int
    shared: bool
    feed: FeedId  # of the article shown


@dataclass(frozen=True, slots=True)
class Stream:
    """A list in its order: its statement and what that binds, without a beginning."""

    connection: Connection
    form: ranking_queries.QueryShape
    statement: TextClause
    values: Mapping[str, Any]

    def after(self, start: Position, first: int) -> Iterator[list[_Row]]:
        """Its rows below a position, in order and in parts, the first part of about `first`."""
        names: set[int] = set()  # of rows that were met
        from_top = start == TOP
        size = first + first // 8 + 1
        while True:
            keys = {"from_sort_key": start.sort_key, "highest": start.sort_key}
            keys |= {"from_article": start.article, "offset": 0}
            for level in ranking_queries.LEVELS:
                keys[f"from_{level}"] = start.sort_key + self.values[f"shift_{level}"]
            for name, key in keys.items():
                keys[name] = max(-HIGHEST, min(HIGHEST, key))
            values = {**self.values, **keys, "upto": size, "limit": size}
            found = fetch(self.connection, self.statement, values)
            yield self._rows(found, names, from_top)
            if len(found) < size:
                return
            start = Position(found[-1].sort_key, found[-1].article_id)
            size = min(2 * size, max(size, _MOST_AT_ONCE))

    def _rows(self, found: Sequence[Any], names: set[int], from_top: bool) -> list[_Row]:
        """A row has the place of its best article: where another of its articles stands in the
        order, it has come already, in this stream or in a page before its beginning."""
        first: list[_Row] = []
        shared: list[int] = []
        numbers: list[int] = []
        for article, name, sort_key, feed in found:
            if name is None:
                first.append(_Row(Position(sort_key, article), article, False, feed))
            elif name not in names:
                names.add(name)
                (numbers if is_story(name) else shared).append(article)
                first.append(_Row(Position(sort_key, article), article, True, feed))
        if numbers and not from_top:
            first = self._leading(first, numbers)
        return self._shown(first, shared) if shared else first

    def _leading(self, rows: Sequence[_Row], told: Sequence[int]) -> list[_Row]:
        """Without the rows of stories that something of them above the beginning leads."""
        found = rows_of(self.connection, ranking_queries.leading(self.form), told, **self.values)
        best = {row.asked: row.article_id for row in found}
        return [row for row in rows if best.get(row.shown, row.shown) == row.shown]

    def _shown(self, rows: Sequence[_Row], shared: Sequence[int]) -> list[_Row]:
        """Rows that stand for several articles, as what they show."""
        found = rows_of(self.connection, ranking_queries.foremost(self.form), shared, **self.values)
        shown = {row.asked: row.article_id for row in found if row.fullness == 1}
        best = {row.asked: row.article_id for row in found if row.place == 1}
        others = [shown[one] for one in shared if shown[one] != one]
        user = self.values["user"]
        feeds = {row.id: row.feed_id for row in rows_of(self.connection, _FEEDS, others, user=user)}
        rows = [row for row in rows if best.get(row.shown, row.shown) == row.shown]
        return [
            row._replace(shown=there, feed=feeds[there])
            if (there := shown.get(row.shown, row.shown)) != row.shown
            else row
            for row in rows
        ]


@dataclass(frozen=True, slots=True)
class Part:
    """The rows of one page, and where the next one begins."""

    places: tuple[ListPosition, ...]
    after: Cursor | None  # None: there are no more


def part(
    stream: Stream, at: datetime, limit: int, rule: Diversification | None, cursor: Cursor | None
) -> Part:
    """One page of a list that is ordered as of a moment, from its top or where a page ended."""
    share, margin = diversification.WINDOW, 0.0
    if rule is not None:
        # How much lower another row may stand, in units of the rank key.
        share = rule.rows
        margin = -math.log2(rule.near) * rank_key.UNIT if rule.near > 0 else math.inf
    top, start = TOP, diversification.START
    if cursor is not None:
        top, start = _start(cursor), diversification.Start(cursor.recent, cursor.last)
    rows = chain.from_iterable(stream.after(top, limit + 1))
    page = diversification.arrange(
        rows if cursor is None else _to_come(rows, cursor),
        limit,
        share=share,
        margin=margin,
        start=start,
    )
    # Only a ranked list shows what each row stands by; in another the score is the article's own.
    ranked = stream.form.order is Order.RANKED
    places = tuple(
        ListPosition(row.shown, row.position.article if ranked else row.shown, row.shared, demoted)
        for row, demoted in page.rows
    )
    if not page.more or page.end.last is None:
        return Part(places, None)
    after = Cursor(
        at=at,
        last=page.end.last,
        waiting=tuple(page.waiting.items()),
        recent=tuple(page.end.recent),
        before=ArticleId(places[-1].shown) if places else None,
    )
    return Part(places, after)


def _start(cursor: Cursor) -> Position:
    """Just above the highest row that is still to come."""
    waiting = max((first for _feed, first in cursor.waiting), default=cursor.last)
    return cursor.last if waiting <= cursor.last else waiting._replace(article=waiting.article + 1)


def _to_come(rows: Iterable[_Row], cursor: Cursor) -> Iterator[_Row]:
    """Those that no page before has shown."""
    waiting = dict(cursor.waiting)
    for row in rows:
        first = waiting.get(row.feed)
        if row.position < cursor.last or (first is not None and row.position <= first):
            yield row
