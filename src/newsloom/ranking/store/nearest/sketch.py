"""A shorter vector for each, in lists of like ones, so that of many rows little is read.

`projected` are a vector's coordinates along the directions in which the vectors differ most, `rest`
is the length of what those leave out. The dot product of two vectors is that of their projections,
give or take the product of their rests (Cauchy-Schwarz): no row whose bound lies below the worst of
the nearest ones found needs to be looked at. The lists are of k-means over the projections.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float32]
Rows = NDArray[np.int64]

# Directions kept, and rows of a list on average: see docs/work/decisions/storage.md for what others
# cost and gain.
WIDTH = 64
LISTED = 1_000

# Below so many rows all are read; a file of fewer has no sketch.
LEAST = 20_000

# Vectors that directions and centres are found from, evenly over all; rounds of k-means.
SAMPLE = 20_000
ROUNDS = 8

PART = 8_192  # rows projected at once


@dataclass(frozen=True, slots=True)
class Sketch:
    """All but `basis` and `centres` in the order of the lists."""

    basis: Float  # (dimensions, WIDTH), columns of unit length and square to each other
    centres: Float  # (lists, WIDTH)
    starts: Rows  # (lists + 1,) where each list begins
    rows: NDArray[np.int32]  # (n,) of the vectors, ascending within a list
    projected: Float  # (n, WIDTH)
    rest: Float  # (n,)

    @staticmethod
    def of_arrays(arrays: Mapping[str, NDArray[Any]]) -> Sketch | None:
        names = ("basis", "centres", "starts", "rows", "projected", "rest")
        return Sketch(*(arrays[one] for one in names)) if "basis" in arrays else None

    def likely(self, own: Float) -> Rows:
        """The lists, those first whose centres are the nearest to a projected query."""
        return np.argsort(_squares(self.centres) - self.centres @ own)


def sketched(rows: int, dimensions: int) -> Mapping[str, tuple[str, tuple[int, ...]]]:
    """Types and shapes of the arrays of a sketch; none where it would not pay."""
    if rows < LEAST or dimensions < 2 * WIDTH:
        return {}
    lists = rows // LISTED
    return {
        "basis": ("<f4", (dimensions, WIDTH)),
        "centres": ("<f4", (lists, WIDTH)),
        "starts": ("<i8", (lists + 1,)),
        "rows": ("<i4", (rows,)),
        "projected": ("<f4", (rows, WIDTH)),
        "rest": ("<f4", (rows,)),
    }


def sketch_of(vectors: NDArray[np.float16], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Fill the arrays of a sketch. Reads the vectors twice."""
    some = vectors[:: max(len(vectors) // SAMPLE, 1)].astype(np.float32)
    _values, directions = np.linalg.eigh(some.T @ some)  # the largest last
    basis = np.ascontiguousarray(directions[:, -WIDTH:])
    centres = _centres(some @ basis, len(arrays["centres"]))
    lists = np.empty(len(vectors), np.int32)
    for start in range(0, len(vectors), PART):
        part = slice(start, start + PART)
        lists[part] = _nearest(vectors[part].astype(np.float32) @ basis, centres)
    order = np.argsort(lists, kind="stable")
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    arrays["basis"][:], arrays["centres"][:], arrays["rows"][:] = basis, centres, order
    arrays["starts"][:] = np.searchsorted(lists[order], np.arange(len(centres) + 1))
    for start in range(0, len(vectors), PART):
        part = slice(start, start + PART)
        rows = vectors[part].astype(np.float32)
        projected = rows @ basis
        left = np.einsum("ij,ij->i", rows, rows) - np.einsum("ij,ij->i", projected, projected)
        arrays["projected"][places[part]] = projected
        arrays["rest"][places[part]] = np.sqrt(np.maximum(left, 0))


def _centres(some: Float, count: int) -> Float:
    """By k-means from evenly chosen ones; the same for the same vectors."""
    centres = some[:: len(some) // count][:count].copy()
    for _round in range(ROUNDS):
        lists = _nearest(some, centres)
        order = np.argsort(lists, kind="stable")
        there, starts = np.unique(lists[order], return_index=True)
        sums = np.add.reduceat(some[order], starts, axis=0)
        centres[there] = sums / np.diff(np.append(starts, len(some)))[:, np.newaxis]
    return centres


def _nearest(rows: Float, centres: Float) -> NDArray[np.int32]:
    near = rows @ centres.T - _squares(centres)
    return np.asarray(near.argmax(axis=1), np.int32)


def _squares(centres: Float) -> Float:
    return np.asarray(0.5 * np.einsum("ij,ij->i", centres, centres), np.float32)
