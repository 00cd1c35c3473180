"""The task "read": a feed, a page that may name feeds, a list of feeds. Only workers import this.

One task, so that who adds a page waits for one process and not for two: what is asked begins with
the kind of the document.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from newsloom.feeds.parse.foreign_dates import load_zones
from newsloom.feeds.workers import outlines
from newsloom.feeds.workers import page_links as pages
from newsloom.feeds.workers import parsing as feeds
from newsloom.kernel.errors import ParseError
from newsloom.kernel.text.decoding import load_detector
from newsloom.kernel.text.hosts import named

_KINDS = {feeds.KIND: feeds.answer, pages.KIND: pages.answer, outlines.KIND: outlines.answer}

_URL = "https://bücher.example/"
_FEED = [feeds.KIND, _URL, "", 0, "2026-11-02T10:00:00+00:00"]
# One of each kind, with an address in letters of another language; a broken feed besides, which is
# read twice: by expat and lxml, then by feedparser.
_SAMPLES = (
    (
        _FEED,
        f"<rss><channel><item><link>{_URL}</link><pubDate>2 Nov 2026</pubDate><b></item></rss>",
    ),
    (_FEED, "<rss><channel><item><pubDate>2 مهر 1405</pubDate></item></channel></rss>"),
    (_FEED, '{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1"}]}'),
    ([pages.KIND, _URL, "", [], False], "<link rel=feed href=/feed>"),
    ([outlines.KIND], f"<opml><body><outline xmlUrl='{_URL}'/></body></opml>"),
)


def answer(asked: Any, body: bytes) -> bytes:
    """Raises ParseError, in words, for what is none of its kind."""
    return _KINDS[asked[0]](asked, body)


def get_ready() -> None:
    """Have everything loaded that a document may need: libraries import much when they first do."""
    load_detector()
    load_zones()
    named("☃.example")  # which only the older standard of such names knows
    for asked, document in _SAMPLES:
        with suppress(ParseError):
            answer(asked, document.encode())
