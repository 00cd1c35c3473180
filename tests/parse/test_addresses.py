"""Addresses that are relative, mistyped or only an id, in each format."""

from __future__ import annotations

import pytest

from newsloom.feeds.parse import parse_feed
from newsloom.feeds.values.published import ParsedArticle

FEED = "https://feeds.test/a/feed.xml"
SITE = "https://site.test/blog/"
# Each with the site's address, the article's own elements, and what breaks it.
FORMATS = {
    "rss": "<rss version='2.0'><channel><title>T</title><link>{site}</link><item><title>a</title>"
    "<link>{link}</link></item>{broken}</channel></rss>",
    "rdf": "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
    "xmlns='http://purl.org/rss/1.0/'><channel><link>{site}</link></channel><item><title>a</title>"
    "<link>{link}</link></item>{broken}</rdf:RDF>",
    "atom": "<feed xmlns='http://www.w3.org/2005/Atom'><link href='{site}'/><entry><id>1</id>"
    "<title>a</title><link href='{link}'/></entry>{broken}</feed>",
    "json": '{{"version": "https://jsonfeed.org/version/1.1", "home_page_url": "{site}",'
    '"items": [{{"id": "1", "title": "a", "url": "{link}"}}]}}',
}
# A second article, damaged so that only feedparser reads the document whole.
BROKEN = {
    "rss": "<item><title>b</item>",
    "rdf": "<item><title>b</item>",
    "atom": "<entry><title>b</entry>",
}
DOCUMENTS = [(name, "") for name in FORMATS] + list(BROKEN.items())
every_format = pytest.mark.parametrize(
    ("name", "broken"),
    DOCUMENTS,
    ids=[f"{name}{broken and ', broken'}" for name, broken in DOCUMENTS],
)


def first(name: str, broken: str, link: str, url: str, site: str = SITE) -> ParsedArticle:
    document = FORMATS[name].format(site=site, link=link, broken=broken)
    feed = parse_feed(document.encode(), url)
    assert bool(feed.problem) == bool(broken)
    return next(one for one in feed.articles if one.title == "a")


@every_format
@pytest.mark.parametrize(
    ("url", "link", "address"),
    [
        # As feedparser and RFC 3986: from where the document was.
        (FEED, "/2026/1", "https://feeds.test/2026/1"),
        (FEED, "1.html", "https://feeds.test/a/1.html"),
        (FEED, "//other.test/1", "https://other.test/1"),
        (FEED, "?p=1", "https://feeds.test/a/feed.xml?p=1"),
        # Where it was nowhere: from the channel's link.
        ("", "/2026/1", "https://site.test/2026/1"),
        ("", "1.html", "https://site.test/blog/1.html"),
        ("", "//other.test/1", "https://other.test/1"),
    ],
)
def test_a_relative_link(name: str, broken: str, url: str, link: str, address: str) -> None:
    assert first(name, broken, link, url).url == address


@every_format
def test_a_relative_link_to_nowhere_is_none(name: str, broken: str) -> None:
    assert first(name, broken, "/2026/1", "", site="").url == ""


def test_the_base_of_an_element_goes_before_both() -> None:
    item = "<item xml:base='/x/'><link>1</link></item>"
    document = (
        f"<rss xml:base='https://base.test/'><channel><link>{SITE}</link>{item}</channel></rss>"
    )
    for url in (FEED, ""):
        assert parse_feed(document.encode(), url).articles[0].url == "https://base.test/x/1"


@every_format
@pytest.mark.parametrize(
    ("link", "address"),
    [
        ("hhttp://x.test/1", "http://x.test/1"),
        ("http:/x.test/1", "http://x.test/1"),
        ("http//x.test/1", "http://x.test/1"),
        ("http://http://x.test/1", "http://x.test/1"),
        ("ttp://x.test/1", "http://x.test/1"),
        ("http:///x.test/1", "http://x.test/1"),
        ("www.x.test/1", "http://www.x.test/1"),
        ("http://", ""),
        ("javascript:alert(1)", ""),
        ("file:///etc/passwd", ""),
    ],
)
def test_a_slip(name: str, broken: str, link: str, address: str) -> None:
    assert first(name, broken, link, FEED).url == address


