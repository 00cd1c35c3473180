"""The whole present schema at once, for an empty PostgreSQL database. Later steps serve both.

The steps before revision 0012 were written when there was SQLite alone; no PostgreSQL database is
older than that.
"""

from __future__ import annotations

from sqlalchemy import Connection

from newsloom.store.migrations import vector_log
from newsloom.store.nearest import pgvector
from newsloom.store.tables import metadata

# What SQLite does by FTS5 and its triggers; the rows are written by dialects/tsvector.py.
_SEARCH = (
    """CREATE TABLE texts_search (
        article_id BIGINT PRIMARY KEY REFERENCES texts (article_id) ON DELETE CASCADE,
        words TSVECTOR NOT NULL
    )""",
    "CREATE INDEX ix_texts_search_words ON texts_search USING gin (words)",
)
_VERSION = (
    "CREATE TABLE alembic_version (version_num VARCHAR(32) PRIMARY KEY)",
    "INSERT INTO alembic_version (version_num) VALUES (%s)",
)


def make(connection: Connection, revision: str) -> None:
    """Every table, index and constraint, and the revision that they are."""
    metadata.create_all(connection, checkfirst=False)
    for statement in _SEARCH:
        connection.exec_driver_sql(statement)
    vector_log.make(connection)
    pgvector.make(connection)
    made, noted = _VERSION
    connection.exec_driver_sql(made)
    connection.exec_driver_sql(noted, (revision,))
