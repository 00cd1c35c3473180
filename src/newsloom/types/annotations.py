"""What a reader adds to articles: tags, notes, highlights."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tag:
    """A name that a reader gave to articles."""

    name: str
    articles: int
    unread: int
