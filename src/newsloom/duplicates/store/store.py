"""`store.duplicates`."""

from __future__ import annotations

from newsloom.duplicates.store.clusters import Clusters
from newsloom.duplicates.store.duplicate_writes import DuplicateWrites
from newsloom.duplicates.store.same_event import SameEventWrites
from newsloom.duplicates.store.witnesses import Witnesses


class DuplicateStore(DuplicateWrites, SameEventWrites, Clusters, Witnesses):
    """Which articles are the same, and the clusters they form."""
