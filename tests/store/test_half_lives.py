"""Half-lives of a reader's own: kept, and in every rank key from the same moment on."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from newsloom.articles.store.reader_tables import states
from newsloom.ranking import rank_key
from newsloom.ranking.scoring import lasting
from newsloom.ranking.values.models import Score
from newsloom.reading.values.reading import ListQuery

from .builders import (
    HALF_LIVES,
    HOUR,
    NOW,
    SCORES,
    add,
    embed,
    pending_scores,
    rate,
    read_texts,
)

OWN = (20.0, 10.0, 8.0, 2.0, 0.25)
IN_FORCE = lasting(OWN, HALF_LIVES)
ALL = ListQuery(limit=1_000)


def test_half_lives_are_each_readers(store, reader):
    other = store.users.user("another", NOW)
    assert store.users.half_lives(reader) is None
    store.users.set_half_lives(reader, OWN, IN_FORCE)
    assert store.users.half_lives(reader) == OWN
    assert store.users.half_lives(other) is None
    store.users.set_half_lives(reader, None, HALF_LIVES)
    assert store.users.half_lives(reader) is None


@pytest.fixture
def scored(store, reader, feed):
    """Articles of every age and sensitivity, some that no model has scored."""
    for number in range(40):
        add(store, feed, f"{number}", dated=NOW - number * number * HOUR)
    read_texts(store)
    embed(store)
    rate(store)
    pending = [one.id for one in pending_scores(store, reader)[0]]
    scores = [Score(one, 100 - one % 13 * 7, one % 5 + 1) for one in pending[:30]]
    store.articles.put_scores(reader, SCORES, scores, HALF_LIVES)
    return scores


def test_the_list_follows_at_once(store, reader, scored):
    before = [one.id for one in store.lists.page(reader, ALL, NOW, HALF_LIVES)]
    store.users.set_half_lives(reader, OWN, IN_FORCE)
    listed = store.lists.page(reader, ALL, NOW, IN_FORCE)
    shown = [one.score for one in listed]
    assert shown == sorted(shown, reverse=True)
    assert sorted(one.id for one in listed) == sorted(before)
    assert [one.id for one in listed] != before
    least = shown[10] - 1e-9
    passed = store.lists.page(reader, replace(ALL, score=least), NOW, IN_FORCE)
    assert len(passed) == sum(score >= least for score in shown)
    store.users.set_half_lives(reader, None, HALF_LIVES)
    assert [one.id for one in store.lists.page(reader, ALL, NOW, HALF_LIVES)] == before


def test_a_score_on_its_way_is_stored_by_those_in_force(store, reader, scored):
    """The stage that made it may have begun before the half-lives changed."""
    store.users.set_half_lives(reader, OWN, IN_FORCE)
    store.articles.put_scores(reader, "later", scored, HALF_LIVES)
    query = select(states).where(states.c.sensitivity > 0)
    with store.database.read() as connection:
        rows = connection.execute(query).all()
    assert len(rows) == len(scored)
    for row in rows:
        life = IN_FORCE[row.sensitivity]
        assert row.rank_key == rank_key.stored_key(row.relevance, row.dated_at, life)


@settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    days=st.lists(st.floats(0.01, 1000), min_size=5, max_size=5),
    later=st.timedeltas(timedelta(0), timedelta(days=400)),
)
def test_any_half_lives_order_the_list(store, reader, scored, days, later):
    own = tuple(sorted(days, reverse=True))
    in_force = lasting(own, HALF_LIVES)
    store.users.set_half_lives(reader, own, in_force)
    shown = [one.score for one in store.lists.page(reader, ALL, NOW + later, in_force)]
    assert all(one >= other * (1 - 1e-9) for one, other in pairwise(shown))
