"""The whole present schema at once, for an empty database."""

from __future__ import annotations

from sqlalchemy import Connection

from newsloom.ranking.store.nearest import pgvector
from newsloom.store.migrations import search
from newsloom.store.tables import metadata


def make(connection: Connection) -> None:
    """Every table, index and constraint; their revision is to be noted."""
    metadata.create_all(connection, checkfirst=False)
    search.make(connection)
    if connection.dialect.name == "postgresql":
        pgvector.make(connection)
    # The name and the first column are those of Alembic, which made the stores of early versions.
    connection.exec_driver_sql(
        "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY, least TEXT)"
    )
