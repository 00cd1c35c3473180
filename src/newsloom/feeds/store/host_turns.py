"""Whose turn each host is, among all processes that use this store. Decides no pause.

A row stands for a host that somebody asks, asked a moment ago, or waits for.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, text

from newsloom.feeds.values.polling import HostLease, Pause
from newsloom.kernel.db import leases
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.db.dialects import lock_names, portable
from newsloom.kernel.db.sql import Aggregate
from newsloom.kernel.ids import FeedId

# Hosts of which nothing may be claimed: another has them, or waits for them.
TAKEN = """
    SELECT host FROM host_turns
    WHERE (owner <> :turns AND until > :now) OR (wanted_by <> :turns AND wanted_until > :now)
"""
_ASKED = portable("SELECT host, asked_at FROM host_turns WHERE asked_at IS NOT NULL")
_FREE = portable(f"SELECT value FROM names_in(:hosts) AS h WHERE value NOT IN ({TAKEN})")  # noqa: S608
_TAKE = portable("""
    INSERT INTO host_turns (host, owner, until)
    SELECT value, :owner, :until FROM names_in(:hosts) AS h WHERE value <> ''
    ON CONFLICT (host) DO UPDATE SET owner = excluded.owner, until = excluded.until,
        wanted_by = CASE WHEN host_turns.wanted_by = excluded.owner THEN NULL
            ELSE host_turns.wanted_by END
""")
_OWNERS = portable("SELECT DISTINCT owner FROM host_turns WHERE owner IS NOT NULL")
# When who died asked last is not known: it may have been just now.
_END_DEAD = portable("""
    UPDATE host_turns SET owner = NULL, until = NULL, asked_at = :now
    WHERE owner IN names_in(:dead)
""")
_ROW = portable("SELECT owner, until, wanted_by, wanted_until FROM host_turns WHERE host = :host")
_WISH = portable(
    "UPDATE host_turns SET wanted_by = :owner, wanted_until = :until WHERE host = :host"
)
_WANTED = portable("""
    SELECT host FROM host_turns
    WHERE owner = :owner AND wanted_by IS NOT NULL AND wanted_until > :now
""")
_KEEP = portable("UPDATE host_turns SET until = :until WHERE owner = :owner RETURNING host")
# Nearly all that is given back was asked long ago, and nobody waits for it.
_FORGET = portable("""
    DELETE FROM host_turns WHERE host IN names_in(:hosts)
    AND owner = :owner AND (wanted_by IS NULL OR wanted_until <= :now)
""")
_GIVE_BACK = portable("""
    UPDATE host_turns SET owner = NULL, until = NULL, asked_at = COALESCE(g.value, asked_at)
    FROM numbers_by_name(:asked) AS g WHERE host_turns.host = g.key AND owner = :owner
""")
_FORGET_OLD = portable("""
    DELETE FROM host_turns WHERE owner IS NULL AND COALESCE(asked_at, 0) <= :long_ago
    AND (wanted_by IS NULL OR wanted_until <= :now)
""")


class HostTurns(Aggregate):
    """Which process asks a host now."""

    def take_host(
        self, host: str, *, owner: str, now: datetime, until: datetime, wish: timedelta
    ) -> HostLease:
        """Let nobody else ask a host until then.

        Another owner who has it keeps it while its process lives, and is told that it is wanted;
        the wish holds so long, goes before all who did not wish, and is to be repeated.
        """
        with self.database.write() as connection:
            row = connection.execute(_ROW, {"host": host}).one_or_none()
            if row is not None and _another(row.owner, row.until, owner, now):
                if leases.alive(row.owner):
                    _wish(connection, host, row, owner, now, wish)
                    return HostLease(mine=False)
                end_dead(connection, [row.owner], now)
            if row is not None and _another(row.wanted_by, row.wanted_until, owner, now):
                return HostLease(mine=False)
            asked_at = take(connection, [host], owner, until).get(host)
            return HostLease(mine=True, asked_at=None if asked_at is None else moment(asked_at))

    def wanted_hosts(self, owner: str, now: datetime) -> frozenset[str]:
        """Those of an owner's hosts that another waits for."""
        return frozenset(self._column(_WANTED, str, owner=owner, now=now))

    def keep_hosts(self, owner: str, until: datetime) -> frozenset[str]:
        """Keep all hosts of an owner until then; which they are."""
        with self.database.write() as connection:
            values = {"owner": owner, "until": micros(until)}
            return frozenset(connection.scalars(_KEEP, values))

    def give_back_hosts(
        self,
        owner: str,
        asked: Mapping[str, datetime | None],
        *,
        now: datetime,
        long_ago: datetime,
    ) -> None:
        """Let others ask those hosts, each told when it was asked last; None: it was not.

        When that was before `long_ago`, nobody needs to know.
        """
        times = {host: None if at is None else micros(at) for host, at in asked.items()}
        settled = [host for host, at in asked.items() if at is not None and at <= long_ago]
        values = {"owner": owner, "now": micros(now), "long_ago": micros(long_ago)}
        with self.database.write() as connection:
            gone = connection.execute(_FORGET, values | {"hosts": json.dumps(settled)}).rowcount
            if gone < len(times):
                connection.execute(_GIVE_BACK, values | {"asked": json.dumps(times)})
                connection.execute(_FORGET_OLD, values)


