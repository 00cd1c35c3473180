"""Signatures, keys and links as stored: what is pending, what is kept, what meets, what goes."""

from __future__ import annotations

import pytest

from newsloom.duplicates.packed import Signature, pack
from newsloom.duplicates.store import duplicate_writes as candidate_pairs
from newsloom.duplicates.values import Evidence, Link, Relation, Signed
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.ranking.values.models import PlainText
from newsloom.work.values import StageKey

from .builders import (
    NOW,
    TEXT,
    add,
    article,
    leased,
    pending_signatures,
    publish,
    read_texts,
    revised,
)

VERSION = "signature@test"


@pytest.fixture
def ids(store, feed):
    found = add(store, feed, *"abcd")
    read_texts(store)
    return found


def pending(store, version=VERSION):
    return pending_signatures(store, version, limit=10)


def signed(store, keys, version=VERSION):
    """What is pending, with made-up keys by place."""
    return [
        Signed(one.id, one.digest, "", tuple(own), packed(one.id))
        for one, own in zip(pending(store, version), keys, strict=False)
    ]


def packed(article_id):
    return pack(Signature(article_id, FeedId(1), "a.test", "", NOW, "title", 1))


def put(store, keys, version=VERSION):
    """Sign what is pending under those keys: the pairs that met."""
    some = signed(store, keys, version)
    with store.duplicates.duplicate_session(version) as judging:
        judging.put(some)
        return set(judging.pairs({one.id: one.keys for one in some}))


def link(one, other, relation=Relation.SAME_TEXT):
    return Link(max(one, other), min(one, other), relation, (Evidence("fingerprint", 0.9, "why"),))


def test_originals_come_in_order_with_all_that_is_signed(store, feed, ids):
    first, *rest = pending(store)
    assert [first.id, *(one.id for one in rest)] == ids
    assert (first.title, first.text, first.feed_id) == ("Title of a", "Content of a.", feed)
    assert (first.guid, first.dated, first.digest != 0) == ("a", NOW, True)
    assert first.source == f"site-{feed}.test"
    assert pending_signatures(store, VERSION, texts="text@9") == ()
    read = store.duplicates.leased_signatures
    batch, _articles = leased(store, StageKey("duplicates", VERSION, (TEXT,)), read, 2)
    assert (batch.lease.ids, batch.following.ids) == (tuple(ids[:2]), tuple(ids[2:]))


def test_what_is_signed_is_pending_for_another_version_only(store, ids):
    put(store, [(1,)] * 4)
    assert pending(store) == ()
    assert [one.id for one in pending(store, "signature@next")] == ids


def test_a_text_that_was_read_again_is_pending_again(store, feed, ids):
    put(store, [(1,)] * 4)
    publish(store, feed, revised(article(feed, "b", content="<p>Other.</p>"), ids[1]))
    read_texts(store)
    assert [one.id for one in pending(store)] == [ids[1]]


def test_a_text_that_changed_meanwhile_is_not_kept(store, ids):
    some = signed(store, [(1,)] * 4)
    store.articles.put_texts(TEXT, [PlainText(ids[0], "Another", "text")])
    with store.duplicates.duplicate_session(VERSION) as judging:
        assert judging.put(some) == ids[1:]
    assert [one.id for one in pending(store)] == [ids[0]]


def test_what_another_process_has_signed_is_not_signed_again(store, ids):
    some = signed(store, [(1,)] * 4)
    put(store, [(1,)] * 4)
    with store.duplicates.duplicate_session(VERSION) as judging:
        assert judging.put(some) == []


def test_articles_meet_under_common_keys_once_and_in_any_batch(store, ids):
    a, b, c, d = ids
    some = signed(store, [(1, 2), (2, 1), (3,), (3, 2)])
    met = set()
    for batch in (some[:1], some[1:3], some[3:]):
        with store.duplicates.duplicate_session(VERSION) as judging:
            judging.put(batch)
            met |= set(judging.pairs({one.id: one.keys for one in batch}))
    assert met == {(b, a), (d, a), (d, b), (d, c)}


