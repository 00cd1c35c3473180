"""Following an address: which feed it comes to, and what it costs the publisher."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from documents import IN_PROCESS
from newsloom.feeds.service import addresses
from newsloom.kernel.errors import NotAFeed, UserError
from newsloom.kernel.http.client import HttpFetcher
from newsloom.kernel.settings import FetchSettings
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
    with pytest.raises(NotAFeed, match="is not a feed and links to no readable feed"):
        find(publisher, publisher.url + "/")
    assert asked(publisher)[:5] == ["/", "/feed", "/rss.xml", "/atom.xml", "/index.xml"]
    assert asked(publisher)[5:] == ["/rss/", "/latest.rss", "/spip.php?page=backend"]


def test_feeds_that_no_head_of_a_page_names_are_found(publisher):
    """Each is a page and where its feed is; the others of its site are missing."""
    refresh = '<meta http-equiv="{}" content="{}">'
    moved = "<h1>We have moved</h1><p>Please visit <a href='{}'>our new home</a>."
    kind = '"application/rss+xml"'
    joomla = "/blog?format=feed&type=rss"
    generator = '<meta name="generator" content="{}">'
    pages = {
        "link header": ("<p>x", "/b", {"Link": f"</b>; rel=alternate; type={kind}"}),
        "two in one": ("<p>x", "/b", {"Link": f"</a>; rel=next, </b>; type={kind}; rel=alternate"}),
        "spip": ("<a href='spip.php?page=backend'>Suivre</a>", "/spip.php?page=backend", {}),
        "joomla": (f"<a href='{joomla}'>x</a>", joomla, {}),
        "called RSS": ("<a class=btn href='/body.xml'>Subscribe via RSS</a>", "/body.xml", {}),
        "called by its class": ("<a class='rss icon' href='/out?x=1'><img></a>", "/out?x=1", {}),
        "called in French": ("<a href='/flux-site'><b>S’abonner</b></a>", "/flux-site", {}),
        "called in Japanese": ("<a href='/news-feed-all'>購読</a>", "/news-feed-all", {}),
        "canonical": ("<link rel=canonical href='/all.xml'>", "/all.xml", {}),
        "ghost": (generator.format("Ghost 5.1"), "/rss/", {}),
        "discourse": (generator.format("Discourse 3.4"), "/latest.rss", {}),
        "hugo": (generator.format("Hugo 0.121"), "/index.xml", {}),
        "pelican": (generator.format("Pelican"), "/feeds/all.atom.xml", {}),
        "unnamed Ghost": ("<p>nothing", "/rss/", {}),
        "refresh": (refresh.format("refresh", "0; url=/new.xml"), "/new.xml", {}),
        "refresh in capitals": (refresh.format("REFRESH", "5;URL='/new2.xml'"), "/new2.xml", {}),
        "moved in words": (moved.format("/there.xml"), "/there.xml", {}),
    }  # fmt: skip
    wrong = {}
    for name, (page, feed, headers) in pages.items():
        publisher.pages.clear()
        publisher.puts(feed, FEED)
        url = publisher.puts("/", page, **headers)
        try:
            found = find(publisher, url).reply.request.url
        except UserError as error:
            found = str(error)
        if found != publisher.url + feed:
            wrong[name] = found
    assert wrong == {}


def test_a_moved_page_is_followed_once_and_to_a_page_that_names_the_feed(publisher):
    there = publisher.puts("/new/", LINK.format("/new/feed", "T"))
    publisher.puts("/new/feed", FEED)
    old = publisher.puts("/old", f'<meta http-equiv=refresh content="0; url={there}">')
    assert find(publisher, old).reply.request.url == publisher.url + "/new/feed"
    for one, other in (("/one", "/two"), ("/two", "/one")):
        publisher.puts(one, f'<meta http-equiv=refresh content="0; url={other}">')
    with pytest.raises(NotAFeed):
        find(publisher, publisher.url + "/one")
    assert asked(publisher).count("/one") == 1


def test_of_feeds_that_are_none_few_are_tried(publisher):
    publisher.puts("/", "".join(LINK.format(f"/{name}", "") for name in "abcdefgh"))
    with pytest.raises(NotAFeed, match="which is not a feed either"):
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
    with pytest.raises(UserError, match="is not a web URL"):
        addresses.complete(typed)


def test_a_site_without_feeds_is_not_asked(publisher):
    with pytest.raises(NotAFeed, match="Apple Podcasts does not publish the feed"):
        find(publisher, "https://podcasts.apple.com/us/podcast/x/id1")
    assert asked(publisher) == []


def test_the_first_poll_reads_what_came(newsloom, publisher):
    """P01, through the command line, the store and the first poll."""
    page = LINK.format("/feed", "") + LINK.format("/comments", "Comments")
    publisher.puts("/feed", FEED, ETag='"1"')
    publisher.puts("/", page)
    said = newsloom("add", publisher.url + "/")
    assert "Following The Feed" in said
    assert "1 article." in said
    assert f"There is also {publisher.url}/comments (Comments)" in said
    assert asked(publisher) == ["/", "/feed"]
    newsloom("run")
    assert [asked(publisher).count(path) for path in ("/", "/feed")] == [1, 1]
