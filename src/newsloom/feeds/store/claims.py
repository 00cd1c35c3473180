"""The feeds that may be asked, as rows: due or named, at liberty, of no paused host, of each host
so many. Statements and their rows only; leases are given in polls.py.

In words for the driver, each compiled once: claiming is part of every poll, and most polls bring
nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from newsloom.feeds.store import host_turns
from newsloom.feeds.store.hints import read_hints, read_identity, read_pace
from newsloom.feeds.values.health import FeedState, Moving
from newsloom.feeds.values.polling import CLOCK_SLACK, DueFeed, PublishingRate
from newsloom.feeds.values.published import PollHints
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.db.dialects import portable
from newsloom.kernel.ids import FeedId

# Nobody's feed is nobody's business: asking for it would only burden its publisher. What comes over
# a bridge has no address to ask.
WANTED = """
    EXISTS (SELECT 1 FROM subscriptions s WHERE s.feed_id = f.id)
    AND NOT EXISTS (SELECT 1 FROM bridge_feeds b WHERE b.feed_id = f.id)
"""
# What an owner has already it does not get again, even when its lease ran out while it slept.
_FREE = f"""
    (f.lease_owner IS NULL OR f.lease_until <= :now AND f.lease_owner <> :owner) AND {WANTED}
"""
_UNPAUSED = "f.host NOT IN (SELECT host FROM pauses WHERE until > :now)"
_UNTAKEN = f"f.host NOT IN ({host_turns.TAKEN})"

# What failed before any server was asked, or under other settings, may be asked again at once.
EXCUSED = "f.failures > 0 AND COALESCE(f.asked_under <> :under, FALSE)"
# Of a named feed that someone asks for by hand; a clock that was set back is no reason to wait.
_BY_HAND = f"""
    NOT f.dead AND (
        f.polled_at IS NULL OR f.polled_at <= :asked_before OR f.polled_at > :slack OR ({EXCUSED})
    )
    AND (f.not_before IS NULL OR f.not_before <= :now) AND {_UNPAUSED}
"""
_NAMED = "f.id IN numbers_in(:named)"

_COLUMNS = (
    "id", "url", "etag", "last_modified", "validated_url", "body_hash", "interval", "failures",
    "unchanged", "hints", "host", "status", "unreadable", "newsy", "polled_at", "floor", "pace",
    "state", "moved_to", "moved_at", "moved_times", "held_at", "title", "site_url", "language",
    "face", "declined", "damaged",
)  # fmt: skip
_SELECT = f"""
    SELECT {", ".join(f"f.{name}" for name in _COLUMNS)}, EXISTS (
        SELECT 1 FROM pushes p WHERE p.feed_id = f.id AND p.state = 'active' AND p.until > :now
    ) AS pushed
"""  # noqa: S608
# Only the oldest are looked at: to rank all that are due would cost every batch as much as all of
# them. A host with more is left out of the next batches, so that the look goes on past it.
_DUE, _DUE_AND_FAILING = (
    portable(f"""
    {_SELECT} FROM feeds f JOIN (
        SELECT id, ROW_NUMBER() OVER (PARTITION BY host ORDER BY next_poll_at, id) AS place FROM (
            SELECT f.id, f.host, f.next_poll_at FROM feeds f
            WHERE f.next_poll_at <= :now AND {failing} AND {_FREE} AND {_UNPAUSED} AND {_UNTAKEN}
            AND f.host NOT IN names_in(:full)
            ORDER BY f.next_poll_at, f.id LIMIT :look claiming(f)
        ) AS oldest
    ) c ON c.id = f.id
    WHERE c.place <= :per_host ORDER BY f.next_poll_at, f.id LIMIT :limit
""")  # noqa: S608
    for failing in ("f.failures = 0", "f.failures > 0")
)
_THOSE = portable(f"{_SELECT} FROM feeds f WHERE {_NAMED} AND {_FREE} LIMIT :limit")
_THOSE_BY_HAND = portable(
    f"{_SELECT} FROM feeds f WHERE {_NAMED} AND {_FREE} AND {_BY_HAND} LIMIT :limit"
)
_LEASE = portable("""
    UPDATE feeds SET lease_owner = :owner, lease_token = :token, lease_until = :until
    WHERE id IN numbers_in(:named)
""")
_HASTEN = portable(f"""
    UPDATE feeds AS f SET next_poll_at = :now
    WHERE {_NAMED} AND f.next_poll_at > :now AND {_FREE} AND {_BY_HAND}
