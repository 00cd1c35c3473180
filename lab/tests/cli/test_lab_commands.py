"""The commands that newsloom-lab adds to `newsloom`, found by its entry points."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Newsloom = Callable[..., str]

KINDS = {"relevance", "same-event", "sensitivity", "entities", "dedup", "polling", "full-text"}


def listed(help_page: str) -> set[str]:
    return {line.split()[0] for line in help_page.splitlines() if line.startswith("  ")}


def test_help_lists_them(newsloom: Newsloom) -> None:
    assert {"bench", "eval", "politeness"} <= listed(newsloom("--help"))


def test_eval_has_its_own_kind_and_those_of_the_lab(newsloom: Newsloom) -> None:
    assert listed(newsloom("eval", "--help")) >= KINDS
    said = newsloom("eval", "relevence", status=2)
    assert "No such command 'relevence'. Did you mean 'relevance'?" in said


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("bench --help", "A whole pass over the documents served on loopback."),
        ("bench rank --help", "Unread articles; repeatable."),
        ("politeness --help", "Leave out the cases that take long."),
        ("eval polling --help", "A folder of feeds"),
        ("eval full-text --help", "A folder of real pages"),
    ],
)
def test_each_is_run_from_the_lab(newsloom: Newsloom, line: str, words: str) -> None:
    assert words in newsloom(*line.split())
