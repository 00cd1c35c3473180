"""The order by importance as SQL: what lasts, in an index, and a recency that fades. SQL only.

No index holds an order that changes by the hour. But of one day all are moved by nearly the same,
so of each day only those are looked at whose points may reach a floor: the most recency that
anything of that day has is known. The floor is looked for from above, by counting no further than a
page needs. To work out the importance of all that is new took 40 ms of a million articles, and
200 ms with a category to try.
"""

from __future__ import annotations

from collections.abc import Sequence

# Importance at :now_at, in millionths of a point: what lasts, and a recency that fades. From
# :settled_at on back it adds less than one of those, and the index has the order.
IMPORTANCE = """(s.points + CASE
    WHEN s.dated_at >= :now_at THEN CAST(CAST(:new_points AS DOUBLE PRECISION) AS BIGINT)
    WHEN s.dated_at < :settled_at THEN 0
    ELSE CAST(ROUND(
        CAST(:new_points AS DOUBLE PRECISION)
        * exp(CAST(:fade AS DOUBLE PRECISION) * (s.dated_at - CAST(:now_at AS BIGINT)))
    ) AS BIGINT) END)"""

DAY_MICROS = 86_400_000_000
# An expression has no type in SQLite: compared with a column as it is, its index would not be used.
_OF_DAY = f"s.dated_at / {DAY_MICROS} = d.day + 0"

# The most recency of a day, in whole millionths rounded up: that of its end.
_MOST = f"""CAST(1 + CAST(:new_points AS DOUBLE PRECISION) * CASE
    WHEN (d.day + 1) * {DAY_MICROS} >= CAST(:now_at AS BIGINT) THEN 1
    ELSE exp(CAST(:fade AS DOUBLE PRECISION)
        * ((d.day + 1) * {DAY_MICROS} - CAST(:now_at AS BIGINT))) END AS BIGINT)"""

# Floors are tried this far below the best there may be, in millionths, each a quarter further. In
# the tail of a distribution each lets through about three times what the one before did, so all
# that fail cost half of the one that does not. Below the last all articles are looked at.
_FIRST, _LAST = 250_000, 40_000_000
_BOTTOM = -(2**62)


def ranges(marks: Sequence[str], conditions: str, after: str, settled_after: str) -> str:
    """The articles of a list that may be among its first :upto, with their sort_key.

    `marks` are the values of the read mark; the others are conditions on the state `s`, each after
    AND: the filters, and where the list begins by importance and by what lasts of it. Binds what
    lists._of_importance gives.
    """
    listed = f"s.user_id = :user AND s.read IN ({', '.join(marks)})"

    def above(floor: str, source: str, columns: str) -> str:
        reaching = f"AND {IMPORTANCE} >= {floor}"
        # Filters are asked apart: PostgreSQL takes what a category asks to be found anew for each
        # day, and would rather go through all there is. Plus nothing, that it goes by days and not
        # by dates.
        return f"""
            SELECT {columns.format(IMPORTANCE)} FROM (
                SELECT s.* FROM {source}days d CROSS JOIN states s
                WHERE {listed} AND {_OF_DAY} AND s.points >= {floor} - {_MOST}
                AND s.dated_at + 0 >= :settled_at {reaching} apart()
            ) s WHERE TRUE{after}{conditions}
            UNION ALL SELECT {columns.format(IMPORTANCE)} FROM {source}states s
            WHERE {listed} AND s.dated_at >= :coming_at {reaching}{after}{conditions}
            UNION ALL SELECT {columns.format("s.points")} FROM {source}states s
            WHERE {listed} AND s.dated_at < :settled_at AND s.points >= {floor}
            {settled_after}{conditions}"""  # noqa: S608

    counted = above("t.floor", "", "1")
    found = above("f.floor", "floors f CROSS JOIN ", "s.article_id, {} AS sort_key")
    return f"""SELECT * FROM (WITH RECURSIVE days (day) AS (
            SELECT CAST(:last_day AS BIGINT)
            UNION ALL SELECT day - 1 FROM days WHERE day > :first_day
        ), steps (down) AS (
            SELECT CAST({_FIRST} AS BIGINT)
            UNION ALL SELECT down * 5 / 4 FROM steps WHERE down < {_LAST}
        ), tries (floor) AS (
            SELECT b.highest - s.down FROM ({_highest(marks)}) b CROSS JOIN steps s
        ), floors (floor) AS (
            SELECT COALESCE((
                SELECT t.floor FROM tries t WHERE (
                    SELECT COUNT(*) FROM (
                        SELECT 1 FROM ({counted}) AS c LIMIT inlined(:upto)
                    ) AS few
                ) >= :upto LIMIT 1
            ), {_BOTTOM})
        ) {found}) AS r"""  # noqa: S608


def _highest(marks: Sequence[str]) -> str:
    """No article of the reader's has more; a list that begins further down has less."""
    tops = " UNION ALL ".join(
        f"""SELECT {_MOST} + ({_top(mark, f" AND {_OF_DAY}")}) AS top FROM days d
        UNION ALL SELECT ({_top(mark)}) + CASE WHEN (
            SELECT s.dated_at FROM states s WHERE s.user_id = :user AND s.read = {mark}
            ORDER BY s.dated_at DESC, s.article_id DESC LIMIT 1
        ) >= :coming_at THEN CAST(CAST(:new_points AS DOUBLE PRECISION) AS BIGINT) ELSE 0 END"""  # noqa: S608
        for mark in marks
    )
    return f"""SELECT CASE WHEN MAX(top) < :highest THEN MAX(top) ELSE :highest END AS highest
        FROM ({tops}) AS x"""  # noqa: S608


def _top(mark: str, more: str = "") -> str:
    return f"""SELECT s.points FROM states s WHERE s.user_id = :user AND s.read = {mark}{more}
        ORDER BY s.points DESC, s.article_id DESC LIMIT 1"""  # noqa: S608
