"""The task "page": what a web page says, and the article in it. Both sides: `answer` in a worker,
the others in Newsloom.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from newsloom.feeds.discovery import base_of, decoded
from newsloom.feeds.full_text import full_text, get_ready
from newsloom.feeds.page_gates import measured
from newsloom.feeds.values.pages import PageFacts
from newsloom.kernel.errors import ParseError
from newsloom.kernel.text.characters import plain
from newsloom.kernel.text.html import to_text
from newsloom.kernel.text.markup import TAG
from newsloom.kernel.text.urls import join
from newsloom.kernel.workers.wire import read_back, written

__all__ = ["TASK", "answer", "get_ready", "question", "understood"]

TASK = "page"

# Where a page says what it is called and where it stands: in its head, which comes first.
HEAD = 100_000
LONGEST_TITLE = 500
OPENING = 20_000

_ATTRIBUTE = re.compile(r"""([a-zA-Z:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_TITLE = re.compile(r"<title\b[^>]*>([^<]{0,2000})", re.IGNORECASE)


def question(url: str, content_type: str, title: str) -> list[Any]:
    """What is asked beside the page itself; `title` is its article's, where it is known."""
    return [url, content_type, title]


def answer(asked: Any, body: bytes) -> bytes:
    """In a worker: always an answer, also of a page without an article."""
    url, content_type, title = asked
    html = decoded(body, content_type)
    try:
        article, problem = full_text(body, url, content_type, title), ""
    except ParseError as error:
        article, problem = "", str(error)
    named, canonical = _head(html[:HEAD], base_of(html[:HEAD], url))
    facts = measured(article, to_text(html, OPENING), title=named, canonical=canonical)
    return written(replace(facts, html=article, problem=problem))


def understood(said: bytes) -> PageFacts:
    """In Newsloom: the same values again. Raises ValueError for anything else."""
    return read_back(PageFacts, said)


def _head(html: str, base: str) -> tuple[str, str]:
    """What the page is called, and where it says that it stands."""
    title, canonical = "", ""
    for tag in TAG.finditer(html):
        name = (tag[1] or "").lower()
        if name == "link" and not canonical:
            said = _attributes(tag[0])
            if "canonical" in said.get("rel", "").lower().split():
                canonical = join(base, said.get("href", ""))
        elif name == "meta" and not title:
            said = _attributes(tag[0])
            if said.get("property", said.get("name", "")).lower() == "og:title":
                title = said.get("content", "")
    whole = _TITLE.search(html)
    title = title or (whole[1] if whole else "")
    return " ".join(plain(to_text(title, LONGEST_TITLE)).split())[:LONGEST_TITLE], canonical


def _attributes(tag: str) -> dict[str, str]:
    return {one[1].lower(): one[2] or one[3] or one[4] or "" for one in _ATTRIBUTE.finditer(tag)}
