"""`store.duplicates`."""

from __future__ import annotations

from newsloom.store.duplicates.clusters import Clusters
from newsloom.store.duplicates.duplicate_writes import DuplicateWrites
from newsloom.store.duplicates.same_event import SameEventWrites
from newsloom.store.duplicates.witnesses import Witnesses


class DuplicateStore(DuplicateWrites, SameEventWrites, Clusters, Witnesses):
    """Which articles are the same, and the clusters they form."""
