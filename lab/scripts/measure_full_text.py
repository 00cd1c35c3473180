"""How well the article is found in web pages that are made around the texts of real feeds.

    python lab/scripts/measure_full_text.py FEEDS_FOLDER [--pages 400]

Each text stands in one of four layouts, in turn. Precision and recall count the words (with how
often each occurs) that the result shares with the feed's own text. Measured are Newsloom's
`full_text` and those of trafilatura, readability-lxml and Resiliparse that are installed, as they
come. docs/decisions/full-text.md quotes the table.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import mean

from newsloom.errors import ParseError
from newsloom.parse import parse_feed
from newsloom.text.full_text import full_text
from newsloom.text.html import sanitize, to_text

SHORTEST, LONGEST = 1_500, 60_000  # characters of a feed's text that a page is made around
PER_FEED = 6
URL = "https://page.example/2026/an-article"
WORD = re.compile(r"\w+")

Extract = Callable[[str], str]

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


LAYOUTS = (_marked_up, _divisions, _tables, _nested)


@dataclass(frozen=True)
class Page:
    layout: int
    html: str
    words: Counter[str]


@dataclass(frozen=True)
class Score:
    layout: int
    precision: float
    recall: float
    seconds: float

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def words(html: str) -> Counter[str]:
    return Counter(WORD.findall(to_text(html, len(html)).casefold()))


def texts(folder: Path) -> Iterator[tuple[str, str]]:
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


def pages(folder: Path, count: int) -> list[Page]:
    every = list(texts(folder))
    step = max(1.0, len(every) / count)
    chosen = [every[int(place * step)] for place in range(min(count, len(every)))]
    made = []
    for number, (title, text) in enumerate(chosen):
        layout = number % len(LAYOUTS)
        body = LAYOUTS[layout](title, text)
        head = f"<meta charset=utf-8><title>{title} - The Example</title>"
        html = f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"
        made.append(Page(layout, html, words(text)))
    return made


def measured(extract: Extract, chosen: Sequence[Page]) -> list[Score]:
    scores = []
    for page in chosen:
        begun = time.process_time()
        found = extract(page.html)
        seconds = time.process_time() - begun
        got = words(sanitize(found, URL)) if found else Counter[str]()
        shared = (got & page.words).total()
        scores.append(
            Score(
                page.layout,
                shared / max(1, got.total()),
                shared / max(1, page.words.total()),
                seconds,
            )
        )
    return scores


def _newsloom(html: str) -> str:
    try:
        return full_text(html.encode(), URL, "text/html; charset=utf-8", "")
    except ParseError:
        return ""


def _trafilatura(html: str) -> str:
    found = import_module("trafilatura").extract(
        html,
        output_format="html",
        favor_recall=True,
        include_comments=False,
        include_formatting=True,
        include_links=True,
        include_images=True,
    )
    return str(found or "")


def _readability(html: str) -> str:
    return str(import_module("readability").Document(html).summary(html_partial=True))


def _resiliparse(html: str) -> str:
    return str(
        import_module("resiliparse.extract.html2text").extract_plain_text(
            html, preserve_formatting="minimal_html", main_content=True, links=True, comments=False
        )
    )


PEERS: Sequence[tuple[str, str, Extract]] = (
    ("trafilatura, recall first", "trafilatura", _trafilatura),
    ("readability-lxml, as it comes", "readability", _readability),
    ("Resiliparse", "resiliparse", _resiliparse),
)


def row(name: str, scores: Sequence[Score]) -> str:
    by_layout = " ".join(
        f"{mean(one.f1 for one in scores if one.layout == layout):.2f}"
        for layout in range(len(LAYOUTS))
    )
    low = sum(one.f1 < 0.5 for one in scores)
    spent = [one.seconds for one in scores]
    return (
        f"| {name} | {mean(one.precision for one in scores):.3f} | "
        f"{mean(one.recall for one in scores):.3f} | {mean(one.f1 for one in scores):.3f} | "
        f"{by_layout} | {low} | {1000 * mean(spent):.0f} | {max(spent):.1f} s |"
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--pages", type=int, default=400)
    asked = arguments.parse_args()
    chosen = pages(asked.folder, asked.pages)
    print(f"{len(chosen)} pages")
    print("| | precision | recall | F1 | by layout | F1 under .5 | ms a page | slowest |")
    print("|---|---|---|---|---|---|---|---|")
    print(row("Newsloom", measured(_newsloom, chosen)), flush=True)
    for name, module, extract in PEERS:
        if find_spec(module):
            print(row(name, measured(extract, chosen)), flush=True)


if __name__ == "__main__":
    main()
