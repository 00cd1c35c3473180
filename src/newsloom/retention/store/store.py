"""`store.retention`."""

from __future__ import annotations

from collections import defaultdict

from sqlalchemy import Connection, text

from newsloom.retention.store.rows import AgedRows
from newsloom.retention.store.sweeps import Sweeps
from newsloom.retention.values import TableSize

# How large tables and indexes are on disk. Each database knows it in its own way.

_POSTGRES_TABLES = text("""
    SELECT c.oid, c.relname AS name, CAST(GREATEST(c.reltuples, -1) AS BIGINT) AS rows,
        pg_total_relation_size(c.oid) AS bytes, COALESCE(s.n_dead_tup, 0) AS dead
    FROM pg_class c LEFT JOIN pg_stat_user_tables s ON s.relid = c.oid
    WHERE c.relkind IN ('r', 'p') AND c.relnamespace = CURRENT_SCHEMA()::regnamespace
""")
_POSTGRES_INDEXES = text("""
    SELECT i.indrelid AS table, c.relname AS name, pg_relation_size(c.oid) AS bytes
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE c.relnamespace = CURRENT_SCHEMA()::regnamespace
""")
# All pages of each table and index, added up; it reads the whole file.
_SQLITE = """
    SELECT d.name, COALESCE(m.tbl_name, d.name) AS of, COALESCE(m.type, 'table') AS kind,
        SUM(d.pgsize) AS bytes
    FROM dbstat d LEFT JOIN sqlite_schema m ON m.name = d.name
    WHERE d.aggregate = TRUE GROUP BY 1, 2, 3
"""
_DBSTAT = "SELECT 1 FROM pragma_module_list WHERE name = 'dbstat'"
_FREE = "SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size"


def _of_postgres(connection: Connection) -> list[TableSize]:
    indexes: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for row in connection.execute(_POSTGRES_INDEXES):
        indexes[row.table].append((row.name, row.bytes))
    return [
        TableSize(row.name, row.rows, row.bytes, _largest_first(indexes[row.oid]), row.dead)
        for row in connection.execute(_POSTGRES_TABLES)
    ]


def _of_sqlite(connection: Connection) -> list[TableSize]:
    if not connection.exec_driver_sql(_DBSTAT).first():
        return []
    tables: dict[str, int] = defaultdict(int)
    indexes: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for row in connection.exec_driver_sql(_SQLITE):
        tables[row.of] += row.bytes
        if row.kind == "index":
            indexes[row.of].append((row.name, row.bytes))
    return [
        TableSize(name, -1, size, _largest_first(indexes[name])) for name, size in tables.items()
    ]


def _largest_first(indexes: list[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(indexes, key=lambda one: (-one[1], one[0])))


class RetentionStore(Sweeps, AgedRows):
    """What is removed for its age, and how large what is kept has grown."""

    def table_sizes(self) -> tuple[TableSize, ...]:
        """Every table, the largest first; nothing where SQLite was built without dbstat."""
        with self.database.read() as connection:
            if connection.dialect.name == "postgresql":
                found = _of_postgres(connection)
            else:
                found = _of_sqlite(connection)
        return tuple(sorted(found, key=lambda one: (-one.bytes, one.name)))

    def free_inside(self) -> int:
        """Bytes that SQLite's file has free for what comes; 0 in PostgreSQL, see dead rows."""
        with self.database.read() as connection:
            if connection.dialect.name != "sqlite":
                return 0
            return int(connection.exec_driver_sql(_FREE).scalar_one())
