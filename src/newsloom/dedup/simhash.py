"""Charikar's SimHash: 64 bits of which near-identical sets differ in few. Compares nothing else."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

BITS = 64
_MASK = (1 << BITS) - 1


def of_sets(elements: NDArray[np.uint64], first: NDArray[np.int64]) -> NDArray[np.int64]:
    """The SimHash of each set; the elements of set i are those from first[i] to first[i + 1]."""
    sizes = np.diff(first)
    made = np.zeros(len(sizes), np.int64)
    some = np.flatnonzero(sizes)
    if len(some):
        bits = np.unpackbits(elements.view(np.uint8).reshape(-1, 8), axis=1)
        counts = np.add.reduceat(bits, first[some], axis=0, dtype=np.int32)
        made[some] = np.packbits(counts * 2 > sizes[some, None], axis=1).view(np.int64)[:, 0]
    return made


def distance(a: int, b: int) -> int:
    """Bits in which two differ."""
    return ((a ^ b) & _MASK).bit_count()
