"""What a reader has chosen for themselves. A choice that is none is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    from collections.abc import Mapping

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
