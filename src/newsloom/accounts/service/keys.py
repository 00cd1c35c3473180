"""The keys of pages as a reader chooses them. What cannot be told apart is refused, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from newsloom.accounts.key_values import (
    KEY_ACTIONS,
    KEY_PREFIX,
    KEY_PRESETS,
    MOST_KEYS,
    PRESET,
    preset_of,
)
from newsloom.accounts.preference_values import EVERYWHERE
from newsloom.kernel.errors import UserError

if TYPE_CHECKING:
    from newsloom.app.reader import Reader


def choose_preset(reader: Reader, name: str) -> None:
    """Keep all keys as a preset has them: what was chosen one by one is forgotten.

    Raises UserError for one there is not.
    """
    if name not in {one.name for one in KEY_PRESETS}:
        raise UserError("There is no such preset.")
    kept: dict[tuple[str, str], str | None] = {
        (EVERYWHERE, KEY_PREFIX + action.name): None for action in KEY_ACTIONS
    }
    kept[EVERYWHERE, PRESET] = name
    reader.store.users.set_preferences(reader.user, kept)


def choose_keys(reader: Reader, typed: Mapping[str, str]) -> None:
    """Keep the keys of actions, by name, as typed: several with commas between.

    Raises UserError, and then keeps none.
    """
    preset = preset_of(reader.store.users.preferences(reader.user))
    asked = {
        action.name: _keys(typed[action.name]) for action in KEY_ACTIONS if action.name in typed
    }
    usual = {one.name: preset.keys.get(one.name, one.keys) for one in KEY_ACTIONS}
    check({**usual, **asked})
    kept: dict[tuple[str, str], str | None] = {
        (EVERYWHERE, KEY_PREFIX + name): None if keys == usual[name] else ",".join(keys)
        for name, keys in asked.items()
    }
    reader.store.users.set_preferences(reader.user, kept)


def check(keys: Mapping[str, tuple[str, ...]]) -> None:
    """That no key stands for two actions. Raises UserError."""
    taken: dict[str, str] = {}
    for action in KEY_ACTIONS:
        for key in keys[action.name]:
            if key in taken:
                raise UserError(f"“{key}” cannot be both “{taken[key]}” and “{action.words}”.")
            taken[key] = action.words
    for key, words in taken.items():
        first = key.partition(" ")[0]
        if first != key and first in taken:
            raise UserError(
                f"“{first}” is already used for “{taken[first]}”, so “{key}” ({words}) cannot be "
                f"reached."
            )


def _keys(typed: str) -> tuple[str, ...]:
    found = dict.fromkeys(" ".join(one.split()) for one in typed.split(","))
    keys = tuple(filter(None, found))
    if len(keys) > MOST_KEYS:
        raise UserError(f"An action can have at most {MOST_KEYS} keys.")
    for key in keys:
        signs = key.split(" ")
        if len(signs) > 2 or any(len(sign) != 1 or not sign.isprintable() for sign in signs):
            raise UserError(
                f"“{key[:20]}” is not a key. Use one character, for example m or M, or two with a "
                f"space between, for example g m."
            )
    return keys
