"""`bench serve` on a small store: every load is answered, and its figures are of the right size."""

from __future__ import annotations

from newsloom_lab.bench import serve


def test_every_load_is_answered() -> None:
    result = serve.run(articles=300, feeds=16, readers=2, clients=2, seconds=0.5)
    as_it_stands, used, plain = result.times
    assert [one.failed for one in result.times] == [0, 0, 0]
    assert all(one.pages_a_second > 1 for one in result.times)
    assert all(one.p50_ms <= one.p99_ms for one in result.times)
    assert set(used.kinds) <= set(serve.SHARES)
    assert used.kinds["list"][0] >= 1
    assert plain.kilobytes > 4 * as_it_stands.kilobytes
    assert max(as_it_stands.kilobytes, used.kilobytes) < 40
    assert len(result.table()) == 3
