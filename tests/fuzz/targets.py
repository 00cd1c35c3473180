"""What is fuzzed: every function that bytes of strangers reach first, and what must hold of it.

One row each in TARGETS. A target takes any bytes and returns nothing; what it raises is a finding.
The same targets are run on a saved corpus, by hypothesis, and guided by coverage (see run.py).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser

from newsloom.duplicates import prepare
from newsloom.feeds.discovery import MOST_LINKS, feed_links, guesses
from newsloom.feeds.parse import parse_feed, read_opml, write_opml
from newsloom.feeds.parse.dates import parse_date
from newsloom.feeds.parse.encoding import to_utf8
from newsloom.feeds.parse.links import resolve
from newsloom.feeds.values.published import ParsedFeed, PollHints
from newsloom.feeds.websub import discovered
from newsloom.feeds.workers import outlines
from newsloom.feeds.workers import page_links as pages
from newsloom.feeds.workers import parsing as feeds
from newsloom.kernel.db.dialects import fts5 as fulltext
from newsloom.kernel.db.drivers import choose
from newsloom.kernel.db.phrases import Words
from newsloom.kernel.errors import ParseError, UserError
from newsloom.kernel.http.decode import BoundedDecoder, content_coding
from newsloom.kernel.http.problems import Stopped
from newsloom.kernel.ids import FeedId
from newsloom.kernel.text import redirects, urls
from newsloom.kernel.text import response_headers as http_headers
from newsloom.kernel.text.html import excerpt, sanitize, to_text, visible
from newsloom.kernel.text.pictures import picture_type
from newsloom.kernel.text.response_headers import links
from newsloom.reading.search_language import parse as parse_search
from newsloom.reading.service import cursors
from newsloom.reading.values.reading import Subscription

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
BASE = "https://feeds.test/a/feed.xml"
_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")
_TYPES = ("", "application/rss+xml", "text/xml; charset=utf-16", "text/html; charset=koi8-r")


@dataclass(frozen=True, slots=True)
class Target:
    """A function to be fuzzed, and words it will meet."""

    name: str
    run: Callable[[bytes], None]
    words: tuple[str, ...] = ()
    longest: int = 4096


def _text(data: bytes) -> str:
    """With halves of characters, which JSON and HTML can bring, where the bytes are such."""
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace")


def _storable(*texts: str) -> None:
    for text in texts:
        assert _UNSTORABLE.search(text) is None, text


def _feed(data: bytes) -> None:
    """First byte: the Content-Type. The rest is the document."""
    with suppress(ParseError):
        feed = parse_feed(data[1:], BASE, content_type=_TYPES[data[:1][0] % 4] if data else "")
        _is_sound(feed)


def _json_feed(data: bytes) -> None:
    with suppress(ParseError):
        _is_sound(parse_feed(b'{"version":"https://jsonfeed.org/version/1.1",' + data, BASE))


def _is_sound(feed: ParsedFeed) -> None:
    _storable(feed.title, feed.description, feed.site_url, feed.image, feed.language)
    for one in feed.articles:
        _storable(one.guid, one.url, one.title, one.author, one.summary, one.content, one.image)
        _storable(one.language, one.origin, one.publisher, one.publisher_url, *one.categories)
        assert "\n" not in one.title
        for date in (one.published, one.updated):
            assert date is None or date.utcoffset() == timedelta(0)
        for address in (one.url, one.image, *(file.url for file in one.enclosures)):
            assert not address.lower().startswith(("javascript:", "data:", "file:", "vbscript:"))
    incoming = prepare(feed, FeedId(1), NOW)
    assert len(incoming) <= len(feed.articles)
    assert all(one.copy.dated <= NOW for one in incoming)


def _date(data: bytes) -> None:
    found = parse_date(_text(data))
    assert found is None or found.utcoffset() == timedelta(0)


class _Seen(HTMLParser):
    """What a browser would be told."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]


_REFUSED = {
    "script", "style", "iframe", "object", "embed", "form", "input", "button", "svg",
    "base", "meta", "link", "template", "noscript",
}  # fmt: skip


