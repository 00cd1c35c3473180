"""The statements that put article ids in order: merged index ranges, or a sort of a few. SQL only.

A page without filters is a merge: of each class of sensitivity (and of newest-first, of each read
mark) the index gives its best in order, and only as many as the page needs are read. Filters are
tried on each row of the merge, or, when what they let through is little, that little is sorted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from sqlalchemy import TextClause, text

from newsloom.store.ranking import UNSCORED
from newsloom.types import ListQuery, Order

# Unscored articles are a class of their own.
LEVELS = (UNSCORED, 1, 2, 3, 4, 5)

# Up to this many articles a filter lets through are sorted rather than looked for in the merge:
# 20,000 take some 20 ms to sort, and where there are more, one in fifty of a million, a page of 100
# is found within the first few thousand of the merge.
FEW = 20_000

_CONDITIONS = {
    "starred": "s.starred = TRUE",
    "feed": """EXISTS (
        SELECT 1 FROM articles a WHERE a.original_id = s.article_id AND a.feed_id = :feed)""",
    "category": """EXISTS (
        SELECT 1 FROM articles a CROSS JOIN subscriptions c
        WHERE a.original_id = s.article_id AND c.user_id = :user AND c.feed_id = a.feed_id
        AND c.category = :category)""",
    "since": "s.dated_at >= :since",
}

# Where the articles that a filter lets through are found at once. What was found is held as a table
# of its own, so that SQLite looks nowhere else for them.
_SOURCES = {
    "starred": "SELECT article_id FROM states WHERE user_id = :user AND starred = TRUE",
    "feed": "SELECT DISTINCT original_id AS article_id FROM articles WHERE feed_id = :feed",
    "category": """SELECT DISTINCT a.original_id AS article_id
        FROM subscriptions c CROSS JOIN articles a
        WHERE c.user_id = :user AND c.category = :category AND a.feed_id = c.feed_id""",
}


@dataclass(frozen=True, slots=True)
class Shape:
    """What of a query changes its statement; the values in it are bound."""

    order: Order
    unread_only: bool
    filters: tuple[str, ...]

    @property
    def marks(self) -> tuple[str, ...]:
        """The values of the read mark that are listed."""
        return ("FALSE",) if self.unread_only else ("FALSE", "TRUE")


def shape(query: ListQuery) -> Shape:
    wanted = {
        "starred": query.starred_only,
        "feed": query.feed_id is not None,
        "category": query.category is not None,
        "since": query.since is not None,
    }
    filters = tuple(name for name, on in wanted.items() if on)
    return Shape(query.order, query.unread_only, filters)


@cache
def merge(form: Shape) -> TextClause:
    """The best of every range, merged. Binds what the filters name, and user, shift_0..5,
    limit, offset, and upto, the two together."""
    conditions = "".join(f" AND {_CONDITIONS[name]}" for name in form.filters)
    if form.order is Order.NEWEST:
        ranges = [_range("s.dated_at", "s.dated_at", mark, conditions) for mark in form.marks]
    else:
        ranges = [
            _range(
                "s.rank_key",
                f"s.rank_key - :shift_{level}",
                mark,
                f" AND s.sensitivity = {level}{conditions}",
            )
            for mark in form.marks
            for level in LEVELS
        ]
    return text(
        " UNION ALL ".join(ranges)
        + " ORDER BY standing DESC, article_id DESC LIMIT :limit OFFSET :offset"
    )


def _range(column: str, standing: str, mark: str, conditions: str) -> str:
    return (
        f"SELECT * FROM (SELECT s.article_id, {standing} AS standing FROM states s"  # noqa: S608
        f" WHERE s.user_id = :user AND s.read = {mark}{conditions}"
        f" ORDER BY {column} DESC, s.article_id DESC LIMIT :upto) AS r"
    )


@cache
def sort(form: Shape, source: str) -> TextClause:
    """Everything one filter lets through, sorted. Binds the same as merge."""
    marks = ", ".join(form.marks)
    found = f"({_SOURCES[source]}) f CROSS JOIN " if source in _SOURCES else ""
    joined = " AND s.article_id = f.article_id" if source in _SOURCES else ""
    conditions = "".join(
        f" AND {_CONDITIONS[name]}" for name in form.filters if name != source or not found
    )
    shifts = " ".join(f"WHEN {level} THEN :shift_{level}" for level in LEVELS)
    standing = (
        "s.dated_at"
        if form.order is Order.NEWEST
        else f"s.rank_key - CASE s.sensitivity {shifts} END"
    )
    return text(
        f"SELECT s.article_id, {standing} AS standing FROM {found}states s"  # noqa: S608
        f" WHERE s.user_id = :user AND s.read IN ({marks}){joined}{conditions}"
        " ORDER BY standing DESC, s.article_id DESC LIMIT :limit OFFSET :offset"
    )


@cache
def count(source: str) -> TextClause:
    """How many articles a filter lets through, counted no further than just above FEW."""
    return text(
        f"SELECT COUNT(*) FROM ({_SOURCES[source]} LIMIT {FEW + 1}) AS few"  # noqa: S608
    )
