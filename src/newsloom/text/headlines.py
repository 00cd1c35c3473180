"""A headline reduced to what it says: no "Breaking:", no publisher's name. Decides nothing.

What only looks like one ("Live and Let Die", "Watch: the movie") is told by the sign after it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from newsloom.text.characters import plain
from newsloom.text.titles import normal_title

# Longer than any headline; real feeds have at most a few hundred characters.
LONGEST = 1_000

_PREFIX = re.compile(
    r"\s*(?:(?:breaking(?: news)?|just in|updated?|exclusive|icymi|watch|live|video|opinion"
    r"|eilmeldung|última hora|urgente?|direct)\s*[:|!]|(?:update|wrapup) \d+\s*-)\s*"
)
_SUFFIX = re.compile(r"^(.*\S)\s+[-–—|]\s+([^-–—|]+)$")
_PUBLISHERS = frozenset(("bbc news", "the guardian", "reuters", "cnn", "ap news"))


def headline(title: str, publishers: Sequence[str] = ()) -> str:
    """Its normal words, at least one wherever the title has any."""
    text = unicodedata.normalize("NFKC", plain(title[:LONGEST])).casefold()
    while (match := _PREFIX.match(text)) and normal_title(text[match.end() :]):
        text = text[match.end() :]
    match = _SUFFIX.match(text)
    if match and len(normal_title(match[1]).split()) >= 2 and _publisher(match[2], publishers):
        text = match[1]
    return normal_title(text)[:LONGEST].rstrip()


def _publisher(name: str, publishers: Sequence[str]) -> bool:
    words = normal_title(name)
    if words in _PUBLISHERS:
        return True
    joined = words.replace(" ", "")
    return any(joined == one.split(".")[0].replace("-", "").casefold() for one in publishers)
