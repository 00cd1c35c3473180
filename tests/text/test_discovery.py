"""Which feeds a page names, and that no page takes long to read."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.feeds.discovery import (
    MOST_LINKS,
    FeedLink,
    feed_links,
    guesses,
    moved_to,
    possible_feeds,
)

PAGE = "https://site.example/blog/post"
RSS = "application/rss+xml"


def link(href: str, *, rel: str = "alternate", kind: str = RSS, more: str = "") -> str:
    return f'<link rel="{rel}" type="{kind}" href="{href}"{more}>'


def urls(html: str | bytes, url: str = PAGE) -> list[str]:
    page = html.encode() if isinstance(html, str) else html
    return [one.url for one in feed_links(page, url)]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (link("/feed"), ["https://site.example/feed"]),
        (link("feed.xml"), ["https://site.example/blog/feed.xml"]),
        (link("//cdn.example/feed"), ["https://cdn.example/feed"]),
        (link("https://other.example/f?a=1&amp;b=2"), ["https://other.example/f?a=1&b=2"]),
        (link("/feed#top"), ["https://site.example/feed"]),
        (link(" /feed \n"), ["https://site.example/feed"]),
        (link("feed://site.example/f"), ["http://site.example/f"]),
        (link("feed:https://site.example/f"), ["https://site.example/f"]),
        (link("/a", kind="application/atom+xml"), ["https://site.example/a"]),
        (link("/j", kind="application/feed+json"), ["https://site.example/j"]),
        (link("/j", kind="application/json"), ["https://site.example/j"]),
        (link("/x", kind="text/xml; charset=utf-8"), ["https://site.example/x"]),
        (link("/x", rel="Alternate Home"), ["https://site.example/x"]),
        (link("/x", rel="feed", kind=""), ["https://site.example/x"]),
        ("<LINK REL=ALTERNATE TYPE=application/rss+xml HREF=/f>", ["https://site.example/f"]),
        (
            "<link href='/f' type='application/rss+xml' rel='alternate'/>",
            ["https://site.example/f"],
        ),
        (
            "<link\n rel=alternate\ttype=application/rss+xml\n href = '/f'>",
            ["https://site.example/f"],
        ),
        (link("/f", more=' title="a > b"'), ["https://site.example/f"]),
        (link("/f", more=' title="<b>Posts</b> > all"'), ["https://site.example/f"]),
        (link("/f", more=" title='a < b > \"c\"'"), ["https://site.example/f"]),
        ("<a title='1 < 2 > 0' href='/feed'>", ["https://site.example/feed"]),
        ('<p title="<">' + link("/f"), ["https://site.example/f"]),
        (link("/f", more=f' title="{"x" * 9_000}"'), ["https://site.example/f"]),
        (f'<link title="{"x" * 9_000}" rel=feed href="/f">', ["https://site.example/f"]),
        ('<base href="https://base.example/x/">' + link("f"), ["https://base.example/x/f"]),
        ('<base href="/x/">' + link("f"), ["https://site.example/x/f"]),
        ('<base href="http://[">' + link("/f"), ["https://site.example/f"]),
        (
            link("/b") + link("/a") + link("/b"),
            ["https://site.example/b", "https://site.example/a"],
        ),
        (
            link("/comments/feed") + link("/feed"),
            ["https://site.example/feed", "https://site.example/comments/feed"],
        ),
        (
            '<a href="/rss">RSS</a>' + link("/feed"),
            ["https://site.example/feed", "https://site.example/rss"],
        ),
        ('<a class="x" href="/atom.xml">', ["https://site.example/atom.xml"]),
        ('<a href="/feed/?lang=de">', ["https://site.example/feed/?lang=de"]),
        ('<a href="https://site.example/category/x.rss">', ["https://site.example/category/x.rss"]),
    ],
)
def test_found(html, expected):
    assert urls(html) == expected


@pytest.mark.parametrize(
    "html",
    [
        "",
        "no page at all",
        link("/style.css", rel="stylesheet", kind="text/css"),
        link("/x", rel="alternate stylesheet", kind="text/xml"),
        link("/en", kind="text/html"),
        link("/feed", rel="canonical"),
        link("/wp-json/wp/v2/posts/1", kind="application/json"),
        link("/oembed?format=json", kind="application/json"),
        link("javascript:alert(1)"),
        link("file:///etc/passwd"),
        link("data:text/xml,x"),
        link("http://["),
        link(""),
        link("/" + "x" * 3000),
        "<link rel=alternate type=application/rss+xml>",
        "<!-- " + link("/feed") + " -->",
        "<!-- " + link("/feed"),
        "<script>var a = '" + link("/feed") + "'</script>",
        '<a href="/about">',
        '<a href="/newsfeed">',
        '<a href="https://reader.example/subscription/feed/https://site.example/feed">',
        '<a href="https://reader.example/?add=x/https%3A%2F%2Fsite.example/feed">',
        "<a>",
        "<aside href='/feed'>",
        "<a href='/feed'",
    ],
)
def test_not_found(html):
    assert urls(html) == []


def test_title_and_type():
    html = link("/feed", more=' title="  A &raquo;\n B &amp;#0; &#0;C"')
    found = feed_links(html.encode(), PAGE)
    assert found == (FeedLink("https://site.example/feed", "A » B &#0; �C", RSS),)


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("<title>ж</title>".encode() + link("/f", more=' title="жук"').encode(), "жук"),
        (b"<meta charset=koi8-r>" + link("/f", more=' title="жук"').encode("koi8-r"), "жук"),
        (b'<meta charset="gb2312">' + link("/f", more=' title="新闻"').encode("gb2312"), "新闻"),
        (link("/f", more=' title="é"').encode("cp1252"), "é"),
        (b"<meta charset=iso-8859-1>" + link("/f", more=' title="“é”"').encode("cp1252"), "“é”"),
        (b"<meta charset=gb2312>" + link("/f", more=' title="镕基"').encode("gbk"), "镕基"),
        (b"<meta charset=tis-620>" + link("/f", more=' title="ข่าว"').encode("cp874"), "ข่าว"),
        (b"<meta charset=ks_c_5601-1987>" + link("/f", more=' title="똠"').encode("cp949"), "똠"),
        (link("/f", more=' title="新闻"').encode("utf-16"), "新闻"),
        ("жук".encode() * 20 + b"\xd0" + link("/f", more=' title="жук"').encode(), "жук"),
        (b"<meta charset=utf-7>" + link("/f", more=' title="\xe9"').encode("cp1252"), "é"),
        (b"<meta charset=iso-9999>" + link("/f", more=' title="\xe9"').encode("cp1252"), "é"),
        ("İ".encode() * 50 + b"<!--x-->" + link("/f", more=' title="a"').encode(), "a"),
    ],
)
def test_encodings(page, title):
    assert [one.title for one in feed_links(page, PAGE)] == [title]


def test_bounded_in_number():
    page = "".join(link(f"/{n}") for n in range(5000)).encode()
    assert len(feed_links(page, PAGE)) == MOST_LINKS


def test_links_after_the_first_20_000_are_not_read():
    page = b"<a href=/x>" * 19_999 + b"<a href=/rss.xml>" * 2 + b"<a href=/feed.xml>"
    assert [one.url for one in feed_links(page, PAGE)] == ["https://site.example/rss.xml"]


@pytest.mark.parametrize(
    "page",
    [
        b"<a " + b" ".join(b"a%d=1" % n for n in range(150_000)) + b">",
        b"<" * 2_000_000,
        b"<link " * 300_000,
        b'<a "' * 500_000,
        b'<a href="' + b"x" * 2_000_000,
        b"<a '\"" * 400_000,
        b"<a " + b"=" * 2_000_000 + b">",
        b"<a " + b'a=" ' * 500_000 + b">",
        b"<a " + b" " * 2_000_000 + b">",
        b"<!--" * 500_000,
        b"<script" * 300_000,
        b"<!---->" * 300_000,
        b"charset=" * 250_000 + b"\xff",
        b"<div>" * 400_000,
    ],
    ids=lambda page: repr(page[:12]),
)
def test_hostile_pages_end(page):
    """Each took a parser or a pattern minutes; a test that hangs is stopped by its time limit."""
    assert feed_links(page, PAGE) == ()


@given(
    st.one_of(st.binary(max_size=300), st.text("<>='\" alinkhrefeeds/", max_size=300)), st.text()
)
def test_any_page_is_read(page, url):
    found = feed_links(page.encode() if isinstance(page, str) else page, url)
    assert all(urlsplit(one.url).scheme in {"http", "https"} for one in found)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "https://site.example",
            ["/feed", "/rss.xml", "/atom.xml", "/index.xml"],
        ),
        (
            "https://site.example/?q=1",
            ["/feed", "/rss.xml", "/atom.xml", "/index.xml"],
        ),
        (
            "https://site.example/blog/post",
            ["/blog/feed", "/feed", "/blog/rss.xml", "/rss.xml"],
        ),
    ],
)
def test_guesses(url, expected):
    assert list(guesses(url))[:4] == ["https://site.example" + path for path in expected]


@pytest.mark.parametrize(
    "url", ["", "site.example", "ftp://site.example/", "javascript:1", "http://["]
)
def test_nothing_to_guess(url):
    assert guesses(url) == ()


@given(st.text(max_size=60))
def test_any_url_is_guessed_from(url):
    assert all(one.startswith(("http://", "https://")) for one in guesses("https://" + url))


def test_the_feeds_of_software_are_by_the_page_and_at_the_root() -> None:
    page = b'<meta name=generator content="Ghost 5"><a href=/pay>Subscribe</a><a href=/x>RSS</a>'
    assert [one.url for one in possible_feeds(page, PAGE)] == [
        "https://site.example/x",
        "https://site.example/blog/rss/",
        "https://site.example/rss/",
        "https://site.example/pay",
    ]


@pytest.mark.parametrize("read", [possible_feeds, moved_to])
def test_other_links_of_hostile_pages_are_bounded(read: Callable[[bytes, str], object]) -> None:
    """Each is megabytes that a pattern with a way back would read for minutes."""
    for page in (
        b"<a href=/x>rss" * 200_000,
        b"<meta name=generator content='wordpress ghost hugo'>" * 50_000,
        b"<meta http-equiv=refresh content='0" + b" " * 1_000_000 + b"'>",
        b"<a title='" + b"rss " * 500_000,
        b"we have moved " * 1_000 + b"<a href=/y>",
    ):
        read(page, PAGE)
