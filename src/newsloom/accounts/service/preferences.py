"""What a reader has chosen for themselves. A choice that is none is refused."""

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
from newsloom.accounts.preference_values import (
    EVERYWHERE,
    LONGEST_CSS,
    OWN_CSS,
    TOUR,
    TOUR_SEEN,
    Preference,
    Preferences,
)
from newsloom.kernel.errors import UserError

if TYPE_CHECKING:
    from newsloom.app.reader import Reader


def preferences(reader: Reader) -> Preferences:
    """All that is chosen."""
    return Preferences(reader.store.users.preferences(reader.user))


def choose(reader: Reader, chosen: Mapping[Preference, str], own_css: str | None = None) -> None:
    """Keep choices for everywhere. Raises UserError, and then keeps none."""
    for preference, value in chosen.items():
        _check(preference, value)
    kept: dict[tuple[str, str], str | None] = {
        (EVERYWHERE, one.name): value for one, value in chosen.items()
    }
    if own_css is not None:
        if len(own_css) > LONGEST_CSS:
            raise UserError(f"Custom CSS can have at most {LONGEST_CSS:,} characters.")
        kept[EVERYWHERE, OWN_CSS] = own_css.replace("\0", "").strip() or None
    reader.store.users.set_preferences(reader.user, kept)


def choose_in(
    reader: Reader, scope: str, preference: Preference, value: str, *, everywhere: bool
) -> None:
    """Keep one choice, for a scope or for everywhere; then the scope says nothing of its own."""
    _check(preference, value)
    if everywhere or scope == EVERYWHERE:
        kept: dict[tuple[str, str], str | None] = {(EVERYWHERE, preference.name): value}
        if scope != EVERYWHERE:
            kept[scope, preference.name] = None
    else:
        kept = {(scope, preference.name): value}
    reader.store.users.set_preferences(reader.user, kept)


def show_tour(reader: Reader, *, show: bool) -> None:
    """Begin the tour again, or end it."""
    reader.store.users.set_preferences(
        reader.user, {(EVERYWHERE, TOUR): None if show else TOUR_SEEN}
    )


def _check(preference: Preference, value: str) -> None:
    allowed = [one for one, _words in preference.choices]
    if value not in allowed:
        raise UserError(f"{preference.words}: choose one of {', '.join(allowed)}.")


# The keys of pages as a reader chooses them. What cannot be told apart is refused, in words.


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
    """Check that no key is assigned to two actions. Raises UserError."""
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
