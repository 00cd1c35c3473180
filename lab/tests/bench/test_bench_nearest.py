"""The benchmark of neighbours: every way finds what faiss or numpy says is nearest."""

from __future__ import annotations

import numpy as np

from newsloom_lab.bench import nearest
from store.conftest import started


class Encoder:
    """Texts to vectors that mean nothing."""

    model_id = "made@1"
    dimensions = 160

    def embed(self, texts):
        rows = np.random.default_rng(len(texts)).normal(size=(len(texts), self.dimensions))
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def test_every_way_is_measured_on_the_same_vectors(tmp_path) -> None:
    url = started("embedded").address(tmp_path / "nearest", template="template1")
    lines: list[str] = []
    texts = [f"text {number}" for number in range(400)]
    bench = nearest.run(texts, Encoder(), 2_000, url, lines.append)
    assert (bench.rows, bench.real, bench.dimensions, bench.queries) == (2_000, 300, 160, 100)
    recall = {one.name: one.recall_at_10 for one in bench.ways}
    assert len(lines) == len(bench.ways) == 8
    exact = ("sqlite exact", "sqlite", "postgresql exact", "pgvector alone, exact")
    assert [recall[one] for one in exact] == [1.0] * len(exact)
    assert recall["postgresql hnsw"] > 0.95


def test_mixes_are_of_unit_length_and_the_real_ones_stay() -> None:
    base = Encoder().embed(["a", "b", "c"])
    made = nearest.multiplied(base, 50, np.random.default_rng(1)).astype(np.float32)
    assert np.allclose(np.linalg.norm(made, axis=1), 1, atol=1e-3)
    assert np.allclose(made[:3], base, atol=1e-3)
