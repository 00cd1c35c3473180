"""Which certificate authorities are trusted: the system's, or certifi's where the system has none.

A bare Debian has no ca-certificates until something asks for it; every https feed would then fail
as "unknown authority". A system that has its own list, even a short one, is always obeyed.
"""

from __future__ import annotations

import ssl
from pathlib import Path

import certifi


def trusted() -> ssl.SSLContext:
    """One context for all connections: making one costs more than a poll."""
    paths = ssl.get_default_verify_paths()
    if _lists(paths.cafile) or _lists(paths.capath):
        return ssl.create_default_context()
    return ssl.create_default_context(cafile=certifi.where())


def _lists(place: str | None) -> bool:
    """Whether a file or folder of authorities is there and not empty."""
    if place is None:
        return False
    path = Path(place)
    if path.is_dir():
        return any(path.iterdir())
    return path.is_file() and path.stat().st_size > 0
