"""Clusters as rows: link by link or all at once, they are what the links and separations say."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, insert

from newsloom.duplicates.store import cluster_rows
from newsloom.duplicates.store.tables import clusters, separations
from newsloom.duplicates.store.tables import links as links_table
from newsloom.duplicates.union_find import Position, group
from newsloom.duplicates.values import Link, Relation
from newsloom.kernel.ids import ArticleId

from .builders import NOW, add

MOST = 9


@pytest.fixture
def articles(store, feed):
    """Articles that links can be about."""
    return add(store, feed, *(str(number) for number in range(MOST)))


numbers = st.integers(0, MOST - 1)
pairs = st.tuples(numbers, numbers).filter(lambda pair: pair[0] != pair[1])
decisions = st.lists(st.tuples(pairs, st.sampled_from(Relation)), max_size=14)


def as_links(found, articles):
    """One link for each pair, as the store keeps them."""
    kept = {}
    for (one, other), relation in found:
        a, b = articles[one], articles[other]
        kept[max(a, b), min(a, b)] = relation
    return [Link(*pair, relation, ()) for pair, relation in kept.items()]


def put(connection, links):
    for link in links:
        connection.execute(
            insert(links_table).values(
                article_id=link.article,
                other_id=link.other,
                relation=link.relation.value,
                evidence="[]",
                at=NOW,
            )
        )


def put_apart(connection, user, apart):
    for one, other in apart:
        values = {"article_id": one, "other_id": other, "user_id": user, "at": NOW}
        connection.execute(insert(separations).values(values))


def empty(connection):
    for table in (links_table, separations, clusters):
        connection.execute(delete(table))


def stored(connection):
    rows = connection.execute(clusters.select()).all()
    return {row.article_id: Position(row.cluster_id, row.text_id) for row in rows}


law = settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@law
@given(found=decisions, apart=st.lists(pairs, max_size=2), cuts=st.sets(st.integers(0, 14)))
def test_links_in_any_batches_come_to_what_all_of_them_say(
    store, reader, articles, found, apart, cuts
):
    links = as_links(found, articles)
    parted = {(articles[max(pair)], articles[min(pair)]) for pair in apart}
    with store.database.write() as connection:
        empty(connection)
        put_apart(connection, reader, parted)
        batches = [0, *sorted(cuts), len(links)]
        for first, last in pairwise(batches):
            put(connection, links[first:last])
            cluster_rows.join(connection, links[first:last])
        assert stored(connection) == group(links, parted)
        cluster_rows.regroup(connection, [])
        cluster_rows.regroup(connection, articles)
        assert stored(connection) == group(links, parted)


@law
@given(found=decisions, gone=st.sets(numbers), apart=st.lists(pairs, max_size=2))
def test_links_and_separations_that_come_and_go(store, reader, articles, found, gone, apart):
    links = as_links(found, articles)
    lost = {articles[one] for one in gone}
    left = [link for link in links if not lost & {link.article, link.other}]
    parted = {(articles[max(pair)], articles[min(pair)]) for pair in apart}
    with store.database.write() as connection:
        empty(connection)
        put(connection, links)
        cluster_rows.join(connection, links)
        connection.execute(delete(links_table))
        put(connection, left)
        put_apart(connection, reader, parted)
        touched = {one for link in links for one in (link.article, link.other)}
        touched = {one for one in touched if lost} | {one for pair in parted for one in pair}
        cluster_rows.regroup(connection, touched)
        assert stored(connection) == group(left, parted)


def test_regrouping_one_leaves_other_clusters_alone(store, articles):
    links = as_links([((0, 1), Relation.SAME_TEXT), ((2, 3), Relation.SAME_EVENT)], articles)
    with store.database.write() as connection:
        put(connection, links)
        assert cluster_rows.join(connection, links) == 4
        connection.execute(delete(links_table))
        assert cluster_rows.regroup(connection, [articles[0]]) == 0
        assert set(stored(connection)) == {articles[2], articles[3]}


def test_a_revision_joins_nothing(store, articles):
    links = as_links([((0, 1), Relation.REVISION)], articles)
    with store.database.write() as connection:
        put(connection, links)
        assert cluster_rows.join(connection, links) == 0
        assert cluster_rows.regroup(connection, articles) == 0
        assert stored(connection) == {}


def test_a_group_is_named_by_its_least_article(store, articles):
    links = as_links([((8, 4), Relation.SAME_TEXT), ((4, 2), Relation.SAME_EVENT)], articles)
    with store.database.write() as connection:
        for link in links:
            put(connection, [link])
            cluster_rows.join(connection, [link])
        named = {one: (place.cluster, place.text) for one, place in stored(connection).items()}
    two, four, eight = (ArticleId(articles[one]) for one in (2, 4, 8))
    assert named == {two: (two, two), four: (two, four), eight: (two, four)}
