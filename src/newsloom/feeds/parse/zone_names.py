"""Time zones by their names in the IANA database: America/New_York."""

from __future__ import annotations

from datetime import tzinfo
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones


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
