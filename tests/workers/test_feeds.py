"""Feeds read in workers: the same as in this process, and hostile ones end there."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newsloom.duplicates.values import IncomingArticle
from newsloom.feeds.service.reply import InThread, InWorkers, Polled
from newsloom.feeds.values.polling import DueFeed, PollOutcome
from newsloom.feeds.workers import parsing as feeds
from newsloom.kernel.errors import ParseError
from newsloom.kernel.http.values import Reply, Request
from newsloom.kernel.ids import FeedId
from newsloom.kernel.settings import ReadingSettings
from newsloom.kernel.workers.pool import WorkerDied, Workers

SAMPLES = sorted((Path(__file__).parent.parent / "parse" / "samples").iterdir())
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
URL = "https://feeds.test/a/feed.xml"
DUE = DueFeed(FeedId(7), URL, "lease")


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    """One worker with little for each document."""
    workers = Workers(ReadingSettings(workers=1, seconds=5, megabytes=400))
    yield workers
    workers.close()


def replied(body: bytes, *, status: int = 200, url: str = URL) -> Reply:
    return Reply(request=Request(url), received=NOW, seconds=0.1, status=status, url=url, body=body)


def read(workers: Workers, reply: Reply, due: DueFeed = DUE) -> Polled:
    return asyncio.run(InWorkers(workers).read(due, reply))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_a_worker_reads_what_a_thread_reads(sample: Path, workers: Workers) -> None:
    reply = replied(sample.read_bytes())
    assert read(workers, reply) == asyncio.run(InThread().read(DUE, reply))


def test_nothing_of_an_article_is_left_behind() -> None:
    """A field that is added to what is made ready must be added to what is sent."""
    sent = {field.name for field in fields(feeds._Incoming)} - {"place"}
    assert {field.name for field in fields(IncomingArticle)} == sent | {"parsed"}


def test_what_need_not_be_parsed_reaches_no_worker() -> None:
    workers = Workers(ReadingSettings(workers=1))
    body = SAMPLES[0].read_bytes()
    known = read(workers, replied(body)).body_hash
    before = workers.processes()
    workers.close()  # whatever is asked from now on is an error
    due = DueFeed(FeedId(7), URL, "lease", body_hash=known or "")
    assert read(workers, replied(body), due).outcome is PollOutcome.UNCHANGED
    assert read(workers, replied(b"", status=304)).outcome is PollOutcome.UNCHANGED
    assert read(workers, replied(b"", status=500)).outcome is PollOutcome.FAILED
    assert len(before) == 1


def rss(inside: str, doctype: str = "", attributes: str = "") -> bytes:
    return (
        f'{doctype}<rss version="2.0" {attributes}><channel><title>t</title>'
        f"<item><title>first</title><guid>1</guid></item>{inside}</channel></rss>"
    ).encode()


LAUGHS = '<!DOCTYPE rss [<!ENTITY a "ha">' + "".join(
    f'<!ENTITY {name} "{f"&{chr(ord(name) - 1)};" * 10}">' for name in "bcdefghijk"
)
ITEM = "<item><title>{}</title></item>"
HOSTILE = {
    "billion laughs": lambda: rss(ITEM.format("&k;"), LAUGHS + "]>"),
    "quadratic blow-up": lambda: rss(
        ITEM.format("&a;" * 50_000), f'<!DOCTYPE rss [<!ENTITY a "{"A" * 50_000}">]>'
    ),
    "external entity": lambda: rss(
        ITEM.format("&a;"), '<!DOCTYPE rss [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    ),
    "100,000 levels": lambda: rss("<a>" * 100_000 + "</a>" * 100_000),
    "a line of 50 MB": lambda: rss(ITEM.format("x" * 50_000_000)),
    "200,000 attributes": lambda: rss(
        "<item " + " ".join(f"a{n}='x'" for n in range(200_000)) + "><title>x</title></item>"
    ),
    "a million references": lambda: rss(ITEM.format("&lt;" * 1_000_000)),
    "a million unknown references": lambda: rss(ITEM.format("&no;" * 1_000_000)),
    "10,000 namespaces": lambda: rss(
        "".join(f"<n{n}:x/>" for n in range(10_000)),
        attributes=" ".join(f'xmlns:n{n}="u{n}"' for n in range(10_000)),
    ),
    "100,000 articles": lambda: rss(
        "".join(f"<item><title>{n}</title><guid>{n}</guid></item>" for n in range(100_000))
    ),
}


@pytest.mark.parametrize("attack", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_documents_are_read_or_refused_in_time(attack, workers: Workers) -> None:
    """In five seconds of processor time and 400 MB, or the worker would have been ended."""
    polled = read(workers, replied(attack()))
    if polled.outcome is PollOutcome.UNREADABLE:
        assert "refused" in polled.problem
    else:
        assert polled.incoming[0].copy.title == "first"
    assert "root:" not in repr(polled.feed)
    assert read(workers, replied(rss(""))).outcome is PollOutcome.CHANGED


def test_a_document_that_is_too_much_fails_alone() -> None:
    workers = Workers(ReadingSettings(workers=1, seconds=2, megabytes=128))
    try:
        slow = rss("".join(f"<item><title>{n}</title></item>" for n in range(400_000)))
        polled = read(workers, replied(slow))
        assert polled.outcome is PollOutcome.UNREADABLE
        assert re.search("took more than|refused", polled.problem)
        assert polled.body_hash is None
        assert read(workers, replied(rss(""))).outcome is PollOutcome.CHANGED
    finally:
        workers.close()


PAGES = {
    "a login page": b"<!DOCTYPE html><html><form action=/login><input name=password></form>",
    "a captive portal": b"<html><meta http-equiv=refresh content='0; url=http://wifi/'></html>",
    "a page that checks browsers": b"<!doctype html>\n<title>Just a moment</title>",
    "an error in XML": b"<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>",
    "nothing": b"",
}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES.keys())
def test_what_is_no_feed_is_said_to_be_none(page: bytes, workers: Workers) -> None:
    polled = read(workers, replied(page))
    assert (polled.outcome, polled.feed, polled.incoming) == (PollOutcome.UNREADABLE, None, ())
    assert "feed" in polled.problem or "empty" in polled.problem


@settings(max_examples=150)
@given(
    st.binary(max_size=200) | st.sampled_from([b"[]", b"{}", b"null", b'{"feed":{},"incoming":1}'])
)
def test_any_answer_of_a_worker_is_checked(said: bytes) -> None:
    with pytest.raises((ValueError, LookupError)):
        feeds.understood(said)


def test_a_lie_about_places_is_an_error() -> None:
    rows = feeds.question(URL, "", FeedId(1), NOW)
    said = feeds.answer(rows, rss(""))
    with pytest.raises(LookupError):
        feeds.understood(said.replace(b'"place":0', b'"place":9'))


def test_refusals_and_deaths_are_outcomes(workers: Workers) -> None:
    with pytest.raises(ParseError):
        workers.submit(feeds.TASK, feeds.question(URL, "", FeedId(1), NOW), b"x", bytes).result()
    with pytest.raises(WorkerDied, match="ValueError"):
        workers.submit(feeds.TASK, [feeds.KIND, URL], b"x", bytes).result()


def test_content_location_and_language_count_where_the_document_says_nothing() -> None:
    body = (
        b"<rss version='2.0'><channel><title>t</title>%s<item><title>a</title>"
        b"<link>one</link></item></channel></rss>"
    )
    seen = []
    for location, said in (
        ("/news/feed.xml", b""),
        ("https://inner.test:8080/x/feed.xml", b""),
        ("javascript:alert(1)", b"<language>de</language>"),
    ):
        headers = (("content-location", location), ("content-language", "pt-BR, en"))
        url = "https://weather.test/feed"
        reply = Reply(Request(url), NOW, 0.1, 200, url=url, headers=headers, body=body % said)
        feed = asyncio.run(InThread().read(DUE, reply)).feed
        assert feed is not None
        seen.append((feed.articles[0].url, feed.language))
    assert seen == [
        ("https://weather.test/news/one", "pt-BR"),
        ("https://weather.test/one", "pt-BR"),
        ("https://weather.test/one", "de"),
    ]
