"""The dates of feeds: text to an aware datetime in UTC, or None. Never raises, knows no clock.

Nearly all are RFC 822 (RSS) or ISO 8601 (Atom, JSON Feed); each has a fast path. What is left is
read by what its parts look like: a month's name in some language, a time with colons, a zone.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from newsloom.feeds.parse.date_words import ENGLISH, MARKS, MONTHS, PM, ZONES

_GREGORIAN = range(1500, 2400)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECONDS = frozenset({9, 10, 13, 16})  # digits of a number of seconds, thousandths, millionths
_OF_SECONDS = range(1990, 2100)  # what is of another year was no such number
_THANG = re.compile(r"\bthg\b", re.IGNORECASE)  # a month of Vietnamese, in ASCII
_ZONE_NAME = re.compile(r"\b[A-Z][A-Za-z_]{1,20}/[A-Za-z_+-]{2,30}(?:/[A-Za-z_-]{2,30})?")
# A date is short. What is longer is some other text in the wrong element.
_LONGEST = 100

_RFC822 = re.compile(
    r"(?:[A-Za-z]{3}, )?(\d\d?) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{4})"
    r" (\d\d:\d\d:\d\d) (GMT|[+-]\d{4})",
    re.ASCII,
)
_ENGLISH = {name.title(): f"{month:02}" for name, month in MONTHS.items() if len(name) == 3}
_CLOCK = re.compile(
    r"(?<!\d)(\d{1,2})[:.h](\d{1,2})(?:[:.](\d{1,2})(?:[.,]\d+)?)?(?![\d:])", re.ASCII
)
_CJK = re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]?", re.ASCII)
_CJK_CLOCK = re.compile(
    r"(\d{1,2})\s*[時时시点點](?:\s*(\d{1,2})\s*[分분])?(?:\s*(\d{1,2})\s*[秒초])?", re.ASCII
)
_YEAR_FIRST = re.compile(
    r"(?<![\d-])(\d{4})([-/.])(\d{1,2})(?:\2(\d{1,2}))?(?:[Tt](?=\d))?(?!\d{3})", re.ASCII
)
_SHORT_ISO = re.compile(r"\d\d-\d\d-\d\dT\d", re.ASCII)
_YEAR_LAST = re.compile(r"(?<!\d)(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d\d)(?!\d)", re.ASCII)
_OFFSET = re.compile(
    r"(?:GMT|UTC|UT)?\s*([+-])(\d{1,2})(?::?(\d\d))?\s*(?:\(.*\))?$", re.ASCII | re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"\d+", re.ASCII)


def parse_date(text: str | None) -> datetime | None:
    """The moment, in UTC. A date without a zone is taken as UTC, one without a time as midnight."""
    if not text:
        return None
    text = text.strip()
    if len(text) > _LONGEST:
        return None
    if len(text) in {29, 31} and (moment := _as_most_write(text)):
        return moment
    if text[4:5] == "-":
        return _iso(text) or _lenient(text)
    if text[8:9].isdecimal() and text[:8].isdecimal() and text.isascii():
        return _of_digits(text)
    if match := _RFC822.fullmatch(text):
        day, month, year, clock, zone = match.groups()
        moment = _iso(f"{year}-{_ENGLISH[month]}-{day:0>2}T{clock}{zone.replace('GMT', 'Z')}")
    elif text.isascii() and text[:8].isdecimal():
        moment = _iso(text)
    else:
        moment = None
    return moment or _lenient(text)


def _as_most_write(text: str) -> datetime | None:
    """Tue, 03 Nov 2026 09:05:00 GMT, or +0000: by its words, without looking for anything."""
    words = text.split(" ")
    if len(words) != 6 or text[3] != "," or text[25] != " ":
        return None
    _, day, month, year, clock, zone = words
    if month not in _ENGLISH:
        return None
    return _iso(f"{year}-{_ENGLISH[month]}-{day}T{clock}{'Z' if zone == 'GMT' else zone}")


def _of_digits(text: str) -> datetime | None:
    """20021002130000; or seconds since 1970, or thousandths, or millionths."""
    text, _, fraction = text.partition(".")
    if len(text) == 14:
        return _iso(f"{text[:8]}T{text[8:]}")
    if not text.isdecimal() or len(text) not in _SECONDS or not (fraction + "0").isdecimal():
        return None
    moment = _EPOCH + timedelta(microseconds=int(text) * 10 ** (16 - len(text.zfill(10))))
    return moment if moment.year in _OF_SECONDS else None


def _iso(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
        if moment.year not in _GREGORIAN:
            return None  # of another calendar
        if moment.tzinfo is UTC:
            return moment
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _moment(
    year: int, month: int, day: int, hour: int = 0, minute: int = 0, second: int = 0
) -> datetime:
    """24:00 is the next day's midnight, a leap second the start of the next minute."""
    if hour == 24 and minute == second == 0:
        return datetime(year, month, day, tzinfo=UTC) + timedelta(days=1)
    if second == 60:
        return datetime(year, month, day, hour, minute, tzinfo=UTC) + timedelta(minutes=1)
    return datetime(year, month, day, hour, minute, second, tzinfo=UTC)


def _offset(zone: str) -> timedelta:
    """How far east +0200 is. An impossible offset is a typing error, and counts as none."""
    hours, minutes = int(zone[1:3]), int(zone[3:5])
    if hours > 15 or minutes > 59:
        return timedelta(0)
    east = timedelta(hours=hours, minutes=minutes)
    return east if zone[0] == "+" else -east


