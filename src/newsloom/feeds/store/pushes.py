"""What is agreed with hubs, one row a feed. Asks no hub and decides nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    case,
    delete,
    exists,
    func,
    insert,
    not_,
    or_,
    select,
    update,
)

from newsloom.articles.store.reader_tables import subscriptions
from newsloom.bridges.store.tables import bridge_feeds
from newsloom.feeds.store.tables import deliveries, feeds, pushes
from newsloom.feeds.values.health import PushState
from newsloom.feeds.values.polling import Announced, Push
from newsloom.kernel.db import sql
from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.dialects import portable
from newsloom.kernel.db.sql import CHUNK, Aggregate
from newsloom.kernel.ids import FeedId

_PUSH = pushes.c
_FEED = feeds.c

_FIELDS = tuple(
    name for name in Push.__dataclass_fields__ if name not in {"feed", "state"}
)  # named alike in the table

_FOLLOWED = exists().where(subscriptions.c.feed_id == _FEED.id)
_BRIDGED = exists().where(bridge_feeds.c.feed_id == _FEED.id)

_HUB = func.coalesce(_FEED.hints["hub"].as_string(), "")
# What the document names as itself, else where it was found at last.
_TOPIC = func.coalesce(
    func.nullif(_FEED.hints["topic"].as_string(), ""),
    func.nullif(_FEED.validated_url, ""),
    _FEED.url,
)
# Nothing is asked of the hub of a feed that is over: a pushed document would be its last word.
_TOLD = and_(_FOLLOWED, not_(_BRIDGED), _FEED.next_poll_at.is_not(None), _HUB != "")

# A feed that fails keeps its time, and nothing brings a poll nearer than the floor or than what its
# server asked for: that is no less wanted because a hub is silent.
_POLITE = """greatest(
    :now, COALESCE(not_before, 0), COALESCE(polled_at + COALESCE(floor, :floor), 0)
)"""
_SOONER = portable(f"""
    UPDATE feeds SET next_poll_at = {_POLITE}
    WHERE id = :feed AND failures = 0 AND next_poll_at > {_POLITE}
