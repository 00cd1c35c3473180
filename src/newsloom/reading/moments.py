"""Times as people type them: 6h, 2d, yesterday, 2026-11-20. Reads no clock."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from newsloom.kernel.errors import UserError
from newsloom.reading.values.searching import Ago

FORMS = "90m, 6h, 2d, 1w, yesterday, tuesday, 2026-11-20 or 2026-11"

_SPAN = re.compile(r"(\d{1,6})\s*([mhdwy])", re.IGNORECASE)
_UNITS = {
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
    "y": timedelta(days=365),
}
_DAYS = {"today": 0, "yesterday": 1}
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTH = re.compile(r"(\d{4})(?:-(\d{2}))?")


def parse(text: str) -> datetime | Ago:
    """A time, in UTC where none is said. Raises UserError."""
    words = text.strip().lower()
    if words in _DAYS:
        return Ago(timedelta(days=_DAYS[words]), whole_days=True)
    if words in _WEEKDAYS:
        return Ago(timedelta(0), whole_days=True, weekday=_WEEKDAYS.index(words))
    if found := _SPAN.fullmatch(words):
        return Ago(int(found[1]) * _UNITS[found[2]])
    try:
        if found := _MONTH.fullmatch(words):
            return datetime(int(found[1]), int(found[2] or 1), 1, tzinfo=UTC)
        when = datetime.fromisoformat(text.strip())
        return when.astimezone(UTC) if when.tzinfo else when.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise UserError(f"{text!r} is not a time. Use {FORMS}.") from None


def at(when: datetime | Ago, now: datetime) -> datetime:
    """That time. Further back than there are dates is the first there is."""
    if isinstance(when, datetime):
        return when
    span = when.span
    if when.weekday is not None:
        span = timedelta(days=(now.weekday() - when.weekday - 1) % 7 + 1)
    try:
        there = now - span
    except OverflowError:
        return datetime.min.replace(tzinfo=now.tzinfo)
    return there.replace(hour=0, minute=0, second=0, microsecond=0) if when.whole_days else there
