"""Words in capitals: said as words ("Nato"), by their letters ("F.B.I"), or as what was shouted.

Letters stand with full stops between and none behind: measured by eSpeak NG's phonemes, "U.A.E" is
three letters in English, German, Spanish and French; "UAE" is a word, "U A E" has an article in its
middle, and "U.A.E." may end a sentence. Languages give the lists.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from newsloom.briefs.speakable.rules import Rule, rule

_ONSET = (
    "(?:[BCDFGHJKLMNPRSTVWYZ]|QU|BL|BR|CH|CL|CR|DR|FL|FR|GL|GR|KL|KR|PH|PL|PR|SC|SH|SK|SL|SM|SN|SP|"
    "ST|SW|TH|TR|TW|WH)"
)
_CODA = (
    "(?:[BCDFGKLMNPRSTXZ]|CT|FT|LD|LF|LK|LM|LP|LT|MP|ND|NG|NK|NT|PT|RD|RK|RM|RN|RP|RT|SK|SP|ST|TH|SH|"
    "CH|CK|SS|LL|FF)"
)
# What a reader would try to say as a word: at most six letters are ever asked.
_SAYABLE = re.compile(rf"{_ONSET}?(?:[AEIOU]{{1,2}}{_CODA}?{_ONSET}?){{1,3}}[AEIOUY]?(?:{_CODA})?")
_CAPITALS = "A-ZÀ-ÖØ-Þ"
_WORD = re.compile(r"[^\W\d_]{2,40}")


@dataclass(frozen=True, slots=True)
class Capitals:
    """What a language knows of its words in capitals."""

    words: frozenset[str]  # said as words
    spelled: frozenset[str]  # said by their letters, though they could be words
    shouted: frozenset[str]  # short words written large: "NOT"
    expanded: Mapping[str, str] = field(default_factory=dict)  # "EE UU"
    names: Mapping[str, str] = field(default_factory=dict)  # of letters, where they are written out
    lowered: bool = True  # whether shouted words become small; German keeps its first capital


def spell(letters: str, capitals: Capitals) -> str:
    """ "FBI" as "F.B.I", or by the names of its letters."""
    if capitals.names:
        return "".join(capitals.names.get(one, one) for one in letters)
    return ".".join(letters)


def said(word: str, capitals: Capitals) -> str:
    """One word of capitals."""
    if word in capitals.expanded:
        return capitals.expanded[word]
    if word in capitals.words:
        return word.capitalize()
    if word in capitals.spelled:
        return spell(word, capitals)
    if word in capitals.shouted:
        return word.lower()
    if len(word) > 5:
        return word.capitalize()
    if len(word) > 3 and _SAYABLE.fullmatch(word):
        return word.capitalize()
    return spell(word, capitals) if word.isascii() else word.capitalize()


def quiet(text: str, capitals: Capitals) -> str:
    """A text that is shouted as a whole, written as others are; others as they are."""
    if text.islower() or not any(one.isupper() for one in text):
        return text
    words = _WORD.findall(text)
    loud = [one for one in words if one.isupper()]
    known = capitals.words | capitals.spelled
    if len(loud) < 3 or len(loud) * 5 < len(words) * 3 or all(one in known for one in loud):
        return text
    return _WORD.sub(lambda found: _quieted(found[0], capitals), text)


def _quieted(word: str, capitals: Capitals) -> str:
    keep = not word.isupper() or word in capitals.words or word in capitals.spelled
    if keep or word in capitals.expanded:
        return word
    return word.capitalize() if len(word) > 3 or not capitals.lowered else word.lower()


def rules(capitals: Capitals) -> tuple[Rule, ...]:
    """What a text's capitals are said as."""

    def one(found: re.Match[str]) -> str:
        return said(found[1], capitals) + (found[2] or "")

    def plural(found: re.Match[str]) -> str:
        word = said(found[1], capitals)
        return f"{word}{chr(39) if '.' in word else ''}s"

    def dotted(found: re.Match[str]) -> str:
        letters = found[0].replace(".", "").replace(" ", "")
        ends = found.end() == len(found.string) and found[0].endswith(".")
        name = said(letters, capitals) if letters in capitals.words else spell(letters, capitals)
        if letters in capitals.expanded:
            name = capitals.expanded[letters]
        return name + ("." if ends else "")

    return (
        rule("letters with stops", r"(?<![\w.])(?:[A-Z]\.){1,7}[A-Z](?!\w)\.?|(?<![\w.])(?:[A-Z]\. ?){2,3}(?=[\"']?$)", dotted),
        rule("plural of letters", r"(?<![\w.'])([A-Z]{2,5})'?s(?!\w)", plural),
        rule("capitals", rf"(?<![\w.])([{_CAPITALS}]{{2,40}})(?!\w)(?!\.[A-Z](?!\w))()", one),
    )  # fmt: skip
