"""Which feeds are due, and who polls them: leases with fencing tokens. Decides no schedule."""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import select, update

from newsloom.feeds.store import claims
from newsloom.feeds.store.ingest import OpenIngest
from newsloom.feeds.store.sites import host_turns
from newsloom.feeds.values.polling import DueFeed, Pause, Waiting
from newsloom.kernel.db import owners
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.db.dialects import portable
from newsloom.kernel.ids import FeedId
from newsloom.store import tables

_FEEDS = tables.feeds.c
_NO_LEASE = {"lease_owner": None, "lease_token": None, "lease_until": None}

_HOLDING = select(_FEEDS.lease_owner).where(_FEEDS.lease_owner.is_not(None)).distinct()

# Of processes besides the one that asks.
_ELSEWHERE = "t.owner IS NOT NULL AND substr(t.owner, 1, length(:process)) <> :process"

# The first of the feeds that are at liberty, by their index; then those that are not, which are
# few: they are out of reach until their lease, or the pause or another's turn of their host, ends.
_NEXT = portable(f"""
    SELECT MIN(at) FROM (
        SELECT * FROM (
            SELECT f.next_poll_at AS at FROM feeds f
            WHERE f.next_poll_at IS NOT NULL AND f.lease_owner IS NULL AND {claims.WANTED}
            AND f.host NOT IN (SELECT host FROM pauses)
            AND f.host NOT IN (SELECT t.host FROM host_turns t WHERE {_ELSEWHERE})
            ORDER BY f.next_poll_at LIMIT 1
        ) AS free
        UNION ALL SELECT greatest(f.next_poll_at, f.lease_until) FROM feeds f
        WHERE f.lease_owner IS NOT NULL AND f.next_poll_at IS NOT NULL AND {claims.WANTED}
        UNION ALL SELECT MIN(greatest(f.next_poll_at, p.until)) FROM pauses p
        CROSS JOIN feeds f
        WHERE f.host = p.host AND f.next_poll_at IS NOT NULL AND f.lease_owner IS NULL
        AND {claims.WANTED}
        UNION ALL SELECT MIN(greatest(f.next_poll_at, t.until)) FROM host_turns t
        CROSS JOIN feeds f
        WHERE f.host = t.host AND {_ELSEWHERE} AND f.next_poll_at IS NOT NULL
        AND f.lease_owner IS NULL AND {claims.WANTED}
    ) AS every
""")  # noqa: S608
_ASKED_ELSEWHERE = portable(f"""
    SELECT COUNT(*) FROM feeds f WHERE f.next_poll_at <= :now AND {claims.WANTED}
    AND (CAST(:named AS TEXT) IS NULL OR f.id IN numbers_in(:named))
    AND (
        f.host IN (SELECT t.host FROM host_turns t WHERE t.until > :now AND {_ELSEWHERE})
        OR f.lease_until > :now AND substr(f.lease_owner, 1, length(:process)) <> :process
    )
""")  # noqa: S608
_WAITING = portable(f"""
    SELECT f.id, f.polled_at, f.not_before, f.dead, {claims.EXCUSED} AS excused,
        p.host, p.at, p.until, p.because
    FROM feeds f LEFT JOIN pauses p ON p.host = f.host AND p.until > :now
    WHERE f.id IN numbers_in(:named) ORDER BY f.id
""")  # noqa: S608


