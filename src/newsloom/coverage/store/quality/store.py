"""`store.quality`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import text

from newsloom.coverage.domains import Rule
from newsloom.coverage.store.quality.records import Records

# Rules of the reader about domains, and forgetting what is known of one.

_RULES = text("SELECT domain, rule FROM domain_rules ORDER BY domain")
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
