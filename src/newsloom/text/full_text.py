"""The article in a web page, as HTML that may be kept. Pure; bounded but for time.

trafilatura finds it. It takes its time over some pages (19 s for 300,000 line breaks), so that who
calls this must be able to end it; what would make it, or the parser beneath it, take for ever is
refused before.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from typing import Any

from newsloom.errors import ParseError
from newsloom.text.discovery import base_of, decoded
from newsloom.text.html import sanitize, visible
from newsloom.text.markup import Limits, beyond

# Pages of newspapers have up to 2 MB, most of it scripts. libxml2 takes 160 s for one tag with
# 120,000 attributes, and is quadratic in depth.
LIMITS = Limits(characters=5_000_000, depth=250, attributes=250, work=4_000_000)

_FIRST_HEADING = re.compile(r"\s*(?:<html>\s*)?(?:<body>\s*)?<h1>(.{0,1000}?)</h1>", re.DOTALL)


def full_text(page: bytes, url: str, content_type: str, title: str) -> str:
    """The article, its links absolute; without its title where that is the first thing in it.

    Raises ParseError, in words for a person, when there is none to be found.
    """
    html = decoded(page, content_type)
    if problem := beyond(html, LIMITS):
        raise ParseError(f"its page is {problem}")
    base = base_of(html, url)
    found = _extracted(html)
    if not found:
        raise ParseError("no article was found in its page")
    heading = _FIRST_HEADING.match(found)
    if heading and visible(heading[1]).casefold() == visible(title).casefold():
        found = found[heading.end() :]
    clean = sanitize(found, base)
    if not visible(clean):
        raise ParseError("no article was found in its page")
    return clean


@cache
def _extract() -> Any:
    """trafilatura, with all that it reads from files: where this runs, none may be opened later."""
    from trafilatura import external, extract  # 0.2 s and 40 MB for those who ask for full texts

    external.jt_stoplist_init()
    return extract


def get_ready() -> None:
    """Have everything loaded that an extraction may need."""
    words = (
        "<p>A sentence that is long enough to be taken for a part of an article's text, with "
        "<a href='https://bücher.example/'>a link</a>.</p>"
    )
    for page in (words * 20, "<p>Short.</p>"):
        with suppress(ParseError):
            full_text(page.encode(), "https://bücher.example/", "", "")


def _extracted(html: str) -> str:
    found = _extract()(
        html,
        # Without the page's address: trafilatura would take all relative links for the root's.
        output_format="html",
        # On 400 made-up pages recall rose from .951 to .976, at a precision of .901 for .903.
        favor_recall=True,
        include_comments=False,
        include_formatting=True,
        include_images=True,
        include_links=True,
        include_tables=True,
    )
    return str(found or "")
