"""The page about keys, and what a reader may choose on it."""

from __future__ import annotations

import html
import json
import re

import pytest

from newsloom.accounts.key_values import KEY_ACTIONS, KEY_PRESETS, PRESET, keys_of
from newsloom.accounts.service.preferences import check
from web.conftest import Visitor


def keys(visitor: Visitor) -> dict[str, list[str]]:
    """What the pages tell their script."""
    found = re.search(r"data-keys='([^']*)'", visitor.get("/").text)
    return json.loads(html.unescape(found[1]))


@pytest.mark.parametrize("preset", KEY_PRESETS, ids=lambda preset: preset.name)
def test_a_preset_has_a_key_for_each_action_and_none_twice(preset) -> None:
    found = keys_of({("", PRESET): preset.name})
    check(found)
    assert all(found.values())
    assert {*preset.keys} <= {action.name for action in KEY_ACTIONS}


def test_keys_are_chosen_named_and_taken_back(visitor: Visitor) -> None:
    usual = keys(visitor)
    assert usual["next"] == ["j"]
    answer = visitor.post("/keys", {"next": "y, é", "like": "", "go-starred": "z f"})
    assert answer.status_code == 303
    assert keys(visitor) == usual | {"next": ["y", "é"], "like": [], "go-starred": ["z f"]}
    page = visitor.get("/").text
    assert "Like&" not in page
    assert 'title="Like"' in page  # no key is named that is none
    visitor.post("/keys", {"star": "q"})
    assert 'title="Star (q)"' in visitor.get("/").text
    assert keys(visitor)["next"] == ["y", "é"]
    visitor.post("/keys", {"preset": "miniflux"})
    assert keys(visitor)["star"] == ["f"]
    assert keys(visitor)["next"] == ["j", "n"]
    visitor.post("/keys", {"preset": "google"})
    assert keys(visitor) == usual | {"go-starred": ["g s"], "go-stories": ["g S"]}
    visitor.post("/keys", {"preset": "newsloom"})
    assert keys(visitor) == usual


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"next": "l"}, "“l” cannot be both “next” and “like”."),
        ({"like": "g"}, "“g” is already used for “like”"),
        ({"next": "Enter"}, "“Enter” is not a key"),
        ({"next": "a b c"}, "“a b c” is not a key"),
        ({"next": "a, b, c, e"}, "An action can have at most 3 keys."),
        ({"preset": "emacs"}, "There is no such preset."),
    ],
    ids=str,
)
def test_keys_that_cannot_be_are_refused_and_nothing_is_kept(
    visitor: Visitor, form: dict[str, str], says: str
) -> None:
    usual = keys(visitor)
    answer = visitor.post("/keys", {"star": "y", **form})
    assert answer.status_code == 400
    assert says in html.unescape(answer.text)
    assert keys(visitor) == usual
