"""Layer 5: the same people, organisations, places and dates within a day. Recognises none."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import combinations

from newsloom.dedup.signature import Signature
from newsloom.dedup.thresholds import Thresholds
from newsloom.types import Evidence

NAME = "entities"

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = timedelta(days=1)

_PAIRS = 5  # of names, an article; each on two days
LEAST_COMMON = 3


def keys(signature: Signature) -> frozenset[int]:
    """Pairs of its names with the days it may share: two articles a day apart meet on one."""
    return _keys(signature.names[:4], (signature.dated - _EPOCH) // _DAY)


@lru_cache(maxsize=8192)
def _keys(names: tuple[int, ...], day: int) -> frozenset[int]:
    pairs = list(combinations(sorted(set(names)), 2))[:_PAIRS]
    return frozenset(_hashed(a, b, one) for a, b in pairs for one in (day, day + 1))


def _hashed(a: int, b: int, day: int) -> int:
    """The names are hashes already: mixing them takes a fifth of the time of hashing again."""
    mixed = (a * 0x9E3779B97F4A7C15 + b * 0xC2B2AE3D27D4EB4F + day * 0x165667B19E3779F9) & _BITS
    mixed = ((mixed ^ mixed >> 29) * 0xBF58476D1CE4E5B9) & _BITS
    return (mixed ^ mixed >> 32) - (1 << 63)


_BITS = (1 << 64) - 1


def possible(a: Signature, b: Signature, thresholds: Thresholds) -> bool:
    """Whether looking for their entities is worth it: near in time, and likely names in common."""
    if abs(a.dated - b.dated) > thresholds.entity_span or not keys(a) & keys(b):
        return False
    common = len(set(a.names) & set(b.names))
    return common >= 2


def compare(a: Signature, b: Signature, thresholds: Thresholds) -> Evidence | None:
    """Evidence that two articles report one event: nearly all names in common within a day."""
    if a.entities is None or b.entities is None or not possible(a, b, thresholds):
        return None
    common = a.entities & b.entities
    least = min(len(a.entities), len(b.entities))
    if len(common) < LEAST_COMMON or len(common) < thresholds.entity_overlap * least:
        return None
    hours = abs(a.dated - b.dated) / timedelta(hours=1)
    shown = ", ".join(sorted(name.partition(":")[2].title() for name in common)[:3])
    detail = f"{len(common)} of {least} names in common ({shown}), {hours:.0f} h apart"
    return Evidence(NAME, len(common) / least, detail)
