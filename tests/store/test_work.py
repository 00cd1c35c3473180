"""Leases of stage work: each article in one batch at a time, nothing lost with its worker."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from contextlib import closing
from datetime import timedelta

import pytest
from sqlalchemy import select

from newsloom.duplicates.signing import signed
from newsloom.duplicates.values import Evidence, Link, Relation
from newsloom.importance.values import ArticleImportance, ReaderPoints
from newsloom.kernel.errors import ModelError
from newsloom.ranking.values.models import PlainText, Score
from newsloom.work.service import Leases
from newsloom.work.store.leases import DEATHS, PARTS
from newsloom.work.store.tables import work_batches
from newsloom.work.values import Put, StageKey

from .builders import (
    HALF_LIVES,
    HOUR,
    NOW,
    RATINGS,
    SCORES,
    TEXT,
    VECTORS,
    add,
    article,
    embed,
    pending_signatures,
    pending_texts,
    pending_vectors,
    publish,
    rate,
    read_texts,
    revised,
)

TEXTS = StageKey("text", TEXT)
SIGNED = StageKey("duplicates", "signature@1", (TEXT,))
SIGNED_BY = SIGNED.producer
SOON = timedelta(minutes=2)
NAMES = [f"{number:02}" for number in range(20)]


def claim(store, key=TEXTS, limit=5, now=NOW, owner=""):
    return store.work.claim_work(key, limit=limit, now=now, until=now + SOON, owner=owner)


def held(store):
    with store.database.read() as connection:
        return connection.execute(select(work_batches)).all()


def put(store, lease, limit=5, until=NOW + SOON):
    batch, raw = store.articles.leased_texts(lease, limit)
    return store.articles.put_texts(
        TEXT, [PlainText(one.id, one.title, "read") for one in raw], batch=batch, until=until
    )


def all_of(store, **how):
    """Every article that can be claimed one lease after another."""
    leases = []
    while lease := claim(store, **how):
        leases.append(lease)
    return leases


def test_leases_share_out_all_articles_the_newest_first(store, feed):
    ids = add(store, feed, *NAMES)
    leases = all_of(store)
    assert [one for lease in leases for one in lease.ids] == ids[::-1]
    assert [len(lease.ids) for lease in leases] == [5] * 4


def test_a_put_takes_the_next_batch_in_its_transaction(store, feed):
    ids = add(store, feed, *NAMES)
    lease = claim(store)
    done = []
    while lease:
        done += lease.ids
        result = put(store, lease)
        assert result.stored == len(lease.ids)
        lease = result.next
        assert len(held(store)) == (lease is not None)
    assert done == ids[::-1]
    assert pending_texts(store, TEXT, 10) == ()


def test_what_comes_next_is_not_what_another_holds(store, feed):
    ids = add(store, feed, *NAMES)[::-1]
    first, second = claim(store), claim(store)
    assert put(store, first).next.ids == tuple(ids[10:15])
    assert put(store, second).next.ids == tuple(ids[15:])


def test_what_another_took_meanwhile_is_not_taken_twice(store, feed):
    add(store, feed, *NAMES)
    lease = claim(store)
    batch, raw = store.articles.leased_texts(lease, 5)
    other = claim(store)
    assert batch.following.ids == other.ids
    texts = [PlainText(one.id, one.title, "") for one in raw]
    assert store.articles.put_texts(TEXT, texts, batch=batch, until=NOW + SOON) == Put(5)


def test_what_was_done_between_looking_and_leasing_is_not_computed_again(store, feed):
    ids = add(store, feed, *NAMES[:5])[::-1]
    lease = claim(store)
    store.articles.put_texts(TEXT, [PlainText(one, "Title", "") for one in ids[:3]])
    batch, raw = store.articles.leased_texts(lease, 5)
    assert [one.id for one in raw] == ids[3:]
    assert set(batch.versions) == set(ids[3:])


def test_what_was_asked_meanwhile_is_not_asked_again(store, feed):
    """The batch that a worker takes next was looked for before it computed the one before."""
    key = StageKey("same event", "event@1", (VECTORS,))
    ids = signed_and_embedded(store, feed)
    lease = claim(store, key)
    store.duplicates.put_same_event("event@1", ids[:3], [], NOW)
    batch, articles = store.duplicates.leased_same_event(lease, 5)
    assert set(articles) == set(ids[3:]) == set(batch.versions)


def test_what_was_weighed_meanwhile_is_not_weighed_again(store, reader, feed):
    ids = signed_and_embedded(store, feed)
    lease = claim(store, StageKey("importance", "signals@1"))
    signals = [ArticleImportance(one, 50.0, 0.0, 50.0, 1) for one in ids]
    store.articles.put_importance("signals@1", signals[:3])
    batch, articles = store.articles.leased_importance(lease, 5)
    assert {one.id for one in articles} == set(ids[3:]) == set(batch.versions)
    store.articles.put_importance("signals@1", signals[3:])
    lease = claim(store, StageKey("interest", "points@1", ("signals@1", "0"), reader))
    points = [ReaderPoints(one, 50.0, 50.0) for one in ids[:3]]
    store.articles.put_points(reader, "points@1", points)
    batch, weighed = store.articles.leased_points(lease, 5)
    assert {text.id for text, _signals in weighed} == set(ids[3:]) == set(batch.versions)


def test_signals_of_a_cluster_that_grew_meanwhile_are_made_again(store, feed):
    key = StageKey("importance", "signals@1")
    ids = signed_and_embedded(store, feed)
    lease = claim(store, key)
    batch, articles = store.articles.leased_importance(lease, 5)
    link = Link(ids[1], ids[0], Relation.SAME_EVENT, (Evidence("event", 0.95, "likely"),))
    store.duplicates.put_same_event("event@1", ids, [link], NOW)
    signals = [ArticleImportance(one.id, 50.0, 0.0, 50.0, 1) for one in articles]
    put = store.articles.put_importance("signals@1", signals, batch=batch, until=NOW + SOON)
    assert put.stored == 3
    assert set(claim(store, key).ids) == set(ids[:2])


def signed_and_embedded(store, feed):
    ids = add(store, feed, *NAMES[:5])
    read_texts(store)
    unsigned = pending_signatures(store, SIGNED_BY)
    with store.duplicates.duplicate_session(SIGNED_BY) as judging:
        judging.put(signed(unsigned))
    embed(store)
    return ids


def test_a_range_does_not_reach_across_another(store, feed):
    """An article that becomes pending again above a held range is leased apart from those below."""
    ids = add(store, feed, *NAMES[:10])[::-1]
    first = claim(store)
    assert put(store, first, until=None) == Put(5)
    middle = claim(store, limit=3)
    publish(store, feed, revised(article(feed, NAMES[9], title="Another"), ids[0]))
    assert [lease.ids for lease in all_of(store)] == [(ids[0],), tuple(ids[8:])]
    assert middle.ids == tuple(ids[5:8])


def test_a_lease_that_ended_keeps_nothing(store, feed):
    add(store, feed, *NAMES[:5])
    lease = claim(store)
    batch, raw = store.articles.leased_texts(lease, 5)
    later = NOW + SOON
    assert claim(store, now=later - timedelta(seconds=1)) is None
    other = claim(store, now=later)
    assert other.attempts == 1
    texts = [PlainText(one.id, one.title, "late") for one in raw]
    assert store.articles.put_texts(TEXT, texts, batch=batch, until=later + SOON) == Put(0)
    assert len(pending_vectors(store, VECTORS, 10)) == 0


def test_a_heartbeat_keeps_a_lease(store, feed):
    add(store, feed, *NAMES[:5])
    lease = claim(store)
    assert store.work.renew_work([lease], NOW + HOUR) == 1
    assert claim(store, now=NOW + SOON) is None
    store.work.release_work([lease])
    assert store.work.renew_work([lease], NOW + HOUR) == 0
    assert claim(store).ids == lease.ids


def test_a_range_whose_worker_fell_silent_is_split(store, feed):
    ids = add(store, feed, *NAMES[:16])[::-1]
    assert len(claim(store, limit=16).ids) == 16
    later = all_of(store, now=NOW + SOON, limit=16)
    assert [lease.ids for lease in later] == [tuple(ids[at : at + 2]) for at in range(0, 16, 2)]
    assert {lease.attempts for lease in later} == {1}
    assert len(later) == PARTS


def test_an_article_that_fails_alone_is_set_aside(store, feed):
    ids = add(store, feed, *NAMES[:9])[::-1]
    poison, rest = ids[4], set(ids)
    now = NOW
    for _death in range(10):
        leases = all_of(store, now=now, limit=9)
        for lease in leases:
            if poison not in lease.ids:
                rest -= set(lease.ids)
                assert put(store, lease, until=None).stored == len(lease.ids)
        now += SOON
        if store.work.set_aside():
            break
    assert rest == {poison}
    (found,) = store.work.set_aside()
    assert (found.article, found.attempts) == (poison, DEATHS)
    assert found.stage == "text text@1"
    assert found.error == "3 workers ended without a result"
    assert claim(store, now=now) is None


def set_aside(store, feed, key=TEXTS):
    (one,) = add(store, feed, "a")
    store.work.fail_work(claim(store, key), "ValueError: no", NOW)
    assert [found.article for found in store.work.set_aside()] == [one]
    assert claim(store, key) is None
    return one


def test_a_new_version_of_its_text_is_tried_at_once(store, feed):
    one = set_aside(store, feed)
    publish(store, feed, revised(article(feed, "a", title="Another"), one))
    assert claim(store).ids == (one,)
    assert store.work.set_aside() == ()


def test_each_failure_is_followed_by_a_longer_pause(store, feed):
    one = set_aside(store, feed)
    pauses, now = [], NOW
    for attempt in range(1, 6):
        (found,) = store.work.set_aside()
        assert found.attempts == attempt
        pauses.append(found.retry - now)
        now = found.retry
        assert claim(store, now=now - timedelta(seconds=1)) is None
        lease = claim(store, now=now)
        assert lease.ids == (one,)
        store.work.fail_work(lease, "ValueError: no", now)
    assert pauses == sorted(set(pauses))
    lease = claim(store, now=now + timedelta(days=8))
    assert put(store, lease).stored == 1
    assert store.work.set_aside() == ()


def test_an_error_splits_a_batch_at_once(store, feed):
    ids = add(store, feed, *NAMES[:8])[::-1]
    store.work.fail_work(claim(store, limit=8), "ValueError: no", NOW)
    assert [lease.ids for lease in all_of(store, limit=8)] == [(one,) for one in ids]
    assert store.work.set_aside() == ()


def test_articles_of_one_date_are_split_too(store, reader, feed):
    """Relevance goes by date: its places are the date and the number."""
    add(store, feed, *NAMES[:16], dated=NOW)
    read_texts(store), embed(store), rate(store)
    key = StageKey("relevance", SCORES, (VECTORS, RATINGS), reader)
    assert len(claim(store, key, limit=12).ids) == 12
    assert len(claim(store, key, limit=12).ids) == 4
    parts = all_of(store, key=key, now=NOW + SOON, limit=12)
    assert sorted(len(lease.ids) for lease in parts) == sorted([2] * 6 + [1] * 4)
    assert len({one for lease in parts for one in lease.ids}) == 16
    lease = parts[0]
    batch, (articles, *_) = store.articles.leased_scores(lease, 12)
    scores = [Score(one.id, 60.0, 3) for one in articles]
    assert store.articles.put_scores(reader, SCORES, scores, HALF_LIVES, batch=batch).stored == 2


def test_duplicates_are_one_workers_at_a_time(store, feed):
    add(store, feed, *NAMES)
    read_texts(store)
    lease = claim(store, SIGNED)
    assert claim(store, SIGNED) is None
    assert claim(store, SIGNED, now=NOW + SOON).attempts == 1
    store.work.release_work([lease])


def test_different_makers_and_readers_do_not_wait_for_each_other(store, reader, feed):
    add(store, feed, *NAMES[:3])
    keys = [TEXTS, StageKey("text", "text@2")]
    assert {claim(store, key).ids for key in keys} == {claim(store, StageKey("text", "3")).ids}


def test_claiming_where_nothing_is_left_writes_nothing(store, feed, sqlite):
    assert claim(store) is None, "that nothing is left is noted once"
    with store.database.read() as connection:
        connection.exec_driver_sql("PRAGMA query_only = ON")
    try:
        assert claim(store) is None
    finally:
        with store.database.read() as connection:
            connection.exec_driver_sql("PRAGMA query_only = OFF")


# -- the worker's side


def texts_of(store, seen=None, failing=()):
    def compute(lease):
        batch, raw = store.articles.leased_texts(lease, 5)
        if {one.id for one in raw} & set(failing):
            raise ValueError("a bug that one article finds")
        if seen is not None:
            seen.extend(one.id for one in raw)
        texts = [PlainText(one.id, one.title, "") for one in raw]
        return lambda until: store.articles.put_texts(TEXT, texts, batch=batch, until=until)

    return compute


def run(leases, compute, limit=5):
    done = 0
    try:
        while step := leases.work(TEXTS, limit, compute):
            done += step
    finally:
        leases.close()
    return done


def test_a_worker_does_all_and_holds_nothing_after(store, feed):
    ids, seen = add(store, feed, *NAMES), []
    assert run(Leases(store, lambda: NOW), texts_of(store, seen)) == 20
    assert seen == ids[::-1]
    assert held(store) == []


def test_one_article_that_raises_costs_itself_alone(store, feed, caplog):
    ids = add(store, feed, *NAMES)
    assert run(Leases(store, lambda: NOW), texts_of(store, failing=[ids[7]])) == 19
    (found,) = store.work.set_aside()
    assert (found.article, found.error) == (ids[7], "ValueError: a bug that one article finds")
    assert "smaller batches are tried" in caplog.text
    assert held(store) == []


def test_what_fails_for_every_article_ends_the_pass(store, feed, caplog):
    ids = add(store, feed, *NAMES)
    with pytest.raises(ValueError, match="a bug"):
        run(Leases(store, lambda: NOW), texts_of(store, failing=ids))
    assert len(store.work.set_aside()) == 3


def test_a_model_that_cannot_load_blames_no_article(store, feed):
    add(store, feed, *NAMES)

    def compute(_lease):
        raise ModelError("no such file")

    with pytest.raises(ModelError):
        run(Leases(store, lambda: NOW), compute)
    assert held(store) == []
    assert store.work.set_aside() == ()
    assert claim(store).attempts == 0


def test_a_slow_batch_is_held_by_heartbeats(store, feed):
    add(store, feed, *NAMES[:5])
    renewed = threading.Event()
    first = []

    def compute(lease):
        first.extend(row.until for row in held(store))
        while [row.until for row in held(store)] == first:
            threading.Event().wait(0.01)
        renewed.set()
        return texts_of(store)(lease)

    clock = [NOW]

    def now():
        clock[0] += timedelta(seconds=1)
        return clock[0]

    leases = Leases(store, now, lease_for=timedelta(milliseconds=60))
    assert run(leases, compute) == 5
    assert renewed.is_set()


# -- processes


def die(backend, path, told):
    """Hold the first batch, say so, and be killed."""
    store = backend.open(path)
    lease = claim(store)
    told.send(lease.ids)
    signal.pause()
    os._exit(1)


@pytest.mark.each_sqlite
def test_a_dead_process_of_this_machine_loses_its_lease_at_once(backend, path):
    processes = multiprocessing.get_context("spawn")
    with closing(backend.open(path)) as store:
        user = store.users.user("reader", NOW)
        feed, _ = store.reading.subscribe(user, "https://first.test/feed", NOW)
        ids = add(store, feed, *NAMES[:5])[::-1]
        heard, told = processes.Pipe(duplex=False)
        worker = processes.Process(target=die, args=(backend, path, told))
        worker.start()
        told.close()
        assert heard.recv() == tuple(ids)
        assert store.work.work_elsewhere(NOW) == 1
        assert claim(store) is None, "it lives, and its time is not over"
        worker.kill()
        worker.join()
        assert store.work.work_elsewhere(NOW) == 0
        assert [lease.ids for lease in all_of(store)] == [(one,) for one in ids]


def test_what_others_hold_is_told_by_stage_and_by_worker(store, feed):
    add(store, feed, *NAMES)
    assert store.work.pending_work(TEXTS, 100, NOW) == len(NAMES)
    assert store.work.pending_work(TEXTS, 7, NOW) == 7
    mine, theirs = claim(store), claim(store, owner="elsewhere/1:7:0")
    assert store.work.pending_work(TEXTS, 100, NOW) == len(NAMES) - 10
    assert [one.articles for one in store.work.held_work(NOW)] == [5, 5]
    assert [one.owner for one in store.work.held_work(NOW)] == [mine.owner, theirs.owner]
    assert store.work.work_elsewhere(NOW) == store.work.work_elsewhere(NOW, ["text"]) == 1
    assert store.work.work_elsewhere(NOW, ["embed", "tex"]) == 0
    assert store.work.held_work(NOW + SOON) == ()
    assert store.work.pending_work(TEXTS, 100, NOW + SOON) == len(NAMES)
