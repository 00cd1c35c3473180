"""Who there is. Knows no table: every command asks for its user before anything else."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import text

from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.ids import UserId

if TYPE_CHECKING:
    pass

_NAMED = text("SELECT id FROM users WHERE name = :name")
_MAKE = text("INSERT INTO users (name, made_at) VALUES (:name, :made_at) RETURNING id")
_MADE_AT = text("SELECT made_at FROM users WHERE id = :user")
_ALL = text("SELECT id, name FROM users ORDER BY id")


class Names(Aggregate):
    """Users."""

    def user(self, name: str, now: datetime) -> UserId:
        """The user of that name, made if there is none."""
        with self.database.read() as connection:
            found = connection.scalar(_NAMED, {"name": name})
        if found is None:
            with self.database.write() as connection:
                found = connection.scalar(_NAMED, {"name": name})
                if found is None:
                    made = {"name": name, "made_at": micros(now)}
                    found = connection.scalar(_MAKE, made)
        return UserId(found)

    def users(self) -> tuple[tuple[UserId, str], ...]:
        return self._rows(_ALL, tuple)

    def user_since(self, user: UserId) -> datetime | None:
        """When a user was made; None: there is no such user."""
        with self.database.read() as connection:
            found = connection.scalar(_MADE_AT, {"user": user})
            return None if found is None else moment(found)
