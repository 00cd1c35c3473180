"""How far a source is to be believed: tiers, rules, what was measured. Pure but for its table."""

from newsloom.importance.sources.authority import authority, explained, known_tier, owner_of
from newsloom.importance.sources.table import source_of

__all__ = ["authority", "explained", "known_tier", "owner_of", "source_of"]
