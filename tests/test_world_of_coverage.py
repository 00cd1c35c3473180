"""The loopback world itself: what its tests rely on."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from urllib.parse import quote_plus

import httpx
import pytest

from newsloom.coverage.domains import registrable
from newsloom.feeds.full_text import full_text
from newsloom.feeds.parse import parse_feed
from world_of_coverage import (
    BANK,
    EVENTS,
    FERRY,
    PLANTED,
    PUBLISHERS,
    Answer,
    Kind,
    Link,
    Manner,
    coverage_world,
    events_in,
)

NOW = datetime(2026, 11, 20, 20, tzinfo=UTC)


@pytest.fixture
def world():
    with coverage_world(NOW) as made:
        yield made


@pytest.fixture
def web(world):
    with httpx.Client(proxy=world.proxy, timeout=5, trust_env=False) as client:
        yield client


def search(world, web, query):
    url = world.search_url.format(query=quote_plus(query), language="en", region="US")
    return web.get(url)


def test_there_are_thirty_publishers_of_all_kinds():
    assert len(PUBLISHERS) == len({one.domain for one in PUBLISHERS}) == 30
    assert {one.kind for one in PUBLISHERS} >= set(Kind) - {Kind.PICTURE}
    assert all(registrable(one.url) == one.domain for one in PUBLISHERS)


def test_a_search_leaves_out_sites_and_days(world, web):
    found = search(world, web, "ferry Aurelia aground after:2026-11-19 before:2026-11-21")
    assert found.status_code == 200
    assert "<source" in found.text
    assert "Microsoft News" in found.text
    less = search(world, web, "ferry Aurelia -site:courier.example -site:ft.example")
    assert "The Courier" not in less.text
    assert "Microsoft News" in less.text
    assert "<item>" not in search(world, web, "ferry Aurelia after:2026-11-25").text
    assert len(world.search.queries) == 3


def test_a_hit_is_read_as_any_feed_is(world, web):
    answer = search(world, web, "ferry Aurelia Skarn Strait")
    parsed = parse_feed(answer.content, str(answer.url))
    first = parsed.articles[0]
    assert " - " in first.title
    assert first.url.startswith("http://search.example/rss/articles/CB")
    assert sum("part " in one.title for one in parsed.articles) == 40


@pytest.mark.parametrize(
    ("link", "shown"),
    [
        (Link.ENCODED, "302"),
        (Link.REDIRECT, "302"),
        (Link.OPAQUE, "data-n-au"),
        (Link.SIGNED, "data-n-a-sg"),
        (Link.LOST, "About"),
    ],
)
def test_links_of_hits_hide_the_address(world, web, link, shown):
    world.search.link = link
    answer = search(world, web, "Kepha-9 Mount Kessa")
    page = web.get(parse_feed(answer.content, str(answer.url)).articles[0].url)
    assert shown == str(page.status_code) or shown in page.text


@pytest.mark.parametrize("answer", list(Answer))
def test_every_answer_of_the_search_comes(world, web, answer):
    world.search.answer = answer
    if answer is Answer.SLOW:
        web.timeout = 0.3
    if answer in (Answer.SLOW, Answer.DROPPED):
        with pytest.raises(httpx.TransportError):
            search(world, web, "ferry")
    else:
        statuses = {Answer.TOO_MANY: 429, Answer.UNAVAILABLE: 503}
        assert search(world, web, "ferry").status_code == statuses.get(answer, 200)


@pytest.mark.parametrize("domain", [one.domain for one in PUBLISHERS])
def test_every_publisher_answers_as_it_is(world, web, domain):
    one = world.publisher(domain)
    if one.kind is Kind.SLOW:
        web.timeout = 0.3
    url = one.article(one.about[0])
    if one.kind in (Kind.SLOW, Kind.DROPPED):
        with pytest.raises(httpx.TransportError):
            web.get(url)
        return
    follows = one.kind is Kind.CHAIN
    page = web.get(url, follow_redirects=follows)
    statuses = {Kind.ERROR: 500, Kind.UNAVAILABLE: 503, Kind.GONE: 410, Kind.FORBIDDEN: 403}
    statuses[Kind.LOOP] = 302
    assert page.status_code == statuses.get(one.kind, 200)
    if one.kind in (Kind.GOOD, Kind.OTHER, Kind.CHAIN):
        text = full_text(page.content, str(page.url), page.headers["content-type"], "")
        assert events_in(text) == (one.about[0],)
        assert len(text) > 500
    assert world.asked(domain)


def test_tellings_are_long_enough_and_not_copies():
    for event in EVENTS:
        tellings = {" ".join(event.paragraphs(number)) for number in range(30)}
        assert all(len(one) > 500 and len(one.split()) > 60 for one in tellings)
        assert all(events_in(one) == (event,) for one in tellings)
    assert len({" ".join(FERRY.paragraphs(number)) for number in range(30)}) >= 6


def test_a_publisher_may_recover(world, web):
    url = world.publisher("ft").article(BANK)
    assert web.get(url).status_code == 503
    world.publisher("ft").kind = Kind.GOOD
    assert web.get(url).status_code == 200
    assert world.asked("ft.example") == ["/bank/story"] * 2
    assert world.asked("microsoft.example") == []


def ask(world, user):
    schema = {
        "type": "object",
        "properties": {
            "same_event": {"type": "boolean"},
            "score": {"type": "integer", "minimum": 0, "maximum": 10},
            "confidence": {"type": "string", "enum": ["low", "medium", "high"]},
            "reason": {"type": "string", "maxLength": 50},
        },
    }
    form = {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}
    messages = [{"role": "system", "content": "Judge."}, {"role": "user", "content": user}]
    body = {"model": "m", "messages": messages, "response_format": form}
    with httpx.Client(timeout=0.5, trust_env=False) as client:
        return client.post(f"{world.chat_url}/chat/completions", json=body)


SAME = f"Title: {FERRY.title(0)}\n{FERRY.title(2)} {' '.join(FERRY.paragraphs(3))}"
OTHER = f"Title: {FERRY.title(2)} {FERRY.paragraphs(1)[0]}\n{' '.join(BANK.paragraphs(2))}"


@pytest.mark.parametrize(
    ("manner", "text", "same"),
    [
        (Manner.GOOD, SAME, True),
        (Manner.GOOD, OTHER, False),
        (Manner.LYING, SAME, False),
        (Manner.LYING, OTHER, True),
    ],
)
def test_the_model_knows_what_is_true(world, manner, text, same):
    world.chat.manner = manner
    said = json.loads(ask(world, text).json()["choices"][0]["message"]["content"])
    assert (said["same_event"], said["score"]) == (same, 9 if same else 1)
    assert (said["confidence"], said["reason"]) == ("high", "it is so")


def test_the_model_has_other_manners(world):
    world.chat.manner = Manner.SLOW
    with pytest.raises(httpx.ReadTimeout):
        ask(world, SAME)
    for manner, status in ((Manner.DOWN, 503), (Manner.LIMITED, 429), (Manner.REFUSING, 200)):
        world.chat.manner = manner
        assert ask(world, SAME).status_code == status
    for manner in (Manner.BROKEN, Manner.HOSTILE):
        world.chat.manner = manner
        with pytest.raises(ValueError, match=r"Expecting|Unterminated|Infinity|NaN"):
            strictly(ask(world, SAME).json()["choices"][0]["message"]["content"])
    world.chat.manner = Manner.GOOD
    world.chat.answers = lambda question, truth: {"verdict": truth}
    assert json.loads(ask(world, SAME).json()["choices"][0]["message"]["content"]) == {
        "verdict": True
    }
    assert len(world.chat.questions) == 7


def strictly(text):
    def refuse(name):
        raise ValueError(name)

    return json.loads(text, parse_constant=refuse)


def test_the_feed_of_the_reader(world, web):
    parsed = parse_feed(web.get(world.feed_url).content, world.feed_url)
    assert [one.title for one in parsed.articles] == [one.title(0) for one in PLANTED]
    assert len(world.relevant(FERRY)) >= 5
