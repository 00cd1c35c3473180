"""Words of an article: where they stand in its text, found again after the text has changed, and
marked in its HTML. Pure.

The text of HTML is what a reader sees of it, all white space as single spaces; positions count its
characters. HTML is as `sanitize` gives it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape, unescape
from itertools import groupby

from newsloom.kernel.text.characters import plain
from newsloom.kernel.text.html import BREAKS
from newsloom.kernel.text.markup import TAG
from newsloom.reading.values.annotations import Selector

# Characters kept of what stands before and after; Hypothesis, which keeps as many, finds the
# right one of several with them.
AROUND = 32
# Of what is changed inside a highlight, the place is found by what stands around it, if that is at
# least so long.
SURE = 8

_UNIT = re.compile(r"&[A-Za-z0-9#]{1,31};|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Passage:
    """The text of HTML, with the place of each of its characters there."""

    text: str
    pieces: Sequence[int]  # of each character, in which stretch between tags it stands; -1: in none
    starts: Sequence[int]  # where it begins in the HTML
    ends: Sequence[int]
    lines: Sequence[int]  # positions that begin a paragraph


def passage(html: str) -> Passage:
    """The text of HTML."""
    text, pieces, starts, ends, lines = [], [], [], [], [0]
    space = True  # nothing is before it, or a space
    for number, (start, end, after) in enumerate(_stretches(html)):
        for found in _UNIT.finditer(html, start, end):
            shown = plain(unescape(found[0]) if len(found[0]) > 1 else found[0])
            if not shown or (shown.isspace() and space):
                continue
            space = shown.isspace()
            for one in " " if space else shown:
                text.append(one)
                pieces.append(number)
                starts.append(found.start())
                ends.append(found.end())
        mark = BREAKS.get(after, "")
        if mark and not space:
            text.append(" ")
            pieces.append(-1)
            starts.append(end)
            ends.append(end)
            space = True
        if mark == "\n" and text and lines[-1] != len(text):
            lines.append(len(text))
    if text and space:
        text.pop()
    return Passage(
        "".join(text), pieces, starts, ends, [one for one in lines if one < len(text)] or [0]
    )


def _stretches(html: str) -> Iterator[tuple[int, int, str]]:
    """Start and end of what stands between tags, and the name of the tag behind it."""
    start = 0
    for tag in TAG.finditer(html):
        yield start, tag.start(), (tag[1] or "").lower()
        start = tag.end()
    yield start, len(html), ""


def collapsed(words: str) -> str:
    """Words as they stand in a text: what nobody sees left out, single spaces."""
    return " ".join(plain(words).split())


def selector(text: str, start: int, end: int) -> Selector:
    """What finds these words of a text again."""
    return Selector(
        text[start:end], text[max(start - AROUND, 0) : start], text[end : end + AROUND], start
    )


def find(text: str, wanted: Selector) -> tuple[int, int] | None:
    """Where the words stand; None when they do not any more.

    Of several places the one with the same words around it, then the nearest to where it was. When
    the words themselves were changed, what stands between those around them.
    """
    if not wanted.exact:
        return None
    places = [found.start() for found in re.finditer(re.escape(wanted.exact), text)]
    if not places:
        return _between(text, wanted)

    def fits(start: int) -> tuple[int, int]:
        end = start + len(wanted.exact)
        before = _shared(text[:start][-AROUND:][::-1], wanted.prefix[::-1])
        after = _shared(text[end : end + AROUND], wanted.suffix)
        return before + after, -abs(start - wanted.start)

    start = max(places, key=fits)
    return start, start + len(wanted.exact)


def _shared(one: str, other: str) -> int:
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )


def _between(text: str, wanted: Selector) -> tuple[int, int] | None:
    if len(wanted.prefix) < SURE or len(wanted.suffix) < SURE:
        return None
    before = text.find(wanted.prefix)
    start = before + len(wanted.prefix)
    after = text.find(wanted.suffix, start)
    # What is more than twice as long is another text.
    if before < 0 or not start < after <= start + 2 * len(wanted.exact) + AROUND:
        return None
    return start, after


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a paragraph that is in one highlight, or in none."""

    text: str
    number: int | None  # of the highlight


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of a text as plain words."""

    start: int
    parts: tuple[Part, ...]


def paragraphs(found: Passage, spans: Mapping[int, tuple[int, int]]) -> tuple[Paragraph, ...]:
    """The text by paragraphs, with what is highlighted, by its number."""
    owners = _owners(len(found.text), spans)
    made = []
    for start, end in zip(found.lines, (*found.lines[1:], len(found.text)), strict=True):
        parts = tuple(
            Part("".join(found.text[at] for at in places), number)
            for number, group in groupby(range(start, end), owners.__getitem__)
            for places in [list(group)]
        )
        if any(part.text.strip() for part in parts):
            made.append(Paragraph(start, parts))
    return tuple(made)


def marked(html: str, found: Passage, spans: Mapping[int, tuple[int, int, str]]) -> str:
    """The HTML with its highlights in `mark` elements: start, end and note by number.

    Only text is put into elements, so what was safe stays so.
    """
    owners = _owners(len(found.text), {one: span[:2] for one, span in spans.items()})
    written, at = [], 0
    named: set[int] = set()
    runs = groupby(range(len(found.text)), lambda one: (owners[one], found.pieces[one]))
    for (number, piece), group in runs:
        places = list(group)
        if number is None or piece < 0 or found.text[places[0] : places[-1] + 1].isspace():
            continue
        start, end = found.starts[places[0]], found.ends[places[-1]]
        tag = _tag(number, spans[number][2], first=number not in named)
        named.add(number)
        written += [html[at:start], tag, html[start:end], "</mark>"]
        at = end
    return "".join((*written, html[at:]))


def _tag(number: int, note: str, *, first: bool) -> str:
    name = f' id="h{number}"' if first else ""
    said = f' title="{escape(note)}"' if note else ""
    return f'<mark class="own"{name}{said}>'


def _owners(length: int, spans: Mapping[int, tuple[int, int]]) -> list[int | None]:
    """Of each character the highlight it is in; of two the one that was made last."""
    owners: list[int | None] = [None] * length
    for number in sorted(spans):
        start, end = spans[number]
        owners[start:end] = [number] * (min(end, length) - start)
    return owners
