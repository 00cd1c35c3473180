"""The benchmark of rules looks at every article, and some rules meet some."""

from __future__ import annotations

from newsloom_lab.bench import rules


def test_every_article_is_looked_at() -> None:
    bench = rules.run(300, 20)
    assert (bench.articles, bench.rules) == (300, 20)
    assert 0 < bench.touched < 300
    assert min(bench.characters, bench.decided_per_second, bench.stage_per_second) > 0
