"""Dates in other scripts and calendars, written over in digits and English words.

`in_english` gives a text that the rules for European dates read; only months, digits, eras and
halves of the day are changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache

from newsloom.feeds.parse import date_words as words
from newsloom.feeds.parse.calendars import HEBREW, hebrew

_ENGLISH = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_MARKS = dict.fromkeys(
    map(ord, "\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069\u061c"), None
)
_SIGNS = _MARKS | str.maketrans("،،／：．\u3000\xa0\u202f\u200c", ",,/:.    ")
_NUMERALS = str.maketrans("〇零一二三四五六七八九", "00123456789")
_NUMERAL = re.compile(r"[〇零一二三四五六七八九十]{1,4}(?=\s*[年月日號号時时点點分秒])")
_ERA = re.compile(rf"({'|'.join(words.ERAS)})\s*(元|\d{{1,3}})\s*年?\s*")
_DAY = re.compile(r"(\d{1,2})\s*[日號号일](?!\w)")
_NUMBERED = re.compile(r"(\d{1,2})\s*[月월]|\bth(?:áng|g)\.?\s*(\d{1,2})\b", re.IGNORECASE)
_DOTTED = re.compile(r"(\d{4})\.\s+(\d{1,2})\.\s+(\d{1,2})\.?")
_THAI = re.compile("[\u0e00-\u0e7f]")
_SHORT_YEAR = re.compile(rf"((?:{'|'.join(_ENGLISH)})\s+)(\d\d)(?![\d:.])")  # 69 is 2569
_OTHERS = re.compile(r"(\d{1,4})[^\d]{0,4}(<[PIH]\d+>)[^\d]{0,6}(\d{1,4})")


_INITIAL_ERA = re.compile(r"(?<!\w)([RHS])\s?(\d{1,2})([./-])(\d{1,2})\3(\d{1,2})(?![\d./-])")
_INITIALS = {"R": "令和", "H": "平成", "S": "昭和"}
_HEBREW = re.compile(
    "(?<![א-ת])(?:[הב]['׳])?([א-ת]{1,4})[\"״]([א-ת])(?![א-ת])|(?<![א-ת])([א-ת])['׳]"
)
_HEBREW_VALUES = dict(
    zip(
        "אבגדהוזחטיכלמנסעפצקרשתךםןףץ",
        (*range(1, 10), *range(10, 100, 10), 100, 200, 300, 400, 20, 40, 50, 80, 90),
        strict=True,
    )
)


def with_japanese_year(text: str) -> str:
    """R8.11.18 is of the eighth year of Reiwa."""
    return _INITIAL_ERA.sub(
        lambda one: f"{words.ERAS[_INITIALS[one[1]]] + int(one[2]) - 1}-{one[4]:0>2}-{one[5]:0>2}",
        text,
    )


def _hebrew_number(match: re.Match[str]) -> str:
    """ט״ו is 15, and תשפ״ו, a year, is 5786; letters that do not fall in value are a word."""
    values = [_HEBREW_VALUES[one] for one in (match[1] or "") + (match[2] or match[3])]
    if values != sorted(values, reverse=True):
        return match[0]
    number = sum(values)
    return str(number + 5000 if number >= 700 else number)


def in_english(text: str) -> str:
    """The date in digits and English words, where its words are known; else as it was."""
    thai = _THAI.search(text) is not None
    text = "".join(str(int(one)) if one.isdecimal() else one for one in text).translate(_SIGNS)
    text = _HEBREW.sub(_hebrew_number, text)
    text = _NUMERAL.sub(lambda match: _number(match[0]), text)
    text = _ERA.sub(_year_of_era, text)
    for pattern, meant in _patterns():
        text = pattern.sub(meant, text)
    text = _OTHERS.sub(_other_calendar, text)
    if thai:
        text = _SHORT_YEAR.sub(r"\g<1>25\2", text)
    text = _DOTTED.sub(r"\1-\2-\3 ", text)
    if "年" in text or "년" in text:
        return text  # the rules know the order of these
    return _NUMBERED.sub(_numbered, _DAY.sub(r"\1 ", text))


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...]:
    """Compiled when the first date in another script comes, which for many never does."""
    found = [
        _pattern(words.FOREIGN_MONTHS, lambda month: f" {_ENGLISH[month]} "),
        _pattern(words.PERSIAN_MONTHS, lambda month: f"<P{month + 1}>"),
        _pattern(words.ISLAMIC_MONTHS, lambda month: f"<I{month + 1}>"),
        _pattern(words.HEBREW_MONTHS, lambda month: f"<H{month + 1}>"),
    ]
    halves = {
        one: half
        for half, spellings in words.HALVES.items()
        for one in spellings.upper().split("|")
    }
    found.append((_any_of(halves), lambda match: f" {halves[match[1].upper()]} "))
    return tuple(found)


def _pattern(
    rows: Iterable[str], meant: Callable[[int], str]
) -> tuple[re.Pattern[str], Callable[[re.Match[str]], str]]:
    months: dict[str, int] = {}
    for row in rows:
        for month, spellings in enumerate(row.split()):
            for one in spellings.split("|"):
                months.setdefault(one.replace("_", " "), month)
    return _any_of(months), lambda match: meant(months[match[1].casefold()])


def _any_of(names: Iterable[str]) -> re.Pattern[str]:
    """The longest first, and no part of a longer word, but for Hebrew's "in" before them."""
    either = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(rf"(?<![^\W\d_])ב?({either})(?![^\W\d_])", re.IGNORECASE)


def _number(numeral: str) -> str:
    """十一 is 11, 二十三 is 23, 二〇二六 is 2026."""
    if "十" not in numeral:
        return numeral.translate(_NUMERALS)
    tens, _, ones = numeral.partition("十")
    return f"{tens.translate(_NUMERALS) or '1'}{ones.translate(_NUMERALS) or '0'}"


def _year_of_era(match: re.Match[str]) -> str:
    year = 1 if match[2] == "元" else int(match[2])
    return f"{words.ERAS[match[1]] + year - 1}年"


def _numbered(match: re.Match[str]) -> str:
    month = int(match[1] or match[2])
    return f" {_ENGLISH[month - 1]} " if 1 <= month <= 12 else match[0]


def _other_calendar(match: re.Match[str]) -> str:
    """A day, a month of another calendar, a year: as a year, a month and a day of numbers."""
    day, year = int(match[1]), int(match[3])
    if day > 31:
        day, year = year, day
    month = int(match[2][2:-1])
    if match[2][1] == "H":
        if year not in HEBREW:
            return match[0]
        return "{}-{:02}-{:02} ".format(*hebrew(year, month, day))
    return f"{year:04}-{month:02}-{day:02} "
