"""Everything of one database into another, whichever kind each is. Decides nothing.

Rows go in the order of their keys, table by table, referred ones first, with their numbers. What is
read of the source is of one moment. Values are compared as the drivers give them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Boolean, Connection, Float, Table, delete, inspect, text

from newsloom.articles.store.tables import embeddings, texts
from newsloom.kernel.db.bulk import copy_rows
from newsloom.kernel.db.dialects import full_text, numbered
from newsloom.kernel.db.engine import Database, SqliteDatabase
from newsloom.kernel.errors import StoreError
from newsloom.ranking.store.nearest import pgvector
from newsloom.store import migrations
from newsloom.store.tables import metadata

Row = tuple[Any, ...]
Key = tuple[Any, ...]
OnTable = Callable[[str, int], None]  # told the name of a table, and how many rows of it are there

# Rows of one transaction: some ten megabytes of articles at most.
BATCH = 1_000

# What an unfinished copy leaves in its target: the source, and of each table the last key.
PROGRESS = "copy_progress"


@dataclass(frozen=True, slots=True)
class Copied:
    """What a copy came to."""

    rows: Mapping[str, int]  # by table
    resumed: bool  # whether an earlier copy had been cut off


def copy(source: Database, target: Database, heard: OnTable = lambda _table, _rows: None) -> Copied:
    """Copy all rows and compare them; a copy that was cut off goes on where it ended.

    Raises StoreError when the target has articles or feeds of its own, or an unfinished copy of
    another source, and when the two differ in the end: the source was written to between two
    attempts, and the target must be emptied.
    """
    with source.read() as reading:
        migrations.exactly(reading, source.location)
        resumed = _begin(source, target)
        for table in metadata.sorted_tables:
            _copy_table(reading, target, table, heard)
        with target.write() as writing:
            _finish(writing)
        rows = _compare(reading, target)
        with target.write() as writing:
            writing.exec_driver_sql(f"DROP TABLE {PROGRESS}")
    target.settle()
    return Copied(rows, resumed)


def save(database: Database, file: Path, made: Callable[[Path], Database]) -> None:
    """Write a database as of one moment to a new SQLite file, which `made` makes for others."""
    if isinstance(database, SqliteDatabase):
        database.copy_to(file)
        return
    target = made(file)
    try:
        copy(database, target)
    finally:
        target.close()


def put(database: Database, file: Path, opened: Callable[[Path], Database]) -> None:
    """Replace all that is in a database by what is in a SQLite file, in one transaction."""
    if isinstance(database, SqliteDatabase):
        database.become(file)
        return
    source = opened(file)
    try:
        with source.read() as reading, database.write() as writing:
            migrations.exactly(reading, source.location)
            migrations.exactly(writing, database.location)
            for table in reversed(metadata.sorted_tables):
                writing.execute(delete(table))
            for table in metadata.sorted_tables:
                for rows in _batches(reading, table, None):
                    _insert(writing, table, rows)
                _point_forward(reading, lambda: nullcontext(writing), table)
            _finish(writing)
    finally:
        source.close()
    database.settle()


def schema_difference(database: Database, expected: Database) -> str:
    """What a SQLite file has or lacks beside one that Newsloom made; "": nothing.

    A trigger or a view of somebody else's would change or hide what is read and written later.
    """
    ours, theirs = _schema(expected), _schema(database)
    for name in sorted(ours.keys() | theirs.keys()):
        if name not in ours:
            return f"its database has the {name}, which is not Newsloom's"
        if name not in theirs:
            return f"its database lacks the {name}"
        if ours[name] != theirs[name]:
            return f"the {name} in its database is not as Newsloom makes it"
    return ""


def _schema(database: Database) -> Mapping[str, object]:
    """Tables with their columns, and the SQL of triggers, views and virtual tables."""
    with database.read() as connection:
        found = connection.exec_driver_sql(
            "SELECT type, name, sql FROM sqlite_master"
            " WHERE type <> 'index' AND name NOT LIKE 'sqlite@_%' ESCAPE '@'"
        ).all()
        schema: dict[str, object] = {}
        for kind, name, sql in found:
            quoted = '"' + name.replace('"', '""') + '"'
            plain = kind == "table" and not sql.upper().startswith("CREATE VIRTUAL")
            columns = connection.exec_driver_sql(f"PRAGMA table_xinfo({quoted})") if plain else ()
            schema[f"{kind} {name!r}"] = (
                sorted(tuple(map(str, one[1:])) for one in columns)
                if plain
                else "".join(sql.split())
            )
        return schema


def digests(database: Database) -> Mapping[str, tuple[int, str]]:
    """How many rows each table has, and a digest of what is in them: the same in any database."""
    with database.read() as connection:
        return {table.name: _sum(connection, table) for table in metadata.sorted_tables}


def _begin(source: Database, target: Database) -> bool:
    """Look whether the target may be filled; True when an earlier copy goes on."""
    with target.write() as writing:
        if inspect(writing).has_table(PROGRESS):
            text = f"SELECT last FROM {PROGRESS} WHERE name = ''"  # noqa: S608
            begun = writing.exec_driver_sql(text).scalar()
            if begun != source.location:
                raise StoreError(
                    f"{target.location} has an unfinished copy of {begun}: finish or empty it."
                )
            return True
        for table in metadata.sorted_tables:
            if table.name != "users" and writing.execute(table.select().limit(1)).first():
                raise StoreError(
                    f"{target.location} is not empty: it has rows in {table.name}. Nothing copied."
                )
        # A reader is made whenever a command opens a store.
        writing.execute(delete(metadata.tables["users"]))
        writing.exec_driver_sql(
            f"CREATE TABLE {PROGRESS} (name VARCHAR(100) PRIMARY KEY, last TEXT NOT NULL)"
        )
        _note(writing, "", source.location)
    return False


def _copy_table(reading: Connection, target: Database, table: Table, heard: OnTable) -> None:
    with target.read() as connection:
        statement = text(f"SELECT last FROM {PROGRESS} WHERE name = :name")  # noqa: S608
        noted = connection.scalar(statement, {"name": table.name})
    key = None if noted is None else tuple(json.loads(noted))
    done = 0
    for rows in _batches(reading, table, key):
        with target.write() as writing:
            _insert(writing, table, rows)
            _note(writing, table.name, json.dumps(_key(table, rows[-1])))
        done += len(rows)
        heard(table.name, done)
    _point_forward(reading, target.write, table)


def _finish(writing: Connection) -> None:
    for table in metadata.sorted_tables:
        numbered(writing, table)


def _compare(reading: Connection, target: Database) -> Mapping[str, int]:
    """How many rows each table has, the same in both."""
    counts = {}
    with target.read() as connection:
        for table in metadata.sorted_tables:
            here, there = (_sum(one, table) for one in (reading, connection))
            if here != there:
                raise StoreError(
                    f"The copy differs in {table.name}: {here[0]} rows there, {there[0]} here. The "
                    "source was written to between two attempts; empty the target and copy again."
                )
            counts[table.name] = here[0]
    return counts


def _sum(connection: Connection, table: Table) -> tuple[int, str]:
    count, digest = 0, hashlib.blake2b(digest_size=16)
    for rows in _batches(connection, table, None):
        count += len(rows)
        for row in rows:
            digest.update(repr(row).encode("utf-8", "surrogatepass"))
    return count, digest.hexdigest()


def _batches(connection: Connection, table: Table, after: Key | None) -> Iterator[list[Row]]:
    """The rows of a table in the order of their keys, behind a key; values as any driver has them.

    Columns come in the order in which the table is declared, not in which it was made.
    """
    quote = connection.dialect.identifier_preparer.quote
    keys = [quote(column.name) for column in table.primary_key]
    columns = ", ".join(quote(column.name) for column in table.columns)
    named = [f"key_{place}" for place in range(len(keys))]
    behind = f"({', '.join(keys)}) > ({', '.join(f':{name}' for name in named)})"
    select = f"SELECT {columns} FROM {quote(table.name)} "  # noqa: S608
    order = f" ORDER BY {', '.join(keys)} LIMIT {BATCH}"
    plain = [_plain(column.type) for column in table.columns]
    while True:
        query = select + ("" if after is None else f"WHERE {behind}") + order
        values = dict(zip(named, after or (), strict=False))
        found = connection.execute(text(query), values).all()
        rows = [tuple(make(value) for make, value in zip(plain, row, strict=True)) for row in found]
        if rows:
            yield rows
            after = _key(table, rows[-1])
        if len(rows) < BATCH:
            return


def _plain(kind: Any) -> Callable[[Any], Any]:
    """What makes a driver's value the same whichever driver it came from."""
    if isinstance(kind, Boolean):
        return lambda value: None if value is None else bool(value)
    if isinstance(kind, Float):
        return lambda value: None if value is None else float(value)
    # PostgreSQL holds no NUL in a text; no text means anything by one.
    return lambda value: value.replace("\0", "") if isinstance(value, str) else value


