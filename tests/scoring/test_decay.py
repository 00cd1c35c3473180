"""Laws of decay: the merge is the sort, and time passing reorders nothing within a class."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.scoring import (
    FLOOR,
    decayed,
    merge_ranges,
    rank_key,
    remaining,
    score_from_key,
)
from newsloom.types import ArticleId

SEED = {level: timedelta(days=days) for level, days in enumerate((365, 183, 30, 10, 5), start=1)}
NOW = datetime(2026, 11, 21, 6, 0, tzinfo=UTC)

moments = st.datetimes(
    min_value=datetime(1971, 1, 1),  # noqa: DTZ001 - hypothesis wants naive bounds
    max_value=datetime(2100, 1, 1),  # noqa: DTZ001
    timezones=st.just(UTC),
)
half_lives = st.fixed_dictionaries(
    {
        level: st.floats(min_value=0.01, max_value=5_000).map(lambda days: timedelta(days=days))
        for level in range(1, 6)
    }
)
rows = st.lists(
    st.tuples(
        st.one_of(
            st.floats(min_value=0.0, max_value=100.0), st.sampled_from([0.0, 50.0, 90.0, 100.0])
        ),
        st.one_of(moments, st.sampled_from([NOW, NOW - timedelta(days=1)])),
        st.integers(min_value=1, max_value=5),
    ),
    max_size=40,
)


def ranges_of(articles, lives):
    ranges = {level: [] for level in lives}
    for number, (relevance, dated, level) in enumerate(articles):
        ranges[level].append((rank_key(relevance, dated, lives[level]), ArticleId(number)))
    return {level: sorted(members, reverse=True) for level, members in ranges.items()}


def log_score(article, lives, now):
    """log2 R(now) the long way; R itself underflows for old articles with short half-lives."""
    relevance, dated, level = article
    return math.log2(max(relevance, FLOOR)) - (now - dated) / lives[level]


@pytest.mark.parametrize(
    ("relevance", "days", "half_life", "expected"),
    [
        pytest.param(85, 2, 2, 42.5, id="the seed's own example"),
        pytest.param(80, 0, 5, 80, id="new"),
        pytest.param(80, -3, 5, 80, id="dated in the future"),
        pytest.param(80, 5, 5, 40, id="one half-life"),
        pytest.param(80, 365, 365, 40, id="evergreen after a year"),
        pytest.param(0, 1, 5, 0, id="worthless stays worthless"),
    ],
)
def test_decayed(relevance, days, half_life, expected):
    age, life = timedelta(days=days), timedelta(days=half_life)
    assert decayed(relevance, age, life) == pytest.approx(expected)
    assert decayed(relevance, age, life) == relevance * remaining(age, life)


@given(articles=rows, lives=half_lives, now=moments, limit=st.integers(0, 50))
def test_the_merge_is_the_sort(articles, lives, now, limit):
    merged = merge_ranges(ranges_of(articles, lives), now, lives, limit)

    shown = [log_score(articles[row.id], lives, now) for row in merged]
    best = sorted((log_score(article, lives, now) for article in articles), reverse=True)[:limit]
    # The long way rounds elsewhere than the key does: equal to a part in ten thousand million.
    assert shown == pytest.approx(best, rel=1e-10, abs=1e-7)
    assert len({row.id for row in merged}) == len(merged)
    assert all(articles[row.id][2] == row.sensitivity for row in merged)


@given(articles=rows, lives=half_lives, now=moments, later=moments)
def test_time_reorders_nothing_within_a_class(articles, lives, now, later):
    def by_class(moment):
        merged = merge_ranges(ranges_of(articles, lives), moment, lives, len(articles))
        return {level: [row.id for row in merged if row.sensitivity == level] for level in lives}

    assert by_class(now) == by_class(later)


@given(
    relevance=st.floats(min_value=FLOOR, max_value=100),
    age=st.timedeltas(min_value=timedelta(0), max_value=timedelta(days=3_000)),
    level=st.integers(1, 5),
)
def test_a_key_gives_its_score_back(relevance, age, level):
    key = rank_key(relevance, NOW - age, SEED[level])
    expected = decayed(relevance, age, SEED[level])
    assert score_from_key(key, NOW, SEED[level]) == pytest.approx(expected, rel=1e-9)


@given(
    dated=moments,
    relevance=st.floats(min_value=FLOOR, max_value=100),
    half_life=st.sampled_from([*SEED.values(), timedelta(days=3_650)]),
)
def test_a_second_is_told_apart(dated, relevance, half_life):
    older = rank_key(relevance, dated, half_life)
    newer = rank_key(relevance, dated + timedelta(seconds=1), half_life)
    assert newer > older
    seconds = (newer - older) * half_life.total_seconds()
    assert seconds == pytest.approx(1, abs=0.001)


def test_equal_scores_go_to_the_article_stored_later():
    key = rank_key(50, NOW, SEED[4])
    rows = [(key, ArticleId(9)), (key, ArticleId(3))]
    assert [row.id for row in merge_ranges({4: rows}, NOW, SEED, 5)] == [9, 3]


def test_ties_between_classes_go_to_the_article_stored_later():
    lives = {1: timedelta(days=10), 2: timedelta(days=10)}
    key = rank_key(50, NOW, lives[1])
    ranges = {1: [(key, ArticleId(1)), (key, ArticleId(0))], 2: [(key, ArticleId(2))]}
    assert [row.id for row in merge_ranges(ranges, NOW, lives, 5)] == [2, 1, 0]


def test_ranges_are_read_only_as_far_as_needed():
    read = 0

    def endless():
        nonlocal read
        while True:
            read += 1
            yield rank_key(50, NOW - timedelta(hours=read), SEED[3]), ArticleId(read)

    assert len(merge_ranges({3: endless()}, NOW, SEED, 10)) == 10
    assert read <= 11


def test_an_article_dated_after_now_scores_no_more_than_a_hundred():
    key = rank_key(100, NOW + timedelta(days=9), SEED[5])
    assert score_from_key(key, NOW, SEED[5]) == pytest.approx(100)
    assert math.isfinite(score_from_key(1e9, NOW, SEED[5]))
