"""A text as sentences of tokens, cut as the labelled sets of names are. Judges no token."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Enough for any lead; of a longer text the rest is not looked at. A word of more letters is none.
MAX_CHARACTERS = 20_000
MAX_LETTERS = 60
# A sentence of more is a list or a table; labelling takes memory by its length.
MAX_TOKENS = 200

_TOKEN = re.compile(
    r"(?:[^\W\d_]\.){2,}|(?:Mr|Mrs|Ms|Dr|Sen|Rep|Gov|St|Gen|Lt|Col|Sgt|Rev|Prof|Pres|Jr|Sr|Inc|Corp"
    r"|Co|Ltd|vs|No|Jan|Feb|Aug|Sept|Oct|Nov|Dec)\.(?=\s)|[^\W\d_]\.(?=\s+[^\W\d_])"
    r"|['’]s\b|\d+(?:[.,:/-]\d+)*\w*|[@#]?\w+(?:(?:[-&]|['’](?!s\b))\w+)*|\.{2,}|``|''|\S"
)
_ENDS = frozenset((".", "!", "?", "…", "...", "。", "！", "？"))
_CLOSING = frozenset(("''", '"', "”", "’", "'", ")", "»", "“"))


@dataclass(frozen=True, slots=True)
class Token:
    text: str  # at most MAX_LETTERS
    start: int
    end: int


def sentences(text: str) -> list[list[Token]]:
    """Of the first MAX_CHARACTERS. A line's end is always a sentence's."""
    found: list[list[Token]] = []
    place = 0
    for line in text[:MAX_CHARACTERS].split("\n"):
        found += _of_line(line, place)
        place += len(line) + 1
    return found


def _of_line(line: str, place: int) -> list[list[Token]]:
    found: list[list[Token]] = []
    current: list[Token] = []
    ended = False
    for match in _TOKEN.finditer(line):
        word = match.group()
        closes = word in _CLOSING and bool(current) and current[-1].end == place + match.start()
        if len(current) >= MAX_TOKENS or (ended and not closes):
            found.append(current)
            current = []
            ended = False
        current.append(Token(word[:MAX_LETTERS], place + match.start(), place + match.end()))
        ended = ended or word in _ENDS
    if current:
        found.append(current)
    return found
