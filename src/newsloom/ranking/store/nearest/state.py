"""How neighbours are searched in a database, for people; and making what that lacks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from newsloom.kernel.db.engine import Database
from newsloom.ranking.store.nearest import pgvector


@dataclass(frozen=True, slots=True)
class Made:
    """What making came to."""

    pgvector: bool  # whether the database is searched by it now
    filled: int  # vectors put into its table
    indexed: tuple[int, ...]  # numbers of vectors of each index made


def describe(database: Database) -> str:
    """By what neighbours are found, in a line."""
    with database.read() as connection:
        if connection.dialect.name != "postgresql":
            return "numpy over a file beside the database"
        if not pgvector.there(connection):
            return (
                "numpy in memory, since the server has no pgvector or the role may not make it: "
                "CREATE EXTENSION vector, then `newsloom store neighbours`"
            )
        sizes = pgvector.sizes(connection)
        missing = [
            rows
            for producer, rows, _dimensions in sizes
            if rows >= pgvector.INDEXED_FROM and not pgvector.indexed(connection, producer)
        ]
    if missing:
        return f"pgvector; {max(missing):,} vectors want an index: `newsloom store neighbours`"
    return "pgvector"


def make(database: Database, heard: Callable[[str], None]) -> Made:
    """The table of pgvector, filled, and an index for each model with very many vectors.

    Does nothing that was done; nothing at all where neighbours are searched in a file.
    """
    with database.write() as connection:
        if connection.dialect.name != "postgresql" or not pgvector.make(connection):
            return Made(False, 0, ())
        filled = pgvector.fill(connection)
        sizes = pgvector.sizes(connection)
    indexed = []
    for producer, rows, dimensions in sizes:
        if rows >= pgvector.INDEXED_FROM:
            with database.write() as connection:
                if pgvector.indexed(connection, producer):
                    continue
                heard(f"indexing {rows:,} vectors; nothing else is written meanwhile")
                pgvector.index(connection, producer, dimensions)
            indexed.append(rows)
    return Made(True, filled, tuple(indexed))
