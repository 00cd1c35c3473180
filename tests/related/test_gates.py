"""What is an article, by what a worker measured."""

from __future__ import annotations

from dataclasses import replace

import pytest

from newsloom.coverage import relevance
from newsloom.coverage.values import CoverageAnswer
from newsloom.feeds.page_failures import FailureKind as F
from newsloom.feeds.page_gates import gate, measured
from newsloom.feeds.values.pages import PageFacts

ARTICLE = PageFacts("words " * 200, 1200, 200, unique_words=0.6)
CASES = {
    "an article": (ARTICLE, 0, None),
    "no text": (replace(ARTICLE, text="", characters=0, words=0), 0, F.EMPTY),
    "a fence": (replace(ARTICLE, paywall_marks=1), 0, F.PAYWALL),
    "a quoted fence": (replace(ARTICLE, paywall_marks=1, characters=5_000), 0, None),
    "a long teaser": (replace(ARTICLE, ends_at_paywall=True, characters=5_000), 0, F.PAYWALL),
    "a soft 404": (replace(ARTICLE, unavailable_marks=1), 0, F.UNAVAILABLE),
    "consent": (replace(ARTICLE, cookie_marks=1), 0, F.BOILERPLATE),
    "code": (replace(ARTICLE, style_marks=3), 0, F.CODE),
    "repeated": (replace(ARTICLE, unique_words=0.09), 0, F.REPEATED),
    "links": (replace(ARTICLE, links=0.31), 0, F.TOO_MANY_LINKS),
    "a menu": (replace(ARTICLE, short_lines=0.56), 0, F.NAVIGATION),
    "boilerplate": (replace(ARTICLE, boilerplate=0.41), 0, F.BOILERPLATE),
    "too long": (replace(ARTICLE, characters=50_001), 0, F.TOO_LONG),
    "a consent wall with a subscription": (
        replace(ARTICLE, cookie_marks=2, paywall_marks=1),
        0,
        F.BOILERPLATE,
    ),
    "a consent wall of many pages": (
        replace(ARTICLE, cookie_marks=6, characters=9_000),
        0,
        F.BOILERPLATE,
    ),
    "a sign-in": (replace(ARTICLE, login_marks=1), 0, F.PAYWALL),
    "led to a consent page": (
        replace(ARTICLE, led_to="https://consent.example/?continue=x"),
        0,
        F.BOILERPLATE,
    ),
    "led to a sign-in": (replace(ARTICLE, led_to="https://a.example/login?to=x"), 0, F.PAYWALL),
    "led to an article": (replace(ARTICLE, led_to="https://a.example/consent-law-2026"), 0, None),
    "short": (replace(ARTICLE, characters=149, words=20), 0, F.TOO_SHORT),
    "says more than was known": (replace(ARTICLE, characters=200, words=40), 100, None),
    "says no more": (replace(ARTICLE, characters=200, words=40), 200, F.TOO_SHORT),
    "350 characters of 60 words": (replace(ARTICLE, characters=360, words=60), 900, None),
    "many characters of few words": (replace(ARTICLE, characters=900, words=59), 0, F.TOO_SHORT),
}


@pytest.mark.parametrize(("page", "description", "kind"), CASES.values(), ids=CASES)
def test_gates(page: PageFacts, description: int, kind: F | None) -> None:
    found = gate(page, description)
    assert (found and found.kind) == kind


@pytest.mark.parametrize(
    ("end", "cut"),
    [
        ("Subscribe to continue reading.", True),
        ("Create a free account to continue reading</p><p>Already have one? Sign in", True),
        ("Jetzt abonnieren, um weiterzulesen", True),
        ("Abonnez-vous pour lire la suite", True),
        ("Subscribe to our newsletter.", False),
        ("She left her job to continue her studies.", False),
    ],
)
def test_a_teaser_of_any_length_ends_where_it_asks_to_pay(end: str, cut: bool) -> None:
    told = "".join(f"<p>The council told of bridge {number} today.</p>" for number in range(99))
    assert measured(f"{told}<p>{end}</p>", "").ends_at_paywall is cut
    assert not measured(f"<p>{end}</p>{told}", "").ends_at_paywall, "quoted before"


def test_what_is_measured() -> None:
    html = "<p>One two three four five.</p>" * 6 + "<p><a href='/x'>six seven</a></p>"
    facts = measured(html, "whole page")
    assert facts.words == 32
    assert 0.0 < facts.links < 0.1
    assert facts.short_lines == pytest.approx(1 / 7)


ANSWER = CoverageAnswer(8.0, True, 0.9, 7)
DECIDED = {
    "the same": (ANSWER, True),
    "another event, told at length": (replace(ANSWER, same_event=False), True),
    "another event": (replace(ANSWER, same_event=False, score=6.9), False),
    "abstains": (replace(ANSWER, abstain=True), False),
    "unsure": (replace(ANSWER, confidence=0.3), False),
    "a fragment": (replace(ANSWER, quality=2), False),
}


@pytest.mark.parametrize(("answer", "accepted"), DECIDED.values(), ids=DECIDED)
def test_decisions_fail_closed(answer: CoverageAnswer, accepted: bool) -> None:
    assert relevance.accepts(answer) is accepted


def test_by_probability() -> None:
    assert relevance.accepts(relevance.by_probability(0.51))
    assert not relevance.accepts(relevance.by_probability(0.49))
