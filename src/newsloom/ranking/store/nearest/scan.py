"""The nearest rows of arrays of vectors. Pure numpy: no file, no database."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from newsloom.ranking.store.nearest.block import Block
from newsloom.ranking.store.nearest.sketch import LEAST, Sketch

Float = NDArray[np.float32]
Rows = NDArray[np.int64]

# Rows converted to float32 at once: what two megabytes hold, so that they stay in the cache.
PART = 1_024

# Rows of the sketch looked at together, so that what is worked out of them stays in the cache.
SKETCHED_PART = 16_384

# Rows looked at whole after the sketch, at least, and for each that is wanted; lists looked into at
# least. Measured in docs/work/decisions/storage.md.
FIRST, FIRST_EACH = 300, 10
LISTS = 16

# Cosines held at once where all rows are read for many queries: 64 MB.
TOGETHER = 1 << 24

# More than this share of the rows is not gathered one by one: then all are read.
GATHERED = 0.2

# What float32 rounds at most in a sum of so many products; bounds are widened by it.
ROUNDING = np.float32(1e-5)


# What is left of 16 bits moved by 13 with their sign drawn out; 2 ** (127 - 15), by which the
# exponents of float32 and of half precision lie apart.
_SIGN_AND_VALUE = np.int32(0x8FFFE000 - (1 << 32))
_EXPONENT = np.float32(2.0**112)


def unit(vector: NDArray[np.floating]) -> Float:
    """A query as it is compared: in half precision as the rows are, of length one."""
    rounded = np.asarray(vector, np.float32).astype(np.float16).astype(np.float32)
    length = float(np.linalg.norm(rounded))
    return rounded / np.float32(length) if length > 0 else rounded


def cosines(vectors: NDArray[np.float16], query: Float) -> Float:
    """Of each row; its length is not exactly one. A query has length one. Rows without any: 0."""
    # Row by row: equal rows have equal cosines wherever they stand, which a product by BLAS does
    # not promise in the last bit.
    rows = widened(vectors)
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    lengths[lengths == 0] = 1
    found: Float = np.einsum("ij,j->i", rows, query) / lengths
    return found


def guessed(vectors: NDArray[np.float16], queries: Float) -> Float:
    """The cosines of all rows with each of some queries, (queries, rows), but for the last bits.

    Each row is widened once for all queries.
    """
    found = np.empty((len(queries), len(vectors)), np.float32)
    for start in range(0, len(vectors), PART):
        rows = widened(vectors[start : start + PART])
        lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
        lengths[lengths == 0] = 1
        np.divide(queries @ rows.T, lengths, out=found[:, start : start + PART])
    return found


def widened(halves: NDArray[np.float16]) -> Float:
    """Half precision as float32, exactly; finite numbers alone.

    A fifth of the time of `astype`, which takes one number after the other: the bits are moved to
    where float32 has them, and the exponent is put right by one product.
    """
    bits = np.left_shift(halves.view(np.int16), 13, dtype=np.int32)
    np.bitwise_and(bits, _SIGN_AND_VALUE, out=bits)
    numbers: Float = bits.view(np.float32)
    numbers *= _EXPONENT
    return numbers


def nearest_rows(
    block: Block, query: Float, within: tuple[int, int], dead: Rows, count: int, *, exact: bool
) -> tuple[Rows, Float]:
    """Rows of a block and their cosines: `count` of them or all there are, in no order.

    Without `exact`, of many rows those are looked at that look near in the sketch.
    """
    return nearest_rows_each(block, query[np.newaxis], within, dead, count, exact=exact)[0]


def nearest_rows_each(
    block: Block, queries: Float, within: tuple[int, int], dead: Rows, count: int, *, exact: bool
) -> list[tuple[Rows, Float]]:
    """As `nearest_rows`, of each of some queries (n, dimensions)."""
    size, sketch = within[1] - within[0], block.sketch
    if sketch is None or size < LEAST or count >= size // 10:
        return _all(block, queries, within, dead, count)
    return [_sketched(block, sketch, one, within, dead, count, exact=exact) for one in queries]


def _sketched(
    block: Block,
    sketch: Sketch,
    query: Float,
    within: tuple[int, int],
    dead: Rows,
    count: int,
    *,
    exact: bool,
) -> tuple[Rows, Float]:
    """Of the likeliest lists the best; with `exact`, then all rows that may be as near as those."""
    own = sketch.basis.T @ query
    look = max(FIRST, FIRST_EACH * count)
    rows, guesses = _from_lists(sketch, own, within, dead, look)
    rows = rows[best(guesses, look)]
    near = cosines(block.vectors[rows], query)
    chosen = best(near, count)
    if not exact:
        return rows[chosen], near[chosen]
    worst = near[chosen].min() if len(chosen) == count else np.float32(-2)
    rows = sketch.rows[_possible(sketch, own, worst)].astype(np.int64)
    rows = rows[_live(rows, within, dead)]
    if len(rows) > GATHERED * (within[1] - within[0]):
        return _all(block, query[np.newaxis], within, dead, count)[0]
    near = cosines(block.vectors[rows], query)
    chosen = best(near, count)
    return rows[chosen], near[chosen]


def _possible(sketch: Sketch, own: Float, worst: np.float32) -> Rows:
    """The places in the sketch of all rows whose cosine may be so much."""
    # What of the cosine lies outside of the sketch at most; half precision rounds rows' lengths.
    left = np.float32(np.sqrt(max(0.0, 1.0 - float(own @ own))))
    found = []
    for start in range(0, len(sketch.rest), SKETCHED_PART):
        part = slice(start, start + SKETCHED_PART)
        bound = sketch.rest[part] * left
        bound += sketch.projected[part] @ own
        bound += ROUNDING
        bound *= np.float32(1.001)
        found.append(start + np.flatnonzero(bound >= worst))
    return np.concatenate(found)


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
    block: Block, queries: Float, within: tuple[int, int], dead: Rows, count: int
) -> list[tuple[Rows, Float]]:
    first, last = within
    gone = dead[(dead >= first) & (dead < last)] - first
    found = []
    together = max(1, TOGETHER // max(1, last - first))
    for start in range(0, len(queries), together):
        some = queries[start : start + together]
        near = guessed(block.vectors[first:last], some)
        near[:, gone] = -2
        for own, query in zip(near, some, strict=True):
            rows = first + best(own, min(count, len(own) - len(gone)))
            found.append((rows, cosines(block.vectors[rows], query)))
    return found
