"""How a language's rules are written and applied. Knows no language.

Patterns are safe for hostile text: every repetition is bounded or possessive, so that each place
of a text costs a bounded number of steps.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from newsloom.briefs.speakable.locale import Money, Noun

DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Rule:
    """What is found, and what is said for it."""

    name: str
    found: re.Pattern[str]
    said: str | Callable[[re.Match[str]], str]
    digits: bool = False  # whether nothing is found in a text without digits


def rule(
    name: str, pattern: str, said: str | Callable[[re.Match[str]], str], *, flags: int = 0
) -> Rule:
    """A rule of any text."""
    return Rule(name, re.compile(pattern, flags), said)


def of_digits(
    name: str, pattern: str, said: str | Callable[[re.Match[str]], str], *, flags: int = 0
) -> Rule:
    """A rule that finds nothing without a digit: most sentences have none."""
    return Rule(name, re.compile(pattern, flags), said, digits=True)


def apply(rules: Iterable[Rule], text: str) -> str:
    """The text with each rule's finds said, in order."""
    digits = DIGIT.search(text) is not None
    for one in rules:
        if digits or not one.digits:
            text = one.found.sub(one.said, text)
    return text


def any_of(words: Iterable[str]) -> str:
    """A pattern for any of the words, longest first."""
    return (
        "(?:" + "|".join(re.escape(one) for one in sorted(words, key=lambda w: (-len(w), w))) + ")"
    )


def rows(text: str) -> list[list[str]]:
    """ "a=b=c; d=e" or lines, as lists of their parts."""
    return [
        [part.strip() for part in row.split("=")]
        for row in text.replace("\n", ";").split(";")
        if row.strip()
    ]


def pairs(text: str) -> dict[str, str]:
    """ "Mr.=Mister" by lines or semicolons."""
    return {row[0]: row[1] for row in rows(text)}


def nouns(text: str) -> dict[str, Noun]:
    """ "km kms=kilometre=kilometres=m": forms written, one, many, gender."""
    return {
        written.replace("_", " "): Noun(row[1], row[2], (row[3:] or ["m"])[0])
        for row in rows(text)
        for written in row[0].split()
    }


def money(text: str) -> dict[str, Money]:
    """As nouns; cents are said as a bare number."""
    return {written: Money(noun) for written, noun in nouns(text).items()}


def words(text: str) -> frozenset[str]:
    """Words between blanks."""
    return frozenset(text.split())
