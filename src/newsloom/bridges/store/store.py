"""`store.bridges`."""

from __future__ import annotations

from newsloom.bridges.store.accounts import Accounts
from newsloom.bridges.store.entries import Entries
from newsloom.bridges.store.importing import Importing
from newsloom.bridges.store.writes import Writes


class BridgeStore(Accounts, Entries, Writes, Importing):
    """What comes from elsewhere: readers that marks are exchanged with, and labelled articles."""