def take(
    connection: Connection, hosts: Collection[str], owner: str, until: datetime
) -> Mapping[str, int]:
    """Give hosts to an owner; when those were asked last that somebody asked a moment ago."""
    asked = {host: at for host, at in connection.execute(_ASKED)}  # noqa: C416 - few, and rows
    values = {"hosts": json.dumps(list(hosts)), "owner": owner, "until": micros(until)}
    connection.execute(_TAKE, values)
    return asked


def lock_free(
    connection: Connection, hosts: Collection[str], owner: str, now: datetime
) -> Collection[str]:
    """Those of the hosts that an owner may take; no other claim takes them meanwhile.

    Looked at again under the lock: a claim that has just ended may have taken some.
    """
    free = list(lock_names(connection, hosts))
    values = {"hosts": json.dumps(free), "turns": owner, "now": micros(now)}
    return set(connection.scalars(_FREE, values))


def dead_owners(connection: Connection) -> list[str]:
    """Processes of this machine that have turns and are gone."""
    return [one for one in connection.scalars(_OWNERS) if not leases.alive(one)]


def end_dead(connection: Connection, dead: Collection[str], now: datetime) -> None:
    """End the turns of owners that are gone."""
    connection.execute(_END_DEAD, {"dead": json.dumps(list(dead)), "now": micros(now)})


def _another(who: str | None, until: int | None, owner: str, now: datetime) -> bool:
    return who is not None and who != owner and until is not None and until > micros(now)


def _wish(
    connection: Connection, host: str, row: Any, owner: str, now: datetime, wish: timedelta
) -> None:
    """Note that somebody waits for a host, unless another does; written as seldom as will do."""
    if _another(row.wanted_by, row.wanted_until, owner, now):
        return
    if row.wanted_by != owner or row.wanted_until < micros(now + wish / 2):
        values = {"host": host, "owner": owner, "until": micros(now + wish)}
        connection.execute(_WISH, values)


# Hosts that are left alone for a while, and clocks that were wrong. Decides no pause.

# The longer of two pauses holds.
_PAUSE = text("""
    INSERT INTO pauses (host, at, until, because) VALUES (:host, :at, :until, :because)
    ON CONFLICT (host) DO UPDATE SET at = excluded.at, because = excluded.because,
        until = CASE WHEN excluded.until > pauses.until THEN excluded.until
            ELSE pauses.until END
""")
_LEFT_ALONE = text("SELECT host, until FROM pauses WHERE until > :now")
_OVER = text("DELETE FROM pauses WHERE until <= :now")
_FAILING = text("""
    SELECT id FROM feeds WHERE host = :host AND failures > 0
    AND (status = 0 OR status >= 500) AND polled_at > :since LIMIT :most
""")

# Whether anything stands further ahead than it can: the last poll is the newest by its number.
_AHEAD = text("""
    SELECT EXISTS (SELECT 1 FROM feeds WHERE next_poll_at > :furthest)
    OR EXISTS (SELECT 1 FROM pauses WHERE until > :furthest OR at > :slack)
    OR COALESCE((SELECT at FROM polls ORDER BY id DESC LIMIT 1), 0) > :slack
    OR EXISTS (SELECT 1 FROM host_turns WHERE until > :slack OR asked_at > :slack)
""")
_WAKE = text("""
    UPDATE feeds SET next_poll_at = :now, not_before = NULL
    WHERE next_poll_at > :now AND (next_poll_at > :furthest OR polled_at > :slack)
""")
_FORGET_PAUSES = text("DELETE FROM pauses WHERE until > :furthest OR at > :slack")
_FORGET_TURNS = text("DELETE FROM host_turns WHERE until > :slack OR asked_at > :slack")


class Pauses(Aggregate):
    """Hosts that asked to be left alone."""

    def pauses(self, now: datetime) -> Mapping[str, datetime]:
        """Hosts that are left alone, and until when."""
        with self.database.read() as connection:
            rows = connection.execute(_LEFT_ALONE, {"now": micros(now)})
            return {row.host: moment(row.until) for row in rows}

    def pause_host(self, pause: Pause) -> None:
        """Leave a host alone, or for longer than it is."""
        with self.database.write() as connection:
            put(connection, pause)

    def wake(self, now: datetime, *, furthest: datetime, slack: datetime) -> None:
        """Make due what a clock that was wrong put off: what waits beyond `furthest`, or was asked
        after `slack`. For every pass, and cheap when there is none of it."""
        values = {"now": micros(now), "furthest": micros(furthest), "slack": micros(slack)}
        with self.database.read() as connection:
            ahead = connection.scalar(_AHEAD, values)
        if ahead:
            with self.database.write() as connection:
                connection.execute(_WAKE, values)
                connection.execute(_FORGET_PAUSES, values)
                connection.execute(_FORGET_TURNS, values)


def put(connection: Connection, pause: Pause) -> None:
    """Leave a host alone. Pauses that are over go."""
    connection.execute(_OVER, {"now": micros(pause.at)})
    connection.execute(
        _PAUSE,
        {
            "host": pause.host,
            "at": micros(pause.at),
            "until": micros(pause.until),
            "because": pause.because,
        },
    )


def failing(connection: Connection, host: str, since: datetime, most: int) -> set[FeedId]:
    """Feeds of a host that have been failing since then, `most` at most."""
    values = {"host": host, "since": micros(since), "most": most}
    return {FeedId(feed) for feed in connection.scalars(_FAILING, values)}
