"""Calls of `store.sources`; those of them that only read."""

from __future__ import annotations

from store.builders import NOW

from .made import USER

CALLS = {
    "source_facts": lambda s: s.sources.source_facts(["x.test"]),
    "sources_measured_at": lambda s: s.sources.sources_measured_at(),
    "feed_sources": lambda s: s.sources.feed_sources(USER),
    "measure_sources": lambda s: s.sources.measure_sources(NOW),
    "own_tiers": lambda s: s.sources.own_tiers(USER),
    "set_tier": lambda s: s.sources.set_tier(USER, "x.test", 1, NOW),
}
READS = {
    "feed_sources",
    "own_tiers",
    "source_facts",
    "sources_measured_at",
}
