"""The nearest rows of arrays of vectors. Pure numpy: no file, no database."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from newsloom.store.nearest.block import Block
from newsloom.store.nearest.sketch import LEAST, Sketch

Float = NDArray[np.float32]
Rows = NDArray[np.int64]

# Rows converted to float32 at once: what two megabytes hold, so that they stay in the cache.
PART = 1_024

# Rows looked at whole after the sketch, at least, and for each that is wanted; lists looked into at
# least. Measured in docs/decisions/neighbours.md.
FIRST, FIRST_EACH = 300, 10
LISTS = 16

# More than this share of the rows is not gathered one by one: then all are read.
GATHERED = 0.2

# What float32 rounds at most in a sum of so many products; bounds are widened by it.
ROUNDING = np.float32(1e-5)


def unit(vector: NDArray[np.floating]) -> Float:
    """A query as it is compared: in half precision as the rows are, of length one."""
    rounded = np.asarray(vector, np.float32).astype(np.float16).astype(np.float32)
    length = float(np.linalg.norm(rounded))
    return rounded / np.float32(length) if length > 0 else rounded


def cosines(vectors: NDArray[np.float16], query: Float) -> Float:
    """Of each row; its length is not exactly one. A query has length one. Rows without any: 0."""
    found = np.empty(len(vectors), np.float32)
    for start in range(0, len(vectors), PART):
        rows = vectors[start : start + PART].astype(np.float32)
        lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
        found[start : start + PART] = (rows @ query) / np.where(lengths > 0, lengths, 1)
    return found


def nearest_rows(
    block: Block, query: Float, within: tuple[int, int], dead: Rows, count: int, *, exact: bool
) -> tuple[Rows, Float]:
    """Rows of a block and their cosines: `count` of them or all there are, in no order.

    Without `exact`, of many rows those are looked at that look near in the sketch.
    """
    size, sketch = within[1] - within[0], block.sketch
    if sketch is None or size < LEAST or count >= size // 10:
        return _all(block, query, within, dead, count)
    own = sketch.basis.T @ query
    look = max(FIRST, FIRST_EACH * count)
    if not exact:
        rows, guesses = _from_lists(sketch, own, within, dead, look)
        rows = rows[best(guesses, look)]
        near = cosines(block.vectors[rows], query)
        chosen = best(near, count)
        return rows[chosen], near[chosen]
    guesses = sketch.projected @ own
    guesses[~_live(sketch.rows, within, dead)] = -np.inf
    first = sketch.rows[best(guesses, look)]
    worst = np.sort(cosines(block.vectors[first], query))[-count]
    # What the cosine of each row is at most; half precision rounds the rows' lengths.
    left = np.float32(np.sqrt(max(0.0, 1.0 - float(own @ own))))
    bound = (guesses + sketch.rest * left + ROUNDING) * np.float32(1.001)
    rows = sketch.rows[bound >= worst].astype(np.int64)
    if len(rows) > GATHERED * size:
        return _all(block, query, within, dead, count)
    near = cosines(block.vectors[rows], query)
    chosen = best(near, count)
    return rows[chosen], near[chosen]


def _from_lists(
    sketch: Sketch, own: Float, within: tuple[int, int], dead: Rows, look: int
) -> tuple[Rows, Float]:
    """Rows of the likeliest lists with their guesses: of ever more lists, until it is enough."""
    lists = sketch.likely(own)
    chosen = LISTS
    while True:
        parts = [slice(*sketch.starts[one : one + 2].tolist()) for one in lists[:chosen].tolist()]
        rows = np.concatenate([sketch.rows[part] for part in parts]).astype(np.int64)
        live = _live(rows, within, dead)
        if int(np.count_nonzero(live)) >= 2 * look or chosen >= len(lists):
            guesses = np.concatenate([sketch.projected[part] @ own for part in parts])
            return rows[live], guesses[live]
        chosen *= 2


def _live(rows: NDArray[np.integer], within: tuple[int, int], dead: Rows) -> NDArray[np.bool_]:
    """Which rows lie in the window and count still."""
    live = np.asarray((rows >= within[0]) & (rows < within[1]))
    return live & ~np.isin(rows, dead) if len(dead) else live


def best(values: Float, count: int) -> Rows:
    """The places of the largest, in no order."""
    if count < 1 or count >= len(values):
        return np.arange(len(values) if count > 0 else 0)
    if len(values) > 50 * count:
        # What is above the least of so many parts' largest: the rest need not be sorted.
        parts = values[: len(values) // (2 * count) * 2 * count].reshape(2 * count, -1).max(axis=1)
        places = np.flatnonzero(values >= np.partition(parts, -count)[-count])
        return places[np.argpartition(values[places], -count)[-count:]]
    return np.argpartition(values, -count)[-count:]


def _all(
    block: Block, query: Float, within: tuple[int, int], dead: Rows, count: int
) -> tuple[Rows, Float]:
    first, last = within
    near = cosines(block.vectors[first:last], query)
    gone = dead[(dead >= first) & (dead < last)] - first
    near[gone] = -2
    chosen = best(near, min(count, len(near) - len(gone)))
    return first + chosen, near[chosen]
