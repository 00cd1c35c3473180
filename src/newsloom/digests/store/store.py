"""`store.digests`."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from newsloom.digests.store.archive import Archive
from newsloom.digests.store.holding import claim_first
from newsloom.digests.store.settling import settle, state_of
from newsloom.digests.store.tables import (
    digest_schedules,
    digest_sendings,
    digest_targets,
    digests,
    feed_addresses,
)
from newsloom.digests.store.targets import add_targets, leave, target_at, targets_in
from newsloom.digests.values import (
    DigestKind,
    KeptDigest,
    Schedule,
    Sending,
    SendingState,
)
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.delivery.values import Target, Way
from newsloom.kernel.ids import DigestId, ScheduleId, SendingId, UserId

# When readers want which digest, and where it is sent.

_SCHEDULES, _TARGETS = digest_schedules.c, digest_targets.c


class Schedules(Aggregate):
    """Schedules of digests."""

    def schedules(self, user: UserId) -> tuple[Schedule, ...]:
        """A reader's, by time of day."""
        query = (
            select(digest_schedules)
            .where(_SCHEDULES.user_id == user)
            .order_by(_SCHEDULES.at, _SCHEDULES.id)
        )
        with self.database.read() as connection:
            return _whole(connection, connection.execute(query).all())

    def add_schedule(self, schedule: Schedule, tokens: Collection[str]) -> ScheduleId:
        """Keep a new one; its `id` is not looked at. `tokens` has one for each target."""
        with self.database.write() as connection:
            number = connection.execute(
                insert(digest_schedules)
                .values(
                    user_id=schedule.user,
                    kind=str(schedule.kind),
                    at=schedule.at,
                    weekday=schedule.weekday,
                    zone=schedule.zone,
                    next_at=schedule.next_at,
                    begun_at=schedule.begun,
                )
                .returning(_SCHEDULES.id)
            ).scalar_one()
            add_targets(connection, digest_targets, number, schedule.targets, tokens)
            return ScheduleId(number)

    def drop_schedule(self, user: UserId, schedule: ScheduleId) -> bool:
        """Whether it was there. Its digests stay; what is not sent yet is not sent."""
        mine = (_SCHEDULES.id == schedule) & (_SCHEDULES.user_id == user)
        with self.database.write() as connection:
            if connection.scalar(select(_SCHEDULES.id).where(mine)) is None:
                return False
            of_it = select(digests.c.id).where(digests.c.schedule_id == schedule)
            connection.execute(
                delete(digest_sendings).where(
                    digest_sendings.c.digest_id.in_(of_it), digest_sendings.c.state == "waiting"
                )
            )
            connection.execute(
                update(digests).where(digests.c.schedule_id == schedule).values(schedule_id=None)
            )
            connection.execute(delete(digest_targets).where(_TARGETS.schedule_id == schedule))
            connection.execute(delete(digest_schedules).where(mine))
            return True

    def leave_digest(self, token: str) -> Target | None:
        """End the sendings of a secret address, and what is not sent yet; None: there is none."""
        return leave(self.database, digest_targets, digest_sendings, token)

    def digest_target(self, token: str) -> Target | None:
        """Where a secret address has digests sent; None: it does not, or no more."""
        with self.database.read() as connection:
            return target_at(connection, digest_targets, token)

    def claim_schedule(self, now: datetime, until: datetime) -> Schedule | None:
        """One that is due and that nobody makes a digest of; it is held until then."""
        due = (
            select(digest_schedules)
            .where(_SCHEDULES.next_at <= now)
            .order_by(_SCHEDULES.next_at, _SCHEDULES.id)
        )
        row = claim_first(self.database, digest_schedules, due, now, until)
        if row is None:
            return None
        with self.database.read() as connection:
            return _whole(connection, [row])[0]

    def put_off_schedule(self, schedule: ScheduleId, next_at: datetime) -> None:
        """Nothing was made of it; it falls due then."""
        self._change(
            update(digest_schedules)
            .where(_SCHEDULES.id == schedule)
            .values(next_at=next_at, held_by="", held_until=None)
        )

    def next_digest(self) -> datetime | None:
        """When the first schedule falls due; None: there is none."""
        query = select(_SCHEDULES.next_at).order_by(_SCHEDULES.next_at).limit(1)
        return self._value(query, datetime)


def _whole(connection: Connection, rows: Collection[Row[Any]]) -> tuple[Schedule, ...]:
    return tuple(
        Schedule(
            id=ScheduleId(row.id),
            user=UserId(row.user_id),
            kind=DigestKind(row.kind),
            at=row.at,
            weekday=row.weekday,
            zone=row.zone,
            targets=targets_in(connection, digest_targets, row.id),
            next_at=row.next_at,
            begun=row.begun_at,
        )
        for row in rows
    )


# What is still to be sent, and how it stands. Each is sent by one process at a time.

_SENDINGS = digest_sendings.c


class Outbox(Aggregate):
    """What is still to be sent."""

    def claim_sending(self, now: datetime, until: datetime) -> Sending | None:
        """One that is due and that nobody sends; it is held until then."""
        due = (
            select(digest_sendings)
            .where(_SENDINGS.state == "waiting", _SENDINGS.at <= now)
            .order_by(_SENDINGS.at, _SENDINGS.id)
        )
        row = claim_first(self.database, digest_sendings, due, now, until)
        if row is None:
            return None
        target = Target(Way(row.way), row.target)
        return Sending(SendingId(row.id), DigestId(row.digest_id), target, row.token, row.attempts)

    def sent(self, sending: SendingId, now: datetime) -> None:
        """The other side has taken it."""
        settle(self.database, digest_sendings, sending, state="sent", at=now)

    def send_later(self, sending: SendingId, at: datetime, error: str) -> None:
        """It failed, and is tried again then."""
        settle(self.database, digest_sendings, sending, state="waiting", at=at, error=error)

    def give_up_sending(self, sending: SendingId, now: datetime, error: str) -> None:
        """It failed for good."""
        settle(self.database, digest_sendings, sending, state="failed", at=now, error=error)

    def sendings(self, digest: DigestId) -> tuple[SendingState, ...]:
        """How it stands with each sending of a digest."""
        query = select(digest_sendings).where(_SENDINGS.digest_id == digest).order_by(_SENDINGS.id)
        return self._rows(query, state_of)

    def unsent(self, user: UserId, since: datetime) -> tuple[SendingState, ...]:
        """What failed for good since then, and what waits after a failure, of a reader."""
        query = (
            select(digest_sendings)
            .join(digests, digests.c.id == _SENDINGS.digest_id)
            .where(
                digests.c.user_id == user,
                digests.c.made_at >= since,
                _SENDINGS.state != "sent",
                _SENDINGS.attempts > 0,
            )
            .order_by(_SENDINGS.id)
        )
        return self._rows(query, state_of)

    def digest_to_send(self, sending: Sending) -> tuple[KeptDigest, UserId] | None:
        """The digest of a sending, and whose it is."""
        from newsloom.digests.store.archive import Archive

        query = select(digests.c.user_id).where(digests.c.id == sending.digest)
        with self.database.read() as connection:
            user = connection.scalar(query)
        if user is None:
            return None
        kept = Archive(self.database, self._now).digest(UserId(user), sending.digest)
        return None if kept is None else (kept, UserId(user))


# Secret addresses under which programs read a reader's lists without logging in.

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


class DigestStore(Schedules, Archive, Outbox, FeedAddresses):
    """Schedules of digests, the archive, the outbox, secret addresses of feeds."""
