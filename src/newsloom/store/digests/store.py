"""`store.digests`."""

from __future__ import annotations

from newsloom.store.digests.addresses import FeedAddresses
from newsloom.store.digests.archive import Archive
from newsloom.store.digests.outbox import Outbox
from newsloom.store.digests.schedules import Schedules


class DigestStore(Schedules, Archive, Outbox, FeedAddresses):
    """Schedules of digests, the archive, the outbox, secret addresses of feeds."""
