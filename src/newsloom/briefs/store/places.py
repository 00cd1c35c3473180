"""Where readers stopped listening, on whatever device."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import insert, select, update

from newsloom.briefs.store.tables import brief_places, briefs
from newsloom.briefs.values.briefs import BriefId
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.ids import UserId

_PLACES = brief_places.c


class BriefPlaces(Aggregate):
    """Where readers stopped listening."""

    def set_heard(self, user: UserId, brief: BriefId, seconds: float, now: datetime) -> bool:
        """Whether the reader has such a brief. What was said later, by `now`, stands."""
        mine = (_PLACES.user_id == user) & (_PLACES.brief_id == brief)
        theirs = (briefs.c.id == brief) & (briefs.c.user_id == user)
        place = {"seconds": seconds, "at": now}
        with self.database.write() as connection:
            if connection.scalar(select(briefs.c.id).where(theirs)) is None:
                return False
            if connection.scalar(select(_PLACES.at).where(mine)) is None:
                connection.execute(
                    insert(brief_places).values(user_id=user, brief_id=brief, **place)
                )
            else:
                connection.execute(
                    update(brief_places).where(mine, _PLACES.at <= now).values(place)
                )
            return True

    def heard(self, user: UserId, brief: BriefId) -> float:
        """Seconds from the beginning; 0 where nothing was heard."""
        mine = (_PLACES.user_id == user) & (_PLACES.brief_id == brief)
        return self._value(select(_PLACES.seconds).where(mine), float) or 0.0
