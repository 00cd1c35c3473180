"""`store.users`."""

from __future__ import annotations

from newsloom.accounts.store.users.half_lives import OwnHalfLives
from newsloom.accounts.store.users.names import Names
from newsloom.accounts.store.users.preferences import OwnPreferences
from newsloom.accounts.store.users.saved_lists import SavedLists


class UserStore(Names, OwnHalfLives, OwnPreferences, SavedLists):
    """Who reads here, and what each has chosen and kept: half-lives, a pace, looks, lists."""
