"""Labelled articles in and out: nothing doubled, nothing of the reader's overruled, all undone."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from newsloom.bridges.service.labelled import bring_in, given_out
from newsloom.feeds.values.published import ParsedArticle
from newsloom.ranking.values.models import BroughtIn, LabelledCopy
from newsloom.reading.values.reading import EventKind, ListQuery

from .builders import HALF_LIVES, HOUR, NOW, add, article, new, publish

LIKE, DISLIKE, STAR = EventKind.LIKE, EventKind.DISLIKE, EventKind.STAR
FINISHED, SKIPPED = EventKind.FINISHED, EventKind.SKIPPED


def copy(name, *marks, source="gazette.test", url=None, title="", at=NOW - HOUR):
    told = ParsedArticle(
        guid=name,
        url=f"https://gazette.test/{name}" if url is None else url,
        title=title or f"Title of {name}",
        content=f"<p>Content of {name}.</p>",
        published=NOW - timedelta(days=3),
    )
    marked = [one if isinstance(one, tuple) else (one, at) for one in marks or (LIKE,)]
    return LabelledCopy(told, source, tuple(marked))


def standing(store, user):
    return [(one.article.title, one.kind, one.at) for one in store.models.labels(user)]


def articles(store):
    with store.database.read() as connection:
        return connection.exec_driver_sql("SELECT COUNT(*) FROM articles").scalar()


def test_articles_become_a_read_feed_per_source_with_their_labels(store, reader):
    rows = [copy("a"), copy("b", DISLIKE), copy("c", SKIPPED, source="other.test")]
    assert bring_in(store, reader, rows, NOW) == BroughtIn(3, 3, 0)
    feeds = store.lists.subscriptions(reader)
    assert [(one.title, one.category, one.articles, one.unread) for one in feeds] == [
        ("gazette.test", "Imported", 2, 0),
        ("other.test", "Imported", 1, 0),
    ]
    assert store.feeds.next_due() is None
    assert standing(store, reader) == [
        ("Title of a", LIKE, NOW - HOUR),
        ("Title of b", DISLIKE, NOW - HOUR),
        ("Title of c", SKIPPED, NOW - HOUR),
    ]
    assert {one.via for one in store.models.labels(reader)} == {"import"}


def test_importing_twice_doubles_nothing(store, reader):
    rows = [copy("a"), copy("b", DISLIKE, STAR), copy("c", url="")]
    bring_in(store, reader, rows, NOW)
    before = standing(store, reader)
    assert bring_in(store, reader, rows, NOW + HOUR) == BroughtIn(0, 0, 4)
    assert standing(store, reader) == before
    assert articles(store) == 3


def test_lines_that_are_one_article_are_one_article(store, reader):
    address = "https://gazette.test/same"
    rows = [
        copy("a", url=address),
        copy("b", url=address, source="aggregator.test", title="Title of a"),
        copy("a", DISLIKE, url=address, at=NOW - HOUR / 2),
    ]
    assert bring_in(store, reader, rows, NOW).articles == 1
    assert articles(store) == 1
    assert [kind for _title, kind, _at in standing(store, reader)] == [DISLIKE]
    assert len(store.lists.subscriptions(reader)) == 1


def test_an_article_that_is_there_gets_the_label_and_stays_where_it_is(store, reader, feed):
    publish(store, feed, new(article(feed, "a", url="https://gazette.test/a")))
    assert bring_in(store, reader, [copy("other id")], NOW) == BroughtIn(1, 1, 0)
    rows = [copy("x", url="https://gazette.test/a", title="Title of a")]
    assert bring_in(store, reader, rows, NOW) == BroughtIn(0, 1, 0)
    (one,) = (one for one in store.models.labels(reader) if one.article.title == "Title of a")
    assert one.article.feed_id == feed
    assert store.lists.unread(reader) == 0, "it is judged"
    assert articles(store) == 2


def test_new_revised_and_known_articles_of_several_sources_come_together(store, reader):
    bring_in(store, reader, [copy("a"), copy("b", source="other.test"), copy("k")], NOW)
    rows = [
        copy("a", DISLIKE, title="A revised", at=NOW),
        copy("c", source="third.test"),
        copy("b", DISLIKE, title="B revised", source="other.test", at=NOW),
        copy("k", DISLIKE, at=NOW),
        copy("d"),
    ]
    assert bring_in(store, reader, rows, NOW + HOUR) == BroughtIn(2, 5, 0)
    assert sorted((title, kind) for title, kind, _at in standing(store, reader)) == [
        ("A revised", DISLIKE),
        ("B revised", DISLIKE),
        ("Title of c", LIKE),
        ("Title of d", LIKE),
        ("Title of k", DISLIKE),
    ]
    feeds = store.lists.subscriptions(reader)
    assert sorted((one.title, one.articles, one.unread) for one in feeds) == [
        ("gazette.test", 3, 0),
        ("other.test", 1, 0),
        ("third.test", 1, 0),
    ]


def test_another_readers_lists_hear_nothing(store, reader, feed, subscribe):
    other = store.users.user("other", NOW)
    subscribe("first", user=other)
    bring_in(store, reader, [copy("a")], NOW)
    bring_in(store, other, [copy("b")], NOW)
    for user, names in ((reader, ["Title of a"]), (other, ["Title of b"])):
        query = ListQuery(unread_only=False)
        assert [one.title for one in store.lists.page(user, query, NOW, HALF_LIVES)] == names
        assert [title for title, _kind, _at in standing(store, user)] == names


@pytest.mark.parametrize(
    ("here", "brought", "subscriptions"),
    [
        ((LIKE, 2), (DISLIKE, 1), [LIKE]),  # the later word stands
        ((DISLIKE, 1), (LIKE, 2), [LIKE]),
        ((EventKind.UNRATE, 2), (LIKE, 1), []),
        ((STAR, 1), (DISLIKE, 2), [STAR, DISLIKE]),
        ((LIKE, 1), (LIKE, 1), [LIKE]),
        ((FINISHED, 2), (SKIPPED, 1), [FINISHED]),
        ((LIKE, 2), (SKIPPED, 1), [LIKE, SKIPPED]),
    ],
)
def test_what_the_reader_said_later_stands(store, reader, feed, here, brought, subscriptions):
    publish(store, feed, new(article(feed, "a", url="https://gazette.test/a")))
    (listed,) = store.lists.page(reader, ListQuery(), NOW, HALF_LIVES)
    store.reading.mark(reader, [listed.id], here[0], NOW + here[1] * HOUR, "web")
    told = copy(
        "x", (brought[0], NOW + brought[1] * HOUR), url="https://gazette.test/a", title="Title of a"
    )
    bring_in(store, reader, [told], NOW + 9 * HOUR)
    assert [one.kind for one in store.models.labels(reader)] == subscriptions


def test_undo_takes_a_whole_import_back_and_it_can_be_imported_again(store, reader, feed):
    (mine,) = add(store, feed, "mine")
    store.reading.mark(reader, [mine], LIKE, NOW, "web")
    rows = [copy("a", LIKE, STAR), copy("b", DISLIKE, at=NOW - 2 * HOUR), copy("c", FINISHED)]
    bring_in(store, reader, rows, NOW)
    assert len(store.reading.undo(reader, NOW, "test")) == 4
    assert [title for title, _kind, _at in standing(store, reader)] == ["Title of mine"]
    query = ListQuery(unread_only=False)
    rated = [
        one.state for one in store.lists.page(reader, query, NOW, HALF_LIVES) if one.id != mine
    ]
    assert {(one.rating, one.starred, one.read) for one in rated} == {(0, False, True)}
    assert bring_in(store, reader, rows, NOW) == BroughtIn(0, 4, 0)
    assert [event.kind for _ in range(2) for event in store.reading.undo(reader, NOW, "t")][
        -1
    ] is LIKE


def test_an_import_that_fails_leaves_nothing(store, reader):
    def broken():
        with store.bridges.importing(reader) as opened:
            opened.feeds(["gazette.test"], NOW)
            raise InterruptedError

    with pytest.raises(InterruptedError):
        broken()
    assert store.lists.subscriptions(reader) == ()


def test_a_label_of_tomorrow_is_one_of_now(store, reader):
    bring_in(store, reader, [copy("a", at=NOW + timedelta(days=1))], NOW)
    assert [at for _title, _kind, at in standing(store, reader)] == [NOW]


marks = st.lists(
    st.sampled_from([LIKE, DISLIKE, STAR, FINISHED, SKIPPED]), min_size=1, max_size=3, unique=True
)


@settings(
    max_examples=12,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(st.tuples(marks, st.booleans(), st.integers(0, 2)), min_size=1, max_size=6))
def test_what_goes_out_comes_in_the_same(store, rows):
    names = len(store.users.users())
    first, second = (store.users.user(f"{side} {names}", NOW) for side in ("first", "second"))
    values = [
        copy(
            f"{names}-{number}",
            *((kind, NOW - (1 + 7 * number + place) * HOUR) for place, kind in enumerate(kinds)),
            url=f"https://site.test/{names}/{number}" if linked else "",
            source=f"site-{source}.test",
        )
        for number, (kinds, linked, source) in enumerate(rows)
    ]
    bring_in(store, first, values, NOW)
    out = given_out(store, first)
    bring_in(store, second, out, NOW)
    again = given_out(store, second)
    assert [(one.article.title, one.marks) for one in again] == [
        (one.article.title, one.marks) for one in out
    ]
    assert bring_in(store, first, out, NOW).labels == 0
    assert given_out(store, first) == out
