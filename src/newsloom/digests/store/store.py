"""`store.digests`."""

from __future__ import annotations

from newsloom.digests.store.addresses import FeedAddresses
from newsloom.digests.store.archive import Archive
from newsloom.digests.store.outbox import Outbox
from newsloom.digests.store.schedules import Schedules


class DigestStore(Schedules, Archive, Outbox, FeedAddresses):
    """Schedules of digests, the archive, the outbox, secret addresses of feeds."""
