"""Vectors as pgvector searches them: a table beside `embeddings`, where the extension is there.

Its rows are put in the transaction that puts those of `embeddings`, and go with them. It holds
nothing that is not there too, so it may be dropped and made anew at any time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Row, TextClause, exc, text

from newsloom.kernel.db.dialects import portable
from newsloom.kernel.db.sql import many, rows_of
from newsloom.ranking.store.nearest.scan import unit
from newsloom.ranking.store.vectors import STORED

TABLE = "neighbours"

# A window without beginning and end, in microseconds.
ALWAYS = (-(2**62), 2**62)

# From so many vectors of a model on, an index answers sooner than reading all by enough to be worth
# the minutes and the disk it takes; see docs/work/decisions/storage.md.
INDEXED_FROM = 200_000

# What the index looks at of a query: 100 found .86 of the ten nearest of a million, too few.
SEARCHED = 400

_MADE = (
    f"""CREATE TABLE {TABLE} (
        maker_id BIGINT NOT NULL, article_id BIGINT NOT NULL, dated_at BIGINT NOT NULL,
        vector HALFVEC NOT NULL,
        PRIMARY KEY (maker_id, article_id),
        FOREIGN KEY (maker_id, article_id) REFERENCES embeddings (maker_id, article_id)
            ON DELETE CASCADE
    )""",
    # In the row itself, however long: of a row kept elsewhere each look takes a second look-up.
    f"ALTER TABLE {TABLE} ALTER COLUMN vector SET STORAGE PLAIN",
    f"CREATE INDEX ix_{TABLE}_dated_at ON {TABLE} (maker_id, dated_at)",
)
_THERE = text("SELECT to_regclass(:name) IS NOT NULL")
_DATES = many("SELECT id, dated_at FROM articles WHERE id IN :ids")
_MISSING = text(f"""
    SELECT e.maker_id, e.article_id, e.vector FROM embeddings e
    LEFT JOIN {TABLE} n ON n.maker_id = e.maker_id AND n.article_id = e.article_id
    WHERE n.article_id IS NULL ORDER BY e.id LIMIT :limit
""")  # noqa: S608
_SIZES = text(f"""
    SELECT maker_id, COUNT(*) AS rows, MAX(vector_dims(vector::vector)) AS dimensions FROM {TABLE}
    GROUP BY maker_id ORDER BY maker_id
