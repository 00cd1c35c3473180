"""Calls of `store.users`; those of them that only read."""

from __future__ import annotations

from store.builders import HALF_LIVES, NOW

from .made import USER

CALLS = {
    "user": lambda s: s.users.user("new", NOW),
    "users": lambda s: s.users.users(),
    "half_lives": lambda s: s.users.half_lives(USER),
    "set_half_lives": lambda s: s.users.set_half_lives(USER, (9.0, 8.0, 7.0, 6.0, 5.0), HALF_LIVES),
    "fade": lambda s: s.users.fade(USER),
    "set_fade": lambda s: s.users.set_fade(USER, 0.01),
}
READS = {
    "fade",
    "half_lives",
    "users",
}
