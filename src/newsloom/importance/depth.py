"""Content depth: how much a text holds, against what its own kind of source usually prints.

Every count saturates. What is rated is a text's density of facts and its structure, so that a
thousand tables or links are worth no more than a handful.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from newsloom.importance.values.importance import TextShape
from newsloom.importance.values.sources import SourceKind

# Words of a text that is as long as its kind goes: it has all the points for length. Medians of the
# feeds in development are a third to a half of these.
FULL_LENGTH: Mapping[SourceKind, int] = {
    SourceKind.WIRE: 600,
    SourceKind.NEWSPAPER: 900,
    SourceKind.BROADCASTER: 700,
    SourceKind.MAGAZINE: 1_500,
    SourceKind.JOURNAL: 1_500,
    SourceKind.ACADEMIC: 1_200,
    SourceKind.GOVERNMENT: 700,
    SourceKind.STANDARDS: 700,
}
USUAL_LENGTH = 1_000

# What a feed shows of an article in fewer words says nothing of its depth: the median excerpt of 31
# sources in development has 30 to 32.
EXCERPT = 32.0

LENGTH, FACTS, STRUCTURE = 60.0, 25.0, 15.0  # points of each part

# Each of these for every hundred words is as dense as facts get; and no more than so many count.
DENSE_NUMBERS, DENSE_CITATIONS = 3.0, 1.5
STRUCTURES = 3

_LIMIT = 200_000  # characters that are looked at
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"(?<![\w.])\d[\d.,]*(?:\s?%)?")
_LINK = re.compile(r"href\s{0,9}=\s{0,9}[\"']?https?://([^\"'/\s>]{1,253})", re.IGNORECASE)
_QUOTE = re.compile(r"<blockquote|[“«„]", re.IGNORECASE)
_TABLE = re.compile(r"<table\b", re.IGNORECASE)
_LIST = re.compile(r"<[ou]l\b", re.IGNORECASE)
_POINT = re.compile(r"<li\b", re.IGNORECASE)
_HEADING = re.compile(r"<h[2-6]\b", re.IGNORECASE)
# Written without spaces between words: two letters are about a word.
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")


def shape(html: str, text: str, source: str) -> TextShape:
    """Count what is in an article: its HTML, its plain text, and the domain that published it."""
    html, text = html[:_LIMIT], text[:_LIMIT]
    elsewhere = {host.lower() for host in _LINK.findall(html) if not _within(host, source)}
    lists = min(len(_LIST.findall(html)), len(_POINT.findall(html)) // 2)
    return TextShape(
        words=len(_WORD.findall(_UNSPACED.sub("", text))) + len(_UNSPACED.findall(text)) // 2,
        numbers=len(_NUMBER.findall(text)),
        citations=len(elsewhere) + len(_QUOTE.findall(html)),
        tables=len(_TABLE.findall(html)),
        lists=lists,
        headings=len(_HEADING.findall(html)),
    )


def depth(counted: TextShape, kind: SourceKind | None = None) -> float:
    """0 to 100; `kind` None: of an unknown source. An excerpt has the depth of the usual one."""
    full = USUAL_LENGTH if kind is None else FULL_LENGTH.get(kind, USUAL_LENGTH)
    length = min(1.0, math.log1p(counted.words) / math.log1p(full))
    per_hundred = 100 / max(counted.words, 100)
    facts = 0.5 * min(1.0, counted.numbers * per_hundred / DENSE_NUMBERS)
    facts += 0.5 * min(1.0, counted.citations * per_hundred / DENSE_CITATIONS)
    structure = min(STRUCTURES, counted.tables + counted.lists + counted.headings) / STRUCTURES
    return max(LENGTH * length + length * (FACTS * facts + STRUCTURE * structure), EXCERPT)


def _within(host: str, source: str) -> bool:
    host = host.lower().partition(":")[0]
    return bool(source) and (host == source or host.endswith("." + source))
