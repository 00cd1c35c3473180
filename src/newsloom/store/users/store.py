"""`store.users`."""

from __future__ import annotations

from newsloom.store.users.half_lives import OwnHalfLives
from newsloom.store.users.names import Names
from newsloom.store.users.preferences import OwnPreferences


class UserStore(Names, OwnHalfLives, OwnPreferences):
    """Who reads here, and what each has chosen: half-lives, a pace, how pages look."""
