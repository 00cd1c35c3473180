"""How long ago something was, in one number and one unit, for lists in pages and terminals."""

from __future__ import annotations

from datetime import timedelta

_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)

# Ages from newest: (below, one unit, short name).
_AGES = (
    (_HOUR, _MINUTE, "min"),
    (_DAY, _HOUR, "h"),
    (14 * _DAY, _DAY, "d"),
    (60 * _DAY, 7 * _DAY, "wk"),
    (730 * _DAY, 30.44 * _DAY, "mo"),
    (timedelta.max, 365.25 * _DAY, "y"),
)


def age_words(age: timedelta) -> str:
    """`12 min`, `3 h`, `9 mo`; `now` below a minute."""
    if age < _MINUTE:
        return "now"
    for below, unit, name in _AGES:
        if age < below:
            return f"{max(1, int(age / unit))} {name}"
    return ""
