"""`store.lists`."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row

from newsloom.kernel.db.dialects import portable
from newsloom.kernel.db.sql import fetch
from newsloom.kernel.ids import ArticleId
from newsloom.ranking import rank_key
from newsloom.reading.store.lists import ranking_queries, row_names
from newsloom.reading.store.lists.conditions import Conditions, conditions
from newsloom.reading.store.lists.followed import Followed
from newsloom.reading.store.lists.lists import Listings, listed
from newsloom.reading.store.lists.rows import ListPosition, places
from newsloom.reading.store.lists.streams import Part, Stream, part
from newsloom.reading.values.reading import ListQuery, Order, Rows
from newsloom.reading.values.searching import Cursor, Found, Position, SearchOrder

if TYPE_CHECKING:
    from newsloom.kernel.ids import UserId
    from newsloom.ranking.ports import HalfLives
    from newsloom.reading.values.searching import SearchQuery


# Searches of one reader: what is found, how much of it there is, page by page. Reads only.
#
# What is found is read whole and put in order here, as long as it is MANY articles at most. Of
# more, the newest first and the best scored first come page by page out of the database, and the
# best match is looked for among the MANY that came last: to rank all that have a common word takes
# half a second in 200,000 articles, and says nothing, since such a word tells no article from
# another.

# Found articles that are counted, and put in order at once: that takes some 30 ms.
MANY = 10_000

# Up to this many texts that match are all looked at for a page of the newest; of more, the newest
# articles are gone through until there are enough that match.
DENSE = 100_000


_MEMBER = "s.article_id IN numbers_in(:members)"


# How what was found is ordered as a list; anything else as the newest.
_ORDERED = {
    SearchOrder.SCORE: Order.RANKED,
    SearchOrder.OLDEST: Order.OLDEST,
    SearchOrder.RANDOM: Order.RANDOM,
}


def _form(order: SearchOrder, conditions: Conditions, rows: Rows) -> ranking_queries.QueryShape:
    by = _ORDERED.get(order, Order.NEWEST)
    return ranking_queries.QueryShape(by, conditions.unread, (), rows=rows, tests=conditions.each)


@dataclass(frozen=True, slots=True)
class _Search:
    """A search, put into SQL."""

    connection: Connection
    conditions: Conditions
    form: ranking_queries.QueryShape
    order: SearchOrder
    at: datetime
    after: Cursor | None

    def page(self, limit: int, values: Mapping[str, Any]) -> tuple[Part, int, bool]:
        """Ranked: the exact order of R(now), by merging five ranges of the static key.

        A row that stands for several articles has the place of the best of those that the query
        lets through, and shows the fullest of them. With variety, rows of a feed that has its
        share give way to others (reading/diversification.py).
        """
        found = self._found(values)
        more = len(found) > MANY
        if more and self.order is not SearchOrder.BEST:
            return part(self._stream(values), self.at, limit, None, self.after), MANY, True
        rows = _rows(found)
        count = MANY if more else len(rows)
        start = self._start(rows, values)
        shown = rows[start : start + limit]
        there = self._places(shown, found, values)
        if not shown or start + limit >= len(rows):
            return Part(there, None), count, more
        last = Position(shown[-1].sort_key, shown[-1].article_id)
        after = Cursor(self.at, last, before=ArticleId(there[-1].shown))
        return Part(there, after), count, more

    def _places(
        self, shown: Sequence[Row[Any]], found: Sequence[Row[Any]], values: Mapping[str, Any]
    ) -> tuple[ListPosition, ...]:
        """What each row shows: the fullest of its articles that were found; of a story, the first
        in this order."""
        best = [(row.article_id, row.name) for row in shown]
        names = {row.name for row in shown} - {None}
        members = [row.article_id for row in found if row.name in names] if names else []
        values = {**values, "members": json.dumps(members)}
        form = replace(self.form, tests=(_MEMBER,))
        return tuple(places(self.connection, form, best, values))

    def _found(self, values: Mapping[str, Any]) -> Sequence[Row[Any]]:
        """What is found, in order: MANY articles and one more at most, those that came last."""
        table, joined, newest = "", "", ""
        marked = f" AND s.read IN ({', '.join(self.form.marks)})"
        fulltext = self.conditions.fulltext
        if self.conditions.match:
            # Of states of any mark an index of numbers is read, not the wide rows.
            marked = marked if self.form.unread_only else ""
            table, joined = f"{fulltext.TABLE} CROSS JOIN ", f" AND {fulltext.JOINED}"
            newest = f" ORDER BY {fulltext.NEWEST_FIRST}"
        best = self.order is SearchOrder.BEST
        key = fulltext.STANDING if best else ranking_queries.sort_key(self.form)
        alone = self.form.rows is Rows.ARTICLE
        name = "NULL" if alone else row_names.NAME[self.form.rows]
        groups = "" if alone else row_names.join(self.form.rows, "s.article_id")
        statement = portable(
            f"SELECT * FROM (SELECT {key} AS sort_key, s.article_id, {name} AS name"  # noqa: S608
            f" FROM {table}states s{groups} WHERE s.user_id = :user"
            f"{marked}{joined}{self.conditions.among}"
            f"{newest} LIMIT {MANY + 1}) AS found ORDER BY sort_key DESC, article_id DESC"
        )
        return fetch(self.connection, statement, values)

    def _stream(self, values: Mapping[str, Any]) -> Stream:
        """A list of everything that is found, in its order."""
        form = replace(self.form, stream=True)
        match, fulltext = self.conditions.match, self.conditions.fulltext
        few = match and fulltext.count(self.connection, match, DENSE) < DENSE
        # Neither of these orders comes upon what matches by going through the newest.
        sorted_alone = self.order in (SearchOrder.SCORE, SearchOrder.RANDOM)
        if match and (few or self.conditions.prefix or sorted_alone):
            joined = f" AND {fulltext.JOINED}{self.conditions.among}"
            statement = ranking_queries.sort_joined(form, fulltext.TABLE, joined)
        else:
            statement = ranking_queries.merge(form)
        return Stream(self.connection, form, statement, values)

    def _start(self, rows: Sequence[Row[Any]], values: Mapping[str, Any]) -> int:
        """Where the page begins. How well a text matches changes a little with every new text, so
        the last row that was shown is looked for where it stands now."""
        if self.after is None:
            return 0
        last = self.after.last
        if self.order is SearchOrder.BEST:
            rank = self.conditions.fulltext.rank(self.connection, values["match"], last.article)
            last = last if rank is None else last._replace(sort_key=rank)
        return bisect_left(rows, True, key=lambda row: (row.sort_key, row.article_id) < last)


def _rows(found: Sequence[Row[Any]]) -> Sequence[Row[Any]]:
    """The rows of a list, each where its best article stands."""
    names: set[int] = set()
    rows = []
    for row in found:
        name = row.name
        if name is None:
            rows.append(row)
        elif name not in names:
            rows.append(row)
            names.add(name)
    return rows


class ListStore(Listings, Followed):
    """What a reader looks at: ranked lists, pages of them, search, feeds with what is unread."""

    def search(
        self,
        user: UserId,
        query: SearchQuery,
        order: SearchOrder,
        limit: int,
        now: datetime,
        half_lives: HalfLives,
        *,
        rows: Rows = Rows.CLUSTER,
        after: Cursor | None = None,
        seed: int = 0,
    ) -> Found:
        """One page of what a search finds; without words the best match is the newest."""
        if not query.clauses:
            return Found(order=order, notes=query.notes)
        at = now if after is None else min(after.at, now)
        shifts = rank_key.shifts(at, half_lives)
        with self.database.read() as connection:
            asked = conditions(connection, user, query, at, shifts)
            if order is SearchOrder.BEST and not asked.match:
                order = SearchOrder.NEWEST
            search = _Search(connection, asked, _form(order, asked, rows), order, at, after)
            values = {"user": user, "seed": ranking_queries.chance(seed), **asked.values}
            values |= {f"shift_{level}": shift for level, shift in shifts.items()}
            page, count, more = search.page(limit, values)
            found = listed(connection, user, page.places, now, half_lives, ListQuery(rows=rows))
        notes = (*query.notes, *asked.notes)
        return Found(found, count, more, order, page.after, notes)
