"""The benchmark of searches measures what it says, and what it finds is right."""

from __future__ import annotations

from newsloom_lab.bench import search


def test_every_search_finds_something_and_orders_are_exact():
    bench = search.run(rows=1_500, rounds=1)
    assert bench.rows == 1_500
    names = {one.name: one for one in bench.times}
    assert 1_100 < names["commonest word"].count < 1_300  # a fifth is without spaces
    assert [one.name for one in bench.times if one.exact is False] == []
    assert [one.name for one in bench.times if one.exact] == [
        "commonest word",
        "common word",
        "usual word",
        "rare word",
    ]
    times = ("best_ms", "newest_ms", "score_ms", "second_page_ms")
    assert all(getattr(one, name) > 0 for one in bench.times for name in times)
    few = ("author", "spaces: rare")  # of so few articles perhaps none
    assert all(one.count for one in bench.times if not one.name.endswith(few))
    assert bench.index_mb > 0
    assert len(bench.table()) == len(bench.times)
    assert bench.file_mb > 0
    assert bench.peak_mb > 0