class Polls(Aggregate):
    """Which feeds are due, who polls them, and what a pass brought."""

    def claim_due(
        self,
        now: datetime,
        *,
        owner: str,
        lease_for: timedelta,
        limit: int,
        feeds: Sequence[FeedId] | None = None,
        per_host: int | None = None,
        full: Collection[str] = (),
        asked_before: datetime | None = None,
        under: str | None = None,
        turns: str = "",
        turns_for: timedelta = timedelta(0),
    ) -> tuple[DueFeed, ...]:
        """Lease feeds that are due (or, with `feeds`, those named, due or not), oldest first.

        Of one host `per_host` at most, of the hosts in `full` none, and none of a host that is
        paused. Named ones are not held back so, unless with `asked_before`: then only those that
        were not asked since and that no server wants left alone. What failed since without that any
        server was asked, or under other settings than `under`, may be asked all the same.
        With `turns` their hosts are that owner's for `turns_for` too (take_host), and none is due
        of a host that another owner has or waits for; named ones leave hosts as they are.
        No feed is leased to two owners at once; a lease ends at its time, when recorded, when
        released, or when its owner was a process of this machine that no longer lives.
        """
        self._end_dead(now, turns)
        asked_at: Mapping[str, int] = {}
        token = secrets.token_hex(8)
        # Named ones are for nobody to pass over, so they wait for those that claim.
        claim = self.database.claim if feeds is None else self.database.write
        with claim() as connection:
            if feeds is None:
                rows = claims.due(connection, now, limit, per_host, full, turns)
            else:
                rows = claims.those(connection, now, limit, feeds, asked_before, under)
            if rows and turns and feeds is None:
                hosts = {row.host for row in rows if row.host}
                free = host_turns.lock_free(connection, hosts, turns, now)
                rows = [row for row in rows if not row.host or row.host in free]
                asked_at = host_turns.take(connection, free, turns, now + turns_for)
            if rows:
                claims.lease(connection, [row.id for row in rows], owner, token, now + lease_for)
        return tuple(claims.feed_of(row, token, asked_at) for row in rows)

    def _end_dead(self, now: datetime, turns: str) -> None:
        """End the leases, and with `turns` the turns, of processes of this machine that are gone.

        Looked for beside all writers: as a rule there are none.
        """
        with self.database.read() as connection:
            gone = [one for one in connection.scalars(_HOLDING) if not owners.alive(one)]
            dead = host_turns.dead_owners(connection) if turns else []
        if gone or dead:
            with self.database.write() as connection:
                connection.execute(
                    update(tables.feeds).where(_FEEDS.lease_owner.in_(gone)).values(_NO_LEASE)
                )
                host_turns.end_dead(connection, dead, now)

    def hasten(
        self,
        feeds: Sequence[FeedId],
        now: datetime,
        *,
        asked_before: datetime,
        under: str | None = None,
    ) -> tuple[Waiting, ...]:
        """Make those of the feeds due that may be asked by hand (as in claim_due); how each of
        the feeds stood before."""
        values = {"now": micros(now), "named": json.dumps(list(feeds)), "under": under}
        with self.database.write() as connection:
            rows = connection.execute(_WAITING, values).all()
            claims.hasten(connection, feeds, now, asked_before, under)
        return tuple(_waiting(row) for row in rows)

    def waiting(
        self, feeds: Sequence[FeedId], now: datetime, *, under: str | None = None
    ) -> tuple[Waiting, ...]:
        """How each of the feeds stands; nothing is changed."""
        return self._rows(_WAITING, _waiting, now=now, named=json.dumps(list(feeds)), under=under)

    def asked_elsewhere(
        self, now: datetime, process: str, feeds: Sequence[FeedId] | None = None
    ) -> int:
        """How many due feeds (or of those named) other processes are asking, or keep the host of.

        `process` is how the names of our owners begin."""
        named = None if feeds is None else json.dumps(list(feeds))
        return self._value(_ASKED_ELSEWHERE, int, now=now, process=process, named=named) or 0

    def release(self, owner: str) -> None:
        """Give back every lease of an owner."""
        self._change(update(tables.feeds).where(_FEEDS.lease_owner == owner).values(_NO_LEASE))

    @contextmanager
    def ingest(self) -> Iterator[OpenIngest]:
        """One write transaction; commits on a clean exit, else leaves nothing."""
        with self.database.write() as connection:
            ingest = OpenIngest(connection, self.database, self._now)
            yield ingest
            ingest.finish()

    def next_due(self, process: str = "") -> datetime | None:
        """When the next feed is due that can be claimed; None when no feed is polled.

        `process` is the beginning of an owner's name: hosts of others are out of reach."""
        with self.database.read() as connection:
            at = connection.scalar(_NEXT, {"process": process})
        return None if at is None else moment(at)


def _waiting(row: Any) -> Waiting:
    return Waiting(
        FeedId(row.id),
        None if row.polled_at is None else moment(row.polled_at),
        None if row.not_before is None else moment(row.not_before),
        Pause(row.host, moment(row.at), moment(row.until), row.because) if row.host else None,
        row.dead,
        bool(row.excused),
    )
