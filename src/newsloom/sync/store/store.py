"""`store.syncing`."""

from __future__ import annotations

from newsloom.sync.store.streams import SyncStreams


class SyncStore(SyncStreams):
    """What the sync APIs read. What they change they change as the pages do."""
