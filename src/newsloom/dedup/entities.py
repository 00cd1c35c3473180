"""Layer 5: the same people, organisations, places and dates within a day. Recognises none."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
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
    names = sorted(set(signature.names[:4]))
    pairs = list(combinations(names, 2))[:_PAIRS]
    day = (signature.dated - _EPOCH) // _DAY
    return frozenset(_hashed(a, b, one) for a, b in pairs for one in (day, day + 1))


def _hashed(a: int, b: int, day: int) -> int:
    data = f"{a} {b} {day}".encode()
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little", signed=True)


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
