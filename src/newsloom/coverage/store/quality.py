"""The records of domains: what came of their candidates, and what follows from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, text

from newsloom.coverage.domains import Rule, host_of, registrable
from newsloom.coverage.quality import (
    MOST_EXCLUDED,
    Band,
    Block,
    Policy,
    Reputation,
    Tally,
    block_after,
    excluded,
    reputation_of,
    tallied,
)
from newsloom.feeds.page_failures import FailureKind, Outcome
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.db.sql import CHUNK, Aggregate, many

EVERY = 2**31 - 1  # as many as there are

_RULES = text("SELECT domain, rule FROM domain_rules ORDER BY domain")
_ALL_BLOCKS = text("SELECT * FROM domain_blocks")
_HITS = text(
    "SELECT domain, SUM(times) AS times FROM domain_hits WHERE at >= :since GROUP BY domain"
)
_HITS_OF = many("""
    SELECT domain, SUM(times) AS times FROM domain_hits WHERE domain IN :ids AND at >= :since
    GROUP BY domain
""")
# Every domain with a record or a rule. Kinds of a newer Newsloom count for nothing.
_DOMAINS = """
    SELECT domain, SUM(times) AS attempts FROM (
        SELECT domain, times FROM domain_outcomes WHERE at >= :since AND kind IN :kinds
        UNION ALL SELECT domain, 0 FROM domain_blocks
        UNION ALL SELECT domain, 0 FROM domain_rules
    ) AS found GROUP BY domain
