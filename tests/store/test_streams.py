"""Lists that go on from a cursor, and variety: exact, whatever is read between two pages."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newsloom.duplicates.values import Relation
from newsloom.kernel.settings.ranking import Diversification
from newsloom.ranking.values.models import Score
from newsloom.reading.diversification import WINDOW, arrange
from newsloom.reading.store.lists import ranking_queries
from newsloom.reading.store.lists.lists import paged
from newsloom.reading.values.reading import EventKind, ListQuery, Order, Rows
from newsloom.reading.values.searching import Cursor, Position
from quick import quick_folder

from .builders import HALF_LIVES, HOUR, NOW, add, relate
from .library import moments, queries, states, stocked
from .test_clusters import group_them, groupings
from .test_lists import floor

DAY = 24 * HOUR
varieties = st.builds(
    Diversification, rows=st.integers(1, WINDOW), near=st.sampled_from([0.0, 0.3, 0.7, 0.95, 1.0])
)


@pytest.fixture(scope="module")
def library(backend):
    with quick_folder() as folder, closing(backend.open(folder / "streams.db")) as store:
        yield stocked(store)


def furnished(library, data, query, rows):
    """Draw what a reader has and what they ask for: the reader and the query."""
    known = sorted(library.carried)
    group_them(library.store, data.draw(groupings(known)))
    made = {one: data.draw(states) for one in data.draw(st.lists(st.sampled_from(known)))}
    return library.reader(made), replace(query, limit=1_000, offset=0, rows=rows)


def pages(store, reader, query, size, moment=NOW, between=lambda rows: None):
    """All pages of a list, each asked for a day after the one before."""
    found, after = [], query.after
    for number in range(100):
        asked = replace(query, limit=size, after=after)
        listing = store.lists.listing(reader, asked, moment + number * DAY, HALF_LIVES)
        found += listing.rows
        between(listing.rows)
        if (after := listing.after) is None:
            return found
    raise AssertionError("it never ends")


def ids(rows):
    return [one.id for one in rows]


@settings(max_examples=40)
@given(data=st.data(), query=queries, now=moments, rows=st.sampled_from(Rows))
def test_a_listing_without_variety_is_the_page(library, data, query, now, rows):
    reader, query = furnished(library, data, query, rows)
    listing = library.store.lists.listing(reader, query, now, HALF_LIVES)
    assert listing.rows == library.store.lists.page(reader, query, now, HALF_LIVES)
    assert listing.after is None


@settings(max_examples=60)
@given(
    data=st.data(),
    query=queries,
    now=moments,
    rows=st.sampled_from(Rows),
    rule=st.none() | varieties,
    size=st.integers(1, 11),
    together=st.booleans(),
)
def test_pages_put_together_are_the_whole_list_whatever_shown_is_read(
    library, data, query, now, rows, rule, size, together
):
    store = library.store
    reader, query = furnished(library, data, query, rows)
    if query.order is Order.RANKED:
        query = replace(query, diversification=rule)
    whole = store.lists.listing(reader, query, now, HALF_LIVES).rows
    reading = data.draw(st.randoms(use_true_random=False))

    def read_some(shown):
        chosen = [one.id for one in shown if reading.random() < 0.5]
        if chosen:
            options = {
                "rows": query.rows,
                "read_together": together and query.row_kind is not Rows.ARTICLE,
            }
            store.reading.mark(reader, chosen, EventKind.READ, now, "test", **options)

    # A row whose article is read stands for the next of its articles, unless all are read.
    between = read_some if together or rows is Rows.ARTICLE else lambda rows: None
    assert ids(pages(store, reader, query, size, now, between)) == ids(whole)
    if between is not read_some:
        part = replace(query, offset=size, limit=size)
        assert ids(store.lists.page(reader, part, now, HALF_LIVES)) == ids(whole[size : 2 * size])


class Row(NamedTuple):
    position: Position
    feed: int


@settings(max_examples=60)
@given(
    data=st.data(),
    query=queries.map(lambda query: replace(query, order=Order.RANKED)),
    now=moments,
    rows=st.sampled_from(Rows),
    rule=varieties,
)
def test_variety_goes_by_the_feeds_that_the_rows_name(library, data, query, now, rows, rule):
    store = library.store
    reader, query = furnished(library, data, query, rows)
    plain = store.lists.page(reader, query, now, HALF_LIVES)
    varied = store.lists.listing(reader, replace(query, diversification=rule), now, HALF_LIVES).rows
    assert sorted(ids(varied)) == sorted(ids(plain))
    if rule.near == 0:
        in_order = [Row(Position(-place, 0), one.feed_id) for place, one in enumerate(plain)]
        expected = arrange(in_order, 1_000, share=rule.rows, margin=float("inf")).rows
        assert [(one.id, one.lowered) for one in varied] == [
            (plain[-row.position.sort_key].id, demoted) for row, demoted in expected
        ]
    scores = [max(one.score, floor(one, now)) for one in varied]
    for at, one in enumerate(varied):
        passed = [score for score in scores[:at] if score < scores[at] * (1 - 1e-9)]
        assert not [score for score in passed if score < scores[at] * rule.near * (1 - 1e-6)]
        assert one.lowered or not passed


@pytest.fixture
def two(store, subscribe, reader):
    """A feed that was liked, with twenty articles, and one with as many that score less."""
    loved, other = subscribe("loved"), subscribe("other")
    for feed, relevance in ((loved, 60.0), (other, 50.0)):
        made = add(store, feed, *(f"{feed} {number}" for number in range(20)))
        store.articles.put_scores(
            reader, "made", [Score(one, relevance, 3) for one in made], HALF_LIVES
        )
    return loved, other


RULE = Diversification(2, 0.7)


def listing(store, reader, now=NOW, **query):
    query = ListQuery(**{"diversification": RULE, "limit": 10, **query})
    return store.lists.listing(reader, query, now, HALF_LIVES)


def feeds(rows, *names):
    return "".join("ab"[names.index(one.feed_id)] for one in rows)


@pytest.mark.parametrize(
    ("rule", "order"),
    [
        (None, "aaaaaaaaaa"),
        (Diversification(5, 0.7), "aaaaaaaaaa"),
        (Diversification(2, 0.9), "aaaaaaaaaa"),
        (Diversification(2, 0.7), "aabbaaabba"),
        (Diversification(1, 0.7), "abaaaabaaa"),
    ],
    ids=["off", "all of five", "the other is not near", "two of five", "one of five, of two"],
)
def test_one_like_does_not_fill_the_first_screen(store, reader, two, rule, order):
    assert feeds(listing(store, reader, diversification=rule).rows, *two) == order


def test_new_articles_above_do_not_come_again_below(store, reader, two):
    whole = ids(listing(store, reader, limit=100).rows)
    first = listing(store, reader)
    late = add(store, two[0], "late", dated=NOW)
    store.articles.put_scores(reader, "made", [Score(late[0], 99.0, 3)], HALF_LIVES)
    second = listing(store, reader, now=NOW + HOUR, after=first.after)
    assert ids(first.rows) + ids(second.rows) == whole[:20]


def test_what_is_read_before_it_is_shown_is_left_out(store, reader, two):
    whole = ids(listing(store, reader, limit=100).rows)
    first = listing(store, reader)
    store.reading.mark(reader, whole[12:25], EventKind.READ, NOW, "test")
    rest = pages(store, reader, ListQuery(diversification=RULE, after=first.after), 7)
    assert sorted(ids(first.rows) + ids(rest)) == sorted(whole[:12] + whole[25:])


def test_a_cluster_is_not_shown_again_by_its_lesser_articles(store, reader, two):
    """Its others stand further down, on a page that does not begin at the top."""
    loved = [one.id for one in listing(store, reader, diversification=None, limit=20).rows]
    relate(store, Relation.SAME_EVENT, (loved[0], loved[15]), (loved[0], loved[18]))
    for rule in (None, RULE):
        found = ids(pages(store, reader, ListQuery(diversification=rule), 4))
        assert len(found) == len({*found}) == 38


@settings(max_examples=100)
@given(
    cursor=st.builds(
        Cursor,
        at=moments,
        last=st.builds(Position, st.integers(-(2**63), 2**63 - 1), st.integers(0, 2**63 - 1)),
        waiting=st.lists(
            st.tuples(
                st.integers(1, 3),
                st.builds(Position, st.integers(-(2**63), 2**63 - 1), st.integers(0, 2**63 - 1)),
            ),
            max_size=3,
        ).map(tuple),
        recent=st.lists(st.integers(1, 3), max_size=4).map(tuple),
    ),
    order=st.sampled_from(Order),
)
def test_any_cursor_is_safe(library, cursor, order):
    query = ListQuery(after=cursor, order=order, diversification=RULE)
    assert len(library.store.lists.listing(1, query, NOW, HALF_LIVES).rows) <= query.limit


@pytest.mark.parametrize(
    "query",
    [ListQuery(), ListQuery(order=Order.NEWEST), ListQuery(language="de"), ListQuery(score=5)],
    ids=["ranked", "newest", "language", "least score"],
)
def test_a_page_further_down_reads_index_ranges_from_there_on(sqlite, store, reader, query):
    after = Cursor(at=NOW, last=Position(5, 5))
    statements = []
    with store.database.read() as connection:
        raw = connection.connection.driver_connection
        raw.set_trace_callback(statements.append)
        paged(connection, reader, replace(query, after=after), NOW, HALF_LIVES)
        raw.set_trace_callback(None)
        (statement,) = statements
        plan = [step[3] for step in raw.execute(f"EXPLAIN QUERY PLAN {statement}")]
    ranges = [step for step in plan if "COVERING INDEX ix_states" in step]
    column = "dated_at" if query.order is Order.NEWEST else "rank_key"
    assert len(ranges) == (1 if query.order is Order.NEWEST else len(ranking_queries.LEVELS))
    assert all(f"({column},article_id)<(?,?)" in step for step in ranges), ranges


def test_a_long_run_is_read_in_growing_parts(sqlite, store, reader, two):
    seen = []
    with store.database.read() as connection:
        raw = connection.connection.driver_connection
        raw.set_trace_callback(seen.append)
        paged(connection, reader, ListQuery(limit=4, diversification=RULE), NOW, HALF_LIVES)
        raw.set_trace_callback(None)
    assert 2 <= sum("UNION ALL" in one for one in seen) <= 4
