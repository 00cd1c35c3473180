"""Nearest neighbours: the same answers from every database, whatever happened to the vectors."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

import numpy as np
import pytest

from newsloom.ranking.store.nearest import pgvector, state

from .builders import (
    HOUR,
    NOW,
    VECTORS,
    add,
    article,
    new,
    pending_vectors,
    publish,
    read_texts,
    unit,
)
from .conftest import Postgres

DAY = timedelta(days=1)


def embedded(store, ids, seed=1):
    vectors = unit(len(ids), seed)
    store.articles.put_vectors(VECTORS, ids, vectors)
    return vectors


def expected(ids, vectors, query, limit):
    """By the definition: cosines of what half precision leaves of each."""
    rows, asked = (one.astype(np.float16).astype(np.float64) for one in (vectors, query))
    near = rows @ asked / np.linalg.norm(rows, axis=1) / np.linalg.norm(asked)
    order = sorted(range(len(ids)), key=lambda place: (-near[place], ids[place]))[:limit]
    return [ids[one] for one in order], [near[one] for one in order]


def named(found):
    return [one.id for one in found]


def test_the_nearest_come_first_with_their_cosines(store, feed):
    ids = add(store, feed, *(f"a{one}" for one in range(40)))
    vectors = embedded(store, ids)
    for query in unit(5, seed=9):
        found = store.articles.nearest(VECTORS, query, limit=7)
        wanted, cosines = expected(ids, vectors, query, 7)
        assert named(found) == wanted
        assert [one.cosine for one in found] == pytest.approx(cosines, abs=1e-5)


def test_of_many_vectors_each_has_its_own_answer(store, feed):
    ids = add(store, feed, *"abcdef")
    embedded(store, ids)
    queries = unit(3, seed=5)
    found = store.articles.nearest_each(VECTORS, queries, limit=2)
    assert found == tuple(store.articles.nearest(VECTORS, one, limit=2) for one in queries)
    assert store.articles.nearest_each(VECTORS, queries[:0], limit=2) == ()


def test_of_many_vectors_each_looks_further_where_the_nearest_may_not_be_named(store, feed):
    """Behind more vectors that are left out than are looked at first."""
    ids = add(store, feed, *(f"a{one}" for one in range(150)))
    vectors = embedded(store, ids)
    near = np.argsort(-(vectors @ vectors[0]))
    left_out = [ids[one] for one in near[:120]]
    found = store.articles.nearest_each(VECTORS, vectors[:3], limit=5, exclude=left_out)
    for query, those in zip(vectors, found, strict=False):
        assert those == store.articles.nearest(VECTORS, query, limit=5, exclude=left_out)
        assert len(those) == 5
        assert not set(named(those)) & set(left_out)


def test_equal_cosines_stand_in_the_order_of_ids(store, feed):
    ids = add(store, feed, *"abc")
    same = np.repeat(unit(1), 3, axis=0)
    store.articles.put_vectors(VECTORS, ids, same)
    assert named(store.articles.nearest(VECTORS, same[0], limit=2)) == ids[:2]


def test_without_vectors_there_are_none(store, feed):
    assert store.articles.nearest("never@1", unit(1)[0], limit=3) == ()
    ids = add(store, feed, "a")
    assert store.articles.nearest(VECTORS, unit(1)[0], limit=3) == ()
    embedded(store, ids)
    assert store.articles.nearest(VECTORS, unit(1)[0], limit=0) == ()
    assert named(store.articles.nearest(VECTORS, unit(1)[0], limit=3)) == ids
    assert store.articles.nearest("other@1", unit(1)[0], limit=3) == ()


def test_a_window_has_its_beginning_and_not_its_end(store, feed):
    ids = [
        add(store, feed, f"a{days}", dated=NOW - days * DAY, published=None)[0] for days in range(5)
    ]
    embedded(store, ids)
    query = unit(1, seed=3)[0]

    def between(since, until):
        found = store.articles.nearest(VECTORS, query, since=since, until=until, limit=9)
        return set(named(found))

    assert between(None, None) == set(ids)
    assert between(NOW - 2 * DAY, None) == set(ids[:3])
    assert between(NOW - 3 * DAY, NOW - DAY) == {ids[2], ids[3]}
    assert between(NOW + HOUR, None) == set()


def test_what_is_excluded_is_not_named(store, feed):
    ids = add(store, feed, *"abcd")
    vectors = embedded(store, ids)
    wanted, _ = expected(ids, vectors, vectors[0], 4)
    found = store.articles.nearest(VECTORS, vectors[0], limit=2, exclude=wanted[:2])
    assert named(found) == wanted[2:]


def test_a_new_vector_is_found_at_once_and_an_old_one_no_more(store, feed):
    ids = add(store, feed, *"abc")
    vectors = embedded(store, ids)
    assert named(store.articles.nearest(VECTORS, vectors[1], limit=1)) == [ids[1]]
    vectors[1] = -vectors[1]  # embedded again
    store.articles.put_vectors(VECTORS, ids[1:2], vectors[1:2])
    wanted, _ = expected(ids, vectors, vectors[1], 3)
    found = store.articles.nearest(VECTORS, vectors[1], limit=3)
    assert named(found) == wanted
    assert found[0].cosine == pytest.approx(1.0, abs=1e-5)


def test_a_deleted_vector_is_gone(store, feed):
    """A revised text takes its vector away."""
    ids = add(store, feed, *"ab")
    read_texts(store)
    vectors = embedded(store, ids)
    assert len(store.articles.nearest(VECTORS, vectors[0], limit=5)) == 2
    with store.database.write() as connection:
        connection.exec_driver_sql(f"DELETE FROM embeddings WHERE article_id = {ids[0]}")
    assert named(store.articles.nearest(VECTORS, vectors[0], limit=5)) == ids[1:]


def test_an_article_that_became_part_of_another_is_not_named(store, feed):
    ids = add(store, feed, *"ab")
    vectors = embedded(store, ids)
    with store.database.write() as connection:
        connection.exec_driver_sql(
            f"UPDATE articles SET original_id = {ids[0]} WHERE id = {ids[1]}"
        )
    assert named(store.articles.nearest(VECTORS, vectors[1], limit=5)) == ids[:1]


def test_among_one_readers_articles(store, reader, feed, subscribe):
    """Only what they have, and in a feed that they follow still."""
    other = store.users.user("other", NOW)
    theirs = subscribe("theirs", user=other)
    mine, left = add(store, feed, "a"), subscribe("left")
    lost, foreign = add(store, left, "b"), add(store, theirs, "c")
    store.articles.put_vectors(VECTORS, [*mine, *lost, *foreign], unit(3))
    query = unit(1, seed=7)[0]
    assert set(named(store.articles.nearest(VECTORS, query, limit=5))) == {*mine, *lost, *foreign}

    def among(user):
        return set(named(store.articles.nearest(VECTORS, query, limit=5, among=user)))

    assert (among(reader), among(other)) == ({*mine, *lost}, set(foreign))
    store.reading.unsubscribe(reader, left)
    assert among(reader) == set(mine)


def test_many_that_may_not_be_named_hide_none_that_may(store, reader, feed, subscribe):
    """The reader's one article is farther away than three hundred of another's."""
    other = store.users.user("other", NOW)
    theirs = subscribe("theirs", user=other)
    near = [f"t{one}" for one in range(300)]
    publish(store, theirs, *(new(article(theirs, one)) for one in near))
    mine = add(store, feed, "a")
    read_texts(store)
    ids = [one.id for one in pending_vectors(store, VECTORS, 1000)]
    query = unit(1)[0]
    vectors = np.array([-query if one in mine else query for one in ids], np.float32)
    store.articles.put_vectors(VECTORS, ids, vectors)
    found = store.articles.nearest(VECTORS, query, limit=3, among=reader)
    assert named(found) == mine
    assert found[0].cosine == pytest.approx(-1.0, abs=1e-5)


def test_a_unit_of_work_sees_its_own_vectors_and_nobody_else_does(store, feed):
    ids = add(store, feed, *"ab")
    vectors = embedded(store, ids[:1])
    assert len(store.articles.nearest(VECTORS, vectors[0], limit=5)) == 1

    with suppress(_Stopped), store.write() as tx:
        tx.articles.put_vectors(VECTORS, ids[1:], unit(1, seed=2))
        assert len(tx.articles.nearest(VECTORS, vectors[0], limit=5)) == 2
        raise _Stopped
    assert len(store.articles.nearest(VECTORS, vectors[0], limit=5)) == 1


def test_pgvector_can_come_later_and_go(store, backend, feed):
    """The answers stay the same while it is there and while it is not."""
    if not isinstance(backend, Postgres):
        assert "a file beside" in state.describe(store.database)
        assert not state.make(store.database, print).pgvector
        return
    ids = add(store, feed, *"abcdef")
    vectors = embedded(store, ids)
    right = named(store.articles.nearest(VECTORS, vectors[2], limit=4))
    with store.database.write() as connection:
        was_there = pgvector.there(connection)
        connection.exec_driver_sql("DROP TABLE IF EXISTS neighbours")
    assert "numpy in memory" in state.describe(store.database)
    assert named(store.articles.nearest(VECTORS, vectors[2], limit=4)) == right
    vectors[2] = -vectors[2]
    store.articles.put_vectors(VECTORS, ids[2:3], vectors[2:3])
    right = named(store.articles.nearest(VECTORS, vectors[2], limit=4))
    made = state.make(store.database, print)
    assert (made.pgvector, made.filled) == ((True, 6) if was_there else (False, 0))
    assert named(store.articles.nearest(VECTORS, vectors[2], limit=4)) == right
    assert state.make(store.database, print) == state.Made(was_there, 0, ())


def test_an_index_gives_the_same_answers(store, backend, reader, feed, subscribe):
    """Also where a window or the reader leaves little of what it finds."""
    if not isinstance(backend, Postgres):
        pytest.skip("of PostgreSQL alone")
    ids = add(store, feed, *(f"a{one}" for one in range(60)))
    old = add(store, feed, "old", dated=NOW - 9 * DAY)
    theirs = add(store, subscribe("theirs", user=store.users.user("other", NOW)), "b")
    every = [*ids, *old, *theirs]
    vectors = embedded(store, every)

    def answers(exact):
        return [
            store.articles.nearest(VECTORS, query, limit=5, exact=exact, **more)
            for query in vectors[::9]
            for more in ({}, {"among": reader}, {"until": NOW - DAY}, {"since": NOW - DAY})
        ]

    with store.database.write() as connection:
        if not pgvector.there(connection):
            pytest.skip("the server has no pgvector")
        (row,) = pgvector.sizes(connection)
        pgvector.index(connection, row[0], row[2])
        assert pgvector.indexed(connection, row[0])
    try:
        for fast, right in zip(answers(False), answers(True), strict=True):
            assert named(fast) == named(right)
    finally:
        with store.database.write() as connection:
            connection.exec_driver_sql(f"DROP INDEX {pgvector.index_name(row[0])}")


class _Stopped(Exception):
    """Half way."""
