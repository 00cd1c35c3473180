"""The page "Quality of sources": records and rules, without JavaScript."""

from __future__ import annotations

from datetime import timedelta

import pytest

from newsloom.related.domains import Rule
from newsloom.related.failures import FailureKind, Outcome
from newsloom.related.quality import Policy
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
    assert "Its server failed us too often" in page
    assert "5 the server answered with an error" in page
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


def test_many_domains_are_bounded(world: World, visitor: Visitor) -> None:
    outcomes = [Outcome(f"d{number}.example", world.now, None) for number in range(310)]
    world.store.quality.record_outcomes(outcomes, world.now, Policy())
    page = visitor.get("/quality").text
    assert page.count('aria-label="Forget') == 300
    assert "And 10 more" in page
