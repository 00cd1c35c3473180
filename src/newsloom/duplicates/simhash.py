"""Charikar's SimHash (2002): 64 bits, few of which differ in near-identical sets. Compares two."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from newsloom.duplicates.words import I64, U64

BITS = 64
_MASK = (1 << BITS) - 1

_GROUP = 64  # elements added up bit by bit before they are counted


def of_sets(elements: U64, first: I64) -> I64:
    """The SimHash of each set; the elements of set i are those from first[i] to first[i + 1]."""
    sizes = np.diff(first)
    groups = -(-sizes // _GROUP)
    some = np.flatnonzero(sizes)
    made = np.zeros(len(sizes), np.int64)
    if len(some):
        begins = np.cumsum(groups) - groups
        counts = _counted(elements, sizes, begins, int(groups.sum()))
        sums = np.add.reduceat(counts, begins[some], axis=0, dtype=np.uint32)
        made[some] = np.packbits(sums * 2 > sizes[some, None], axis=1).view("<i8")[:, 0]
    return made


def _counted(elements: U64, sizes: I64, begins: I64, groups: int) -> NDArray[np.uint16]:
    """How many elements of each group have each bit.

    The bits of 64 elements are added as 64 columns of one machine word, and only the sums are taken
    apart: a fifth of the time of taking apart every element.
    """
    grouped = np.zeros((_GROUP, groups), np.dtype("<u8"))
    places = np.arange(len(elements)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    grouped[places % _GROUP, np.repeat(begins, sizes) + places // _GROUP] = elements
    planes = [grouped]
    while len(planes[0]) > 1:
        half = len(planes[0]) // 2
        planes = _added([plane[:half] for plane in planes], [plane[half:] for plane in planes])
    counts = np.zeros((groups, BITS), np.uint16)
    for power, plane in enumerate(planes):
        bits = np.unpackbits(plane[0].view(np.uint8).reshape(-1, 8), axis=1)
        counts += bits.astype(np.uint16) << np.uint16(power)
    return counts


def _added(ones: list[U64], others: list[U64]) -> list[U64]:
    """The sums of numbers whose bits stand in planes, the lowest first."""
    carry = ones[0] & others[0]
    sums = [ones[0] ^ others[0]]
    for one, other in zip(ones[1:], others[1:], strict=True):
        either = one ^ other
        sums.append(either ^ carry)
        carry = (one & other) | (either & carry)
    return [*sums, carry]


def distance(a: int, b: int) -> int:
    """Bits in which two differ."""
    return ((a ^ b) & _MASK).bit_count()
