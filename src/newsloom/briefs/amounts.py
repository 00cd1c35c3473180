"""Amounts of a sentence by their value, whatever the language: "1.5 million" is "150만". Pure."""

from __future__ import annotations

import re

_FIGURE = re.compile(r"\d+(?:[.,'’\u00a0\u202f ]\d{3}(?!\d))*(?:[.,]\d+)?")
_GROUPS = re.compile(r"[.,'’\u00a0\u202f ](?=\d{3}(?!\d))")
# What may follow a figure, the longest first.
_SCALES = (
    ("mil millones", 1e9), ("thousand", 1e3), ("tausend", 1e3), ("millones", 1e6),
    ("millionen", 1e6), ("milliarden", 1e9), ("milliarde", 1e9), ("milliards", 1e9),
    ("milliard", 1e9), ("millions", 1e6), ("millón", 1e6), ("million", 1e6), ("billionen", 1e12),
    ("billones", 1e12), ("trillion", 1e12), ("mille", 1e3), ("mil", 1e3), ("mio", 1e6),
    ("mrd", 1e9), ("bn", 1e9), ("m", 1e6), ("k", 1e3),
    ("천만", 1e7), ("백만", 1e6), ("천", 1e3), ("만", 1e4), ("억", 1e8), ("조", 1e12),
    ("万", 1e4), ("億", 1e8), ("亿", 1e8), ("兆", 1e12),
)  # fmt: skip
_BILLION = {"en": 1e9}  # elsewhere it is a thousand of them
_MONTHS = re.compile(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mai|okt|dez|ene|abr|ago|dic|janv|févr|avr"
    r"|juin|juil|août|déc|mär)\w*|\d+월",
    re.IGNORECASE,
)


def amounts(text: str, language: str) -> set[float]:
    """Every amount in figures. "1억 5000만" is one."""
    found: set[float] = set()
    last: tuple[float, float, int] | None = None  # value, scale, end
    for figure in _FIGURE.finditer(text):
        value, end, scale = _value(text, figure, language)
        joined = (
            last is not None
            and last[1] > scale >= 1e3
            and text[last[2] : figure.start()]
            in (
                "",
                " ",
            )
        )
        if joined and last is not None:
            found.discard(last[0])
            value += last[0]
        found.add(value)
        last = (value, scale, end)
    return found


def _value(text: str, figure: re.Match[str], language: str) -> tuple[float, int, float]:
    digits = _GROUPS.sub("", figure[0]).replace(",", ".")
    number = float(digits) if digits.count(".") <= 1 else float(digits.replace(".", ""))
    following = text[figure.end() : figure.end() + 16].casefold()
    rest = following.lstrip(" \u00a0")
    if rest.startswith("billion") and not rest.startswith("billionen"):
        scale = _BILLION.get(language, 1e12)
        return number * scale, figure.end() + len(following) - len(rest) + 7, scale
    for name, scale in _SCALES:
        after = rest[len(name) : len(name) + 1]
        if rest.startswith(name) and (name > "\u3000" or not after.isalpha()):
            return (
                round(number * scale, 6),
                figure.end() + len(following) - len(rest) + len(name),
                scale,
            )
    return number, figure.end(), 1.0


def months(text: str) -> set[float]:
    """What a month may be written as: any of twelve figures where one is named."""
    return set(map(float, range(1, 13))) if _MONTHS.search(text) else set()
