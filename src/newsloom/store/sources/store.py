"""`store.sources`."""

from __future__ import annotations

from newsloom.store.sources.measures import Measures
from newsloom.store.sources.tiers import OwnTiers


class SourceStore(Measures, OwnTiers):
    """What was measured of sources, and the tiers that readers set."""
