"""Short numbers for the names of models and stages: "minilm-int8/title+lead@1" is maker 3."""

from __future__ import annotations

from sqlalchemy import Column, Connection, Table, Text, insert, select

from newsloom.kernel.db.columns import Id
from newsloom.kernel.db.schema import metadata

producers = Table(
    "makers",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
)

# No maker: a state that nothing has scored, a text that has changed since it was made.
NOBODY = 0

# What no row can be made by: the number of a name that has never been stored.
UNKNOWN = -1


def known(connection: Connection, name: str) -> int:
    """The number of a name, or UNKNOWN."""
    found = connection.scalar(select(producers.c.id).where(producers.c.name == name))
    return UNKNOWN if found is None else found


def numbered(connection: Connection, name: str) -> int:
    """The number of a name, given now if it has none. In a write transaction."""
    found = known(connection, name)
    if found != UNKNOWN:
        return found
    key = connection.execute(insert(producers).values(name=name)).inserted_primary_key
    assert key is not None
    return int(key[0])
