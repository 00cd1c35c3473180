"""The benchmark of copying fills every kind of table, and finds both ways to be the same."""

from __future__ import annotations

from pathlib import Path

from newsloom.reading.values.reading import Order, Rows
from newsloom_lab.bench import copy
from store.conftest import started


def test_there_and_back(tmp_path: Path) -> None:
    url = started("embedded").address(tmp_path / "copy")
    bench = copy.run(400, url)
    assert bench.same_rows
    assert bench.same_lists
    assert bench.lists == 2 * len(Rows) * len(Order)
    # Articles, states of two readers, texts, vectors, clusters.
    assert bench.rows > 400 * 5
    assert min(bench.there_seconds, bench.back_seconds, bench.file_mb, bench.server_mb) > 0