""")  # noqa: S608
FILLED = 5_000  # rows filled in at once

Stored = tuple[int, int, bytes]  # maker, article, vector as `embeddings` has it


def there(connection: Connection) -> bool:
    """Whether this database is searched by pgvector."""
    if connection.dialect.name != "postgresql":
        return False
    return bool(connection.scalar(_THERE, {"name": TABLE}))


def make(connection: Connection) -> bool:
    """Make the table if the extension is there or may be made; whether it is there now.

    To make an extension takes a right that the role may lack: then nothing has happened.
    """
    if there(connection):
        return True
    try:
        with connection.begin_nested():
            connection.exec_driver_sql("CREATE EXTENSION IF NOT EXISTS vector")
            # Half precision came with pgvector 0.7: an older one knows no such type.
            for statement in _MADE:
                connection.exec_driver_sql(statement)
    except exc.DBAPIError:
        return False
    return True


def put(connection: Connection, rows: Sequence[Stored]) -> None:
    """New rows of `embeddings`, in the transaction that put them there."""
    dates = {
        row.id: row.dated_at
        for row in rows_of(connection, _DATES, sorted({article for _maker, article, _v in rows}))
    }
    driver: Any = connection.connection.driver_connection
    into = f"COPY {TABLE} (maker_id, article_id, dated_at, vector) FROM STDIN (FORMAT BINARY)"
    with driver.cursor() as cursor, cursor.copy(into) as stream:
        stream.write(b"PGCOPY\n\xff\r\n\x00" + bytes(8))
        for producer, article, vector in rows:
            stream.write(_binary(producer, article, dates[article], vector))
        stream.write(b"\xff\xff")


def fill(connection: Connection) -> int:
    """Put what `embeddings` has and this has not; how many rows."""
    filled = 0
    while found := connection.execute(_MISSING, {"limit": FILLED}).all():
        put(connection, [(row.maker_id, row.article_id, row.vector) for row in found])
        filled += len(found)
    return filled


def index_name(producer: int) -> str:
    return f"ix_{TABLE}_near_{producer}"


def sizes(connection: Connection) -> Iterable[tuple[int, int, int]]:
    """Maker, rows and dimensions of each model."""
    return [tuple(row) for row in connection.execute(_SIZES)]


def index(connection: Connection, producer: int, dimensions: int) -> None:
    """Make the index of one model; nobody writes vectors meanwhile. Minutes for a million."""
    connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
    connection.exec_driver_sql("SET LOCAL maintenance_work_mem = '1GB'")
    connection.exec_driver_sql(
        f"CREATE INDEX {index_name(producer)} ON {TABLE} USING hnsw"
        f" ((vector::halfvec({dimensions})) halfvec_cosine_ops) WHERE maker_id = {int(producer)}"
    )


def indexed(connection: Connection, producer: int) -> bool:
    return bool(connection.scalar(_THERE, {"name": index_name(producer)}))


def match_articles(
    connection: Connection,
    producer: int,
    vector: NDArray[np.floating],
    *,
    window: tuple[int, int],
    conditions: str,
    values: dict[str, Any],
    count: int,
    exact: bool,
) -> list[tuple[int, float]]:
    """The nearest `count` that meet the conditions on `n.article_id`: ids and cosines, in order."""
    query = unit(vector)
    bound = {
        **values,
        "query": "[" + ",".join(map(repr, query.tolist())) + "]",
        **({} if window == ALWAYS else {"since": window[0], "until": window[1]}),
        "count": count,
    }
    found: Sequence[Row[Any]] = ()
    if not exact and indexed(connection, producer):
        searched = min(1_000, max(SEARCHED, 2 * _seen(count)))
        connection.exec_driver_sql(f"SET LOCAL hnsw.ef_search = {searched}")
        # Goes on where the window left too few.
        connection.exec_driver_sql("SET LOCAL hnsw.iterative_scan = strict_order")
        # As the index has it: PostgreSQL takes an index for an expression that is the same.
        size = f"halfvec({len(query)})"
        near = f"(n.vector::{size}) <=> CAST(:query AS {size})"
        found = _widening(connection, portable(_query(producer, near, window, conditions)), bound)
    if len(found) < count:  # the index gives up where a window leaves few of very many
        near = "n.vector <=> CAST(:query AS halfvec)"
        found = _widening(connection, portable(_query(producer, near, window, conditions)), bound)
    return sorted(
        ((int(row.article_id), float(row.cosine)) for row in found),
        key=lambda one: (-one[1], one[0]),
    )


def _seen(count: int) -> int:
    """How many of the nearest are looked at first, so that some may not meet the conditions."""
    return 2 * count + 20


def _widening(
    connection: Connection, statement: TextClause, bound: dict[str, Any]
) -> Sequence[Row[Any]]:
    """Of ever more of the nearest those that meet the conditions, until they are enough.

    To ask for the conditions of every vector would join all articles each time.
    """
    seen = _seen(bound["count"])
    while True:
        found = connection.execute(statement, {**bound, "seen": seen}).all()
        met = [row for row in found if row.met]
        if len(met) >= bound["count"] or len(found) < seen:
            return met[: bound["count"]]
        seen *= 8


def _query(producer: int, near: str, window: tuple[int, int], conditions: str) -> str:
    """`match_articles`: the nearest of a window, and which of them meet the conditions."""
    dated = "AND n.dated_at >= :since AND n.dated_at < :until" if window != ALWAYS else ""
    return f"""
        WITH near AS MATERIALIZED (
            SELECT n.article_id, {near} AS distance FROM {TABLE} n
            WHERE n.maker_id = {int(producer)} {dated}
            ORDER BY {near} LIMIT :seen
        )
        SELECT n.article_id, 1 - n.distance AS cosine, {conditions} AS met FROM near n
        ORDER BY n.distance, n.article_id
    """  # noqa: S608


def _binary(producer: int, article: int, dated: int, vector: bytes) -> bytes:
    """A row as COPY takes it: the number of fields, then each with its length, big-endian."""
    numbers = [b"\x00\x00\x00\x08" + one.to_bytes(8, "big") for one in (producer, article)]
    numbers.append(b"\x00\x00\x00\x08" + dated.to_bytes(8, "big", signed=True))
    halves = np.frombuffer(vector, STORED)
    body = len(halves).to_bytes(2, "big") + b"\x00\x00" + halves.astype(">f2").tobytes()
    return b"\x00\x04" + b"".join(numbers) + len(body).to_bytes(4, "big") + body
