"""The layers of evidence, cheapest first. Decides nothing: to add one, write a module and a row.

`keys(a) & keys(b)` is never empty where `compare(a, b)` finds evidence; `compare` is symmetric.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from newsloom.dedup import guid, url
from newsloom.types import Copy, Evidence


@dataclass(frozen=True, slots=True)
class Layer:
    name: str
    keys: Callable[[Copy], frozenset[str]]  # where to look for candidates
    compare: Callable[[Copy, Copy], Evidence | None]


LAYERS = (
    Layer("guid", guid.keys, guid.compare),
    Layer("url", url.keys, url.compare),
)


def keys(copy: Copy) -> tuple[tuple[str, str], ...]:
    """All (layer, key) of a copy."""
    return tuple((layer.name, key) for layer in LAYERS for key in sorted(layer.keys(copy)))
