"""Calls of `store.bridges`; those of them that only read."""

from __future__ import annotations

from newsloom.bridges.values import RemoteFeed
from store.builders import HALF_LIVES, NOW

from .made import ACCOUNT, ONE, REMOTE, USER, WRITE


def importing(store):
    with store.bridges.importing(USER):
        pass


def bridging(store):
    with store.bridges.bridging(ACCOUNT):
        pass


CALLS = {
    "importing": importing,
    "whole": lambda s: s.bridges.whole([ONE]),
    "bridge_account": lambda s: s.bridges.bridge_account("test", REMOTE, NOW),
    "bridge_accounts": lambda s: s.bridges.bridge_accounts("test"),
    "put_remote_feeds": lambda s: s.bridges.put_remote_feeds(ACCOUNT, [RemoteFeed("1", "t")], NOW),
    "known_entries": lambda s: s.bridges.known_entries(ACCOUNT, [1]),
    "unread_entries": lambda s: s.bridges.unread_entries(ACCOUNT),
    "marked_entries": lambda s: s.bridges.marked_entries(ACCOUNT),
    "rated_entries": lambda s: s.bridges.rated_entries(ACCOUNT),
    "bridging": bridging,
    "ranked_entries": lambda s: s.bridges.ranked_entries(ACCOUNT, NOW, HALF_LIVES, "s"),
    "remote_present": lambda s: s.bridges.remote_present(ACCOUNT),
    "want": lambda s: s.bridges.want(ACCOUNT, [WRITE], NOW),
    "pending_writes": lambda s: s.bridges.pending_writes(ACCOUNT, NOW, 1),
    "waiting_writes": lambda s: s.bridges.waiting_writes(ACCOUNT),
    "writes_done": lambda s: s.bridges.writes_done(ACCOUNT, [WRITE]),
    "put_off": lambda s: s.bridges.put_off(ACCOUNT, [(WRITE, NOW)], "why"),
    "drop_writes": lambda s: s.bridges.drop_writes(ACCOUNT, [WRITE]),
    "bridge_synced": lambda s: s.bridges.bridge_synced(ACCOUNT, NOW),
    "bridge_failed": lambda s: s.bridges.bridge_failed(ACCOUNT, "why", NOW),
}
READS = {
    "bridge_accounts",
    "known_entries",
    "marked_entries",
    "pending_writes",
    "rated_entries",
    "remote_present",
    "ranked_entries",
    "unread_entries",
    "waiting_writes",
    "whole",
}
