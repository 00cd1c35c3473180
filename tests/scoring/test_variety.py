"""Variety: laws of the order, whatever the rows."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.kernel.ids import FeedId
from newsloom.kernel.settings.ranking import Diversification
from newsloom.reading.diversification import LOOK_AHEAD, WINDOW, arrange, describe, visible
from newsloom.reading.values.searching import Position


class Row(NamedTuple):
    position: Position
    feed: FeedId


# Few feeds and standings, so that runs, ties and large jumps all occur.
standings = st.integers(0, 30) | st.integers(-(2**62), 2**62)
rows = st.lists(st.tuples(standings, st.integers(1, 4)), max_size=60).map(
    lambda drawn: in_order(
        Row(Position(standing, number), FeedId(feed))
        for number, (standing, feed) in enumerate(drawn)
    )
)
rules = st.fixed_dictionaries(
    {
        "share": st.integers(1, 9),
        "window": st.sampled_from([WINDOW, 10]),
        "margin": st.integers(0, 20) | st.just(math.inf),
        "ahead": st.integers(1, 12) | st.just(LOOK_AHEAD),
    }
).filter(lambda rule: rule["share"] < rule["window"])


def in_order(candidates):
    return sorted(candidates, reverse=True)


def arranged(candidates, limit=1_000, **rule):
    return list(arrange(candidates, limit, **rule).rows)


def plain(arranged_rows):
    return [row for row, _lowered in arranged_rows]


def by_the_words(candidates, share, window, margin, ahead):
    """The rule as the documentation says it, by looking at everything that is left each time."""
    left, shown = list(candidates), []
    while left:
        recent = [one.feed for one in shown[-(window - 1) :]]
        chosen = left[0]
        if recent.count(chosen.feed) >= share:
            for one in left[1 : ahead + 1]:
                near = one.position.sort_key >= chosen.position.sort_key - margin
                if near and recent.count(one.feed) < share:
                    chosen = one
                    break
        left.remove(chosen)
        shown.append(chosen)
    return shown


@given(rows, rules)
def test_it_is_the_rule_as_documented(candidates, rule):
    assert plain(arranged(candidates, **rule)) == by_the_words(candidates, **rule)


@given(rows, rules)
def test_every_row_comes_once(candidates, rule):
    assert in_order(plain(arranged(candidates, **rule))) == candidates


@given(rows, rules)
def test_the_order_within_a_feed_is_kept(candidates, rule):
    shown = plain(arranged(candidates, **rule))
    for feed in {one.feed for one in shown}:
        of_feed = [one for one in shown if one.feed == feed]
        assert of_feed == in_order(of_feed)


@given(rows, rules)
def test_nothing_moves_further_than_the_rule_looks(candidates, rule):
    """Up: past `ahead` rows. Down: while each window brings `share` of those that wait."""
    ahead, share = min(rule["ahead"], len(candidates)), rule["share"]
    furthest = math.ceil((ahead + 1) / share) * rule["window"]
    shown = plain(arranged(candidates, **rule))
    for before, one in enumerate(candidates):
        after = shown.index(one)
        assert before - after <= ahead
        assert after - before <= furthest


@given(rows, rules)
def test_a_feed_takes_its_share_while_others_are_near(candidates, rule):
    """Where a feed has more, none of another feed was near enough to stand there."""
    shown = plain(arranged(candidates, **rule))
    for at, one in enumerate(shown):
        recent = [other.feed for other in shown[max(at - rule["window"] + 1, 0) : at]]
        if recent.count(one.feed) >= rule["share"]:
            left = in_order(shown[at:])
            near = [
                other
                for other in left[1 : rule["ahead"] + 1]
                if recent.count(other.feed) < rule["share"]
                and other.position.sort_key >= left[0].position.sort_key - rule["margin"]
            ]
            assert near == []


@given(rows, rules)
def test_no_row_passes_one_that_scores_more_than_the_margin_allows(candidates, rule):
    shown = plain(arranged(candidates, **rule))
    for at, one in enumerate(shown):
        assert all(
            other.position.sort_key - one.position.sort_key <= rule["margin"]
            for other in shown[at + 1 :]
        )


@given(rows, rules)
def test_the_rows_that_were_passed_say_so(candidates, rule):
    shown = arranged(candidates, **rule)
    for at, (one, lowered) in enumerate(shown):
        assert lowered is any(other < one for other, _lowered in shown[:at])


@given(rows, st.integers(0, 20), st.integers(WINDOW, WINDOW + 5))
def test_a_share_of_the_whole_window_moves_nothing(candidates, margin, share):
    shown = arranged(candidates, share=share, margin=margin)
    assert shown == [(one, False) for one in candidates]


@given(rows, rules, st.integers(0, 60))
def test_the_first_rows_depend_on_nothing_far_behind(candidates, rule, count):
    read = []

    def source():
        for one in candidates:
            read.append(one)
            yield one

    page = arrange(source(), count, **rule)
    assert plain(page.rows) == by_the_words(candidates, **rule)[:count]
    assert len(read) <= count + rule["ahead"] + 2


@given(rows, rules, st.lists(st.integers(1, 15), min_size=1))
def test_pages_put_together_are_the_whole_list(candidates, rule, sizes):
    whole = arranged(candidates, **rule)
    page = arrange(candidates, 0, **rule)
    shown = []
    for size in sizes * 60:
        if not page.more:
            break
        # What a store can find again: rows below the last, and of feeds that wait those from
        # their first on.
        last, waiting = page.end.last, page.waiting
        rest = [
            one
            for one in candidates
            if last is None
            or one.position < last
            or (one.feed in waiting and one.position <= waiting[one.feed])
        ]
        page = arrange(rest, size, **rule, start=page.end)
        shown += page.rows
    assert shown == whole


@pytest.mark.parametrize(
    ("rows", "seen"),
    [
        ([], []),
        ([(60, False), (50, False), (60, True), (60, True)], [False, False, True, True]),
        ([(60, False), (60, False), (60, True)], [False, False, False]),
        ([(60, True), (50, True)], [False, False]),
    ],
    ids=["nothing", "a lower score above", "the same score above", "the first of a later page"],
)
def test_only_what_can_be_seen_is_explained(rows, seen):
    assert list(visible(rows)) == seen


def test_the_rule_is_told_in_words():
    assert describe(Diversification(2, 0.7)) == (
        "At most 2 of 5 rows come from one feed while others score at least 70% as much."
    )


def listed(feeds, standing=100):
    """Rows of these feeds in the order of their scores, all of the same."""
    return [
        Row(Position(standing, 1_000 - place), FeedId(ord(feed)))
        for place, feed in enumerate(feeds)
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        ("aaaa", "aaaa"),
        ("abcabcabc", "abcabcabc"),
        ("aaaaab", "aabaaa"),
        ("aaaaabcdefghi", "aabcdaaefgahi"),
        ("aaaabbbb", "aabbaabb"),
    ],
    ids=["nothing", "one feed", "mixed already", "one other", "a run", "two runs"],
)
def test_a_run_of_one_feed_is_broken(before, after):
    shown = plain(arranged(listed(before), share=2, margin=0))
    assert "".join(chr(one.feed) for one in shown) == after


def test_a_run_is_broken_as_soon_as_another_feed_is_in_sight():
    shown = plain(arranged(listed("a" * 20 + "b"), share=2, margin=0, ahead=5))
    assert "".join(chr(one.feed) for one in shown) == "a" * 15 + "b" + "a" * 5


def test_all_of_it_stands_in_order_where_nothing_else_is_near():
    loved = listed("a" * 12, standing=100)
    others = listed("bcdefghi", standing=10)
    shown = plain(arranged([*loved, *others], share=2, margin=50))
    assert all(before > after for before, after in pairwise(shown))
