"""Calls of `store.users`; those of them that only read."""

from __future__ import annotations

from store.builders import HALF_LIVES, NOW

from .made import USER

CALLS = {
    "preferences": lambda s: s.users.preferences(USER),
    "set_preferences": lambda s: s.users.set_preferences(USER, {("", "look"): "cards"}),
    "saved_lists": lambda s: s.users.saved_lists(USER),
    "save_list": lambda s: s.users.save_list(USER, "mine", "q=tide", NOW),
    "rename_list": lambda s: s.users.rename_list(USER, 1, "ours"),
    "set_list_place": lambda s: s.users.set_list_place(USER, 1, "q=ebb"),
    "set_list_token": lambda s: s.users.set_list_token(USER, 1, "token"),
    "drop_list": lambda s: s.users.drop_list(USER, 1),
    "list_of": lambda s: s.users.list_of("token"),
    "user": lambda s: s.users.user("new", NOW),
    "users": lambda s: s.users.users(),
    "present": lambda s: s.users.present(NOW),
    "user_since": lambda s: s.users.user_since(USER),
    "half_lives": lambda s: s.users.half_lives(USER),
    "set_half_lives": lambda s: s.users.set_half_lives(USER, (9.0, 8.0, 7.0, 6.0, 5.0), HALF_LIVES),
    "fade": lambda s: s.users.fade(USER),
    "set_fade": lambda s: s.users.set_fade(USER, 0.01),
}
READS = {
    "fade",
    "half_lives",
    "list_of",
    "preferences",
    "present",
    "saved_lists",
    "user_since",
    "users",
}
