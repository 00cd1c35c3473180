"""Which of several texts of an article is its summary and which its content, and who wrote it."""

from __future__ import annotations

import base64

import pytest

from newsloom.feeds.parse import parse_feed
from newsloom.feeds.values.published import ParsedArticle

NAMESPACES = (
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom" '
    'xmlns:content="http://purl.org/rss/1.0/modules/content/" '
    'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" '
    'xmlns:media="http://search.yahoo.com/mrss/" xmlns:dcterms="http://purl.org/dc/terms/"'
)
LONG = "The whole text of it, in more words than one."


def read(inside: str) -> ParsedArticle:
    document = f"<rss version='2.0' {NAMESPACES}><channel><item>{inside}</item></channel></rss>"
    return parse_feed(document.encode(), "https://feeds.test/").articles[0]


@pytest.mark.parametrize(
    ("inside", "summary", "content"),
    [
        (f"<description>Short.</description><description>{LONG}</description>", "Short.", LONG),
        (f"<description>{LONG}</description><description>Short.</description>", "Short.", LONG),
        ("<description>Foo</description><description>Bar</description>", "Foo", "Bar"),
        ("<description>One</description><description>One</description>", "One", ""),
        (
            "<description>&lt;p&gt;One two&lt;/p&gt;</description><description>One</description>",
            "<p>One two</p>", "",
        ),
        (
            "<description>One</description><description>&lt;p&gt;One two&lt;/p&gt;</description>",
            "One", "<p>One two</p>",
        ),
        ("<description/><description>Second</description>", "Second", ""),
        (
            f"<description>a</description><description>{LONG}</description>"
            "<content:encoded>Content</content:encoded>",
            "a", "Content",
        ),
        (f"<description>Foo</description><dc:description>{LONG}</dc:description>", "Foo", LONG),
        (f"<description>Foo</description><itunes:summary>{LONG}</itunes:summary>", "Foo", LONG),
        (f"<itunes:summary>{LONG}</itunes:summary><description>Foo</description>", "Foo", LONG),
        ("<itunes:summary>Foo</itunes:summary>", "Foo", ""),
        (f"<description>Foo</description><itunes:subtitle>{LONG}</itunes:subtitle>", "Foo", ""),
        # of a picture, whatever it says
        (f"<description>Foo</description><media:description>{LONG}</media:description>", "Foo", ""),
        ("<media:description>Foo</media:description>", "Foo", ""),
        ("<description>Foo</description><atom:content>Bar</atom:content>", "Foo", "Bar"),
        ("<description>Foo</description><atom:summary>Bar</atom:summary>", "Foo", "Bar"),
        (
            "<description>Foo</description><body xmlns='http://www.w3.org/1999/xhtml'>"
            "<p>Bar</p></body>",
            "Foo", "<p>Bar</p>",
        ),
        ("<description>Foo</description><content>Bar</content>", "Foo", "Bar"),
        ("<summary>Foo</summary>", "Foo", ""),
    ],
)  # fmt: skip
def test_two_texts(inside: str, summary: str, content: str) -> None:
    article = read(inside)
    assert (article.summary, article.content) == (summary, content)


@pytest.mark.parametrize("part", ["&lt;!--", "&lt;a ", "&lt;", "&amp;", "a", "&lt;![CDATA["])
def test_two_long_ones_take_no_time(part: str) -> None:
    """A test that hangs is stopped by its time limit."""
    inside = (
        f"<description>{part * 100_000}</description><description>{part * 99_999}b</description>"
    )
    assert read(inside).content


def atom(inside: str) -> ParsedArticle:
    document = f"<feed xmlns='http://www.w3.org/2005/Atom'><entry>{inside}</entry></feed>"
    return parse_feed(document.encode(), "https://feeds.test/").articles[0]


@pytest.mark.parametrize(
    ("inside", "content"),
    [
        (f"<summary>Foo</summary><summary>{LONG}</summary>", LONG),
        ("<content type='xml'>Some content.</content>", "Some content."),
        ("<content type='multipart/alternative'>Some content.</content>", "Some content."),
        ("<content type='application/text'>U29tZSBt\n b3JlIHRleHQu</content>", "Some more text."),
        ("<content type='application/html'>PGI+TW9yZTwvYj4=</content>", "<b>More</b>"),
        ("<content type='application/text'>YRpiAA==</content>", "ab"),
        ("<content type='text/html' mode='base64'>YRpiAA==</content>", "ab"),
        ("<content type='image/png'>iVBORw0KGgo=</content>", ""),
        ("<content type='image/png'>not base64</content>", ""),
    ],
)
def test_texts_of_atom(inside: str, content: str) -> None:
    assert atom(inside).content == content


@pytest.mark.parametrize(
    ("inside", "author"),
    [
        ("<dc:creator>ann@x.test (Ann Quill)</dc:creator>", "Ann Quill"),
        ("<dc:creator>Ann Quill &lt;ann@x.test&gt;</dc:creator>", "Ann Quill"),
        ("<dc:creator>Ann Quill</dc:creator>", "Ann Quill"),
        ("<dc:creator>ann@x.test</dc:creator>", "ann@x.test"),
        ("<itunes:author>ann@x.test (Ann Quill)</itunes:author>", "Ann Quill"),
    ],
)
def test_names(inside: str, author: str) -> None:
    assert read(inside).author == author


def test_when_it_was_made_is_less_than_when_it_was_published() -> None:
    made = "<dcterms:created>2005</dcterms:created>"
    published = "<dcterms:issued>2026-07-04</dcterms:issued>"
    assert str(read(made + published).published) == "2026-07-04 00:00:00+00:00"
    assert str(read(made).published) == "2005-01-01 00:00:00+00:00"


def test_what_older_and_other_vocabularies_say_is_read() -> None:
    atom = '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en_US"><title {0}</title>'
    atom += "<entry><id>1</id><title {0}</title></entry></feed>"
    rss = (
        '<rss xmlns:dc="http://purl.org/dc/elements/1.1/"'
        ' xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>{}'
        "<item><title>a</title>{}</item></channel></rss>"
    )
    nested = '<itunes:category text="Sea"><itunes:category text="Boats"/></itunes:category>'
    channel = "<dc:title>Tides</dc:title><itunes:summary>Of the sea</itunes:summary>"
    encoded = base64.b64encode(b"Fish <b>and</b> chips").decode()
    seen = {}
    for said in ('mode="base64">', 'type="application/octet-stream">\n'):
        feed = parse_feed(atom.format(said + encoded).encode(), "https://a.test/")
        seen[said] = (feed.title, feed.articles[0].title, feed.language)
    assert set(seen.values()) == {("Fish and chips", "Fish and chips", "en-US")}
    feed = parse_feed(rss.format(channel, f"{nested}<fullitem>all</fullitem>").encode(), "")
    (one,) = feed.articles
    assert (feed.title, feed.description) == ("Tides", "Of the sea")
    assert (one.content, one.categories) == ("all", ("Sea", "Boats"))
