"""`store.sources`."""

from __future__ import annotations

from newsloom.importance.store.measures import Measures
from newsloom.importance.store.tiers import OwnTiers


class SourceStore(Measures, OwnTiers):
    """What was measured of sources, and the tiers that readers set."""
