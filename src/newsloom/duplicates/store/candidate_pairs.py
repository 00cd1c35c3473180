"""Which articles share keys, and where the keys are kept. Compares nothing, knows no layer.

New keys go to `fresh_keys`, which is small enough to be written anywhere, and from there into
`dedup_keys`, one stretch of all numbers at a time and in their order.
"""

from __future__ import annotations

import json

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from newsloom.articles.store.keys import drop_keys
from newsloom.duplicates.store.tables import fresh_keys
from newsloom.kernel.db import bulk
from newsloom.kernel.db.dialects import portable

Numbers = NDArray[np.int64]

# Of a key that more articles share, only the newest are kept: a boilerplate sentence of a thousand
# articles proves nothing about two of them, and of ten thousand copies each meets enough others.
PER_KEY = 64

# Most others that one article is compared with; those that share most keys go first.
PER_ARTICLE = 512

# Rows of `fresh_keys` at most, and the stretches they leave it by: one is moved when it has grown
# to its share.
FRESH = 1_000_000
STRETCHES = 16

_STORED = portable("""
    SELECT k.key, k.article_id FROM numbers_in(:keys) AS w CROSS JOIN fresh_keys k
    WHERE k.key = w.value
    UNION ALL
    SELECT k.key, k.article_id FROM numbers_in(:keys) AS w CROSS JOIN dedup_keys k
    WHERE k.key = w.value
""")
_COUNT = portable("SELECT COUNT(*) FROM fresh_keys WHERE key BETWEEN :first AND :last")
_MOVE = (
    portable("""
        INSERT INTO dedup_keys (key, article_id)
        SELECT key, article_id FROM fresh_keys AS f
        WHERE key BETWEEN :first AND :last AND NOT EXISTS (
            SELECT 1 FROM dedup_keys d WHERE d.key = f.key AND d.article_id = f.article_id
        )
        ORDER BY key, article_id
    """),
    portable("DELETE FROM fresh_keys WHERE key BETWEEN :first AND :last"),
)
_COLUMNS = ("key", "article_id")
_NONE = np.empty((0, 2), np.int64)


def meet(connection: Connection, own: Numbers) -> Numbers:
    """Of different rows (key, article): the pairs (article, another) that share a key.

    Then keeps the rows. An article meets whoever was there before, and those of `own` with lesser
    ids. Those whose rows were kept before may be among `own`.
    """
    if not len(own):
        return _NONE
    stored = _stored(connection, own[:, 0])
    again = np.isin(stored[:, 1], own[:, 1])
    table = np.concatenate((stored[~again], own))
    new = np.arange(len(table)) >= len(table) - len(own)
    order = np.lexsort((table[:, 1], new, table[:, 0]))
    table, new = table[order], new[order]
    _keep(connection, table, new, set(map(tuple, stored[again].tolist())))
    return _best(_pairs(table, new))


def full(connection: Connection, stretch: int) -> bool:
    """Whether a stretch of the new keys has grown to its share."""
    rows = connection.scalar(_COUNT, _ends(stretch)) or 0
    return rows * STRETCHES > FRESH


def move(connection: Connection, stretch: int) -> None:
    """Put a stretch of the new keys to the others."""
    for statement in _MOVE:
        connection.execute(statement, _ends(stretch))


def _ends(stretch: int) -> dict[str, int]:
    width = 2**64 // STRETCHES
    first = -(2**63) + stretch % STRETCHES * width
    return {"first": first, "last": first + width - 1}


def _stored(connection: Connection, keys: Numbers) -> Numbers:
    found = bulk.rows(connection, _STORED, keys=json.dumps(np.unique(keys).tolist()))
    return np.array(found, np.int64) if found else _NONE


def _pairs(table: Numbers, new: NDArray[np.bool_]) -> Numbers:
    """(new article, one before it under the same key, number of such keys), each pair once."""
    found = [np.empty((0, 3), np.int64)]
    places = np.flatnonzero(new)
    for lag in range(1, PER_KEY + 1):
        places = places[places >= lag]
        places = places[table[places, 0] == table[places - lag, 0]]
        if not len(places):
            break
        ones = np.ones(len(places), np.int64)
        # Summed up here already: copies of one text share all their keys.
        found.append(_summed(np.column_stack((table[places, 1], table[places - lag, 1], ones))))
    return _summed(np.concatenate(found))


def _summed(rows: Numbers) -> Numbers:
    if not len(rows):
        return rows
    rows = rows[np.lexsort((rows[:, 1], rows[:, 0]))]
    begins = np.append(0, np.flatnonzero((np.diff(rows[:, :2], axis=0) != 0).any(axis=1)) + 1)
    return np.column_stack((rows[begins, :2], np.add.reduceat(rows[:, 2], begins)))


def _best(rows: Numbers) -> Numbers:
    """For each article those that share most keys with it, of equals the newest."""
    rows = rows[np.lexsort((-rows[:, 1], -rows[:, 2], rows[:, 0]))]
    begins, sizes = _groups(rows[:, 0])
    place = np.arange(len(rows)) - np.repeat(begins, sizes)
    return rows[place < PER_ARTICLE, :2]


def _groups(values: Numbers) -> tuple[Numbers, Numbers]:
    """Where each run of equal values begins, and how long it is."""
    if not len(values):
        return values, values
    begins = np.append(0, np.flatnonzero(np.diff(values)) + 1)
    return begins, np.diff(np.append(begins, len(values)))


def _keep(
    connection: Connection, table: Numbers, new: NDArray[np.bool_], known: set[tuple[int, ...]]
) -> None:
    """Add the new rows that are not known, and take away what a key has too many of."""
    begins, sizes = _groups(table[:, 0])
    behind = np.repeat(begins + sizes, sizes) - np.arange(len(table)) - 1
    crowded = behind >= PER_KEY
    add = table[new & ~crowded]
    rows = list(zip(add[:, 0].tolist(), add[:, 1].tolist(), strict=True))
    if known:
        rows = [row for row in rows if row not in known]
    bulk.insert_rows(connection, fresh_keys, _COLUMNS, rows)
    gone = list(map(tuple, table[crowded & ~new].tolist()))
    gone += [row for row in map(tuple, table[crowded & new].tolist()) if row in known]
    drop_keys(connection, gone)
