"""`store.syncing`."""

from __future__ import annotations

from newsloom.store.syncing.streams import SyncStreams


class SyncStore(SyncStreams):
    """What the sync APIs read. What they change they change as the pages do."""
