"""What record() does with what was judged: new, duplicate, revised; states of subscribers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newsloom.articles.store.keys import hashed
from newsloom.articles.store.records import MOST_REVISIONS, source
from newsloom.feeds.values.polling import PollOutcome
from newsloom.feeds.values.published import Enclosure
from newsloom.reading.values.reading import EventKind, ListQuery, Order

from .builders import (
    HALF_LIVES,
    HOUR,
    NOW,
    TEXT,
    add,
    article,
    claim,
    duplicate,
    ids_of,
    new,
    pending_texts,
    poll,
    publish,
    read_texts,
    revised,
    unchanged,
)

ALL = ListQuery(order=Order.NEWEST, unread_only=False, limit=1000)


def page(store, user, **query):
    return store.lists.page(user, ListQuery(**query), NOW, HALF_LIVES)


def opened(store, user, article_id):
    found = store.reading.article(user, article_id, NOW, HALF_LIVES)
    assert found is not None
    return found


def test_every_field_comes_back(store, reader, feed):
    enclosures = (Enclosure("https://x.test/a.mp3", "audio/mpeg", 5), Enclosure("https://x.test/b"))
    published = NOW - timedelta(days=2, microseconds=7)
    one = article(
        feed,
        "a",
        title="Üben & 漢字 😀",
        content="<p>all</p>",
        dated=published,
        url="https://www.site.test/a?b=c",
        author="Jo",
        language="de-AT",
        categories=("x", "ÿ"),
        enclosures=enclosures,
        comments_url="https://site.test/a#c",
        published=published,
    )
    publish(store, feed, new(one))
    (listed,) = page(store, reader)
    assert (listed.title, listed.author, listed.language) == ("Üben & 漢字 😀", "Jo", "de-AT")
    assert (listed.url, listed.source) == ("https://www.site.test/a?b=c", "site.test")
    assert (listed.dated, listed.feed_id, listed.feed_title) == (published, feed, f"Feed {feed}")
    full = opened(store, reader, listed.id)
    assert (full.html, full.categories, full.enclosures) == ("<p>all</p>", ("x", "ÿ"), enclosures)
    assert full.comments_url == "https://site.test/a#c"
    assert (full.copies, full.revisions, full.listed) == ((), (), listed)


def test_the_fuller_of_summary_and_content_is_shown(store, reader, feed):
    publish(store, feed, new(article(feed, "a", content="<p>.</p>", summary="<p>longer</p>")))
    assert opened(store, reader, ids_of(store, feed, "a")[0]).html == "<p>longer</p>"


def test_candidates_are_the_copies_under_a_key(store, feed):
    (stored,) = add(store, feed, "a")
    incoming = article(feed, "a")
    with store.feeds.ingest() as ingest:
        found = ingest.candidates([*incoming.keys, ("url", "https://nothing.test/")])
    assert set(found) == set(incoming.keys)
    for key in incoming.keys:
        (copy,) = found[key]
        assert (copy.id, copy.original) == (stored, stored)
        assert (copy.feed_id, copy.guid, copy.url) == (feed, "a", incoming.copy.url)
        assert (copy.title, copy.length) == (incoming.copy.title, incoming.copy.length)
        assert (copy.content_hash, copy.dated) == (incoming.copy.content_hash, NOW)
        assert copy.canonical_url == incoming.copy.canonical_url


def test_candidates_are_seen_within_one_transaction(store, feed):
    (due,) = claim(store)
    one = article(feed, "a")
    with store.feeds.ingest() as ingest:
        assert ingest.record(poll(due, new(one)))
        assert set(ingest.candidates(one.keys)) == set(one.keys)


def test_many_keys_are_asked_in_parts(store, feed):
    add(store, feed, *(str(number) for number in range(1200)))
    keys = [("guid", f"{feed} {number}") for number in range(1200)]
    with store.feeds.ingest() as ingest:
        assert set(ingest.candidates(keys)) == set(keys)


@given(st.text())
def test_a_key_hashes_to_64_signed_bits(text):
    assert -(2**63) <= hashed(text) < 2**63
    assert hashed(text) == hashed(text)


def test_every_subscriber_gets_an_unread_state(store, reader, feed, subscribe):
    other = store.users.user("other", NOW)
    subscribe("first", user=other)
    stranger = store.users.user("stranger", NOW)
    add(store, feed, "a", "b")
    assert [store.lists.unread(user) for user in (reader, other, stranger)] == [2, 2, 0]


def test_a_copy_in_another_feed_shares_the_row(store, reader, feed, subscribe):
    second = subscribe("second", "Tech")
    (original,) = add(store, feed, "a")
    publish(store, second, duplicate(article(second, "a2", content="<p>x</p>"), original))
    (copy,) = ids_of(store, second, "a2")
    (listed,) = page(store, reader)
    assert (listed.id, listed.cluster.articles, listed.cluster.feeds) == (original, 2, 2)
    assert [(one.id, one.feed_title) for one in listed.cluster.others] == [(copy, f"Feed {second}")]
    (related,) = opened(store, reader, original).related
    assert (related.id, related.url) == (copy, f"https://site-{second}.test/a2")
    assert [(one.layer, one.score) for one in related.evidence] == [("url", 1.0)]
    assert {one.title: one.unread for one in store.lists.subscriptions(reader)} == {
        f"Feed {feed}": 1,
        f"Feed {second}": 1,
    }


def test_a_copy_of_a_copy_shares_the_row(store, reader, feed, subscribe):
    second, third = subscribe("second"), subscribe("third")
    (original,) = add(store, feed, "a")
    publish(store, second, duplicate(article(second, "a2"), original))
    (copy,) = ids_of(store, second, "a2")
    publish(store, third, duplicate(article(third, "a3"), copy))
    (listed,) = page(store, reader)
    assert (listed.cluster.articles, listed.cluster.feeds) == (3, 3)


def test_who_follows_only_the_other_feed_has_its_article(store, reader, feed, subscribe):
    add(store, feed, "a", dated=NOW - HOUR)
    other = store.users.user("other", NOW)
    second = subscribe("second", user=other)
    (original,) = ids_of(store, feed, "a")
    publish(store, second, duplicate(article(second, "a2"), original))
    (listed,) = page(store, other)
    assert (listed.title, listed.feed_title) == ("Title of a2", f"Feed {second}")
    assert (listed.url, listed.source) == (
        f"https://site-{second}.test/a2",
        f"site-{second}.test",
    )
    assert (listed.cluster, listed.dated) == (None, NOW)
    full = opened(store, other, listed.id)
    assert (full.copies, full.related) == ((), ())  # the first feed is not theirs to see
    assert store.reading.article(other, original, NOW, HALF_LIVES) is None


def test_a_read_article_stays_read_when_a_copy_comes(store, reader, feed, subscribe):
    second = subscribe("second")
    (original,) = add(store, feed, "a")
    store.reading.mark(reader, [original], EventKind.READ, NOW, "test")
    publish(store, second, duplicate(article(second, "a2"), original))
    assert store.lists.unread(reader) == 0


def test_a_fuller_copy_leads_the_row_under_its_own_name(store, reader, feed, subscribe):
    second = subscribe("second")
    (original,) = add(store, feed, "a", content="<p>short</p>")
    read_texts(store)
    fuller = article(second, "a2", title="Longer title", content="<p>much fuller text</p>")
    publish(store, second, duplicate(fuller, original))
    (listed,) = page(store, reader)
    assert (listed.title, listed.feed_title) == ("Longer title", f"Feed {second}")
    full = opened(store, reader, original)
    assert (full.html, full.listed.title) == ("<p>short</p>", "Title of a")
    (raw,) = pending_texts(store, TEXT, 10)
    assert (raw.id, raw.title, raw.html) == (listed.id, "Longer title", "<p>much fuller text</p>")


def test_an_article_says_when_its_feed_gives_no_date(store, reader, feed):
    never_set = datetime(1970, 1, 1, tzinfo=UTC)
    dates = {
        "none": {"published": None},
        "impossible": {"published": never_set},
        "changed": {"published": None, "updated": NOW},
    }
    undated = {}
    for name, said in dates.items():
        (one,) = add(store, feed, name, **said)
        undated[name] = opened(store, reader, one).undated
    assert undated == {"none": True, "impossible": True, "changed": False}


def test_a_revision_keeps_the_version_before(store, reader, feed):
    (one,) = add(store, feed, "a", title="First", content="<p>first</p>")
    store.reading.mark(reader, [one], EventKind.READ, NOW, "test")
    later = NOW + HOUR
    changed = article(feed, "a", title="Second", content="<p>second</p>", dated=later)
    publish(store, feed, revised(changed, one), at=later)
    full = opened(store, reader, one)
    assert (full.listed.title, full.html) == ("Second", "<p>second</p>")
    assert full.listed.state.read  # still read
    assert full.listed.dated == NOW  # a new date would push it up again
    (before,) = full.revisions
    assert (before.title, before.text, before.seen) == ("First", "<p>first</p>", NOW)


def test_revisions_come_newest_first_and_are_capped(store, reader, feed):
    (one,) = add(store, feed, "a", title="0")
    for number in range(1, MOST_REVISIONS + 4):
        changed = article(feed, "a", title=str(number))
        publish(store, feed, revised(changed, one), at=NOW + number * HOUR)
    revisions = opened(store, reader, one).revisions
    newest = MOST_REVISIONS + 2
    assert [int(one.title) for one in revisions] == list(range(newest, newest - MOST_REVISIONS, -1))
    assert [one.seen for one in revisions] == [NOW + int(one.title) * HOUR for one in revisions]


def test_one_article_revised_twice_in_one_document(store, reader, feed):
    (one,) = add(store, feed, "a", title="0")
    twice = [revised(article(feed, "a", title=title), one) for title in "12"]
    publish(store, feed, *twice)
    full = opened(store, reader, one)
    assert full.listed.title == "2"
    assert sorted(one.title for one in full.revisions) == ["0", "1"]


def test_a_revised_article_is_found_by_its_new_keys_only(store, feed):
    (one,) = add(store, feed, "a", url="https://site.test/old")
    publish(store, feed, revised(article(feed, "a", url="https://site.test/new"), one))
    old, present = ("url", "https://site.test/old"), ("url", "https://site.test/new")
    with store.feeds.ingest() as ingest:
        found = ingest.candidates([old, present])
    assert set(found) == {present}


def test_revising_a_copy_changes_no_other_text(store, reader, feed, subscribe):
    second = subscribe("second")
    (original,) = add(store, feed, "a", content="<p>the fullest of all</p>")
    publish(store, second, duplicate(article(second, "a2", content="<p>x</p>"), original))
    (copy,) = ids_of(store, second, "a2")
    read_texts(store)
    publish(store, second, revised(article(second, "a2", content="<p>xy</p>"), copy))
    assert [one.html for one in pending_texts(store, TEXT, 10)] == ["<p>xy</p>"]
    assert opened(store, reader, original).html == "<p>the fullest of all</p>"
    assert opened(store, reader, original).revisions == ()


def test_what_is_unchanged_is_not_touched(store, reader, feed):
    (one,) = add(store, feed, "a")
    publish(
        store, feed, unchanged(article(feed, "a", title="Other")), outcome=PollOutcome.UNCHANGED
    )
    assert opened(store, reader, one).listed.title == "Title of a"
    assert store.facts()["articles"] == "1"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://www.Site.test/a", "site.test"),
        ("http://user:pass@site.test:8080/x@y", "site.test"),
        ("https://site.test?x=1", "site.test"),
        ("HTTPS://SITE.TEST#x", "site.test"),
        ("https://", ""),
        ("mailto:a@b.test", ""),
        ("", ""),
    ],
)
def test_source_is_the_host_without_www(url, expected):
    assert source(url) == expected


@settings(max_examples=200)
@given(st.text(alphabet="htps:/@?#.wa[]%", max_size=20))
def test_source_takes_any_text(url):
    assert source(url) == source(url).lower()


def test_an_article_of_strangers_is_not_there(store, reader, feed):
    (one,) = add(store, feed, "a")
    stranger = store.users.user("stranger", NOW)
    assert store.reading.article(stranger, one, NOW, HALF_LIVES) is None
    assert store.lists.listed(stranger, [one], NOW, HALF_LIVES) == ()
    assert store.lists.page(stranger, ALL, NOW, HALF_LIVES) == ()


def test_listed_keeps_the_order_asked_for(store, reader, feed):
    a, b, c = add(store, feed, "a", "b", "c")
    found = store.lists.listed(reader, [c, a, 99, b], NOW, HALF_LIVES)
    assert [one.id for one in found] == [c, a, b]
