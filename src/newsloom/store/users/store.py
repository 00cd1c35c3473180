"""`store.users`."""

from __future__ import annotations

from newsloom.store.users.half_lives import OwnHalfLives
from newsloom.store.users.names import Names


class UserStore(Names, OwnHalfLives):
    """Who reads here, and the half-lives and the pace each has chosen."""
