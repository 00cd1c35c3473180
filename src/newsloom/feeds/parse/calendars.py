"""Days of other calendars as Gregorian ones. Pure arithmetic; raises ValueError for no such day."""

from __future__ import annotations

from datetime import date

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
