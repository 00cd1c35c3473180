"""The duplicates benchmark says what it measured. How fast it was is for nobody's test."""

from __future__ import annotations

from itertools import islice

import pytest

from newsloom.duplicates.values import Thresholds
from newsloom.kernel.errors import UserError
from newsloom_lab.bench import dedup
from newsloom_lab.bench.news import END, SPAN, Newsroom


def test_news_comes_in_order_and_the_same_every_time():
    first, again = (list(Newsroom(1_000).made()) for _ in range(2))
    assert first == again
    dates = [one.dated for one in first]
    assert dates == sorted(dates)
    assert END - SPAN <= dates[0] <= dates[-1] <= END
    planted = [one.planted for one in first]
    assert 0.05 < 1 - len(set(planted)) / len(planted) < 0.3, "some are copies"
    assert len({one.event for one in first}) < len(set(planted)), "some tell of the same"


def test_articles_are_as_long_as_those_of_agencies():
    lengths = [len(one.text) for one in islice(Newsroom(200).made(), 200)]
    assert 1_500 < sum(lengths) / len(lengths) < 2_500


def test_what_was_planted_is_found_and_everything_is_measured(tmp_path):
    bench = dedup.run(1_000, Thresholds(), tmp_path, peers_read=40)
    assert bench.articles == 1_000
    assert bench.texts.precision > 0.99
    assert bench.texts.recall > 0.95
    assert bench.texts.pairs > 100
    assert 0 < bench.events.recall < 1
    assert bench.links > 0
    assert bench.added_mb > 0
    for name in ("articles", "articles_per_processor", "signatures", "first_tenth", "last_tenth"):
        per = "second" if name.endswith("processor") else "per_second"
        assert getattr(bench, f"{name}_{per}") > 0
    assert set(bench.peers) == {"datasketch", "rensa"}
    for peer in bench.peers.values():
        assert peer.problem or peer.signatures_per_second >= peer.articles_per_second > 0
    with pytest.raises(UserError, match="done already"):
        dedup.run(1_000, Thresholds(), tmp_path)
