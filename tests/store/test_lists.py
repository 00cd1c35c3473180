"""Pages: whatever is asked for, exactly the right articles in exactly the right order."""

from __future__ import annotations

import math
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newsloom.importance.score import WEIGHTS, importance
from newsloom.reading.store.lists.lists import ordered
from newsloom.reading.store.lists.ranking_queries import FEW, PRIME, chance
from newsloom.reading.values.reading import EventKind, Listed, ListQuery, Order
from quick import quick_folder

from .builders import HALF_LIVES, NOW, add, article, publish, revised
from .library import CATEGORIES, base, half_life, moments, queries, states, stocked

# Keys are rounded to 2^-40 of a halving, twice.
ROUNDING = Fraction(1, 2**38)


@pytest.fixture(scope="module")
def library(backend):
    with quick_folder() as folder, closing(backend.open(folder / "lists.db")) as store:
        yield stocked(store)


def strength(state, now):
    """log2 R(now), as exactly as a logarithm allows."""
    microsecond = timedelta(microseconds=1)
    age = Fraction((now - NOW + state.age) // microsecond, half_life(state) // microsecond)
    return Fraction(math.log2(max(base(state), 0.01))) - age


def wanted(query, one, state, library, now):
    carried = library.carried[one]
    return (
        not (query.unread_only and state.read)
        and (not query.starred_only or state.starred)
        and (query.feed is None or query.feed in carried)
        and (query.category is None or query.category in {CATEGORIES[feed] for feed in carried})
        and (query.cluster is None or library.together.get(query.cluster) == one)
        and (query.language is None or query.language == library.language[one])
        and (query.sensitivity is None or query.sensitivity == (state.sensitivity or 3))
        and (query.since is None or NOW - state.age >= query.since)
        and (query.within is None or NOW - state.age >= now - query.within)
    )


def by_chance(query, one):
    """Where an article stands in the random order."""
    return (one + chance(query.seed or 0)) ** 3 % PRIME


def important(query, state, now):
    """Importance at a moment, 0 to 100."""
    age = now - NOW + state.age
    weights = {**WEIGHTS, "recency": query.recency.points / 100}
    return importance(state.points, age, query.recency.fade, weights)


def check_order(query, now, first, second):
    """That of two neighbours of a list, each with its state, the first comes first."""
    (one, before), (other, after) = first, second
    if query.order is Order.NEWEST:
        assert (-before.age, one) > (-after.age, other)
    elif query.order is Order.OLDEST:
        assert (before.age, one) > (after.age, other)
    elif query.order is Order.RANDOM:
        assert by_chance(query, one) > by_chance(query, other)
    elif query.order is Order.IMPORTANT:
        lead = important(query, before, now) - important(query, after, now)
        assert lead >= -MILLIONTHS
        if before == after:
            assert one > other
    elif (before.relevance, before.sensitivity, before.age) == (
        after.relevance,
        after.sensitivity,
        after.age,
    ):
        assert one > other
    else:
        assert strength(before, now) >= strength(after, now) - ROUNDING


# Points are kept in whole millionths, and a recency below one of them is none.
MILLIONTHS = 3e-6


def far_from(least, one, now):
    """Whether a score is not so near the least asked for that rounding may decide."""
    return not least or abs(strength(one, now) - Fraction(math.log2(least))) > ROUNDING


@settings(max_examples=100)
@given(data=st.data(), query=queries, now=moments)
def test_a_page_is_what_a_sort_of_everything_gives(library, data, query, now):
    store = library.store
    known = sorted(library.carried)
    chosen = data.draw(st.lists(st.sampled_from(known), unique=True))
    made = {one: data.draw(states) for one in chosen}
    user = library.reader(made)

    everything = replace(query, limit=1000, offset=0)
    whole = store.lists.page_ids(user, everything, now, HALF_LIVES)
    expected = {one for one, state in made.items() if wanted(query, one, state, library, now)}
    assert set(whole) <= expected
    assert len(whole) == len(set(whole))
    for one in expected:
        if far_from(query.score, made[one], now):
            least = Fraction(math.log2(query.score)) if query.score else None
            within = important(query, made[one], now) - query.importance
            if abs(within) > MILLIONTHS or not query.importance:
                passes = least is None or strength(made[one], now) > least
                assert (one in whole) is (passes and (within > 0 or not query.importance))
    for one, other in pairwise(whole):
        check_order(query, now, (one, made[one]), (other, made[other]))
    part = whole[query.offset : query.offset + query.limit]
    assert store.lists.page_ids(user, query, now, HALF_LIVES) == part
    assert tuple(listed.id for listed in store.lists.page(user, query, now, HALF_LIVES)) == part


@settings(max_examples=40)
@given(made=st.lists(states, min_size=1, max_size=30), now=moments)
def test_shown_scores_fall_down_the_page(library, made, now):
    user = library.reader(dict(zip(sorted(library.carried), made, strict=False)))
    page = library.store.lists.page(user, ListQuery(unread_only=False, limit=100), now, HALF_LIVES)
    scores = [max(one.score, floor(one, now)) for one in page]
    assert all(before >= after * (1 - 1e-9) for before, after in pairwise(scores))
    assert all(0 <= one.score <= 100 for one in page)


def floor(one: Listed, now):
    """What a score under the least relevance is ordered as."""
    return 0.01 * 0.5 ** ((now - one.dated) / HALF_LIVES[one.sensitivity])


@pytest.fixture
def crowded(backend, path):
    """A store of its own with more articles in one feed than are sorted."""
    with closing(backend.open(path)) as store:
        user = store.users.user("reader", NOW)
        feed, _ = store.reading.subscribe(user, "https://first.test/", NOW)
        with store.database.write() as connection:
            columns = "feed_id, original_id, fullest_id, first_seen_at, dated_at, version_at"
            connection.exec_driver_sql(
                f"""WITH RECURSIVE n(i) AS
                    (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {FEW + 50})
                INSERT INTO articles (id, {columns}) SELECT i, {feed}, i, i, 0, i, 0 FROM n"""
            )
            connection.exec_driver_sql(
                f"""INSERT INTO states (user_id, article_id, feed_id, dated_at, rank_key, starred)
                SELECT {user}, id, {feed}, dated_at, dated_at, id / 7 * 7 = id FROM articles"""
            )
        yield store, user, feed


@pytest.mark.parametrize("starred", [False, True])
@pytest.mark.parametrize("order", Order)
def test_a_filter_that_lets_much_through_is_merged_not_sorted(crowded, order, starred):
    """Above FEW articles the statement changes; the answer must not."""
    store, user, feed = crowded
    plain = ListQuery(order=order, starred_only=starred, limit=20, offset=5)
    found = store.lists.page_ids(user, replace(plain, feed=feed), NOW, HALF_LIVES)
    assert found == store.lists.page_ids(user, plain, NOW, HALF_LIVES)
    step = 7 if starred else 1
    every = range(step, FEW + 51, step)
    if order is Order.RANDOM:
        every = sorted(every, key=lambda one: by_chance(plain, one))
    expected = list(every) if order is Order.OLDEST else list(reversed(every))
    assert list(found) == expected[5:25]


def test_a_random_order_is_another_for_another_seed_and_no_order_of_time(crowded):
    store, user, _feed = crowded
    drawn = [
        store.lists.page_ids(
            user, ListQuery(order=Order.RANDOM, seed=seed, limit=400), NOW, HALF_LIVES
        )
        for seed in (0, 1, 2)
    ]
    for one, other in pairwise(drawn):
        assert len({*one} & {*other}) < 40  # 8 of 400 are expected of 20,050
    for ids in drawn:
        rising = sum(before < after for before, after in pairwise(ids))
        assert 150 < rising < 250
        assert 0.4 < sum(ids) / len(ids) / (FEW + 50) < 0.6


@pytest.mark.parametrize(
    "query",
    [
        ListQuery(),
        ListQuery(unread_only=False),
        ListQuery(order=Order.NEWEST),
        ListQuery(order=Order.NEWEST, since=NOW),
        ListQuery(order=Order.OLDEST),
        ListQuery(order=Order.OLDEST, within=timedelta(days=1)),
        ListQuery(within=timedelta(days=1)),
        ListQuery(score=20.0),
        ListQuery(sensitivity=3, score=20.0),
        ListQuery(language="de", unread_only=False),
        ListQuery(language="de", sensitivity=5, score=50.0),
    ],
    ids=[
        "ranked",
        "all ranked",
        "newest",
        "newest since",
        "oldest",
        "oldest of a day",
        "ranked of a day",
        "least score",
        "sensitivity and least score",
        "language",
        "language, sensitivity and least score",
    ],
)
def test_a_page_reads_index_ranges_only(sqlite, store, reader, query):
    statements = []
    with store.database.read() as connection:
        raw = connection.connection.driver_connection
        raw.set_trace_callback(statements.append)
        assert ordered(connection, reader, query, NOW, HALF_LIVES) == []
        raw.set_trace_callback(None)
        (statement,) = statements
        plan = [step[3] for step in raw.execute(f"EXPLAIN QUERY PLAN {statement}")]
    reads = [step for step in plan if "states" in step or " s " in step]
    assert reads
    assert all("USING COVERING INDEX" in step for step in reads)
    if query.language is not None:
        assert all("ix_states_language" in step for step in reads)


def test_a_language_follows_the_text(store, reader, feed):
    (one,) = add(store, feed, "a", language="en-US")
    made = article(feed, "a", language="fr", content="<p>New.</p>")
    publish(store, feed, revised(made, one))
    (listed,) = store.lists.page(reader, ListQuery(language="fr"), NOW, HALF_LIVES)
    assert (listed.id, listed.language) == (one, "fr")
    assert store.lists.page(reader, ListQuery(language="en"), NOW, HALF_LIVES) == ()
    assert store.lists.languages(reader) == ("fr",)


def test_languages_are_those_of_what_is_unread(store, reader, feed):
    add(store, feed, "a", "b", language="en-GB")
    (late,) = add(store, feed, "c", language="de")
    add(store, feed, "d")
    assert store.lists.languages(reader) == ("de", "en")
    store.reading.mark(reader, [late], EventKind.READ, NOW, "test")
    assert store.lists.languages(reader) == ("en",)
    assert store.lists.languages(store.users.user("another", NOW)) == ()


def test_pages_of_a_reader_who_left_the_feed_name_it_still(store, reader, feed):
    (one,) = add(store, feed, "a")
    store.reading.mark(reader, [one], EventKind.STAR, NOW, "test")
    store.reading.unsubscribe(reader, feed)
    (listed,) = store.lists.page(reader, ListQuery(), NOW, HALF_LIVES)
    assert (listed.feed_id, listed.feed_title, listed.also_in) == (feed, f"Feed {feed}", 0)