def test_those_with_most_common_keys_come_first(store, ids):
    a, b, c, d = ids
    some = signed(store, [(1, 2, 3), (1,), (1, 2), (1, 2, 3)])
    with store.duplicates.duplicate_session(VERSION) as judging:
        judging.put(some)
        pairs = judging.pairs({one.id: one.keys for one in some})
    assert [other for one, other in pairs if one == d] == [a, c, b]


def test_of_a_crowded_key_the_newest_are_kept(store, feed):
    most = candidate_pairs.PER_KEY
    ids = add(store, feed, *(str(number) for number in range(most + 6)))
    read_texts(store)
    some = [
        Signed(one.id, one.digest, "", (7,), packed(one.id))
        for one in pending_signatures(store, VERSION)
    ]
    met = set()
    for batch in (some[:most], some[most:]):
        with store.duplicates.duplicate_session(VERSION) as judging:
            judging.put(batch)
            met |= set(judging.pairs({one.id: one.keys for one in batch}))
    assert {other for one, other in met if one == ids[-1]} == set(ids[5:-1])
    with store.database.read() as connection:
        rows = connection.exec_driver_sql("SELECT article_id FROM fresh_keys WHERE key = 7").all()
    assert [row[0] for row in rows] == ids[6:]


def test_keys_that_were_moved_are_found_as_before(store, ids):
    a, b, *_ = ids
    some = signed(store, [(1, -5), (1, -5)])
    with store.duplicates.duplicate_session(VERSION) as judging:
        judging.put(some[:1])
        assert judging.pairs({a: (1, -5)}) == []
    with store.database.write() as connection:
        assert not candidate_pairs.full(connection, 0)
        for stretch in range(candidate_pairs.STRETCHES):
            candidate_pairs.move(connection, stretch)
        assert connection.exec_driver_sql("SELECT COUNT(*) FROM fresh_keys").scalar() == 0
        assert connection.exec_driver_sql("SELECT COUNT(*) FROM dedup_keys").scalar() == 2 + 2 * 4
    with store.duplicates.duplicate_session(VERSION) as judging:
        judging.put(some[1:])
        assert judging.pairs({b: (1, -5)}) == [(b, a)]


def test_links_make_clusters_and_go_with_their_text(store, feed, ids):
    a, b, c, _ = ids
    put(store, [(1,)] * 4)
    with store.duplicates.duplicate_session(VERSION) as judging:
        assert judging.link([link(a, b), link(b, c, Relation.SAME_EVENT)], NOW) == 3
        assert judging.positions(ids) == {a: (a, a), b: (a, a), c: (a, c)}
    publish(store, feed, revised(article(feed, "b", content="<p>Other.</p>"), b))
    read_texts(store)
    some = signed(store, [(9,)])
    with store.duplicates.duplicate_session(VERSION) as judging:
        assert judging.put(some) == [b]
        judging.link([], NOW)
        assert judging.positions(ids) == {}


def test_an_error_leaves_nothing(store, ids):
    some = signed(store, [(1,)] * 4)
    with (  # noqa: PT012
        pytest.raises(ValueError, match="stop"),
        store.duplicates.duplicate_session(VERSION) as judging,
    ):
        judging.put(some)
        judging.pairs({one.id: one.keys for one in some})
        judging.link([link(ids[0], ids[1])], NOW)
        raise ValueError("stop")
    assert [one.id for one in pending(store)] == ids
    with store.database.read() as connection:
        for table in ("links", "clusters", "signatures"):
            assert connection.exec_driver_sql(f"SELECT COUNT(*) FROM {table}").scalar() == 0


def test_entities_are_kept_by_maker_and_text(store, ids):
    a, b = ids[:2]
    found = {a: frozenset(("person:ann lee", "place:a: b"))}
    names = store.duplicates
    names.put_names("names@1", found)
    assert names.names("names@1", [a, b]) == found
    assert names.names("names@2", [a]) == {}
    store.articles.put_texts(TEXT, [PlainText(a, "Another", "text")])
    assert names.names("names@1", [a]) == {}
    names.put_names("names@1", {ArticleId(999): frozenset()})
    assert names.names("names@1", [ArticleId(999)]) == {}
