"""How fast recency fades for a reader, where they chose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import text

from newsloom.store.aggregate import Aggregate

if TYPE_CHECKING:
    from newsloom.types import UserId

_OWN = text("SELECT fade FROM users WHERE id = :user")
_KEEP = text("UPDATE users SET fade = :fade WHERE id = :user")


class OwnPace(Aggregate):
    """The fading of recency that readers chose."""

    def fade(self, user: UserId) -> float | None:
        """An hour; None when the reader has none of their own."""
        with self.database.read() as connection:
            found = connection.scalar(_OWN, {"user": user})
            return None if found is None else float(found)

    def set_fade(self, user: UserId, fade: float | None) -> None:
        """None: as the settings say."""
        with self.database.write() as connection:
            connection.execute(_KEEP, {"user": user, "fade": fade})