"""
_KINDS = ["", *(one.value for one in FailureKind)]
_MOST_ATTEMPTED = text(
    f"{_DOMAINS} ORDER BY attempts DESC, domain LIMIT :most OFFSET :after"
).bindparams(bindparam("kinds", _KINDS, expanding=True))
_COUNTED = text(f"SELECT COUNT(*) FROM ({_DOMAINS}) AS domains").bindparams(  # noqa: S608
    bindparam("kinds", _KINDS, expanding=True)
)


@dataclass(frozen=True, slots=True)
class DomainRecord:
    """A domain as the page and the command show it. Numbers are whole, of the time that is kept."""

    reputation: Reputation
    successes: int
    failures: Mapping[FailureKind, int]
    hits: int  # among the results of searches
    last_at: datetime | None  # of its newest outcome, by the hour

    @property
    def attempts(self) -> int:
        return self.successes + sum(self.failures.values())


class Records(Aggregate):
    """The records of domains. Each method may be called from any process at any time."""

    def record_outcomes(self, outcomes: Iterable[Outcome], now: datetime, policy: Policy) -> None:
        """As `recording.record_outcomes`, in a transaction of its own."""
        with self.database.write() as connection:
            record_outcomes(connection, outcomes, now, policy)

    def record_hits(self, hosts: Iterable[str], now: datetime, policy: Policy) -> None:
        """As `recording.record_hits`, in a transaction of its own."""
        with self.database.write() as connection:
            record_hits(connection, hosts, now, policy)

    def domain_standings(
        self, hosts: Iterable[str], now: datetime, policy: Policy
    ) -> Mapping[str, Reputation]:
        """The standing of every host asked for, known or not, by the host as it was given."""
        wanted = {host: registrable(host) for host in hosts}
        names = sorted({*wanted.values()} - {""})
        with self.database.read() as connection:
            tallies = tallies_of(connection, names, now, policy)
            blocks = blocks_of(connection, names)
            rules = _rules(connection)
        return {
            host: reputation_of(
                host_of(host), tallies.get(name, ()), blocks.get(name), rules, now, policy
            )
            for host, name in wanted.items()
        }

    def domain_records(
        self, now: datetime, policy: Policy, *, most: int = EVERY, after: int = 0
    ) -> tuple[DomainRecord, ...]:
        """Domains with a record or a rule, those with the most attempts first.

        At most so many, after so many: only of those their outcomes are read, of which there are
        dozens for each.
        """
        since = micros(now - policy.retention)
        asked = {"since": since, "most": most, "after": after}
        with self.database.read() as connection:
            names = [row.domain for row in connection.execute(_MOST_ATTEMPTED, asked)]
            tallies = tallies_of(connection, names, now, policy)
            blocks = blocks_of(connection, names)
            rules = _rules(connection)
            found = rows_of_names(connection, _HITS_OF, names, since=since)
            hits = {row.domain: int(row.times) for row in found}
        return tuple(
            _record(name, tallies.get(name, []), blocks.get(name), rules, hits, now, policy)
            for name in names
        )

    def count_domains(self, now: datetime, policy: Policy) -> int:
        """How many domains have a record or a rule."""
        return self._value(_COUNTED, int, since=now - policy.retention) or 0

    def excluded_domains(
        self, now: datetime, policy: Policy, limit: int = MOST_EXCLUDED
    ) -> tuple[str, ...]:
        """Blocked domains for the `-site:` of a search, those found most often first."""
        with self.database.read() as connection:
            rules = _rules(connection)
            blocks = {row.domain: block_of(row) for row in connection.execute(_ALL_BLOCKS)}
            since = {"since": micros(now - policy.retention)}
            hits = {row.domain: int(row.times) for row in connection.execute(_HITS, since)}
        names = (
            name
            for name in {*blocks, *rules}
            if reputation_of(name, (), blocks.get(name), rules, now, policy).band is Band.BLOCKED
        )
        return excluded(names, rules, hits, limit)


def _rules(connection: Connection) -> dict[str, Rule]:
    return {row.domain: Rule(row.rule) for row in connection.execute(_RULES)}


def _record(
    name: str,
    tallies: list[Tally],
    block: Block | None,
    rules: Mapping[str, Rule],
    hits: Mapping[str, int],
    now: datetime,
    policy: Policy,
) -> DomainRecord:
    failures: dict[FailureKind, int] = {}
    for one in tallies:
        if one.kind is not None:
            failures[one.kind] = failures.get(one.kind, 0) + one.times
    return DomainRecord(
        reputation=reputation_of(name, tallies, block, rules, now, policy),
        successes=sum(one.times for one in tallies if one.kind is None),
        failures=dict(sorted(failures.items(), key=lambda row: (-row[1], row[0]))),
        hits=hits.get(name, 0),
        last_at=max((one.at for one in tallies), default=None),
    )


# Recording what came of candidates, and blocking what follows from it.
# These take a connection of a transaction that writes alone (`Database.write`), so that discovery
# records in the transaction of its own writes: killed between, neither is kept.

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
_KIND_OF: Mapping[str, FailureKind | None] = {"": None, **{one.value: one for one in FailureKind}}
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
        kind = _KIND_OF[row.kind]
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


_SET = text("""
    INSERT INTO domain_rules (domain, rule, set_at) VALUES (:domain, :rule, :at)
    ON CONFLICT (domain) DO UPDATE SET rule = excluded.rule, set_at = excluded.set_at
""")
_FORGET = (
    text("DELETE FROM domain_rules WHERE domain = :domain"),
    text("DELETE FROM domain_blocks WHERE domain = :domain"),
    text("DELETE FROM domain_outcomes WHERE domain = :domain"),
)


class QualityStore(Records):
    """Records of domains, and rules about them."""

    def domain_rules(self) -> Mapping[str, Rule]:
        with self.database.read() as connection:
            return {row.domain: Rule(row.rule) for row in connection.execute(_RULES)}

    def set_domain_rule(self, domain: str, rule: Rule, at: datetime) -> None:
        """Set a rule for a name as `related.domains.host_of` gives it."""
        self._change(_SET, domain=domain, rule=rule.value, at=at)

    def forget_domain(self, domain: str) -> None:
        """Forget the rule set for a name, and its record with the block that followed."""
        with self.database.write() as connection:
            for statement in _FORGET:
                connection.execute(statement, {"domain": domain})
