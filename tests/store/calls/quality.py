"""Calls of `store.quality`; those of them that only read."""

from __future__ import annotations

from newsloom.coverage.domains import Rule
from newsloom.coverage.quality import Policy
from store.builders import NOW

from .made import OUTCOME

CALLS = {
    "record_outcomes": lambda s: s.quality.record_outcomes([OUTCOME], NOW, Policy()),
    "record_hits": lambda s: s.quality.record_hits(["x.test"], NOW, Policy()),
    "domain_standings": lambda s: s.quality.domain_standings(["x.test"], NOW, Policy()),
    "domain_records": lambda s: s.quality.domain_records(NOW, Policy()),
    "count_domains": lambda s: s.quality.count_domains(NOW, Policy()),
    "excluded_domains": lambda s: s.quality.excluded_domains(NOW, Policy()),
    "domain_rules": lambda s: s.quality.domain_rules(),
    "set_domain_rule": lambda s: s.quality.set_domain_rule("x.test", Rule.BLOCK, NOW),
    "forget_domain": lambda s: s.quality.forget_domain("x.test"),
}
READS = {
    "count_domains",
    "domain_records",
    "domain_rules",
    "domain_standings",
    "excluded_domains",
}