def _html(data: bytes) -> None:
    html = _text(data)
    clean = sanitize(html, BASE)
    seen = _Seen()
    seen.feed(clean)
    seen.close()
    assert not seen.tags & _REFUSED
    for name, value in seen.attributes:
        assert not name.startswith("on")
        assert name not in {"style", "srcdoc", "formaction"}
        if name in {"id", "name"}:
            assert value.startswith("text-"), value
        if name in {"href", "src", "poster"} and not value.startswith("data:image/"):
            assert value.lower().startswith(("http://", "https://", "mailto:", "#text-")), value
    assert "\0" not in clean
    clean.encode("utf-8")
    text = to_text(html, 500)
    assert len(text) <= 500
    visible(html)
    assert len(excerpt(text, 80)) <= 80


def _opml(data: bytes) -> None:
    with suppress(ParseError):
        found = read_opml(data)
        for one in found:
            assert one.url.lower().startswith(("http://", "https://"))
            _storable(one.url, one.title, one.category)
        written = write_opml(
            Subscription(FeedId(1), one.url, one.title, one.category) for one in found
        )
        assert {one.url for one in read_opml(written)} == {one.url for one in found}


def _url(data: bytes) -> None:
    url, _, other = _text(data).partition("\n")
    address = urls.canonical(url)
    assert urls.canonical(address) == address
    for read in (urls.host, urls.source, urls.shared_host, urls.publisher):
        read(url)
    urls.is_article(address)
    joined = urls.join(url, other)
    assert not joined or urls.is_http(joined)
    resolved = resolve(url, other)
    assert not resolved.lower().startswith(("javascript:", "data:", "file:", "vbscript:"))
    led = redirects.target(url)
    redirects.forwards(led)


def _headers(data: bytes) -> None:
    """Lines of "name: value", as the fetcher gives them."""
    lines = (line.partition(":") for line in data.decode("latin-1").split("\n"))
    headers = [(name.strip().lower(), value.strip()) for name, _, value in lines]
    wait = http_headers.retry_after(headers, NOW)
    assert wait is None or timedelta(0) <= wait <= http_headers.LONGEST_RETRY
    fresh = http_headers.fresh_for(headers, NOW)
    assert fresh is None or timedelta(0) < fresh <= http_headers.LONGEST_FRESH
    http_headers.max_age(headers)
    with suppress(Stopped):
        content_coding([value for name, value in headers if name == "content-encoding"])


def _link_header(data: bytes) -> None:
    text = data.decode("latin-1")
    assert len([*links([text, text])]) <= 200
    hints = discovered([("link", text)], BASE, PollHints())
    assert not hints.hub or urls.is_http(hints.hub)


def _discovery(data: bytes) -> None:
    for link in feed_links(data, "https://site.test/a/b"):
        assert link.url.startswith(("http://", "https://"))
    said = pages.answer([pages.KIND, "https://site.test/a/b", "", [_text(data)], False], data)
    assert len(pages.understood(said).feeds) <= MOST_LINKS + 1
    guesses(_text(data))


def _decoding(data: bytes) -> None:
    """First byte: the coding; second: where the wire cut it in two."""
    if len(data) < 2:
        return
    coding, cut = ("", "gzip", "deflate", "br")[data[0] % 4], data[1] % max(len(data) - 2, 1) + 2
    decoder = BoundedDecoder(coding, most_bytes=100_000, most_ratio=100)
    with suppress(Stopped):
        decoder.feed(data[2:cut])
        decoder.feed(data[cut:])
        assert len(decoder.finish()) <= 100_000


def _encoding(data: bytes) -> None:
    """First byte: the Content-Type."""
    decoded = to_utf8(data[1:], _TYPES[data[0] % 4] if data else "")
    decoded.utf8.decode("utf-8")


def _picture(data: bytes) -> None:
    assert picture_type(data) in {"", *_PICTURES}


def _answer(data: bytes) -> None:
    """What a worker that was taken over might answer, whatever it was asked."""
    with suppress(ValueError, LookupError):
        found = pages.understood(data)
        assert all(one.url.lower().startswith("http") for one in (*found.feeds, *found.possible))
    with suppress(ValueError, LookupError):
        listed = outlines.understood(data)
        assert all(one.url.lower().startswith("http") for one in (*listed.feeds, *listed.pages))
    try:
        feed, incoming = feeds.understood(data)
    except (ValueError, LookupError):
        return
    assert all(one.parsed in feed.articles for one in incoming)
    json.loads(data)


