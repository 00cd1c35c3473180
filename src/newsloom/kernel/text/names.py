"""What looks like a name in a headline and its lead, by capital letters. No model, no types.

Cheap enough for every article; articles/entities/finder.py looks closer at the few that need it.
Scripts without capitals (Arabic, Chinese, Georgian, Hindi) give no names at all.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from newsloom.kernel.text.name_words import ALIASES, CALENDAR, FUNCTION, PARTICLES, TITLES

MOST = 12  # names of one article

# Longer than any headline, and than a lead ever is: what comes after is not looked at.
_TITLE_CHARACTERS = 400
_LEAD_CHARACTERS = 2_000
_NAME_CHARACTERS = 80  # longer ones are no names

# Capitals of the scripts that have them in running text; Georgian's stand in headlines only.
_UPPER = "".join(
    letter
    for code in (*range(0x41, 0x590), *range(0x1E00, 0x2000))
    if (letter := chr(code)).isupper() or letter.istitle()
)
# A word with a capital, initials ("J.K.", "U.S."), or an abbreviation whose point ends no sentence.
_WORD = (
    rf"[{_UPPER}](?:(?:r|rs|s|t|en?|ov|ep|ol|gt|rof)\.|(?:\.[{_UPPER}])*\.(?!\w)|\w*(?:['’&-]\w+)*)"
)
_LINK = "(?:of|de|del|della|di|da|do|dos|du|van|von|bin|ibn|al|&)(?: (?:the|la|los|der|den))? "
_RUN = re.compile(rf"(?<!\w){_WORD}(?: (?:{_LINK}|al-|el-)?{_WORD})*")
_LONG_WORD = re.compile(r"\w{4,}")
_ANY_WORD = re.compile(r"\w+")
_PARTING = TITLES | CALENDAR
_POSSESSIVES = ("'s", "’s", "s'", "s’")
_SENTENCE_ENDS = frozenset(".!?:…\"“”«»„‘’'(•|—–-\n")


def likely_names(title: str, lead: str) -> tuple[str, ...]:
    """At most `MOST` names, those of the most words first, then the longest, then by alphabet.

    The order depends on the names alone, so that two articles choose alike.
    """
    title = _normal(title[:_TITLE_CHARACTERS])
    names: set[str] = set()
    first: set[str] = set()  # single words at the head of a sentence
    _collect(_normal(lead[:_LEAD_CHARACTERS]), names, first)
    if _shouted(title):
        names |= _known(title, names)
    else:
        _collect(title, names, first)
    if first:
        names |= first & {word for name in names for word in name.split()}
    # "merkel" beside "angela merkel" is no second name.
    names -= {name.rpartition(" ")[2] for name in names if " " in name}
    return tuple(sorted(names, key=_rarest)[:MOST])


def last_words(names: Iterable[str]) -> tuple[str, ...]:
    """Each once: what "Joe Biden" here and "Biden" there have in common."""
    return tuple(dict.fromkeys(name.rpartition(" ")[2] for name in names))


def _rarest(name: str) -> tuple[int, int, str]:
    return (-name.count(" "), -len(name), name)


def _normal(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def _collect(text: str, names: set[str], first: set[str]) -> None:
    for match in _RUN.finditer(text):
        run = match.group()
        if " " in run:
            names.update(_parts(run))
        else:
            (first if _begins(text, match.start()) else names).update(_parts(run))


def _begins(text: str, place: int) -> bool:
    before = text[max(place - 2, 0) : place].rstrip(" \t")
    return not before or before[-1] in _SENTENCE_ENDS


# The news of a day is about few: most runs were met before.
@lru_cache(maxsize=8_192)
def _parts(run: str) -> tuple[str, ...]:
    """The names of a run, parted by titles and days, and behind a possessive."""
    names: list[str] = []
    words: list[str] = []
    for word in run.split(" "):
        bare = word.rstrip(".").lower()
        # "Juncker of the Commission" is two names, "Bank of Scotland" is one.
        far = bare == "of" and len(words) != 1
        if far or bare in _PARTING or (not words and bare in FUNCTION):
            _close(words, names)
        elif word.endswith(_POSSESSIVES):
            words.append(word[:-2] if word[-1] == "s" else word[:-1])
            _close(words, names)
        else:
            words.append(word)
    _close(words, names)
    return tuple(names)


def _close(words: list[str], names: list[str]) -> None:
    """End a name: one form of what has two, without the particles left at its end."""
    while words and words[-1] in PARTICLES:
        words.pop()
    if words:
        written = " ".join(words).replace(".", "")
        name = ALIASES.get(written) or written.casefold()
        if 1 < len(name) <= _NAME_CHARACTERS and not name.isdigit():
            names.append(name)
        words.clear()


def _shouted(title: str) -> bool:
    """Whether capitals say nothing in this title: nearly all its long words have one."""
    words = _LONG_WORD.findall(title)
    if len(words) < 3:
        return title.isupper()
    return sum(map(str.islower, words)) <= 0.25 * len(words)


def _known(title: str, names: set[str]) -> set[str]:
    """Neighbouring words of a title that the lead writes as names."""
    sure = {word for name in names for word in name.split()}
    found: set[str] = set()
    run: list[str] = []
    for word in [*_ANY_WORD.findall(title.casefold()), ""]:
        if word in sure:
            run.append(word)
        elif run:
            found.add(" ".join(run))
            run = []
    return found