""")  # noqa: S608

# How many of the oldest are looked at for each that is wanted.
LOOK = 4

_NO_HINTS, _NO_PACE = PollHints(), PublishingRate()
_STATES = {state.value: state for state in FeedState}


def due(
    connection: Connection,
    now: datetime,
    limit: int,
    per_host: int | None,
    full: Collection[str],
    turns: str,
    owner: str,
) -> Sequence[Any]:
    """The oldest feeds that are due, so many of each host at most; of the hosts `full` none, and
    with `turns` none of hosts that others than that owner ask or wait for. What another is
    claiming at the same moment is passed over.

    Those that failed the last time come after all others: five hundred servers that let everybody
    wait for half a minute must not make the rest wait (F19).
    """
    values: dict[str, Any] = {
        "now": micros(now),
        "limit": limit,
        "look": limit * LOOK,
        "per_host": limit if per_host is None else per_host,
        "full": json.dumps(list(full)),
        "turns": turns or None,
        "owner": owner,
    }
    well = connection.execute(_DUE, values).all()
    if len(well) == limit:
        return well
    # A host may have both kinds, and still has no more than its share.
    taken = Counter(row.host for row in well)
    failing = connection.execute(_DUE_AND_FAILING, values | {"limit": limit - len(well)}).all()
    return [*well, *(one for one in failing if taken[one.host] < values["per_host"])]


def those(
    connection: Connection,
    now: datetime,
    limit: int,
    feeds: Sequence[FeedId],
    asked_before: datetime | None,
    under: str | None,
    owner: str,
) -> Sequence[Any]:
    """Those feeds, due or not; with `asked_before` only those that may be asked by hand."""
    values: dict[str, Any] = {"now": micros(now), "named": json.dumps(list(feeds)), "limit": limit}
    values["owner"] = owner
    if asked_before is None:
        return connection.execute(_THOSE, values).all()
    return connection.execute(_THOSE_BY_HAND, values | _hand(now, asked_before, under)).all()


def lease(
    connection: Connection, ids: Sequence[int], owner: str, token: str, until: datetime
) -> None:
    values = {"owner": owner, "token": token, "until": micros(until), "named": json.dumps(ids)}
    connection.execute(_LEASE, values)


def hasten(
    connection: Connection,
    feeds: Sequence[FeedId],
    now: datetime,
    asked_before: datetime,
    under: str | None,
) -> None:
    values: dict[str, Any] = {"now": micros(now), "named": json.dumps(list(feeds)), "owner": ""}
    values |= _hand(now, asked_before, under)
    connection.execute(_HASTEN, values)


def feed_of(row: Any, token: str, hosts_asked_at: Mapping[str, int]) -> DueFeed:
    """A row of the above as a value; unpacked, for a name of each costs as much as the query."""
    # fmt: off
    (
        feed, url, etag, last_modified, validated_url, body_hash, interval, failures, unchanged,
        hints, host, status, unreadable, newsy, polled_at, floor, pace, state, moved_to, moved_at,
        moved_times, held_at, title, site_url, language, identity, declined, damaged, pushed,
    ) = row
    # fmt: on
    return DueFeed(
        id=FeedId(feed),
        url=url,
        lease=token,
        etag=etag,
        last_modified=last_modified,
        validated_url=validated_url,
        body_hash=body_hash,
        interval=timedelta(microseconds=interval),
        failures=failures,
        unchanged=unchanged,
        hints=read_hints(json.loads(hints)) if hints else _NO_HINTS,
        new=polled_at is None,
        host=host,
        host_asked_at=moment(hosts_asked_at[host]) if host in hosts_asked_at else None,
        status=status,
        unreadable=unreadable,
        newsy=newsy,
        polled_at=None if polled_at is None else moment(polled_at),
        floor=None if floor is None else timedelta(microseconds=floor),
        pace=read_pace(json.loads(pace)) if pace else _NO_PACE,
        state=_STATES[state],
        moving=Moving(moved_to, moment(moved_at), moved_times) if moved_at else None,
        held=held_at is not None,
        title=title,
        site_url=site_url,
        language=language,
        identity=read_identity(json.loads(identity)) if identity else None,
        declined=declined,
        damaged=damaged,
        pushed=bool(pushed),
    )


def _hand(now: datetime, asked_before: datetime, under: str | None) -> dict[str, Any]:
    return {
        "asked_before": micros(asked_before),
        "slack": micros(now + CLOCK_SLACK),
        "under": under,
    }
