"""Which certificate authorities are trusted: the system's, or certifi's where the system has none.

A bare Debian has no ca-certificates until something asks for it; every https feed would then fail
as "unknown authority". A system that has its own list, even a short one, is always obeyed.
"""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from pathlib import Path

import certifi


@dataclass(frozen=True, slots=True)
class Authorities:
    """A file of certificates, a folder of them by hash, or both."""

    file: str | None = None
    folder: str | None = None


def trusted() -> Authorities:
    """Found once for all connections."""
    paths = ssl.get_default_verify_paths()
    file = paths.cafile if _lists(paths.cafile) else None
    folder = paths.capath if _lists(paths.capath) else None
    return Authorities(file, folder) if file or folder else Authorities(certifi.where())


def _lists(place: str | None) -> bool:
    """Whether a file or folder of authorities is there and not empty."""
    if place is None:
        return False
    path = Path(place)
    if path.is_dir():
        return any(path.iterdir())
    return path.is_file() and path.stat().st_size > 0
