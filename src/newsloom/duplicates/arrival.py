"""The layers that judge an article as it arrives, by what the feed says of it. Decides nothing.

Apart from the layers of texts, so that what reads feeds need not load what compares texts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from newsloom.duplicates import guid, url
from newsloom.duplicates.values import Copy, Evidence


@dataclass(frozen=True, slots=True)
class Layer:
    """Judges an article as it arrives, by what the feed says of it."""

    name: str
    keys: Callable[[Copy], frozenset[str]]  # where to look for candidates
    compare: Callable[[Copy, Copy], Evidence | None]


ARRIVAL = (
    Layer("guid", guid.keys, guid.compare),
    Layer("url", url.keys, url.compare),
)


def keys(copy: Copy) -> tuple[tuple[str, str], ...]:
    """All (layer, key) of a copy."""
    return tuple((layer.name, key) for layer in ARRIVAL for key in sorted(layer.keys(copy)))
