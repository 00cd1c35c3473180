"""`store.users`."""

from __future__ import annotations

from newsloom.store.users.half_lives import OwnHalfLives
from newsloom.store.users.names import Names
from newsloom.store.users.pace import OwnPace


class UserStore(Names, OwnHalfLives, OwnPace):
    """Who reads here, and the half-lives and the pace each has chosen."""
