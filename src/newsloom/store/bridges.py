"""The BridgeStore role, one class per noun."""

from __future__ import annotations

from newsloom.store.bridge_accounts import BridgeAccounts
from newsloom.store.bridge_entries import BridgeEntries
from newsloom.store.bridge_writes import BridgeWrites


class Bridges(BridgeAccounts, BridgeEntries, BridgeWrites):
    """See ports.BridgeStore."""
