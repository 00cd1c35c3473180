"""`store.lists`."""

from __future__ import annotations

from newsloom.reading.store.lists.followed import Followed
from newsloom.reading.store.lists.lists import Listings
from newsloom.reading.store.lists.search import Search


class ListStore(Listings, Search, Followed):
    """What a reader looks at: ranked lists, pages of them, search, feeds with what is unread."""
