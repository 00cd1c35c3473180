"""`newsloom sources --quality`, and rules about domains on the command line."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import timedelta

import pytest

from newsloom.app import open_app, utc_now
from newsloom.coverage.quality import Policy
from newsloom.feeds.page_failures import FailureKind, Outcome
from newsloom.kernel.settings import load

Newsloom = Callable[..., str]


@pytest.fixture
def recorded(newsloom: Newsloom) -> None:
    newsloom("feeds")
    opened = open_app(load(None, os.environ)).store
    for day in range(5, 0, -1):
        at = utc_now() - timedelta(days=day)
        outcomes = [
            Outcome("ft.example", at, FailureKind.HTTP_ERROR),
            Outcome("paper.example", at, None, 9.0),
        ]
        opened.quality.record_outcomes(outcomes, at, Policy())
    opened.close()


def found(newsloom: Newsloom) -> dict[str, dict]:
    listed = json.loads(newsloom("sources", "--quality", "--json"))
    return {one["domain"]: one for one in listed}


def test_nothing_recorded_is_nothing_shown(newsloom: Newsloom) -> None:
    assert newsloom("sources", "--quality") == ""
    assert found(newsloom) == {}


@pytest.mark.usefixtures("recorded")
def test_records_are_listed(newsloom: Newsloom) -> None:
    rows = found(newsloom)
    assert rows["ft.example"]["band"] == "blocked"
    assert rows["ft.example"]["failures"] == {"http error": 5}
    assert rows["ft.example"]["blocked_until"] > rows["ft.example"]["blocked_since"]
    assert rows["paper.example"]["band"] == "good"
    assert rows["paper.example"]["wilson"] == pytest.approx(0.55, abs=0.02)
    lines = [line.split("\t") for line in newsloom("sources", "--quality").splitlines()]
    assert [line[:4] for line in lines] == [
        ["ft.example", "blocked", "5", "0"],
        ["paper.example", "good", "5", "5"],
    ]
    assert "5 http error" in lines[0]


@pytest.mark.usefixtures("recorded")
def test_rules_are_set_and_forgotten(newsloom: Newsloom) -> None:
    assert newsloom("sources", "--allow", "https://www.ft.example/x").startswith("ft.example:")
    assert found(newsloom)["ft.example"]["rule"] == "allow"
    newsloom("sources", "--block", "live.paper.example")
    rows = found(newsloom)
    assert rows["live.paper.example"]["band"] == "blocked"
    assert rows["paper.example"]["band"] == "good"
    newsloom("sources", "--forget", "ft.example")
    assert "ft.example" not in found(newsloom)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(("--block", "co.uk"), "is no domain", id="a suffix"),
        pytest.param(("--block", "localhost"), "is no domain", id="no domain"),
        pytest.param(("--allow", "<script>"), "is no domain", id="markup"),
        pytest.param(("--block", "a.example", "--allow", "b.example"), "one of", id="two at once"),
        pytest.param(("a.example", "--quality"), "one at a time", id="with a source"),
    ],
)
def test_what_cannot_be_is_said(newsloom: Newsloom, words: tuple[str, ...], said: str) -> None:
    assert said in newsloom("sources", *words, status=2)
    assert found(newsloom) == {}
