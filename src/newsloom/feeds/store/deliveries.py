"""Documents that hubs sent, kept until they are taken in. Reads none of them."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import delete, func, insert, select, update

from newsloom.feeds.store.push_tables import deliveries, pushes
from newsloom.feeds.store.pushes import sooner
from newsloom.feeds.values.pushes import Delivery, MostDeliveries
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.ids import FeedId

_ROW = deliveries.c
_PUSH = pushes.c
_HOUR = timedelta(hours=1)


class Deliveries(Aggregate):
    """What hubs delivered and no pass has taken in yet."""

    def deliver(self, delivery: Delivery, most: MostDeliveries) -> bool:
        """Keep what a hub sent until it is taken in; False when there is too much of it.

        The same bytes as one that waits already are kept once.
        """
        mine = _ROW.feed_id == delivery.feed
        waiting = select(_ROW.digest).where(mine)
        weight = select(func.coalesce(func.sum(func.length(_ROW.body)), 0))
        told = select(_PUSH.hour_at, _PUSH.in_hour).where(_PUSH.feed_id == delivery.feed)
        with self.database.write() as connection:
            digests = connection.scalars(waiting).all()
            if delivery.digest in digests:
                return True
            row = connection.execute(told).one_or_none()
            if row is None:
                return False
            same_hour = row.hour_at is not None and row.hour_at > delivery.at - _HOUR
            in_hour = row.in_hour if same_hour else 0
            bytes_waiting = connection.scalar(weight) or 0
            if (
                len(digests) >= most.waiting
                or in_hour >= most.an_hour
                or bytes_waiting + len(delivery.body) > most.megabytes * 1_000_000
            ):
                return False
            connection.execute(
                update(pushes)
                .where(_PUSH.feed_id == delivery.feed)
                .values(
                    pushed_at=delivery.at,
                    received=_PUSH.received + 1,
                    in_hour=in_hour + 1,
                    hour_at=row.hour_at if same_hour else delivery.at,
                )
            )
            connection.execute(
                insert(deliveries).values(
                    feed_id=delivery.feed,
                    at=delivery.at,
                    content_type=delivery.content_type,
                    digest=delivery.digest,
                    body=delivery.body,
                )
            )
        return True

    def waiting_deliveries(self, limit: int) -> tuple[tuple[int, FeedId], ...]:
        """The ids of those not taken in, the oldest first."""
        query = select(_ROW.id, _ROW.feed_id).order_by(_ROW.at, _ROW.id).limit(limit)
        return self._rows(query, tuple)

    def delivery(self, number: int) -> Delivery | None:
        return self._one(select(deliveries).where(_ROW.id == number), Delivery)

    def taken_in(
        self, delivery: Delivery, *, ignored: bool, now: datetime, floor: timedelta
    ) -> None:
        """It needs to be kept no more. One that was ignored makes a poll of its feed due."""
        with self.database.write() as connection:
            # By its content too: another may have got its number since.
            mine = delete(deliveries).where(_ROW.id == delivery.id, _ROW.digest == delivery.digest)
            gone = connection.execute(mine).rowcount
            if gone and ignored:
                counted = update(pushes).where(_PUSH.feed_id == delivery.feed)
                connection.execute(counted.values(ignored=_PUSH.ignored + 1))
                sooner(connection, delivery.feed, now, floor)
