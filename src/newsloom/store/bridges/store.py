"""`store.bridges`."""

from __future__ import annotations

from newsloom.store.bridges.accounts import Accounts
from newsloom.store.bridges.entries import Entries
from newsloom.store.bridges.importing import Importing
from newsloom.store.bridges.writes import Writes


class BridgeStore(Accounts, Entries, Writes, Importing):
    """What comes from elsewhere: readers that marks are exchanged with, and labelled articles."""
