"""Whose turn each host is, among all processes that use this store. Decides no pause.

A row stands for a host that somebody asks, asked a moment ago, or waits for.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from newsloom.feeds.values.polling import HostLease
from newsloom.kernel.db import owners
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.db.dialects import lock_names, portable

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
                if owners.alive(row.owner):
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
    return [one for one in connection.scalars(_OWNERS) if not owners.alive(one)]


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
