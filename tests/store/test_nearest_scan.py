"""Many rows: the sketch and its lists against looking at every row."""

from __future__ import annotations

import numpy as np
import pytest

from newsloom.ranking.store.nearest.block import Block, Position
from newsloom.ranking.store.nearest.scan import best, cosines, nearest_rows, unit, widened
from newsloom.ranking.store.nearest.sketch import LEAST, Sketch, sketch_of, sketched

ROWS, DIMENSIONS, GROUPS = LEAST + 5_000, 160, 300
NONE = np.empty(0, np.int64)


@pytest.fixture(scope="module")
def block() -> Block:
    """Vectors in groups, as texts of one matter lie together."""
    chance = np.random.default_rng(3)
    middles = chance.normal(size=(GROUPS, DIMENSIONS))
    vectors = middles[chance.integers(0, GROUPS, ROWS)] + chance.normal(size=(ROWS, DIMENSIONS))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    halves = vectors.astype(np.float16)
    arrays = {
        name: np.zeros(shape, kind) for name, (kind, shape) in sketched(ROWS, DIMENSIONS).items()
    }
    sketch_of(halves, arrays)
    numbers = np.arange(ROWS)
    return Block(Position(1, 1), numbers, numbers, halves, Sketch.of_arrays(arrays))


def queries(block: Block, count: int = 40) -> list[np.ndarray]:
    chance = np.random.default_rng(4)
    rows = block.vectors[chance.integers(0, ROWS, count)].astype(np.float32)
    return [unit(one) for one in rows + 0.03 * chance.normal(size=rows.shape)]


def of_all(block: Block, query: np.ndarray, within: tuple[int, int], count: int) -> set[int]:
    near = cosines(block.vectors[slice(*within)], query)
    return {int(one) + within[0] for one in np.argsort(-near)[:count]}


def test_the_sketch_is_whole(block: Block) -> None:
    sketch = block.sketch
    assert sketch is not None
    assert sorted(sketch.rows.tolist()) == list(range(ROWS))
    assert (sketch.starts[0], sketch.starts[-1]) == (0, ROWS)
    rows = block.vectors[sketch.rows].astype(np.float32)
    assert np.allclose(sketch.projected, rows @ sketch.basis, atol=1e-5)
    whole = np.einsum("ij,ij->i", rows, rows)
    assert np.allclose(
        sketch.rest**2 + np.einsum("ij,ij->i", sketch.projected, sketch.projected), whole, atol=1e-4
    )


@pytest.mark.parametrize("within", [(0, ROWS), (2_000, ROWS - 1_000), (100, 900)])
def test_exact_finds_what_looking_at_every_row_finds(block: Block, within: tuple[int, int]) -> None:
    for query in queries(block):
        rows, near = nearest_rows(block, query, within, NONE, 10, exact=True)
        assert set(rows.tolist()) == of_all(block, query, within, 10)
        assert near == pytest.approx(cosines(block.vectors[rows], query))


@pytest.mark.parametrize("within", [(0, ROWS), (2_000, ROWS - 1_000)])
def test_without_it_nearly_all_of_them_are_found(block: Block, within: tuple[int, int]) -> None:
    found = total = 0
    for query in queries(block):
        rows, _near = nearest_rows(block, query, within, NONE, 10, exact=False)
        assert len(rows) == 10
        assert within[0] <= rows.min() <= rows.max() < within[1]
        found += len(set(rows.tolist()) & of_all(block, query, within, 10))
        total += 10
    assert found / total > 0.95


@pytest.mark.parametrize("exact", [True, False])
def test_what_was_deleted_is_not_found(block: Block, exact: bool) -> None:
    query = queries(block, 1)[0]
    rows, _near = nearest_rows(block, query, (0, ROWS), NONE, 20, exact=exact)
    dead = np.sort(rows)
    left, _near = nearest_rows(block, query, (0, ROWS), dead, 20, exact=exact)
    assert not set(left.tolist()) & set(dead.tolist())
    assert len(left) == 20


def test_the_best_are_the_largest() -> None:
    values = np.random.default_rng(1).normal(size=5_000).astype(np.float32)
    for count in (0, 1, 3, 99, 101, 5_000, 9_000):
        right = sorted(values, reverse=True)[:count]
        assert sorted(values[best(values, count)], reverse=True) == right


def test_half_precision_is_widened_exactly() -> None:
    every = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    finite = every[np.isfinite(every)].reshape(-1, 62)
    assert np.array_equal(widened(finite).view(np.int32), finite.astype(np.float32).view(np.int32))
