"""Tables written as lines, read into values. Knows no language."""

from __future__ import annotations

from newsloom.briefs.speakable.locale import Money, Noun


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
