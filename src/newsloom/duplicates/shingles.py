"""Pairs and fours of following words of many texts at once, each once a text. Compares none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from newsloom.duplicates.words import I64, U64, mix

# Texts that can be told apart in one array, and what is left of a hash beside that.
TEXTS = 64
BITS = 64 - (TEXTS - 1).bit_length()
_HASH = np.uint64((1 << BITS) - 1)

# Odd constants (of xxHash64) that tell the places of words and pairs apart.
_SECOND = np.uint64(0x9E3779B185EBCA87)
_FOLLOWING = np.uint64(0xC2B2AE3D27D4EB4F)


@dataclass(frozen=True, slots=True)
class Shingles:
    """The shingles of some texts, those of each text in order of their hashes."""

    hashes: U64  # of BITS bits
    first: I64  # the first of each text, and at the end how many there are

    def least(self, count: int) -> list[tuple[int, ...]]:
        """The least of each text, as many as it has."""
        padded = np.append(self.hashes, np.zeros(count, np.uint64))
        table = padded[self.first[:-1, None] + np.arange(count)].tolist()
        sizes = np.diff(self.first).tolist()
        return [tuple(row[:size]) for row, size in zip(table, sizes, strict=True)]


def shingles(hashes: U64, sizes: I64) -> tuple[Shingles, Shingles]:
    """Pairs and fours, from the words of texts of these sizes one behind the other."""
    owners = np.repeat(np.arange(len(sizes), dtype=np.uint64), sizes)
    pairs = hashes[:-1] + hashes[1:] * _SECOND
    fours = pairs[:-2] + pairs[2:] * _FOLLOWING
    return _of(pairs, owners, 1, len(sizes)), _of(fours, owners, 3, len(sizes))


def _of(values: U64, owners: U64, reach: int, texts: int) -> Shingles:
    inside = owners[:-reach] == owners[reach:]
    placed = (owners[:-reach] << np.uint64(BITS)) | (mix(values) >> np.uint64(64 - BITS))
    placed = np.sort(placed[inside])
    kept = np.ones(len(placed), bool)
    np.not_equal(placed[1:], placed[:-1], out=kept[1:])
    placed = placed[kept]
    edges = np.arange(texts + 1, dtype=np.uint64) << np.uint64(BITS)
    first = np.searchsorted(placed, edges[:-1])
    return Shingles(placed & _HASH, np.append(first, len(placed)))
