"""Which feeds are due, and who polls them: leases with fencing tokens. Decides no schedule."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta

from sqlalchemy import Connection, RowMapping, case, exists, func, or_, select, update

from newsloom.ports import Ingest
from newsloom.store import owners, tables
from newsloom.store.engine import Database
from newsloom.store.hints import read_face, read_hints, read_pace
from newsloom.store.ingest import OpenIngest
from newsloom.types import DueFeed, FeedId, FeedState, Moving

_FEEDS = tables.feeds.c
_NO_LEASE = {"lease_owner": None, "lease_token": None, "lease_until": None}

# Nobody's feed is nobody's business: asking for it would only burden its publisher.
_WANTED = exists().where(tables.subscriptions.c.feed_id == _FEEDS.id)

# What comes over a bridge has no address to ask.
_BRIDGED = exists().where(tables.bridge_feeds.c.feed_id == _FEEDS.id)


class Polls:
    """The PollStore role."""

    database: Database

    def claim_due(
        self,
        now: datetime,
        *,
        owner: str,
        lease_for: timedelta,
        limit: int,
        feeds: Sequence[FeedId] | None = None,
    ) -> tuple[DueFeed, ...]:
        """See ports.PollStore."""
        with self.database.write() as connection:
            _reclaim(connection)
            rows = _claimable(connection, now, limit, feeds)
            token = secrets.token_hex(8)
            _lease(connection, [row["id"] for row in rows], owner, token, now + lease_for)
        return tuple(_due(row, token) for row in rows)

    def release(self, owner: str) -> None:
        """Give back every lease of an owner."""
        with self.database.write() as connection:
            connection.execute(
                update(tables.feeds).where(_FEEDS.lease_owner == owner).values(_NO_LEASE)
            )

    @contextmanager
    def ingest(self) -> Iterator[Ingest]:
        """One write transaction; commits on a clean exit, else leaves nothing."""
        with self.database.write() as connection:
            ingest = OpenIngest(connection, self.database.path)
            yield ingest
            ingest.finish()

    def next_due(self) -> datetime | None:
        """When the next feed is due that can be claimed; None when no feed is polled."""
        due = _FEEDS.next_poll_at
        free = select(func.min(due)).where(_WANTED, _FEEDS.lease_owner.is_(None))
        # A leased feed is out of reach until its lease ends.
        out_of_reach = case((due < _FEEDS.lease_until, _FEEDS.lease_until), else_=due)
        leased = select(func.min(out_of_reach)).where(
            _WANTED, due.is_not(None), _FEEDS.lease_owner.is_not(None)
        )
        with self.database.read() as connection:
            moments = [connection.scalar(free), connection.scalar(leased)]
        return min((one for one in moments if one is not None), default=None)


def _reclaim(connection: Connection) -> None:
    """End the leases of processes of this machine that are gone."""
    holding = select(_FEEDS.lease_owner).where(_FEEDS.lease_owner.is_not(None)).distinct()
    gone = [owner for owner in connection.scalars(holding) if not owners.alive(owner)]
    if gone:
        connection.execute(
            update(tables.feeds).where(_FEEDS.lease_owner.in_(gone)).values(_NO_LEASE)
        )


def _claimable(
    connection: Connection, now: datetime, limit: int, named: Sequence[FeedId] | None
) -> Sequence[RowMapping]:
    free = or_(_FEEDS.lease_owner.is_(None), _FEEDS.lease_until <= now)
    chosen = _FEEDS.next_poll_at <= now if named is None else _FEEDS.id.in_(named)
    query = (
        select(tables.feeds)
        .where(chosen, free, _WANTED, ~_BRIDGED)
        .order_by(_FEEDS.next_poll_at, _FEEDS.id)
        .limit(limit)
    )
    return connection.execute(query).mappings().all()


def _lease(
    connection: Connection, ids: Sequence[int], owner: str, token: str, until: datetime
) -> None:
    if ids:
        connection.execute(
            update(tables.feeds)
            .where(_FEEDS.id.in_(ids))
            .values(lease_owner=owner, lease_token=token, lease_until=until)
        )


def _due(row: RowMapping, token: str) -> DueFeed:
    return DueFeed(
        id=FeedId(row["id"]),
        url=row["url"],
        lease=token,
        etag=row["etag"],
        last_modified=row["last_modified"],
        validated_url=row["validated_url"],
        body_hash=row["body_hash"],
        interval=row["interval"],
        failures=row["failures"],
        unchanged=row["unchanged"],
        hints=read_hints(row["hints"]),
        new=row["polled_at"] is None,
        host=row["host"],
        status=row["status"],
        unreadable=row["unreadable"],
        newsy=row["newsy"],
        polled_at=row["polled_at"],
        floor=row["floor"],
        pace=read_pace(row["pace"]),
        state=FeedState(row["state"]),
        moving=Moving(row["moved_to"], row["moved_at"], row["moved_times"])
        if row["moved_at"]
        else None,
        held=row["held_at"] is not None,
        title=row["title"],
        site_url=row["site_url"],
        language=row["language"],
        face=read_face(row["face"]),
        declined=row["declined"],
    )
