"""The ranking benchmark measures what it says: every way gives the same top."""

from __future__ import annotations

from pathlib import Path

import pytest

from newsloom_lab.bench import rank, rank_stores
from store.conftest import started


def test_the_merge_is_exact_and_everything_is_measured():
    bench = rank.run(rows=(10, 300), limit=20, most=2)
    assert [one.rows for one in bench.times] == [10, 300], "fewer than the limit, and more"
    for one in bench.times:
        assert one.exact
        names = ("merge", "page", "raw_merge", "varied", "run", "scan", "sort", "rescore")
        assert all(getattr(one, f"{name}_ms") > 0 for name in names)
        assert one.file_mb > 0
        assert [each.name for each in one.filters if not each.exact] == []
        assert {each.found for each in one.filters if each.name == "language of none"} == {0}
        assert all(each.merge_ms > 0 and each.scan_ms > 0 for each in one.filters)
        # Of fifteen articles five are one event and one story, five more a story.
        shares = {"story": 7 / 15, "cluster": 11 / 15, "text": 14 / 15, "article": 1}
        assert {each.rows: each.unread for each in one.by_rows} == {
            rows: pytest.approx(one.rows * share, abs=4) for rows, share in shares.items()
        }
        assert all(
            min(each.merge_ms, each.further_ms, each.page_ms, each.unread_ms) > 0
            for each in one.by_rows
        )
    assert bench.limit == 20
    assert bench.journal in {"wal", "truncate"}
    assert bench.peak_mb > 0


def test_both_databases_list_the_same(tmp_path: Path) -> None:
    url = started("embedded").address(tmp_path / "rank", template="template1")
    bench = rank_stores.run(rows=100, limit=20, url=url, most=2)
    assert bench.same
    lists = [[(each.rows, each.unread) for each in one.by_rows] for one in bench.times]
    assert lists[0] == lists[1]
    assert [one.store.split()[0] for one in bench.times] == ["sqlite", "postgresql"]
    assert all(min(one.merge_ms, one.varied_ms, one.page_ms) > 0 for one in bench.times)