""")  # noqa: S608


class Pushes(Aggregate):
    """Subscriptions at WebSub hubs."""

    def pushes(self, feeds: Sequence[FeedId] | None = None) -> Mapping[FeedId, Push]:
        """How things stand with the hubs of these feeds, or of all; absent: nothing agreed."""
        query = select(pushes)
        queries = [query]
        if feeds is not None:
            starts = range(0, len(feeds), CHUNK)
            queries = [query.where(_PUSH.feed_id.in_(feeds[at : at + CHUNK])) for at in starts]
        with self.database.read() as connection:
            return {it.feed: it for one in queries for it in sql.rows(connection, one, Push)}

    def push(self, token: str) -> Push | None:
        """The one that a hub calls by this token."""
        return self._one(select(pushes).where(_PUSH.token == token), Push)

    def announced(self, base: str, limit: int) -> tuple[Announced, ...]:
        """Followed feeds that name a hub and have no row for it, its topic and this base."""
        agreed = and_(
            _PUSH.hub == _HUB,
            _PUSH.topic == _TOPIC,
            _PUSH.base == base,
            _PUSH.state != PushState.ENDING.value,
        )
        query = (
            select(_FEED.id, _HUB.label("hub"), _TOPIC.label("topic"), _PUSH.token)
            .outerjoin(pushes, _PUSH.feed_id == _FEED.id)
            .where(_TOLD, or_(_PUSH.feed_id.is_(None), not_(agreed)))
            .order_by(_FEED.id)
            .limit(limit)
        )
        return self._rows(
            query, lambda row: Announced(FeedId(row.id), row.hub, row.topic, row.token or "")
        )

    def begin_pushes(
        self,
        rows: Sequence[Push],
        announced: Sequence[Announced],
        now: datetime,
        floor: timedelta,
    ) -> int:
        """Put rows, each in place of the one its Announced names; how many were put.

        One whose feed has another row by now is left out: another process was faster. Where a hub
        told so far, the feed goes back to its polls.
        """
        free: list[Push] = []
        with self.database.write() as connection:
            ours = _PUSH.feed_id.in_([row.feed for row in rows])
            taken = {
                row.feed_id: row.token for row in connection.execute(select(pushes).where(ours))
            }
            for row, before in zip(rows, announced, strict=True):
                if taken.get(row.feed, "") != before.instead_of:
                    continue
                free.append(row)
                if before.instead_of:
                    connection.execute(delete(pushes).where(_PUSH.feed_id == row.feed))
                    _sooner(connection, [row.feed], now, floor)
            if free:
                connection.execute(insert(pushes), [_values(row) for row in free])
        return len(free)

    def end_pushes(self, now: datetime, floor: timedelta) -> int:
        """What nobody follows, what is dead and what names no hub any more is to be ended.

        What a hub never agreed to is dropped, and so are deliveries that nobody waits for.
        """
        over = _PUSH.feed_id.in_(
            select(_PUSH.feed_id).join(feeds, _FEED.id == _PUSH.feed_id).where(not_(_TOLD))
        )
        agreed = _PUSH.state.in_([PushState.ACTIVE.value, PushState.ASKED.value])
        with self.database.write() as connection:
            found = _feeds(connection, over, _PUSH.state != PushState.ENDING.value)
            if found:
                mine = _PUSH.feed_id.in_(found)
                connection.execute(
                    update(pushes)
                    .where(mine, agreed)
                    .values(
                        state=PushState.ENDING.value,
                        next_at=now,
                        asked_at=None,
                        tries=0,
                        problem="",
                    )
                )
                connection.execute(
                    delete(pushes).where(mine, _PUSH.state != PushState.ENDING.value)
                )
                _sooner(connection, found, now, floor)
            awaited = select(_PUSH.feed_id).where(_PUSH.state != PushState.ENDING.value)
            connection.execute(delete(deliveries).where(deliveries.c.feed_id.not_in(awaited)))
        return len(found)

    def drop_pushes(self, now: datetime, floor: timedelta) -> int:
        """Forget all that is agreed with hubs: they cannot reach this machine any more."""
        with self.database.write() as connection:
            found = _feeds(connection)
            connection.execute(delete(pushes))
            connection.execute(delete(deliveries))
            _sooner(connection, found, now, floor)
        return len(found)

    def claim_pushes(
        self, now: datetime, until: datetime, limit: int, per_hub: int
    ) -> tuple[Push, ...]:
        """Hubs to ask now, the longest due first; as they were, but for `asked_at` and `tries`.

        No row is given to two: it is due again `until`.
        """
        oldest = _PUSH.next_at, _PUSH.feed_id
        place = func.row_number().over(partition_by=_PUSH.hub, order_by=oldest)
        each = select(_PUSH.feed_id, place.label("place")).where(_PUSH.next_at <= now).subquery()
        due = (
            select(pushes)
            .join(each, each.c.feed_id == _PUSH.feed_id)
            .where(each.c.place <= per_hub)
            .order_by(*oldest)
            .limit(limit)
        )
        with self.database.write() as connection:
            found = sql.rows(connection, due, Push)
            values = {"asked_at": now, "next_at": until, "tries": _PUSH.tries + 1}
            if found:
                mine = _PUSH.feed_id.in_([one.feed for one in found])
                connection.execute(update(pushes).where(mine).values(values))
        return tuple(
            replace(one, asked_at=now, tries=one.tries + 1, next_at=until) for one in found
        )

    def settle_push(
        self,
        push: Push,
        *,
        state: PushState,
        next_at: datetime,
        problem: str = "",
        awaits: bool = True,
    ) -> bool:
        """What the hub answered, unless it has called back since it was asked."""
        settled = update(pushes).where(
            _PUSH.token == push.token,
            _PUSH.asked_at == push.asked_at,
            _PUSH.state == push.state.value,
        )
        values: dict[str, Any] = {"state": state.value, "next_at": next_at, "problem": problem}
        if not awaits:
            values["asked_at"] = None
        return self._change(settled.values(values)) == 1

    def confirm_push(self, token: str, at: datetime, until: datetime, next_at: datetime) -> bool:
        """The hub called back and tells from now on; False when nothing was asked of it."""
        telling = _PUSH.state == PushState.ACTIVE.value
        values = {
            "state": PushState.ACTIVE.value,
            "active_at": case((telling, _PUSH.active_at), else_=micros(at)),
            "until": until,
            "next_at": next_at,
            "asked_at": None,
            "tries": 0,
            "problem": "",
        }
        asked = and_(
            _PUSH.token == token,
            _PUSH.asked_at.is_not(None),
            _PUSH.state.not_in([PushState.ENDING.value, PushState.DENIED.value]),
        )
        return self._change(update(pushes).where(asked).values(values)) == 1

    def forget_push(self, token: str) -> bool:
        """Nothing is agreed any more; False when it was not to end."""
        ending = and_(_PUSH.token == token, _PUSH.state == PushState.ENDING.value)
        return self._change(delete(pushes).where(ending)) == 1

    def fall_back(
        self,
        feeds: Sequence[FeedId],
        *,
        now: datetime,
        floor: timedelta,
        state: PushState,
        problem: str | None = None,
        next_at: datetime | None = None,
    ) -> int:
        """These hubs tell no more, and their feeds go back to the polls they would have had.

        Without `problem` and `next_at` it stays what was wrong, and when the hub is asked again.
        """
        values: dict[str, Any] = {"state": state.value}
        values |= {"active_at": None, "until": None, "missed_at": None}
        if problem is not None:
            values |= {"problem": problem}
        if next_at is not None:
            values |= {"next_at": next_at, "asked_at": None}
        done = 0
        with self.database.write() as connection:
            for at in range(0, len(feeds), CHUNK):
                some = feeds[at : at + CHUNK]
                mine = and_(_PUSH.feed_id.in_(some), _PUSH.state != PushState.ENDING.value)
                done += connection.execute(update(pushes).where(mine).values(values)).rowcount
                _sooner(connection, some, now, floor)
        return done

    def fallen(self, now: datetime, patience: timedelta) -> tuple[Push, ...]:
        """Active ones whose lease is over, or whose hub was silent about news for so long."""
        silent = and_(
            _PUSH.missed_at <= now - patience,
            or_(_PUSH.pushed_at.is_(None), _PUSH.pushed_at < _PUSH.missed_at),
        )
        query = select(pushes).where(
            _PUSH.state == PushState.ACTIVE.value, or_(_PUSH.until <= now, silent)
        )
        return self._rows(query, Push)

    def refuse_push(self, feed: FeedId, now: datetime, floor: timedelta) -> None:
        """Count a forgery, and make a poll due: the hub may have news that it cannot sign."""
        with self.database.write() as connection:
            counted = update(pushes).where(_PUSH.feed_id == feed)
            connection.execute(counted.values(refused=_PUSH.refused + 1))
            _sooner(connection, [feed], now, floor)


def sooner(connection: Connection, feed: FeedId, now: datetime, floor: timedelta) -> None:
    """A poll of a feed becomes due, as soon as it is polite."""
    _sooner(connection, [feed], now, floor)


def _sooner(connection: Connection, ids: Sequence[FeedId], now: datetime, floor: timedelta) -> None:
    span = floor // timedelta(microseconds=1)
    if ids:
        rows = [{"feed": one, "now": micros(now), "floor": span} for one in ids]
        connection.execute(_SOONER, rows)


def _feeds(connection: Connection, *which: ColumnElement[bool]) -> list[FeedId]:
    return [FeedId(one) for one in connection.scalars(select(_PUSH.feed_id).where(*which))]


def _values(push: Push) -> dict[str, Any]:
    named = {name: getattr(push, name) for name in _FIELDS}
    return {"feed_id": push.feed, "state": push.state.value, **named}
