"""The records of domains: what came of their candidates, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, bindparam, text

from newsloom.coverage.domains import Rule, host_of, registrable
from newsloom.coverage.quality import (
    MOST_EXCLUDED,
    Band,
    Block,
    Policy,
    Reputation,
    Tally,
    excluded,
    reputation_of,
)
from newsloom.coverage.store.quality import recording
from newsloom.feeds.page_failures import FailureKind, Outcome
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.sql import many

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
            recording.record_outcomes(connection, outcomes, now, policy)

    def record_hits(self, hosts: Iterable[str], now: datetime, policy: Policy) -> None:
        """As `recording.record_hits`, in a transaction of its own."""
        with self.database.write() as connection:
            recording.record_hits(connection, hosts, now, policy)

    def domain_standings(
        self, hosts: Iterable[str], now: datetime, policy: Policy
    ) -> Mapping[str, Reputation]:
        """The standing of every host asked for, known or not, by the host as it was given."""
        wanted = {host: registrable(host) for host in hosts}
        names = sorted({*wanted.values()} - {""})
        with self.database.read() as connection:
            tallies = recording.tallies_of(connection, names, now, policy)
            blocks = recording.blocks_of(connection, names)
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
            tallies = recording.tallies_of(connection, names, now, policy)
            blocks = recording.blocks_of(connection, names)
            rules = _rules(connection)
            found = recording.rows_of_names(connection, _HITS_OF, names, since=since)
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
            blocks = {
                row.domain: recording.block_of(row) for row in connection.execute(_ALL_BLOCKS)
            }
            hits = _hits(connection, now, policy)
        names = (
            name
            for name in {*blocks, *rules}
            if reputation_of(name, (), blocks.get(name), rules, now, policy).band is Band.BLOCKED
        )
        return excluded(names, rules, hits, limit)


def _rules(connection: Connection) -> dict[str, Rule]:
    return {row.domain: Rule(row.rule) for row in connection.execute(_RULES)}


def _hits(connection: Connection, now: datetime, policy: Policy) -> dict[str, int]:
    since = {"since": micros(now - policy.retention)}
    return {row.domain: int(row.times) for row in connection.execute(_HITS, since)}


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
