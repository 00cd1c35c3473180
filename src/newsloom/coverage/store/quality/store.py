"""`store.quality`."""

from __future__ import annotations

from newsloom.coverage.store.quality.records import Records
from newsloom.coverage.store.quality.rules import Rules


class QualityStore(Records, Rules):
    """Records of domains, and rules about them."""
