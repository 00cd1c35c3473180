"""What a reader chooses for pages: what holds where, and what is refused."""

from __future__ import annotations

import pytest

from newsloom.accounts.preference_values import (
    LINE_HEIGHT,
    LOOK,
    PREFERENCES,
    TEXT_SIZE,
    Preferences,
    scopes_of,
)


def test_the_narrowest_scope_that_says_holds() -> None:
    chosen = Preferences({("", "look"): "cards", ("feed:3", "look"): "compact"})
    assert chosen.value(LOOK) == "cards"
    assert chosen.value(LOOK, *scopes_of(3, "News")) == "compact"
    assert chosen.value(LOOK, *scopes_of(4, None)) == "cards"
    assert chosen.value(LOOK, *scopes_of(None, "News")) == "cards"
    assert Preferences({}).value(LOOK) == "list"


def test_a_choice_of_another_version_is_none() -> None:
    assert Preferences({("", "look"): "hologram"}).value(LOOK) == "list"


@pytest.mark.parametrize("preference", PREFERENCES, ids=lambda one: one.name)
def test_every_preference_can_be_shown(preference: object) -> None:
    names = [value for value, _words in preference.choices]  # type: ignore[attr-defined]
    words = [words for _value, words in preference.choices]  # type: ignore[attr-defined]
    assert len({*names}) == len(names) > 1
    assert all(words)


def test_numbers_are_numbers() -> None:
    for preference in (TEXT_SIZE, LINE_HEIGHT):
        assert all(float(value) > 0 for value, _words in preference.choices)
