"""A store of revision 0042, as commit 980f0b6e left it, and what a schema is, to compare two.

It was filled by that commit's own passes, store and commands: four feeds with two stories of
several articles and a copy of an article in another feed, three readers, two accounts, an app
password, rules, a story that is followed, an interest, notes, highlights and tags, digests and
briefs that were made on schedule.
"""

from __future__ import annotations

import lzma
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import Connection

from .conftest import Backend, Postgres

_FOLDER = Path(__file__).parent


def old_store(backend: Backend | Postgres, path: Path) -> Path:
    """The path, where there is such a store now."""
    kind = "postgres" if isinstance(backend, Postgres) else "sqlite"
    statements = lzma.decompress((_FOLDER / f"{kind}_0042.sql.xz").read_bytes()).decode()
    if isinstance(backend, Postgres):
        address = backend.address(path, template="template1")
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(statements)  # type: ignore[arg-type]
    else:
        with closing(sqlite3.connect(path)) as file:
            file.executescript(statements)
    return path


Described = set[tuple[Any, ...]]


def described(connection: Connection) -> Described:
    """Columns, keys, constraints, indexes, views, triggers, functions and settings of tables."""
    if connection.dialect.name == "postgresql":
        return {tuple(row) for row in connection.exec_driver_sql(_POSTGRES)}
    return set(_sqlite(connection))


def _sqlite(connection: Connection) -> Described:
    found = connection.exec_driver_sql("SELECT type, name, tbl_name, sql FROM sqlite_master").all()
    made: Described = set()
    for kind, name, table, sql in found:
        if name.startswith("sqlite_"):
            continue
        if kind != "table" or sql.startswith("CREATE VIRTUAL"):
            made.add((kind, name, re.sub(r"[\s\"]+", " ", sql)))
            continue
        # The order of columns means nothing, nor the names of foreign keys.
        made.add(("rows", table, "WITHOUT ROWID" in sql, "STRICT" in sql, "CHECK" in sql))
        for what, order in (("table_xinfo", 1), ("foreign_key_list", 2), ("index_list", 2)):
            rows = connection.exec_driver_sql(f"PRAGMA {what}({name})").all()
            made |= {(what, table, *row[order:]) for row in rows}
        for index in connection.exec_driver_sql(f"PRAGMA index_list({name})").all():
            rows = connection.exec_driver_sql(f"PRAGMA index_info({index[1]})").all()
            made.add(("index", table, index[3], *(row[2] for row in rows)))
    return made


# Of the extension and its table only what a database got when it was made.
_POSTGRES = """
    WITH ours AS (
        SELECT c.oid, c.relname, c.relkind, c.reloptions FROM pg_class c
        WHERE c.relnamespace = CURRENT_SCHEMA()::regnamespace AND c.relname !~ 'neighbours'
    )
    SELECT 'column', relname, attname::text, format_type(atttypid, atttypmod), attnotnull,
        attidentity::text, attcollation::regcollation::text, pg_get_expr(adbin, adrelid)
    FROM pg_attribute a JOIN ours ON ours.oid = a.attrelid AND relkind IN ('r', 'v')
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE attnum > 0 AND NOT attisdropped
    UNION ALL
    SELECT 'table', relname, relkind::text, ARRAY_TO_STRING(reloptions, ' '), NULL, NULL, NULL, NULL
    FROM ours
    UNION ALL
    SELECT 'constraint', relname, conname::text, pg_get_constraintdef(k.oid), NULL, NULL, NULL, NULL
    FROM pg_constraint k JOIN ours ON ours.oid = conrelid
    UNION ALL
    SELECT 'index', relname, pg_get_indexdef(oid), NULL, NULL, NULL, NULL, NULL
    FROM ours WHERE relkind = 'i'
    UNION ALL
    SELECT 'view', relname, pg_get_viewdef(oid), NULL, NULL, NULL, NULL, NULL
    FROM ours WHERE relkind = 'v'
    UNION ALL
    SELECT 'trigger', relname, pg_get_triggerdef(t.oid), NULL, NULL, NULL, NULL, NULL
    FROM pg_trigger t JOIN ours ON ours.oid = tgrelid WHERE NOT tgisinternal
    UNION ALL
    SELECT 'function', proname, pg_get_functiondef(oid), NULL, NULL, NULL, NULL, NULL
    FROM pg_proc p WHERE pronamespace = CURRENT_SCHEMA()::regnamespace AND NOT EXISTS (
        SELECT 1 FROM pg_depend WHERE objid = p.oid AND deptype = 'e'
    )
"""
