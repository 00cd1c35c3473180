"""How usable the pages of publishers are, and rules about domains."""

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
    listed = json.loads(newsloom("api", "GET", "/quality/publishers"))["items"]
    return {one["domain"]: one for one in listed}


def test_nothing_recorded_is_nothing_shown(newsloom: Newsloom) -> None:
    assert found(newsloom) == {}


@pytest.mark.usefixtures("recorded")
def test_records_are_listed(newsloom: Newsloom) -> None:
    rows = found(newsloom)
    assert list(rows) == ["ft.example", "paper.example"]
    assert rows["ft.example"]["band"] == "blocked"
    assert (rows["ft.example"]["attempts"], rows["ft.example"]["successes"]) == (5, 0)
    assert rows["ft.example"]["failures"] == {"http error": 5}
    assert rows["ft.example"]["blocked_until"] > rows["ft.example"]["blocked_since"]
    assert "Too many pages failed (most often: server error)" in rows["ft.example"]["why"]
    assert rows["paper.example"]["band"] == "good"
    assert rows["paper.example"]["wilson"] == pytest.approx(0.55, abs=0.02)


@pytest.mark.usefixtures("recorded")
def test_rules_are_set_and_forgotten(newsloom: Newsloom) -> None:
    def set_rule(domain: str, rule: str) -> None:
        newsloom("api", "PUT", f"/quality/publishers/{domain}", f"rule:={rule}")

    set_rule("www.ft.example", '"allow"')
    assert found(newsloom)["ft.example"]["rule"] == "allow"
    set_rule("live.paper.example", '"block"')
    rows = found(newsloom)
    assert rows["live.paper.example"]["band"] == "blocked"
    assert rows["paper.example"]["band"] == "good"
    set_rule("ft.example", "null")
    assert "ft.example" not in found(newsloom)


@pytest.mark.parametrize("domain", ["co.uk", "localhost", "<script>"])
def test_what_cannot_be_is_said(newsloom: Newsloom, domain: str) -> None:
    path = f"/quality/publishers/{domain}"
    assert "is not a domain such as example.org" in newsloom(
        "api", "PUT", path, "rule=block", status=1
    )
    assert found(newsloom) == {}
