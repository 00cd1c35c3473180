"""Secret addresses under which programs read a reader's lists without logging in."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, insert, select

from newsloom.digests.store.tables import feed_addresses
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.ids import UserId

_ADDRESSES = feed_addresses.c


class FeedAddresses(Aggregate):
    """Secret addresses of feeds."""

    def feed_token(self, user: UserId, name: str) -> str:
        """The token of a feed; "" where the reader has made none."""
        query = select(_ADDRESSES.token).where(_ADDRESSES.user_id == user, _ADDRESSES.name == name)
        return self._value(query, str) or ""

    def set_feed_token(self, user: UserId, name: str, token: str, now: datetime) -> None:
        """In the place of any before it, which leads nowhere from then on; "": none."""
        mine = (_ADDRESSES.user_id == user) & (_ADDRESSES.name == name)
        with self.database.write() as connection:
            connection.execute(delete(feed_addresses).where(mine))
            if token:
                connection.execute(
                    insert(feed_addresses).values(user_id=user, name=name, token=token, made_at=now)
                )

    def feed_of(self, token: str) -> tuple[UserId, str] | None:
        """Whose feed a token is of, and which; None: nobody's."""
        query = select(_ADDRESSES.user_id, _ADDRESSES.name).where(_ADDRESSES.token == token)
        return self._one(query, tuple)
