"""How soon PostgreSQL cleans up after tables that are written to without end.

By default it waits until a fifth of a table is dead, which of a hundred million rows is more than
a day's pruning leaves: the table grows by that. Nothing to be done in SQLite, which reuses pages at
once. To set it takes a lock that readers and writers share.
"""

from __future__ import annotations

from sqlalchemy import Connection, text

# The part of a table that may be dead, or new, before it is looked after.
_PART = "0.02"
TABLES = (
    "articles", "dedup_keys", "embeddings", "events", "fresh_keys", "importances", "ratings",
    "signatures", "states", "texts", "texts_search",
)  # fmt: skip
_SET = text("""
    SELECT relname FROM pg_class WHERE relkind = 'r'
    AND relnamespace = CURRENT_SCHEMA()::regnamespace
    AND COALESCE(ARRAY_TO_STRING(reloptions, ' '), '') LIKE '%autovacuum%'
""")


def make(connection: Connection) -> None:
    """Set it where nobody has set anything."""
    if connection.dialect.name != "postgresql":
        return
    done = set(connection.scalars(_SET))
    for table in TABLES:
        if table not in done:
            connection.exec_driver_sql(
                f"ALTER TABLE {table} SET (autovacuum_vacuum_scale_factor = {_PART},"
                f" autovacuum_vacuum_insert_scale_factor = {_PART},"
                f" autovacuum_analyze_scale_factor = {_PART})"
            )
