"""What looks like a name in a headline and its lead, by capital letters. No model, no types.

Cheap enough for every article; text/entities.py looks closer at the few that need it. Scripts
without capitals (Arabic, Chinese, Georgian, Hindi) give no names at all.
"""

from __future__ import annotations

import re
import unicodedata

from newsloom.text.name_words import CALENDAR, FUNCTION, TITLES

MOST = 12  # names of one article

# Longer than any headline, and than a lead ever is: what comes after is not looked at.
_TITLE_CHARACTERS = 400
_LEAD_CHARACTERS = 2_000

# Capitals of the scripts that have them in running text; Georgian's stand in headlines only.
_UPPER = "".join(
    letter
    for code in (*range(0x41, 0x590), *range(0x1E00, 0x2000))
    if (letter := chr(code)).isupper() or letter.istitle()
)
_ABBREVIATIONS = "Mr|Mrs|Ms|Dr|Sen|Rep|Gov|St|Gen|Lt|Col|Sgt|Rev|Prof|Pres"
_WORD = (
    rf"(?:(?:{_ABBREVIATIONS})\.|(?:[{_UPPER}]\.)+(?!\w)"
    rf"|(?:al-|el-|d['’]|l['’])?[{_UPPER}]\w*(?:['’&-]\w+)*)"
)
_LINK = (
    r"(?: (?:of the|of|de la|de los|de|del|della|di|da|do|dos|du|der|den|van|von|bin|ibn|al|&))?"
)
_RUN = re.compile(rf"(?<!\w){_WORD}(?:{_LINK} {_WORD})*")
_ANY_WORD = re.compile(r"\w+")
_POSSESSIVE = re.compile(r"['’]s?\b(?!\w)|['’]s(?= |$)")

# The few of which the news uses both forms every day. Initials as written: "us" is a word.
_ALIASES = {
    "US": "united states",
    "USA": "united states",
    "America": "united states",
    "United States of America": "united states",
    "UK": "united kingdom",
    "Britain": "united kingdom",
    "Great Britain": "united kingdom",
    "EU": "european union",
    "UN": "united nations",
    "GOP": "republican",
}
_SENTENCE_ENDS = frozenset(".!?:…\"“”«»„‘’'(•|—–-\n")


def likely_names(title: str, lead: str) -> tuple[str, ...]:
    """At most `MOST` names, those of the most words first, then the longest, then by alphabet.

    The order depends on the names alone, so that two articles choose alike.
    """
    title = _normal(title[:_TITLE_CHARACTERS])
    lead = _normal(lead[:_LEAD_CHARACTERS])
    inside, first = _runs(lead)
    if _shouted(title):
        inside |= _known(title, inside)
    else:
        more, more_first = _runs(title)
        inside |= more
        first |= more_first
    sure = {word for name in inside for word in name.split()}
    inside.update(name for name in first if name in sure)
    return tuple(sorted(_merged(inside), key=_rarest)[:MOST])


def _rarest(name: str) -> tuple[int, int, str]:
    return (-name.count(" "), -len(name), name)


def _normal(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def _runs(text: str) -> tuple[set[str], set[str]]:
    """Names inside sentences, and single words that only begin one."""
    inside: set[str] = set()
    first: set[str] = set()
    for match in _RUN.finditer(text):
        words = match.group().split(" ")
        begins = _begins(text, match.start())
        if begins and words[0].lower() in FUNCTION:
            del words[0]
            begins = False
        name = _clean(words)
        if name:
            (first if begins and " " not in name else inside).add(name)
    return inside, first


def _begins(text: str, place: int) -> bool:
    before = text[max(place - 2, 0) : place].rstrip(" \t")
    return not before or before[-1] in _SENTENCE_ENDS


def _clean(words: list[str]) -> str:
    """The run as a name: without titles, "the" and "'s", one form of what has two."""
    while (
        words
        and (bare := words[0].rstrip(".").lower())
        and (bare in TITLES or bare in FUNCTION or bare in CALENDAR)
    ):
        del words[0]
    if not words:
        return ""
    name = _POSSESSIVE.sub("", " ".join(words))
    written = name.replace(".", "")
    folded = _ALIASES.get(written) or written.casefold()
    return folded if len(folded) > 1 and folded not in CALENDAR else ""


def _shouted(title: str) -> bool:
    """Whether capitals say nothing in this title: most of its words have one."""
    words = [word for word in _ANY_WORD.findall(title)[1:] if word[0].isalpha()]
    lower = sum(word[0].islower() for word in words if len(word) > 3)
    long = sum(len(word) > 3 for word in words)
    return long > 2 and lower <= 0.25 * long


def _known(title: str, names: set[str]) -> set[str]:
    """Neighbouring words of a title that the lead writes as names."""
    sure = {word for name in names for word in name.split()}
    found, run = set(), list[str]()
    for word in [*_ANY_WORD.findall(title.casefold()), ""]:
        if word in sure:
            run.append(word)
        elif run:
            found.add(" ".join(run))
            run = []
    return found


def _merged(names: set[str]) -> set[str]:
    """Without the single words that end a longer name: "merkel" beside "angela merkel"."""
    endings = {name.rpartition(" ")[2] for name in names if " " in name}
    return names - endings
