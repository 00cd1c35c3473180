"""`store.retention`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.dialects import portable
from newsloom.kernel.db.sql import Aggregate
from newsloom.retention.store.sweeps import Sweeps
from newsloom.retention.values import TableSize

# How large tables and indexes are on disk. Each database knows it in its own way.


# Rows that go by their own age, table by table.


@dataclass(frozen=True, slots=True)
class AgedTable:
    """A table whose rows go when they are old. `setting` is of the group `keep`."""

    name: str
    setting: str
    aged: str  # the column of the age
    key: str = "id"
    besides: str = "TRUE"  # another condition on a row `t`
    first: tuple[tuple[str, str], ...] = ()  # (table, column) of rows that refer to it, and go too


# Decisions are read in the order of their ids, so that the oldest are found without an index.
AGED = (
    AgedTable("story_decisions", "audit_days", "at"),
    AgedTable("digest_sendings", "audit_days", "at", besides="t.state <> 'waiting'"),
    AgedTable("brief_sendings", "audit_days", "at", besides="t.state <> 'waiting'"),
    AgedTable(
        "coverage_pages",
        "audit_days",
        "at",
        besides="NOT EXISTS (SELECT 1 FROM coverage_candidates c WHERE c.page_id = t.id)",
    ),
    # The last of each reader and kind remembers what was told.
    AgedTable(
        "digests",
        "digests_days",
        "made_at",
        besides="EXISTS (SELECT 1 FROM digests n WHERE n.user_id = t.user_id AND n.kind = t.kind"
        " AND n.id > t.id) AND NOT EXISTS (SELECT 1 FROM digest_sendings w"
        " WHERE w.digest_id = t.id AND w.state = 'waiting')",
        first=(("digest_sendings", "digest_id"),),
    ),
    # What has a sound has files, which brief.days_kept removes first.
    AgedTable(
        "briefs",
        "digests_days",
        "made_at",
        besides="t.sound IS NULL AND t.state IN ('ready', 'failed')"
        " AND EXISTS (SELECT 1 FROM briefs n WHERE n.user_id = t.user_id AND n.id > t.id)"
        " AND NOT EXISTS (SELECT 1 FROM brief_sendings w"
        " WHERE w.brief_id = t.id AND w.state = 'waiting')",
        first=(("brief_sendings", "brief_id"), ("brief_places", "brief_id")),
    ),
    AgedTable("redirects", "redirects_days", "at", key="url"),
)
_BY_NAME: Mapping[str, AgedTable] = {one.name: one for one in AGED}


class AgedRows(Aggregate):
    """Rows that are old."""

    def aged_keys(self, table: str, before: datetime, limit: int) -> tuple[Any, ...]:
        """The keys of the oldest rows that may go. Reads only."""
        one = _BY_NAME[table]
        statement = text(
            f"SELECT t.{one.key} FROM {table} t WHERE t.{one.aged} < :before AND {one.besides}"  # noqa: S608
            f" ORDER BY t.{one.key} LIMIT :limit"
        )
        return self._column(statement, str, before=before, limit=limit)

    def count_aged(self, table: str, before: datetime) -> int:
        """How many rows may go."""
        one = _BY_NAME[table]
        statement = text(
            f"SELECT COUNT(*) FROM {table} t WHERE t.{one.aged} < :before AND {one.besides}"  # noqa: S608
        )
        return self._value(statement, int, before=before) or 0

    def remove_rows(self, table: str, before: datetime, keys: Sequence[Any]) -> int:
        """Delete those of the rows that still may go, in one transaction; how many."""
        one = _BY_NAME[table]
        with self.database.write() as connection:
            mine = (
                f"SELECT t.{one.key} FROM {table} t WHERE t.{one.key} IN :keys"  # noqa: S608
                f" AND t.{one.aged} < :before AND {one.besides}"
            )
            bound = _keys(mine)
            found = list(connection.scalars(bound, {"keys": list(keys), "before": micros(before)}))
            if found:
                for other, column in one.first:
                    drop = _keys(f"DELETE FROM {other} WHERE {column} IN :keys")  # noqa: S608
                    connection.execute(drop, {"keys": found})
                drop = _keys(f"DELETE FROM {table} WHERE {one.key} IN :keys")  # noqa: S608
                connection.execute(drop, {"keys": found})
        return len(found)


def _keys(query: str) -> Any:
    from sqlalchemy import bindparam

    return portable(query).bindparams(bindparam("keys", expanding=True))


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
