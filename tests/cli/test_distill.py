"""`newsloom distill`, as a person types it."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

Newsloom = Callable[..., str]


def test_without_a_language_model_it_says_not_yet(newsloom: Newsloom) -> None:
    assert newsloom("distill", "sensitivity").startswith("Not yet: a language model has rated 0")
    found = json.loads(newsloom("distill", "sensitivity", "--json"))
    assert (found["promoted"], found["ratings"], found["of_each"]) == (False, 0, [0] * 5)


def test_there_is_nothing_to_undo(newsloom: Newsloom) -> None:
    assert "nothing to undo" in newsloom("distill", "sensitivity", "--undo")
    found = json.loads(newsloom("distill", "sensitivity", "--undo", "--json"))
    assert found["in_force"].startswith("ordinal-minilm@2/")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(("--maker", "chat/nobody/1"), "no ratings of 'chat/nobody/1'", id="unknown"),
        pytest.param(("--undo", "--maker", "x"), "--undo takes no --maker", id="both"),
    ],
)
def test_what_cannot_be_is_said(newsloom: Newsloom, arguments: tuple[str, ...], words: str) -> None:
    assert words in newsloom("distill", "sensitivity", *arguments, status=2)
