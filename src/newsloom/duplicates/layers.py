"""The layers of evidence, cheapest first. Decides nothing: to add one, write a module and a row.

`keys(a) & keys(b)` is never empty where `compare` finds evidence; `compare` is symmetric.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from newsloom.duplicates import entities, fingerprint, title
from newsloom.duplicates.packed import Signature
from newsloom.duplicates.values import Evidence, Thresholds


@dataclass(frozen=True, slots=True)
class TextLayer:
    """Judges originals once their text has been read, by their signatures."""

    name: str
    keys: Callable[[Signature], frozenset[int]]  # 64-bit, signed
    compare: Callable[[Signature, Signature, Thresholds], Evidence | None]


TEXT = (
    TextLayer("title", title.keys, title.compare),
    TextLayer("fingerprint", fingerprint.keys, fingerprint.compare),
)
# Joins nothing by itself: it is part of the evidence that two articles report the same event, whose
# pairs come from their vectors (stories/stages/same_event.py). Its keys are for measuring it alone.
NAMES = TextLayer("entities", entities.keys, entities.compare)