_PICTURES = (
    "image/png", "image/gif", "image/jpeg", "image/webp", "image/x-icon", "image/avif",
)  # fmt: skip
_XML = (
    "<?xml version='1.0' encoding='utf-16'?>", "<!DOCTYPE rss [", "<!ENTITY a 'b'>", "]>", "&a;",
    "<![CDATA[", "]]>", "<!--", "-->", "&amp;", "&#xD800;", "<rss>", "<channel>", "<item>",
    "</item>", "<title>", "</title>", "<link>", "<guid isPermaLink='false'>", "<pubDate>",
    "<feed xmlns='http://www.w3.org/2005/Atom'>", "<entry>", "<content type='xhtml'>", "xml:base='",
    "<media:content url='", "<enclosure url='", "<rdf:RDF>", "xmlns:a='", "<description>",
)  # fmt: skip


def _search(data: bytes) -> None:
    """What was typed is refused in words, or SQLite takes what becomes of it."""
    with suppress(UserError):
        query = parse_search(_text(data))
        words = [
            [one.condition] if isinstance(one.condition, Words) else []
            for clause in query.clauses
            for one in clause
        ]
        wanted = [one for one in words if one]
        if wanted:
            for match in (
                fulltext.match(wanted, []),
                fulltext.match(wanted[:1], [one for (one,) in wanted[1:]]),
                fulltext.match([[one for (one,) in wanted]], []),
            ):
                assert _TEXTS.execute(_MATCHING, (match,)).fetchall() in ([], [(1,)])


_MATCHING = "SELECT rowid FROM texts_search WHERE texts_search MATCH ?"
_TEXTS = choose().module.connect(":memory:")
_TEXTS.execute("CREATE VIRTUAL TABLE texts_search USING fts5(title, lead, rest, tokenize='ascii')")
_TEXTS.execute("INSERT INTO texts_search VALUES ('Night trains', 'Electric trains', 'by night')")


def _cursor(data: bytes) -> None:
    """Any cursor is none, or the same when it is written and read again."""
    cursor = cursors.parse(_text(data))
    if cursor is not None:
        assert cursors.parse(cursors.written(cursor)) == cursor
        assert abs(cursor.last.sort_key) < 2**63
        assert cursor.at.tzinfo is not None


_HTML = (
    "<script>", "</script>", "<iframe src=", "/>", "<textarea>", "<svg>", "href=", "javascript:",
    "<math>", "<mtext>", "<annotation>", "<svg><text>",
    "&#x0;", "<!--", "<object data=", "srcdoc=", "data-src=", "id=a", "#a", "<style>", "<noscript>",
)  # fmt: skip
TARGETS = (
    Target("feed", _feed, _XML),
    Target("json feed", _json_feed, ('"items":[', '"id":', '"url":', '"authors":', '"hubs":', "}")),
    Target("date", _date, ("Mon, ", " GMT", "+0200", "T24:00", "年", "janv.", ":60", "PM"), 128),
    Target("html", _html, _HTML),
    Target("opml", _opml, ("<opml>", "<body>", "<outline text='", "xmlUrl='http://", *_XML[:6])),
    Target("url", _url, ("https://", "//", "@", "[::1]", "%2e", "?url=", "#!", "\\"), 512),
    Target("headers", _headers, ("retry-after:", "date:", "expires:", "cache-control: max-age=")),
    Target("link header", _link_header, ("<http://", ">; rel=", '"hub"', '"self"', "anchor=")),
    Target("discovery", _discovery, ("<link rel=alternate", "type=application/rss+xml", "<base ")),
    Target("decoding", _decoding, ("\x1f\x8b\x08",)),
    Target("encoding", _encoding, ("<?xml encoding='", "utf-7", "+ADw-", "\xff\xfe", "charset=")),
    Target("picture", _picture, ("\x89PNG\r\n\x1a\n", "GIF89a", "RIFF", "WEBP", "ftypavif"), 512),
    Target("search", _search, ('"', "-", " OR ", "title:", "score:>", "since:", "NEAR(", "*", "^")),
    Target("cursor", _cursor, ("1790000000000000~", "5.7~", "3.2.1", "~", ".", "-9"), 256),
    Target("worker's answer", _answer, ('{"feed":{', '"articles":[', '"incoming":[', '"place":')),
)  # fmt: skip


def target(name: str) -> Target:
    """The row of that name."""
    return next(row for row in TARGETS if row.name == name)
