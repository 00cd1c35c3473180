"""The benchmark of size counts the source, and what requests run of it."""

from __future__ import annotations

from newsloom_lab.bench import size


def test_source_and_requests_are_counted() -> None:
    bench = size.run(100)
    *packages, total = bench.packages
    assert sum(one.lines for one in packages) == total.lines > 10_000
    assert sum(one.functions for one in packages) == total.functions > 1_000
    assert [one.name for one in bench.requests] == ["list page", "article", "like"]
    for one in bench.requests:
        assert one.calls > one.functions > one.files > 10, one
