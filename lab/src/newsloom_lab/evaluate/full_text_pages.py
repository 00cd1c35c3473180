"""Web pages with known text: made around the texts of real feeds, or real ones with labels."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from newsloom.feeds.parse import parse_feed
from newsloom.kernel.errors import ParseError, UserError
from newsloom.kernel.text.html import sanitize

URL = "http://fakehost/test/page.html"  # as the labels of readability's test pages have it
SHORTEST, LONGEST = 1_500, 60_000  # characters of a feed's text that a page is made around
PER_FEED = 6


@dataclass(frozen=True, slots=True)
class Page:
    kind: str  # the layout or the collection
    html: bytes
    text: str  # of the article, as HTML
    marked_up: bool = True  # whether `text` has the article's blocks, too


def made_pages(folder: Path, count: int) -> list[Page]:
    """Pages around articles of each feed that has full texts, in each layout in turn."""
    texts = list(_texts(folder))
    if not texts:
        raise UserError(f"{folder} has no feed with whole articles.")
    step = max(1.0, len(texts) / count)
    pages = []
    for number in range(min(count, len(texts))):
        title, text = texts[int(number * step)]
        name, layout = LAYOUTS[number % len(LAYOUTS)]
        head = f"<meta charset=utf-8><title>{escape(title)} - The Example</title>"
        body = layout(escape(title), _themed(text, number // len(LAYOUTS)))
        html = f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"
        pages.append(Page(name, html.encode(errors="replace"), text))
    return pages


def labelled_pages(folder: Path) -> list[Page]:
    """Folders of source.html and expected.html (the test pages of Mozilla's Readability), or
    ground-truth.json and html/ID.html.gz (article-extraction-benchmark)."""
    pages = []
    for source in sorted(folder.rglob("source.html")):
        expected = source.with_name("expected.html")
        if expected.is_file():
            text = sanitize(expected.read_text("utf-8", "replace"), URL)
            pages.append(Page("test pages of Readability", source.read_bytes(), text))
    labels = folder / "ground-truth.json"
    if labels.is_file():
        for name, label in sorted(json.loads(labels.read_text("utf-8")).items()):
            html = gzip.decompress((folder / "html" / f"{name}.html.gz").read_bytes())
            text = f"<pre>{escape(label['articleBody'])}</pre>"
            pages.append(Page("article-extraction-benchmark", html, text, marked_up=False))
    if not pages:
        raise UserError(
            f"{folder} has no pages with known text: folders of source.html and expected.html,"
            " or ground-truth.json and html/."
        )
    return pages


def _texts(folder: Path) -> Iterator[tuple[str, str]]:
    """Title and sanitised text of some articles of each feed that has full texts."""
    for path in sorted(one for one in folder.rglob("*") if one.is_file()):
        try:
            feed = parse_feed(path.read_bytes(), URL)
        except ParseError:
            continue
        found = [
            (one.title, clean)
            for one in feed.articles
            if SHORTEST <= len(clean := sanitize(one.content or one.summary, URL)) <= LONGEST
        ]
        yield from found[:PER_FEED]


_BLANK = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
_COPY = '<div class="toolbar"><button>Copy</button></div></div>'
_AROUND_CODE = (
    ("", ""),
    ('<div class="highlight">', "</div>"),
    ('<div class="code-toolbar">', _COPY),
)
_AROUND_TABLES = (("", ""), ('<div class="table-responsive">', "</div>"))


def _themed(text: str, number: int) -> str:
    """Code, tables and pictures as in each theme of a few: bare, wrapped, loaded by scripts."""
    for tag, wrappers in (("pre", _AROUND_CODE), ("table", _AROUND_TABLES)):
        before, after = wrappers[number % len(wrappers)]
        text = re.sub(rf"(?=<{tag}\b)", before, text)
        text = text.replace(f"</{tag}>", f"</{tag}>{after}")
    if number % 2:
        text = re.sub(r'<img\b([^>]*?)\ssrc="', rf'<img\1 src="{_BLANK}" data-src="', text)
    return text


_MENU = "".join(f'<li><a href="/s{n}">Section {n}</a></li>' for n in range(12))
_RELATED = "".join(
    f'<li><a href="/r{n}">Another story of the day, number {n}, with a headline</a></li>'
    for n in range(10)
)
_TEASERS = "".join(
    f'<div class="teaser"><h3><a href="/t{n}">Teaser {n}</a></h3><p>What happened elsewhere on day '
    f"{n}, told in one sentence, as teasers are.</p></div>"
    for n in range(6)
)
_COMMENTS = "".join(
    f'<div class="comment"><b>reader{n}</b><p>I do not agree with this article, and number {n} of '
    "my reasons is that it says so, at some length.</p></div>"
    for n in range(8)
)
_CONSENT = (
    "<div id='cookie-notice'><p>We and our partners store cookies on your device to measure how "
    "these pages are used. You can change your choice at any time.</p><button>Accept</button></div>"
)
_SIDE = (
    "<div class='sidebar'><h4>Newsletter</h4><p>Get the best of the week in your letter box, every "
    f"Friday morning.</p><ul>{_RELATED}</ul></div>"
)
_FOOT = "<p>Copyright 2026 The Example. All rights reserved. Terms, privacy, imprint.</p>"
_SHARE = (
    "<ul class='share-buttons'><li><a href='/s/1'>Share</a></li>"
    "<li><a href='/s/2'>Mail</a></li></ul>"
)
_BIO = "<div class='author-box'><img src='/ann.jpg'><p>Ann Example writes about places.</p></div>"


def _marked_up(title: str, text: str) -> str:
    return (
        f"<header><nav><ul>{_MENU}</ul></nav></header><main><article><h1>{title}</h1>{text}"
        f"</article><aside><h2>Related</h2><ul>{_RELATED}</ul></aside></main><footer>{_FOOT}</footer>"
    )


def _divisions(title: str, text: str) -> str:
    return (
        f"{_CONSENT}<div class='header'><ul>{_MENU}</ul></div><div class='wrap'><div class='post'>"
        f"<h1>{title}</h1><div class='entry-content'>{text}</div></div>{_SIDE}"
        f"<div id='comments'>{_COMMENTS}</div></div><div class='footer'>{_FOOT}</div>"
    )


def _tables(title: str, text: str) -> str:
    return (
        f"<table width='100%'><tr><td colspan=3><font size=5>{title}</font></td></tr><tr>"
        f"<td width=120><ul>{_MENU}</ul></td><td>{text}</td><td width=160>{_TEASERS}</td></tr>"
        f"<tr><td colspan=3>{_FOOT}</td></tr></table>"
    )


def _nested(title: str, text: str) -> str:
    return (
        f"<div><div><div class='a1'><ul>{_MENU}</ul></div><div class='b2'>{_TEASERS}</div>"
        f"<div class='c3'><div class='d4'><div><h2>{title}</h2></div><div><div>{text}</div></div>"
        f"</div><div class='e5'>{_COMMENTS}</div></div><div class='f6'><ul>{_RELATED}</ul></div>"
        f"<div>{_FOOT}</div></div></div>"
    )


_PARAGRAPHS = re.compile(r"(?<=</p>)(?=\s*<p)")


def _newspaper(title: str, text: str) -> str:
    """Each few paragraphs in a section of their own, with advertisements and promotions between."""
    parts = _PARAGRAPHS.split(text)
    between = (
        "</section><div class='ad-slot'><span>Advertisement</span></div><div class='promo-inline'>"
        "<h4>Read more</h4><a href='/r1'>Another story of the day, with a headline</a></div>"
        "<section class='StoryBody_part__x7Qa'>"
    )
    body = between.join("".join(parts[start : start + 3]) for start in range(0, len(parts), 3))
    return (
        f"{_CONSENT}<nav><ul>{_MENU}</ul></nav><main><div class='Story_grid__k2'><h1>{title}</h1>"
        f"{_SHARE}<div class='Story_col__p0'><section class='StoryBody_part__x7Qa'>{body}</section>"
        f"{_BIO}{_SHARE}</div><div class='Rail_rail__z1'>{_TEASERS}</div></div></main>"
        f"<div class='Comments_list__9'>{_COMMENTS}</div><footer>{_FOOT}</footer>"
    )


def _manual(title: str, text: str) -> str:
    """A page of documentation: a tree of pages at the left, headings at the right."""
    return (
        f"<div class='layout'><aside class='menu'><ul>{_MENU}{_RELATED}</ul></aside><div class="
        f"'content markdown-body'><h1>{title}</h1>{text}<div class='pager'><a href='/p'>Previous"
        f"</a><a href='/n'>Next</a></div></div><div class='toc'><ul>{_MENU}</ul></div></div>"
        f"<footer>{_FOOT}</footer>"
    )


def _breaks(title: str, text: str) -> str:
    """Paragraphs that are line breaks, in a page of a simple blog."""
    text = re.sub(r"<p\b[^>]*>", "", text).replace("</p>", "<br><br>")
    return (
        f"<div id='outer'><div id='head'><a href='/'>The Example</a></div><div id='left'><ul>"
        f"{_MENU}</ul></div><div id='post-1' class='post'><h3 class='post-title'>{title}</h3>"
        f"<div class='post-body'>{text}</div>{_SHARE}</div>"
        f"<div id='comment-form'>{_COMMENTS}</div><div id='foot'>{_FOOT}</div></div>"
    )


def _newsletter(title: str, text: str) -> str:
    return (
        f"<div class='header'>{_SHARE}</div><article class='newsletter-post'><div class="
        f"'post-header'><h1>{title}</h1></div><div class='available-content'><div class='body "
        f"markup'>{text}</div></div><div class='subscribe-widget'><p>Thanks for "
        "reading! Subscribe for free to receive new posts and support this work.</p><form><input>"
        "<button>Subscribe</button></form></div>"
        f"</article><div class='comments-section'>{_COMMENTS}</div><div>{_FOOT}</div>"
    )


LAYOUTS: tuple[tuple[str, Callable[[str, str], str]], ...] = (
    ("marked up", _marked_up),
    ("divisions", _divisions),
    ("tables", _tables),
    ("nested, no names", _nested),
    ("newspaper", _newspaper),
    ("manual", _manual),
    ("line breaks", _breaks),
    ("newsletter", _newsletter),
)
