"""`store.briefs`."""

from __future__ import annotations

from newsloom.store.aggregate import Aggregate


class BriefStore(Aggregate):
    """Schedules of briefs, the archive, the outbox, places of listening, pronunciations."""
