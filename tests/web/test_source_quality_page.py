"""The page "Source quality": records and rules, without JavaScript."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import urlencode

import pytest

from newsloom.coverage.domains import Rule
from newsloom.coverage.quality import Policy
from newsloom.feeds.page_failures import FailureKind, Outcome
from web.conftest import Visitor
from web.world import World

DAY = timedelta(days=1)


def recorded(world: World) -> World:
    for day in range(5, 0, -1):
        at = world.now - day * DAY
        outcomes = [
            Outcome("ft.example", at, FailureKind.HTTP_ERROR),
            Outcome("paper.example", at, None, 9.0),
        ]
        world.store.quality.record_outcomes(outcomes, at, Policy())
    return world


def test_nothing_recorded_is_said_so(visitor: Visitor) -> None:
    assert "Nothing recorded yet" in visitor.get("/quality").text
    assert 'href="/quality"' in visitor.get("/sources").text


def test_records_are_shown_in_words(world: World, visitor: Visitor) -> None:
    recorded(world)
    page = visitor.get("/quality").text
    assert "Blocked. <span" in page
    assert "Too many pages failed (most often: server error)" in page
    assert "5 server error" in page
    assert "55%" in page
    assert "until" in page
    assert 'aria-label="Block paper.example"' in page


@pytest.mark.parametrize(
    ("rule", "rules", "did"),
    [
        ("block", {"ft.example": Rule.BLOCK}, "edited"),
        ("allow", {"ft.example": Rule.ALLOW}, "edited"),
        ("forget", {}, "forgotten"),
    ],
)
def test_a_rule_is_set_and_forgotten(
    world: World, visitor: Visitor, rule: str, rules: dict[str, Rule], did: str
) -> None:
    recorded(world)
    answer = visitor.post("/quality", {"domain": "https://ft.example/x", "rule": rule})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/quality?did={did}")
    assert world.store.quality.domain_rules() == rules
    assert ("ft.example" in visitor.get("/quality").text) is (rule != "forget")


@pytest.mark.parametrize(
    ("domain", "rule"),
    [
        pytest.param("co.uk", "block", id="a suffix"),
        pytest.param("paper.example", "burn", id="no rule"),
        pytest.param("", "block", id="nothing"),
        pytest.param("<script>alert(1)</script>", "block", id="markup"),
        pytest.param("x" * 20_000, "allow", id="too long"),
        pytest.param("\0", "forget", id="a control character"),
    ],
)
def test_what_cannot_be_is_said(world: World, visitor: Visitor, domain: str, rule: str) -> None:
    answer = visitor.post("/quality", {"domain": domain, "rule": rule})
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert "<script>alert" not in answer.text
    assert world.store.quality.domain_rules() == {}


def test_many_domains_are_shown_a_hundred_at_a_time(world: World, visitor: Visitor) -> None:
    outcomes = [Outcome(f"d{number:03}.example", world.now, None) for number in range(210)]
    world.store.quality.record_outcomes(outcomes, world.now, Policy())
    first, second, last = (
        visitor.get(f"/quality{after}").text for after in ("", "?after=100", "?after=200")
    )
    shown = [page.count('aria-label="Forget') for page in (first, second, last)]
    assert shown == [100, 100, 10]
    assert "1 to 100 of 210" in first
    assert 'href="/quality?after=100" rel="next">Next 100' in first
    assert 'rel="prev"' not in first
    assert 'href="/quality" rel="prev"' in second
    assert 'href="/quality?after=200" rel="next">Next 10<' in second
    assert "d199.example" in second
    assert "d200.example" in last
    assert 'rel="next"' not in last


@pytest.mark.parametrize("after", ["-1", "x", "\u0663", "9" * 30, ""])
def test_a_place_that_is_none_is_the_first(world: World, visitor: Visitor, after: str) -> None:
    recorded(world)
    page = visitor.get("/quality?" + urlencode({"after": after}))
    assert page.status_code == 200
    assert "paper.example" in page.text


def test_behind_the_last_there_are_no_more(world: World, visitor: Visitor) -> None:
    recorded(world)
    assert "No more." in visitor.get("/quality?after=500").text
