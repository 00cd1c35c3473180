"""Following an address: which feed it comes to, and what it costs the publisher."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from documents import IN_PROCESS
from newsloom.errors import NotAFeed, UserError
from newsloom.fetch import HttpFetcher
from newsloom.reader import addresses
from newsloom.settings import FetchSettings
from publisher import rss

FEED = rss("The Feed", ("1", "https://x.test/1", "One"))
LINK = '<link rel="alternate" type="application/rss+xml" href="{}" title="{}">'


def find(publisher, typed):
    async def finding():
        settings = FetchSettings(private_hosts=(publisher.host,), host_seconds=0.0)
        now = datetime(2026, 11, 21, tzinfo=UTC)
        async with HttpFetcher(settings, version="1", now=lambda: now) as fetcher:
            return await addresses.find(fetcher, typed, IN_PROCESS)

    return asyncio.run(finding())


def asked(publisher):
    return [path for path, _headers in publisher.asked]


def test_a_feed_is_asked_for_once(publisher):
    url = publisher.puts("/feed", FEED)
    found = find(publisher, url)
    assert (found.title, found.reply.request.url) == ("The Feed", url)
    assert asked(publisher) == ["/feed"]
    _path, headers = publisher.asked[0]
    assert not {"cookie", "referer", "if-none-match", "if-modified-since"} & set(headers)


def test_a_page_costs_one_more(publisher):
    page = LINK.format("/a", "A > B <i>") + LINK.format("/b", "Other")
    publisher.puts("/a", FEED)
    publisher.puts("/b", FEED)
    found = find(publisher, publisher.puts("/", page))
    assert found.reply.request.url == publisher.url + "/a"
    assert found.choices == ((publisher.url + "/b", "Other"),)
    assert asked(publisher) == ["/", "/a"]


def test_usual_places_are_tried_only_when_the_page_names_none(publisher):
    publisher.puts("/", "<p>no feed here</p>")
    with pytest.raises(NotAFeed, match="links to none that can be read"):
        find(publisher, publisher.url + "/")
    assert asked(publisher) == ["/", "/feed", "/rss.xml", "/atom.xml", "/index.xml"]


def test_of_feeds_that_are_none_few_are_tried(publisher):
    publisher.puts("/", "".join(LINK.format(f"/{name}", "") for name in "abcdefgh"))
    with pytest.raises(NotAFeed, match="which is none either"):
        find(publisher, publisher.url + "/")
    assert asked(publisher) == ["/", "/a", "/b", "/c", "/d"]


def test_an_account_of_the_fediverse_whose_page_says_nothing(publisher):
    publisher.puts("/@ann", "<p>An account</p>")
    publisher.puts("/@ann.rss", FEED)
    found = find(publisher, publisher.url + "/@ann")
    assert found.reply.request.url == publisher.url + "/@ann.rss"
    assert asked(publisher) == ["/@ann", "/@ann.rss"]


def test_an_account_whose_page_says_where(publisher):
    publisher.puts("/@ann", LINK.format("/feeds/ann", "Ann"))
    publisher.puts("/feeds/ann", FEED)
    assert find(publisher, publisher.url + "/@ann").reply.url == publisher.url + "/feeds/ann"
    assert asked(publisher) == ["/@ann", "/feeds/ann"]


def test_a_redirect_is_followed_and_not_kept(publisher):
    publisher.puts("/now", FEED)
    url = publisher.puts("/old", "", status=301, Location="/now")
    assert find(publisher, url).reply.request.url == url


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("example.org/feed", "https://example.org/feed"),
        (" example.org ", "https://example.org"),
        ("feed://example.org/x", "https://example.org/x"),
        ("feed:https://example.org/x", "https://example.org/x"),
        ("http://example.org/", "http://example.org/"),
        ("@ann@mastodon.example", "https://mastodon.example/@ann"),
        ("r/python", "https://www.reddit.com/r/python"),
    ],
)
def test_addresses_as_people_type_them(typed, address):
    assert addresses.complete(typed) == address


@pytest.mark.parametrize("typed", ["", "ftp://x.test/f", "http://", "http://[::1"])
def test_what_is_no_address_is_said(typed):
    with pytest.raises(UserError, match="is not a web address"):
        addresses.complete(typed)


def test_a_site_without_feeds_is_not_asked(publisher):
    with pytest.raises(NotAFeed, match="Apple Podcasts does not say"):
        find(publisher, "https://podcasts.apple.com/us/podcast/x/id1")
    assert asked(publisher) == []


def test_the_first_poll_reads_what_came(newsloom, publisher):
    """P01, through the command line, the store and the first poll."""
    page = LINK.format("/feed", "") + LINK.format("/comments", "Comments")
    publisher.puts("/feed", FEED, ETag='"1"')
    publisher.puts("/", page)
    said = newsloom("add", publisher.url + "/")
    assert "Following The Feed" in said
    assert "1 articles" in said
    assert f"There is also {publisher.url}/comments (Comments)" in said
    assert asked(publisher) == ["/", "/feed"]
    newsloom("run")
    assert [asked(publisher).count(path) for path in ("/", "/feed")] == [1, 1]
