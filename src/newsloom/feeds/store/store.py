"""`store.feeds`."""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, delete, func, insert, select, text, update

from newsloom.feeds.store import claims, host_turns
from newsloom.feeds.store.health import Health
from newsloom.feeds.store.ingest import OpenIngest
from newsloom.feeds.store.pushes import Pushes, sooner
from newsloom.feeds.store.quarantine import Quarantine
from newsloom.feeds.store.tables import deliveries, feeds, pushes, redirects
from newsloom.feeds.values.polling import (
    Delivery,
    DueFeed,
    MostDeliveries,
    Pause,
    PollingFigures,
    Waiting,
)
from newsloom.kernel.db import leases
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.db.dialects import portable
from newsloom.kernel.db.sql import CHUNK, change, upsert
from newsloom.kernel.http.values import KnownRedirect
from newsloom.kernel.ids import FeedId

# Which feeds are due, and who polls them: leases with fencing tokens. Decides no schedule.

_FEEDS = feeds.c
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


def _waiting(row: Any) -> Waiting:
    return Waiting(
        FeedId(row.id),
        None if row.polled_at is None else moment(row.polled_at),
        None if row.not_before is None else moment(row.not_before),
        Pause(row.host, moment(row.at), moment(row.until), row.because) if row.host else None,
        row.dead,
        bool(row.excused),
    )


# Documents that hubs sent, kept until they are taken in. Reads none of them.

_ROW = deliveries.c
_PUSH = pushes.c
_HOUR = timedelta(hours=1)


# What is known of addresses that only forward. Asks none, decides nothing.

_KNOWN = select(redirects).where(redirects.c.url.in_(bindparam("urls", expanding=True)))
_PUT = upsert(redirects)


# How polling does as a whole, of nobody in particular. Reads only.

_STATES = text("SELECT state, COUNT(*) FROM feeds f GROUP BY state")
_DUE = text(f"""
    SELECT COUNT(*), MIN(f.next_poll_at) FROM feeds f
    WHERE f.next_poll_at <= :now AND {claims.WANTED}
""")  # noqa: S608
_FAILING = text(f"SELECT COUNT(*) FROM feeds f WHERE f.failures > 0 AND {claims.WANTED}")  # noqa: S608
# Numbers are given in order and none twice: as good as a count, which would read them all.
_ARTICLES = text("SELECT MAX(id) FROM articles")


class FeedStore(Health, Quarantine, Pushes):
    """Feeds: which are due, what their polls brought, their health, pushes and moves."""

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
                rows = claims.due(connection, now, limit, per_host, full, turns, owner)
            else:
                rows = claims.those(connection, now, limit, feeds, asked_before, under, owner)
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
            gone = [one for one in connection.scalars(_HOLDING) if not leases.alive(one)]
            dead = host_turns.dead_owners(connection) if turns else []
        if gone or dead:
            with self.database.write() as connection:
                connection.execute(
                    update(feeds).where(_FEEDS.lease_owner.in_(gone)).values(_NO_LEASE)
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

    def polled_elsewhere(
        self, now: datetime, process: str, feeds: Sequence[FeedId] | None = None
    ) -> int:
        """How many due feeds (or of those named) other processes are asking, or keep the host of.

        `process` is how the names of our owners begin."""
        named = None if feeds is None else json.dumps(list(feeds))
        return self._value(_ASKED_ELSEWHERE, int, now=now, process=process, named=named) or 0

    def keep(self, owner: str, until: datetime) -> None:
        """Keep every lease of an owner until then."""
        self._change(update(feeds).where(_FEEDS.lease_owner == owner).values(lease_until=until))

    def release(self, owner: str) -> None:
        """Give back every lease of an owner."""
        self._change(update(feeds).where(_FEEDS.lease_owner == owner).values(_NO_LEASE))

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

    def redirects(self, urls: Sequence[str]) -> Mapping[str, KnownRedirect]:
        """Those of the addresses that have been asked."""
        known: dict[str, KnownRedirect] = {}
        for start in range(0, len(urls), CHUNK):
            some = self._rows(_KNOWN, KnownRedirect, urls=urls[start : start + CHUNK])
            known |= {one.url: one for one in some}
        return known

    def put_redirects(self, known: Sequence[KnownRedirect]) -> None:
        """Remember what asking came to, instead of what was known before."""
        if known:
            with self.database.write() as connection:
                for one in known:
                    change(connection, _PUT, **asdict(one))

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

    def figures(self, now: datetime) -> PollingFigures:
        """Of all feeds, whoever follows them."""
        with self.database.read() as connection:
            states = {row[0]: row[1] for row in connection.execute(_STATES)}
            due, oldest = connection.execute(_DUE, {"now": micros(now)}).one()
            return PollingFigures(
                by_state=states,
                due=due,
                late_seconds=0.0 if oldest is None else (micros(now) - oldest) / 1e6,
                failing=connection.scalar(_FAILING) or 0,
                articles=connection.scalar(_ARTICLES) or 0,
            )
