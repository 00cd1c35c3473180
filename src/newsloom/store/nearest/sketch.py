"""A shorter vector for each, so that of many rows a quarter of the bytes is read.

`projected` are a vector's coordinates along the directions in which the vectors differ most, `rest`
is the length of what those leave out. The dot product of two vectors is that of their projections,
give or take the product of their rests (Cauchy-Schwarz): no row whose bound lies below the worst of
the nearest ones found needs to be looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float32]

# Directions kept: see docs/decisions/neighbours.md for what fewer and more cost and gain.
WIDTH = 64

# Below so many rows all are read; a file of fewer has no sketch.
LEAST = 20_000

# Vectors that the directions are found from, evenly over all.
SAMPLE = 20_000

PART = 8_192  # rows projected at once


@dataclass(frozen=True, slots=True)
class Sketch:
    basis: Float  # (dimensions, WIDTH), columns of unit length and square to each other
    projected: Float  # (n, WIDTH)
    rest: Float  # (n,)

    @staticmethod
    def of_arrays(arrays: Mapping[str, NDArray[Any]]) -> Sketch | None:
        if "basis" not in arrays:
            return None
        return Sketch(arrays["basis"], arrays["projected"], arrays["rest"])


def sketched(rows: int, dimensions: int) -> Mapping[str, tuple[str, tuple[int, ...]]]:
    """Types and shapes of the arrays of a sketch; none where it would not pay."""
    if rows < LEAST or dimensions < 2 * WIDTH:
        return {}
    return {
        "basis": ("<f4", (dimensions, WIDTH)),
        "projected": ("<f4", (rows, WIDTH)),
        "rest": ("<f4", (rows,)),
    }


def sketch_of(vectors: NDArray[np.float16], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Fill the arrays of a sketch."""
    some = vectors[:: max(len(vectors) // SAMPLE, 1)].astype(np.float32)
    _values, directions = np.linalg.eigh(some.T @ some)  # the largest last
    basis = np.ascontiguousarray(directions[:, -WIDTH:])
    arrays["basis"][:] = basis
    for start in range(0, len(vectors), PART):
        part = slice(start, start + PART)
        rows = vectors[part].astype(np.float32)
        projected = rows @ basis
        left = np.einsum("ij,ij->i", rows, rows) - np.einsum("ij,ij->i", projected, projected)
        arrays["projected"][part] = projected
        arrays["rest"][part] = np.sqrt(np.maximum(left, 0))