def _lenient(text: str) -> datetime | None:
    try:
        if not text.isascii() or _THANG.search(text):
            from newsloom.feeds.parse.foreign_dates import in_english  # few feeds need its tables

            text = in_english(text)
        elif text[:1] in {"R", "H", "S"} and text[1:3].strip()[:1].isdecimal():
            from newsloom.feeds.parse.foreign_dates import with_japanese_year

            text = with_japanese_year(text)
        return _by_parts(text)
    except (ValueError, OverflowError):  # 31 June, year 0, hour 25
        return None


def _by_parts(text: str) -> datetime | None:
    """Find the day, then the time, then the zone, each in what the one before left over."""
    if len(text) == 4 and text.isdecimal() and text.isascii():
        return _moment(int(text), 1, 1)
    if _SHORT_ISO.match(text):
        return _iso(f"{_year(text[:2])}{text[2:]}")
    found = _numeric_day(text) or _named_day(text)
    if found is None:
        return None
    (year, month, day), rest = found
    hour, minute, second, rest = _clock(rest)
    if year not in _GREGORIAN:
        from newsloom.feeds.parse.foreign_dates import gregorian

        year, month, day = gregorian(year, month, day)
    return _zoned(_moment(year, month, day, hour, minute, second), rest)


def _numeric_day(text: str) -> tuple[tuple[int, int, int], str] | None:
    if match := _CJK.search(text):
        return (int(match[1]), int(match[2]), int(match[3])), _without(text, match)
    if match := _YEAR_FIRST.search(text):
        return (int(match[1]), int(match[3]), int(match[4] or 1)), _without(text, match)
    if match := _YEAR_LAST.search(text):
        first, second = int(match[1]), int(match[3])
        # 03/04/2024 is March in America and April elsewhere. With slashes America writes most
        # feeds; with dots or dashes nobody puts the month first.
        american = match[2] == "/" and first <= 12 and _is_english(text)
        day, month = (second, first) if american else (first, second)
        return (_year(match[4]), month, day), _without(text, match)
    return None


def _is_english(text: str) -> bool:
    """Whether no word in it is of another language; the names of zones are of all."""
    return all(
        word[:3].lower() in ENGLISH or word.lower() in ENGLISH or word.upper() in ZONES
        for word in _WORD.findall(_ZONE_NAME.sub("", text))
        if word.lower() != "t"
    )


def _named_day(text: str) -> tuple[tuple[int, int, int], str] | None:
    """2 Jan 2024, January 2nd, 2024, 2024 Jan 2, 2. jänner 24: a name and the numbers around it."""
    month, match = _month(text)
    if match is None:
        return None
    clock = _CLOCK.search(text)
    before = [*_NUMBER.finditer(text[: match.start()])]
    after = [*_NUMBER.finditer(text, match.end(), clock.start() if clock else len(text))]
    if clock and clock.end() <= match.start():
        before = []
    if clock and clock.start() >= match.end() and len(before) + len(after) < 2:
        # asctime keeps the year behind the time: Sun Jan  4 16:29:06 2004
        after += [*re.finditer(r"(?<![\d+-])\d{4}(?!\d)", text[clock.end() :])][:1]
        numbers = [one[0] for one in (*before[-1:], *after)]
    else:
        numbers = [one[0] for one in (*before[-1:], *after[:2])]
    if len(numbers) < 2:
        return None
    day, year = numbers[0], numbers[1]
    if len(day) == 4:
        day, year = year, day
    rest = text[clock.start() :] if clock else text[max(match.end(), _end(after)) :]
    return (_year(year), month, int(day)), rest


def _end(numbers: list[re.Match[str]]) -> int:
    return numbers[min(len(numbers), 2) - 1].end() if numbers else 0


def _month(text: str) -> tuple[int, re.Match[str] | None]:
    """The last word that names a month, whole or by its first three letters.

    The last, because a day's name may look like one: "mar. 02 oct." is a Tuesday.
    """
    for match in reversed([*_WORD.finditer(text)]):
        word = match[0].casefold()
        month = MONTHS.get(word) or MONTHS.get(word.translate(MARKS)) or MONTHS.get(word[:3])
        if month:
            return month, match
    return 0, None


def _clock(text: str) -> tuple[int, int, int, str]:
    match = _CJK_CLOCK.search(text) or _CLOCK.search(text)
    if match is None:
        return 0, 0, 0, text
    hour, minute, second = int(match[1]), int(match[2] or 0), int(match[3] or 0)
    words = {word.casefold() for word in re.findall(r"[^\W\d_]+", text.replace(".", ""))}
    if words & PM and hour < 12:
        hour += 12
    elif words & {"am", "오전", "上午", "午前"} and hour == 12:
        hour = 0
    return hour, minute, second, text[match.end() :]


def _zoned(moment: datetime, rest: str) -> datetime:
    rest = rest.strip()
    if match := _OFFSET.search(rest):
        return moment - _offset(f"{match[1]}{int(match[2]):02}{match[3] or '00'}")
    if match := re.match(r"([+-])(\d\d):?(\d\d)", rest):
        return moment - _offset(f"{match[1]}{match[2]}{match[3]}")
    if named := _ZONE_NAME.search(rest):
        from newsloom.feeds.parse.foreign_dates import zone_of

        if zone := zone_of(named[0]):
            return moment.replace(tzinfo=zone).astimezone(UTC)
    for word in _WORD.findall(rest):
        if (hours := ZONES.get(word.upper())) is not None:
            return moment - timedelta(hours=hours)
    return moment


def _year(digits: str) -> int:
    """Two digits as RFC 2822 reads them, with feedparser's turn at 90: no feed is older."""
    year = int(digits)
    if len(digits) > 2:
        return year
    return year + (1900 if year >= 90 else 2000)


def _without(text: str, match: re.Match[str]) -> str:
    return f"{text[: match.start()]} {text[match.end() :]}"
