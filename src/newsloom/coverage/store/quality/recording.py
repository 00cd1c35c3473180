"""Recording what came of candidates, and blocking what follows from it.

These take a connection of a transaction that writes alone (`Database.write`), so that discovery
records in the transaction of its own writes: killed between, neither is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, text

from newsloom.coverage.blocks import block_after
from newsloom.coverage.domains import registrable
from newsloom.coverage.quality import Block, Policy, Tally, tallied
from newsloom.feeds.page_failures import FailureKind, Outcome
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.db.sql import CHUNK, many

_ADD = text("""
    INSERT INTO domain_outcomes (domain, at, kind, times, judged, scored)
    VALUES (:domain, :at, :kind, :times, :judged, :scored)
    ON CONFLICT (domain, at, kind) DO UPDATE SET times = domain_outcomes.times + excluded.times,
        judged = domain_outcomes.judged + excluded.judged,
        scored = domain_outcomes.scored + excluded.scored
""")
_PRUNE = text("DELETE FROM domain_outcomes WHERE domain = :domain AND at < :before")
_HIT = text("""
    INSERT INTO domain_hits (domain, at, times) VALUES (:domain, :at, :times)
    ON CONFLICT (domain, at) DO UPDATE SET times = domain_hits.times + excluded.times
""")
_PRUNE_HITS = text("DELETE FROM domain_hits WHERE domain = :domain AND at < :before")
_BLOCK = text("""
    INSERT INTO domain_blocks (domain, since, until, times, lifted_at)
    VALUES (:domain, :since, :until, :times, :lifted_at)
    ON CONFLICT (domain) DO UPDATE SET since = excluded.since, until = excluded.until,
        times = excluded.times, lifted_at = excluded.lifted_at
""")
_KINDS: Mapping[str, FailureKind | None] = {"": None, **{one.value: one for one in FailureKind}}
_TALLIES = many("SELECT * FROM domain_outcomes WHERE domain IN :ids AND at >= :since")
_BLOCKS = many("SELECT * FROM domain_blocks WHERE domain IN :ids")


def record_outcomes(
    connection: Connection, outcomes: Iterable[Outcome], now: datetime, policy: Policy
) -> None:
    """Add what came of candidates, and block or release the domains that are due for it.

    Outcomes of our own failures and of hosts without a name leave nothing. Times after `now` are
    taken for now.
    """
    added = tallied(outcomes)
    if not added:
        return
    rows = [
        {"domain": domain, "kind": one.kind or "", "at": micros(min(one.at, now)),
         "times": one.times, "judged": one.judged, "scored": one.scored}
        for domain, tallies in sorted(added.items())
        for one in tallies
    ]  # fmt: skip
    connection.execute(_ADD, rows)
    before = micros(now - policy.retention)
    connection.execute(_PRUNE, [{"domain": domain, "before": before} for domain in added])
    _decide(connection, sorted(added), now, policy)


def record_hits(
    connection: Connection, hosts: Iterable[str], now: datetime, policy: Policy
) -> None:
    """Count the hosts among the results of a search."""
    found = Counter(registrable(host) for host in hosts)
    del found[""]
    if not found:
        return
    day = now.replace(hour=0, minute=0, second=0, microsecond=0)
    values = [
        {"domain": domain, "at": micros(day), "times": times}
        for domain, times in sorted(found.items())
    ]
    connection.execute(_HIT, values)
    before = micros(now - policy.retention)
    connection.execute(_PRUNE_HITS, [{"domain": domain, "before": before} for domain in found])


def tallies_of(
    connection: Connection, domains: Sequence[str], now: datetime, policy: Policy
) -> Mapping[str, list[Tally]]:
    """What is kept of domains and not too old to count."""
    found: dict[str, list[Tally]] = {}
    since = micros(now - policy.retention)
    for row in rows_of_names(connection, _TALLIES, domains, since=since):
        tally = tally_of(row)
        if tally is not None:
            found.setdefault(row.domain, []).append(tally)
    return found


def blocks_of(connection: Connection, domains: Sequence[str]) -> Mapping[str, Block]:
    """The last block of each domain that ever had one."""
    return {row.domain: block_of(row) for row in rows_of_names(connection, _BLOCKS, domains)}


def tally_of(row: Row[Any]) -> Tally | None:
    """None for a kind that a newer Newsloom wrote."""
    try:
        kind = _KINDS[row.kind]
    except KeyError:
        return None
    return Tally(moment(row.at), kind, row.times, row.judged, row.scored)


def block_of(row: Row[Any]) -> Block:
    lifted = moment(row.lifted_at) if row.lifted_at is not None else None
    return Block(moment(row.since), moment(row.until), row.times, lifted)


def _decide(connection: Connection, domains: Sequence[str], now: datetime, policy: Policy) -> None:
    tallies = tallies_of(connection, domains, now, policy)
    blocks = blocks_of(connection, domains)
    for domain in domains:
        before = blocks.get(domain)
        after = block_after(tallies.get(domain, ()), before, now, policy)
        if after is not None and after != before:
            lifted = micros(after.lifted_at) if after.lifted_at else None
            values = {"domain": domain, "since": micros(after.since), "until": micros(after.until)}
            connection.execute(_BLOCK, {**values, "times": after.times, "lifted_at": lifted})


def rows_of_names(
    connection: Connection, query: Any, names: Sequence[str], **values: Any
) -> list[Row[Any]]:
    """As sql.rows_of, of names."""
    found: list[Row[Any]] = []
    for start in range(0, len(names), CHUNK):
        values["ids"] = list(names[start : start + CHUNK])
        found += connection.execute(query, values).all()
    return found
