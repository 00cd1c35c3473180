"""The wire formats: each document is what it says it is, but for what was planted in it."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from html import unescape

import feedparser
import pytest
from lxml import etree

from newsloom.feeds.parse import parse_feed
from newsloom.kernel.text.urls import canonical
from newsloom.sample.content import LAST_GENERATION, planted, sample
from newsloom.sample.render import render
from newsloom.sample.wire import Edition, base_of, rss_date

PORT = 8767
NOW = datetime(2026, 11, 21, 5, 0, 7, 123456, tzinfo=UTC)
FEEDS = {feed.name: feed for feed in sample()}
GENERATIONS = range(LAST_GENERATION + 1)

every_feed = pytest.mark.parametrize("feed", FEEDS.values(), ids=list(FEEDS))


def parsed(feed, generation=0):
    document = render(Edition(feed, PORT, NOW, generation))
    url = f"{base_of(feed.name, PORT)}/feeds/{feed.name}.xml"
    return parse_feed(document.body, url, content_type=document.content_type)


@every_feed
@pytest.mark.parametrize("generation", GENERATIONS)
def test_same_values_same_bytes(feed, generation):
    assert render(Edition(feed, PORT, NOW, generation)) == render(
        Edition(feed, PORT, NOW, generation)
    )


@every_feed
@pytest.mark.parametrize("generation", GENERATIONS)
def test_well_formed(feed, generation):
    body = render(Edition(feed, PORT, NOW, generation)).body
    if feed.format == "json 1.1":
        assert json.loads(body)["version"] == "https://jsonfeed.org/version/1.1"
    elif feed.name == "talbote":
        with pytest.raises(etree.XMLSyntaxError):
            etree.fromstring(body)
        etree.fromstring(body.replace(b"UTF-8", b"windows-1252", 1))
    else:
        etree.fromstring(body)


@pytest.mark.parametrize(
    "feed", [one for one in FEEDS.values() if one.format != "json 1.1"], ids=lambda one: one.name
)
def test_feedparser_reads_the_same_articles(feed):
    theirs = feedparser.parse(render(Edition(feed, PORT, NOW, 0)).body)
    # It shows titles that are escaped twice as they are.
    titles = [unescape(one.title) for one in theirs.entries]
    assert titles == [one.title for one in parsed(feed).articles]
    assert bool(theirs.bozo) == (feed.name == "talbote")


@every_feed
@pytest.mark.parametrize("generation", GENERATIONS)
def test_newsloom_reads_what_was_written(feed, generation):
    found = parsed(feed, generation)
    wanted = feed.shown(generation)
    assert found.format == feed.format
    assert found.title == feed.title
    assert found.site_url == f"{base_of(feed.name, PORT)}/{feed.name}/"
    assert [one.title for one in found.articles] == [one.title for one in wanted]
    assert [one.author for one in found.articles] == [one.author for one in wanted]
    assert [one.categories for one in found.articles] == [one.categories for one in wanted]
    for one, article in zip(found.articles, wanted, strict=True):
        assert one.language[:2] == article.language
        if not article.date:
            published = NOW - timedelta(hours=article.hours)
            assert one.published == published.replace(microsecond=0)


@every_feed
def test_nothing_is_dated_in_the_future_but_what_was_planted(feed):
    late = [
        one.title for one in parsed(feed, LAST_GENERATION).articles if (one.published or NOW) > NOW
    ]
    assert len(late) == (1 if feed.name == "touchline" else 0)


def test_same_article_same_canonical_address():
    """Whichever feed gives it, and however that feed writes the address."""
    addresses: dict[str, set[str]] = {}
    for feed in FEEDS.values():
        for one, article in zip(parsed(feed).articles, feed.shown(0), strict=True):
            if not article.page:
                addresses.setdefault(article.key, set()).add(canonical(one.url))
    assert {key for key, forms in addresses.items() if len(forms) != 1} == set()
    written = [
        one.url
        for feed in FEEDS.values()
        for one in parsed(feed).articles
        if "?" in one.url or "#" in one.url
    ]
    assert len(written) >= 10


def test_no_guids():
    assert all(not one.guid for one in parsed(FEEDS["courier"]).articles)
    assert all(one.guid for one in parsed(FEEDS["meridian"]).articles)


def test_titles_escaped_twice():
    body = render(Edition(FEEDS["ledger"], PORT, NOW, 0)).body
    assert b"rates at 3&amp;#188; &amp;amp; hints at spring" in body
    assert "Central bank holds rates at 3¼ & hints at spring" in {
        one.title for one in parsed(FEEDS["ledger"]).articles
    }


def test_relative_links():
    body = render(Edition(FEEDS["lantern"], PORT, NOW, 0)).body
    assert b"<link>/lantern/lamplighter-comes-home</link>" in body
    assert all(one.url.startswith("http://") for one in parsed(FEEDS["lantern"]).articles)


def test_wrong_encoding():
    body = render(Edition(FEEDS["talbote"], PORT, NOW, 0)).body
    assert body.startswith(b'<?xml version="1.0" encoding="UTF-8"?>')
    assert "Abkommen über die Merrowstraße".encode("windows-1252") in body
    assert "„Kestrel“" in parsed(FEEDS["talbote"]).articles[3].title
    assert "windows-1252" in parsed(FEEDS["talbote"]).problem


def test_posts_of_a_live_page_share_their_address():
    addresses = {canonical(one.url) for one in parsed(FEEDS["live"]).articles}
    assert len(addresses) < len(FEEDS["live"].shown(0)) / 2


def test_sound():
    for one, article in zip(
        parsed(FEEDS["tideline"]).articles, FEEDS["tideline"].shown(0), strict=True
    ):
        (enclosure,) = one.enclosures
        assert enclosure.url == f"{base_of('tideline', PORT)}/media/{article.slug}.wav"
        assert enclosure.type == "audio/wav"
        assert enclosure.length


def test_hostile_html_goes_out_as_written():
    """Sanitising is the reader's; the feed must not do it for it."""
    (feed_name, slug) = planted().hostile.split("/")
    content = next(
        one.content for one in parsed(FEEDS[feed_name]).articles if one.url.endswith(slug)
    )
    for danger in ("<script", "onerror=", "javascript:", "<iframe"):
        assert danger in content


MOMENT = datetime(2026, 11, 9, 14, 5, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("oddity", "expected"),
    [
        ("", "Mon, 09 Nov 2026 14:05:00 GMT"),
        ("no zone", "Mon, 09 Nov 2026 14:05:00"),
        ("two digits", "09 Nov 26 14:05:00 GMT"),
        ("wrong weekday", "Thu, 09 Nov 2026 14:05:00 GMT"),
        ("us", "11/9/2026 2:05 PM"),
        ("words", "a while ago, after training"),
        ("future", "Mon, 23 Nov 2026 05:00:07 GMT"),
        ("none", ""),
    ],
)
def test_spoilt_dates(oddity, expected):
    assert rss_date(MOMENT, oddity, NOW) == expected
    assert not oddity or oddity in {one.date for one in FEEDS["touchline"].articles}


def test_another_now_moves_all_dates():
    feed = FEEDS["quadrant"]
    later = render(Edition(feed, PORT, NOW + timedelta(days=3), 0)).body
    moved = parse_feed(later, base_of(feed.name, PORT), content_type="application/atom+xml")
    for before, after in zip(parsed(feed).articles, moved.articles, strict=True):
        assert before.published is not None
        assert after.published == before.published + timedelta(days=3)
        assert after._replace(published=before.published, updated=before.updated) == before
