"""The time zone that pages tell times in: the browser's, which its first page notes in a cookie.

Times are made by the server. Without JavaScript there is no cookie, and times are in UTC and say
so.
"""

from __future__ import annotations

from datetime import UTC, tzinfo
from functools import lru_cache
from urllib.parse import unquote
from zoneinfo import ZoneInfo

from fastapi import Request

COOKIE = "newsloom-zone"
LONGEST_NAME = 64


def zone_of(request: Request) -> tzinfo:
    return named(unquote(request.cookies.get(COOKIE, "")))


@lru_cache(maxsize=64)
def named(name: str) -> tzinfo:
    """The zone of that name; UTC when there is none, or none that this machine knows."""
    if not name or len(name) > LONGEST_NAME:
        return UTC
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):  # a folder; a path; unknown
        return UTC
