"""What readers have chosen for themselves. Knows no meaning of any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import text

from newsloom.kernel.db.aggregate import Aggregate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from newsloom.kernel.ids import UserId

_CHOSEN = text("SELECT scope, name, chosen FROM preferences WHERE user_id = :user")
_PUT = text("""
    INSERT INTO preferences (user_id, scope, name, chosen) VALUES (:user, :scope, :name, :chosen)
    ON CONFLICT (user_id, scope, name) DO UPDATE SET chosen = excluded.chosen
""")
_DROP = text("DELETE FROM preferences WHERE user_id = :user AND scope = :scope AND name = :name")


class OwnPreferences(Aggregate):
    """Readers' own choices."""

    def preferences(self, user: UserId) -> dict[tuple[str, str], str]:
        """Values by scope and name."""
        with self.database.read() as connection:
            rows = connection.execute(_CHOSEN, {"user": user})
            return {(row.scope, row.name): row.chosen for row in rows}

    def set_preferences(self, user: UserId, chosen: Mapping[tuple[str, str], str | None]) -> None:
        """Keep each; None takes one back."""
        with self.database.write() as connection:
            for (scope, name), value in chosen.items():
                key = {"user": user, "scope": scope, "name": name}
                if value is None:
                    connection.execute(_DROP, key)
                else:
                    connection.execute(_PUT, {**key, "chosen": value})
