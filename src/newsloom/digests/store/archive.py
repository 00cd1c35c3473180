"""Digests that were made, and what is remembered of them."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import Row, insert, select, update

from newsloom.digests.store.tables import digest_schedules, digest_sendings, digest_targets, digests
from newsloom.digests.store.targets import targets_of
from newsloom.digests.values import Digest, DigestHead, DigestKind, KeptDigest, Memory, Schedule
from newsloom.digests.written import read_digest, read_memory, values
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.ids import ArticleId, DigestId, ScheduleId, UserId
from newsloom.rules.store.news import drop_told

_DIGESTS = digests.c


class Archive(Aggregate):
    """Digests that were made."""

    def put_digest(
        self,
        schedule: Schedule,
        digest: Digest,
        memory: Memory,
        *,
        now: datetime,
        ready: datetime,
        next_at: datetime,
        told: Collection[ArticleId] = (),
    ) -> DigestId | None:
        """Keep a digest, put it into the outbox, and let its schedule fall due again then.

        `told`: articles that rules said to tell of, which wait no more.

        None: the schedule is gone, or fell due otherwise since it was claimed: another process
        made this digest.
        """
        mine = (digest_schedules.c.id == schedule.id) & (
            digest_schedules.c.next_at == schedule.next_at
        )
        with self.database.write() as connection:
            after = {"next_at": next_at, "held_by": "", "held_until": None}
            if not connection.execute(update(digest_schedules).where(mine).values(after)).rowcount:
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
            for target in targets_of(connection, digest_targets, schedule.id):
                connection.execute(
                    insert(digest_sendings).values(
                        digest_id=number,
                        way=target.way,
                        target=target.target,
                        token=target.token,
                        state="waiting",
                        at=ready,
                    )
                )
            drop_told(connection, schedule.user, list(told))
            return DigestId(number)

    def digest(self, user: UserId, digest: DigestId) -> KeptDigest | None:
        """One of a reader's; None: there is none."""
        query = select(digests).where(_DIGESTS.id == digest, _DIGESTS.user_id == user)
        return self._one(query, _kept)

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

    def newest_digests(self, user: UserId, limit: int) -> tuple[KeptDigest, ...]:
        """Whole, for a feed of them."""
        query = select(digests).where(_DIGESTS.user_id == user).order_by(_DIGESTS.id.desc())
        return self._rows(query.limit(limit), _kept)


def _kept(row: Row[Any]) -> KeptDigest:
    return KeptDigest(
        id=DigestId(row.id),
        user=UserId(row.user_id),
        schedule=None if row.schedule_id is None else ScheduleId(row.schedule_id),
        made_at=row.made_at,
        digest=read_digest(row.body),
    )
