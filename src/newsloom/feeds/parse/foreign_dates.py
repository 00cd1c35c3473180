"""Dates in other scripts and calendars, written over in digits and English words.

`in_english` gives a text that the rules for European dates read; only months, digits, eras and
halves of the day are changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from newsloom.feeds.parse import date_words as words

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


# Days of other calendars as Gregorian ones. Pure arithmetic; raises ValueError for no such day.

# Years of the calendars that are in use in the dates of feeds.
BUDDHIST = range(2430, 2700)
PERSIAN = range(1340, 1420)
ISLAMIC = range(1420, 1500)
HEBREW = range(5700, 5900)

_BUDDHIST_YEARS = 543


def gregorian(year: int, month: int, day: int) -> tuple[int, int, int]:
    """The day, of whatever calendar the year is a year of; the months are that calendar's."""
    if year in BUDDHIST:
        return year - _BUDDHIST_YEARS, month, day
    if year in PERSIAN:
        found = _persian(year, month, day)
    elif year in ISLAMIC:
        found = _islamic(year, month, day)
    else:
        return year, month, day
    return found.year, found.month, found.day


def _persian(year: int, month: int, day: int) -> date:
    """The solar calendar of Iran and Afghanistan, by its cycle of 33 years."""
    before = 31 * (month - 1) if month <= 7 else 186 + 30 * (month - 7)
    cycles, rest = divmod(year + 1595, 33)
    return date.fromordinal(365 * year + 8 * cycles + (rest + 3) // 4 + before + day + 226_142)


def _islamic(year: int, month: int, day: int) -> date:
    """The lunar calendar by its tables: a day off at most from what is seen of the moon."""
    before = 29 * (month - 1) + month // 2
    return date.fromordinal(227_013 + 354 * (year - 1) + (3 + 11 * year) // 30 + before + day)


def hebrew(year: int, month: int, day: int) -> tuple[int, int, int]:
    """`month` counts from Tishri; the sixth is Adar, and the seventh Adar II in a leap year."""
    lengths = _hebrew_months(year)
    if not _is_leap(year) and month > 6:
        month -= 1
    found = date.fromordinal(_hebrew_new_year(year) + sum(lengths[: month - 1]) + day - 1)
    return found.year, found.month, found.day


def _is_leap(year: int) -> bool:
    return (7 * year + 1) % 19 < 7


def _hebrew_months(year: int) -> list[int]:
    days = _hebrew_new_year(year + 1) - _hebrew_new_year(year)
    long_second, short_third = days % 10 == 5, days % 10 == 3
    adar = [30, 29] if _is_leap(year) else [29]
    return [30, 29 + long_second, 30 - short_third, 29, 30, *adar, 30, 29, 30, 29, 30, 29]


def _hebrew_new_year(year: int) -> int:
    """The ordinal of 1 Tishri."""
    delay = _hebrew_days(year)
    before, after = _hebrew_days(year - 1), _hebrew_days(year + 1)
    if after - delay == 356:
        delay += 2
    elif delay - before == 382:
        delay += 1
    return delay - 1_373_427


def _hebrew_days(year: int) -> int:
    months = (235 * year - 234) // 19
    parts = 12_084 + 13_753 * months
    days = 29 * months + parts // 25_920
    return days + 1 if 3 * (days + 1) % 7 < 3 else days


def zone_of(name: str) -> tzinfo | None:
    """The zone; None for a name that is none, or on a system without the database."""
    return _zone(name) if name in _names() else None


def load_zones() -> None:
    """Have all loaded, for a process that can open no file later: 550 files, 50 ms, 6 MB."""
    for name in _names():
        _zone(name)


@cache
def _names() -> frozenset[str]:
    return frozenset(name for name in available_timezones() if "/" in name)


@cache  # of the names there are, and no others
def _zone(name: str) -> tzinfo | None:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
