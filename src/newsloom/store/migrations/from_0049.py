"""Brings a store of revision 0049 to 0050: playback positions and idempotency keys."""

from __future__ import annotations

from sqlalchemy import Connection

from newsloom.store.tables import metadata

_ADDED = ("playback_positions", "idempotency_keys")


def upgrade(connection: Connection) -> None:
    """A kill leaves the old store: all of it is one transaction."""
    tables = [metadata.tables[name] for name in _ADDED]
    metadata.create_all(connection, tables=tables, checkfirst=False)