def _insert(writing: Connection, table: Table, rows: Sequence[Row]) -> None:
    columns = [column.name for column in table.columns]
    _bulk(writing, table.name, columns, _within(table, rows))
    if table is texts:
        full_text(writing).put(writing, [dict(zip(columns, row, strict=True)) for row in rows])
    if table is embeddings and pgvector.there(writing):
        pgvector.put(writing, [row[1:] for row in rows])


def _bulk(writing: Connection, name: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
    if writing.dialect.name != "sqlite":
        copy_rows(writing, name, columns, rows)
        return
    # Among the rows of a batch one may refer to a later one.
    writing.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
    quote = writing.dialect.identifier_preparer.quote
    into = f"{quote(name)} ({', '.join(map(quote, columns))})"
    marks = ", ".join("?" * len(columns))
    writing.exec_driver_sql(f"INSERT INTO {into} VALUES ({marks})", list(rows))  # noqa: S608


def _references(table: Table) -> list[str]:
    """The columns that name other rows of the same table."""
    return [
        column.name
        for column in table.columns
        if any(key.column.table is table for key in column.foreign_keys)
    ]


def _within(table: Table, rows: Sequence[Row]) -> Sequence[Row]:
    """Rows that refer to ones which come in a later batch refer to themselves at first."""
    names = [column.name for column in table.columns]
    places = [names.index(name) for name in _references(table)]
    if not places:
        return rows
    own = names.index("id")
    last = rows[-1][own]
    return [
        tuple(
            row[own] if place in places and value is not None and value > last else value
            for place, value in enumerate(row)
        )
        for row in rows
    ]


def _point_forward(
    reading: Connection, writing: Callable[[], AbstractContextManager[Connection]], table: Table
) -> None:
    """Give rows that refer to later ones what they refer to; the same again does no harm."""
    for name in _references(table):
        statement = text(f"SELECT id, {name} AS other FROM {table.name} WHERE {name} > id")  # noqa: S608
        given = text(f"UPDATE {table.name} SET {name} = :other WHERE id = :id")  # noqa: S608
        found = [dict(row) for row in reading.execute(statement).mappings()]
        if found:
            with writing() as connection:
                connection.execute(given, found)


def _key(table: Table, row: Row) -> Key:
    names = [column.name for column in table.columns]
    return tuple(row[names.index(column.name)] for column in table.primary_key)


def _note(writing: Connection, name: str, last: str) -> None:
    put = text(
        f"INSERT INTO {PROGRESS} (name, last) VALUES (:name, :last)"  # noqa: S608
        " ON CONFLICT (name) DO UPDATE SET last = excluded.last"
    )
    writing.execute(put, {"name": name, "last": last})