@pytest.mark.parametrize(
    "url", ["https://x.test/?a=1&amp;amp;b=2", "<![CDATA[https://x.test/?a=1&amp;b=2]]>"]
)
def test_an_ampersand_escaped_twice(url: str) -> None:
    """All links of a newspaper that is polled: its server gave other pages for "amp;b"."""
    document = f"<rss><channel><item><title>a</title><link>{url}</link></item></channel></rss>"
    assert parse_feed(document.encode(), FEED).articles[0].url == "https://x.test/?a=1&b=2"


@pytest.mark.parametrize(
    ("guid", "address"),
    [
        ("<guid>https://x.test/1</guid>", "https://x.test/1"),
        ("<guid>ttp://x.test/1</guid>", "http://x.test/1"),
        ("<guid>/2026/1</guid>", "https://feeds.test/2026/1"),
        ("<guid isPermaLink='true'>2026/1.html</guid>", "https://feeds.test/a/2026/1.html"),
        ("<guid isPermaLink='true'>not an address</guid>", ""),
        ("<guid isPermaLink='true'>tag:x.test,2026:1</guid>", ""),
        ("<guid isPermaLink='false'>https://x.test/1</guid>", ""),
        ("<guid isPermaLink='false'>/2026/1</guid>", ""),
        ("<guid>12345</guid>", ""),
        ("<guid>a/12345</guid>", ""),
    ],
)
def test_an_id_that_is_the_address(guid: str, address: str) -> None:
    document = f"<rss><channel><item><title>a</title>{guid}</item></channel></rss>"
    (article,) = parse_feed(document.encode(), FEED).articles
    assert article.url == address
    assert article.guid in guid


@pytest.mark.parametrize("guid", ["12345", "a/12345"])
def test_an_id_is_no_address_in_a_broken_feed_either(guid: str) -> None:
    items = f"<item><title>a</title><guid>{guid}</guid></item><item><title>b</item>"
    feed = parse_feed(f"<rss><channel>{items}</channel></rss>".encode(), FEED)
    assert [one.url for one in feed.articles if one.guid] == [""]


def test_a_channel_without_a_link_but_atoms() -> None:
    document = (
        "<rss xmlns:atom='http://www.w3.org/2005/Atom'><channel><atom:link rel='self' href='/f'/>"
        "<atom:link href='https://site.test/'/><item><title>a</title></item></channel></rss>"
    )
    feed = parse_feed(document.encode(), FEED)
    assert (feed.site_url, feed.hints.topic) == ("https://site.test/", "https://feeds.test/f")
    named = document.replace("<channel>", "<channel><link>https://own.test/</link>")
    assert parse_feed(named.encode(), FEED).site_url == "https://own.test/"


@pytest.mark.parametrize(
    ("inside", "address"),
    [
        ("<link rel='http://www.iana.org/assignments/relation/alternate' href='/1'/>", "/1"),
        ("<link rel=' alternate ' href='/1'/>", "/1"),
        ("<content type='application/pdf' src='/1.pdf'/>", "/1.pdf"),
        ("<content type='application/pdf' src='/1.pdf'/><link href='/1'/>", "/1"),
    ],
)
def test_where_an_entry_is(inside: str, address: str) -> None:
    document = f"<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>1</id>{inside}</entry></feed>"
    assert parse_feed(document.encode(), FEED).articles[0].url == f"https://feeds.test{address}"


def test_of_several_translations_the_one_in_the_language_of_the_entry() -> None:
    cases = (
        ("en", ("de", "en"), "en"),
        ("en-GB", ("fr", "en-US", "en-GB"), "en-US"),
        ("de", ("en", "fr"), "en"),
        ("", ("de", "en"), "de"),
        ("fr", ("fr", "fr-CA"), "fr"),
        ("pt-BR", ("", "pt"), "pt"),
    )
    wrong = []
    for language, offered, expected in cases:
        links = "".join(
            f'<link href="https://news.test/{one}" hreflang="{one}" type="text/html"/>'
            for one in offered
        )
        (entry,) = parse_feed(
            f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{language}"><title>T</title>'
            f"<entry><id>1</id><title>One</title>{links}</entry></feed>".encode(),
            "https://news.test/feed",
        ).articles
        if entry.url != f"https://news.test/{expected}":
            wrong.append((language, offered, entry.url))
    assert wrong == []
