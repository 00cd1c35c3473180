"""Lists that readers keep under a name, and the secret addresses of their feeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import text

from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.columns import micros
from newsloom.kernel.ids import UserId
from newsloom.reading.values.saved_lists import SavedList

if TYPE_CHECKING:
    from datetime import datetime

_ALL = text("""
    SELECT id, name, place, token FROM saved_lists WHERE user_id = :user ORDER BY name, id
""")
_ADD = text("""
    INSERT INTO saved_lists (user_id, name, place, token, made_at)
    VALUES (:user, :name, :place, '', :now) RETURNING id
""")
_RENAME = text("UPDATE saved_lists SET name = :name WHERE user_id = :user AND id = :id")
_SET_PLACE = text("UPDATE saved_lists SET place = :place WHERE user_id = :user AND id = :id")
_SET_TOKEN = text("UPDATE saved_lists SET token = :token WHERE user_id = :user AND id = :id")
_DROP = text("DELETE FROM saved_lists WHERE user_id = :user AND id = :id")
_BY_TOKEN = text("""
    SELECT user_id, id, name, place, token FROM saved_lists WHERE token = :token AND token <> ''
""")


class SavedLists(Aggregate):
    """Lists under a name."""

    def saved_lists(self, user: UserId) -> tuple[SavedList, ...]:
        """By name."""
        return self._rows(_ALL, SavedList, user=user)

    def save_list(self, user: UserId, name: str, place: str, now: datetime) -> int:
        """Its number."""
        row = {"user": user, "name": name, "place": place, "now": micros(now)}
        with self.database.write() as connection:
            made: int = connection.scalar(_ADD, row)
            return made

    def rename_list(self, user: UserId, number: int, name: str) -> bool:
        """Whether there is such a list."""
        return self._change(_RENAME, user=user, id=number, name=name) > 0

    def set_list_place(self, user: UserId, number: int, place: str) -> bool:
        """Whether there is such a list, which leads elsewhere now."""
        return self._change(_SET_PLACE, user=user, id=number, place=place) > 0

    def set_list_token(self, user: UserId, number: int, token: str) -> bool:
        """The secret of its feed, in the place of any before it; "": none."""
        return self._change(_SET_TOKEN, user=user, id=number, token=token) > 0

    def drop_list(self, user: UserId, number: int) -> bool:
        """Whether there was such a list."""
        return self._change(_DROP, user=user, id=number) > 0

    def list_of(self, token: str) -> tuple[UserId, SavedList] | None:
        """Whose list a secret leads to, and which; None: nobody's."""
        with self.database.read() as connection:
            row = connection.execute(_BY_TOKEN, {"token": token}).one_or_none()
        if row is None:
            return None
        return UserId(row.user_id), SavedList(row.id, row.name, row.place, row.token)
