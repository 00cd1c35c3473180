"""What changed of the vectors, as the database's triggers noted it. Reads only."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, text

_NEWEST = text("SELECT id, nonce FROM vector_log ORDER BY id DESC LIMIT 1")
_NONCE = text("SELECT nonce FROM vector_log WHERE id = :id")
_CHANGED = text("SELECT DISTINCT article_id FROM vector_log WHERE id > :id AND maker_id = :maker")


@dataclass(frozen=True, slots=True)
class Position:
    """The last note there was: no other state of this or another database has the same."""

    id: int
    nonce: int


def newest(connection: Connection) -> Position | None:
    """None where there is no note at all: nothing can be said then."""
    row = connection.execute(_NEWEST).one_or_none()
    return None if row is None else Position(row.id, row.nonce)


def changed(connection: Connection, position: Position, producer: int) -> list[int] | None:
    """The articles whose vectors were written or deleted since; None when that is not known."""
    if connection.scalar(_NONCE, {"id": position.id}) != position.nonce:
        return None
    return list(connection.scalars(_CHANGED, {"id": position.id, "maker": producer}))
