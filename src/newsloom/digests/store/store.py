"""`store.digests`."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, insert, select

from newsloom.digests.store.tables import (
    digest_schedules,
    digest_sendings,
    digest_targets,
    digests,
    feed_addresses,
)
from newsloom.digests.values import ArchivedDigest, Digest, DigestHead, DigestKind, Memory, Schedule
from newsloom.digests.written import read_digest, read_memory, values
from newsloom.kernel.delivery.store import DeliveryStore, DeliveryTables
from newsloom.kernel.delivery.values import Sending, Target
from newsloom.kernel.ids import ArticleId, DigestId, ScheduleId, UserId
from newsloom.rules.store.news import delete_sent

_DIGESTS, _ADDRESSES = digests.c, feed_addresses.c


class DigestStore(DeliveryStore[Schedule]):
    """Schedules of digests, the archive, the outbox, secret addresses of feeds."""

    outbox = digest_sendings
    tables = DeliveryTables(
        digest_schedules, digest_targets, digests, digest_sendings, edition="digest_id"
    )

    def put_digest(
        self,
        schedule: Schedule,
        digest: Digest,
        memory: Memory,
        *,
        now: datetime,
        ready: datetime,
        next_at: datetime,
        article_ids: Collection[ArticleId] = (),
    ) -> DigestId | None:
        """Keep a digest, put it into the outbox, and let its schedule fall due again then.

        `article_ids`: articles that rules send with it; they leave the queue.

        None: the schedule is gone, or fell due otherwise since it was claimed: another process
        made this digest.
        """
        with self.database.write() as connection:
            if not self._advance(connection, schedule.id, schedule.next_at, next_at):
                return None
            made_before = select(_DIGESTS.id).where(
                _DIGESTS.schedule_id == schedule.id, _DIGESTS.end_at == digest.end
            )
            if connection.scalar(made_before) is not None:
                return None
            number = connection.execute(
                insert(digests)
                .values(
                    user_id=schedule.user,
                    schedule_id=schedule.id,
                    kind=str(digest.kind),
                    title=digest.title,
                    end_at=digest.end,
                    zone=digest.zone,
                    made_at=now,
                    ready_at=ready,
                    body=values(digest),
                    memory=values(memory),
                )
                .returning(_DIGESTS.id)
            ).scalar_one()
            self._enqueue(connection, schedule.id, number, ready)
            delete_sent(connection, schedule.user, list(article_ids))
            return DigestId(number)

    def digest(self, user: UserId, digest: DigestId) -> ArchivedDigest | None:
        """One of a reader's; None: there is none."""
        query = select(digests).where(_DIGESTS.id == digest, _DIGESTS.user_id == user)
        return self._one(query, _archived)

    def digests(
        self, user: UserId, limit: int, before: DigestId | None = None
    ) -> tuple[DigestHead, ...]:
        """The newest of a reader's, or those made before one of them."""
        query = select(digests).where(_DIGESTS.user_id == user)
        if before is not None:
            query = query.where(_DIGESTS.id < before)
        return self._rows(query.order_by(_DIGESTS.id.desc()).limit(limit), DigestHead)

    def digest_after(self, user: UserId, digest: DigestId) -> DigestHead | None:
        """The next one that was made."""
        query = (
            select(digests)
            .where(_DIGESTS.user_id == user, _DIGESTS.id > digest)
            .order_by(_DIGESTS.id)
            .limit(1)
        )
        return self._one(query, DigestHead)

    def memories(
        self, user: UserId, *, kinds: Collection[DigestKind], since: datetime, until: datetime
    ) -> tuple[tuple[datetime, Memory], ...]:
        """The end and the memory of each digest of some kinds that ended in that time, the last
        first."""
        query = (
            select(_DIGESTS.end_at, _DIGESTS.memory)
            .where(
                _DIGESTS.user_id == user,
                _DIGESTS.kind.in_([str(one) for one in kinds]),
                _DIGESTS.end_at >= since,
                _DIGESTS.end_at < until,
            )
            .order_by(_DIGESTS.end_at.desc(), _DIGESTS.id.desc())
        )
        return self._rows(query, lambda row: (row.end_at, read_memory(row.memory)))

    def newest_digests(self, user: UserId, limit: int) -> tuple[ArchivedDigest, ...]:
        """Whole, for a feed of them."""
        query = select(digests).where(_DIGESTS.user_id == user).order_by(_DIGESTS.id.desc())
        return self._rows(query.limit(limit), _archived)

    def digest_to_send(self, sending: Sending) -> ArchivedDigest | None:
        """The digest of a sending; None: it is gone."""
        return self._one(select(digests).where(_DIGESTS.id == sending.edition), _archived)

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

    def _columns(self, schedule: Schedule) -> dict[str, Any]:
        return {
            "user_id": schedule.user,
            "kind": str(schedule.kind),
            "at": schedule.at,
            "weekday": schedule.weekday,
            "zone": schedule.zone,
            "next_at": schedule.next_at,
            "begun_at": schedule.begun,
            "targets": schedule.targets,
        }

    def _schedule(self, row: Row[Any], targets: tuple[Target, ...]) -> Schedule:
        return Schedule(
            id=ScheduleId(row.id),
            user=UserId(row.user_id),
            kind=DigestKind(row.kind),
            at=row.at,
            weekday=row.weekday,
            zone=row.zone,
            targets=targets,
            next_at=row.next_at,
            begun=row.begun_at,
        )


def _archived(row: Row[Any]) -> ArchivedDigest:
    return ArchivedDigest(
        id=DigestId(row.id),
        user=UserId(row.user_id),
        schedule=None if row.schedule_id is None else ScheduleId(row.schedule_id),
        made_at=row.made_at,
        digest=read_digest(row.body),
    )
