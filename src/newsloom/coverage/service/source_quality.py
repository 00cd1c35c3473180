"""How far the pages of other publishers can be used for related coverage, and the reader's rules.

Records are of all readers of this Newsloom: pages are fetched once for all. So are the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from newsloom.coverage.domains import Rule, host_of
from newsloom.coverage.quality import Policy
from newsloom.coverage.store.quality.records import DomainRecord
from newsloom.kernel.errors import UserError
from newsloom.kernel.text import urls
from newsloom.store import Store

# Readers set few by hand; a program that sets more is at fault.
MOST_RULES = 10_000


@dataclass(frozen=True, slots=True)
class SourceQuality:
    """Methods may be called from any thread."""

    store: Store
    now: Callable[[], datetime]
    policy: Policy
    on_change: Callable[[], None]

    def all(self) -> tuple[DomainRecord, ...]:
        """Every domain with a record or a rule, those with the most attempts first."""
        return self.store.quality.domain_records(self.now(), self.policy)

    def part(self, most: int, after: int) -> tuple[tuple[DomainRecord, ...], int]:
        """At most so many of them after so many, and how many there are."""
        now = self.now()
        found = self.store.quality.domain_records(now, self.policy, most=most, after=after)
        return found, self.store.quality.count_domains(now, self.policy)

    def set_rule(self, domain: str, rule: Rule) -> str:
        """Allow or block a domain, or a host below it; the name it is kept under.

        Raises UserError for what is none.
        """
        name = self._named(domain)
        rules = self.store.quality.domain_rules()
        if name not in rules and len(rules) >= MOST_RULES:
            raise UserError(f"You already have {MOST_RULES:,} rules. Delete some first.")
        self.store.quality.set_domain_rule(name, rule, self.now())
        self.on_change()
        return name

    def forget(self, domain: str) -> str:
        """Forget the rule of a domain and all that was recorded of it; its name."""
        name = self._named(domain)
        self.store.quality.forget_domain(name)
        self.on_change()
        return name

    def _named(self, domain: str) -> str:
        name = host_of(domain)
        if "." not in name or urls.is_suffix(name):
            raise UserError(f"{domain[:60]!r} is not a domain such as example.org.")
        return name
