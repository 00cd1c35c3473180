"""What a model learns from."""

from __future__ import annotations

import pytest

from newsloom.ranking.learning.label_weights import weighted
from newsloom.ranking.values.models import PlainText
from newsloom.reading.values.reading import EventKind

from .builders import HALF_LIVES, HOUR, NOW, TEXT, add, article, publish, read_texts, revised


def like(store, user, *ids, kind=EventKind.LIKE, at=NOW):
    return store.reading.mark(user, list(ids), kind, at, "test")


def labels(store, user):
    """What the standing events come to."""
    told = weighted(store.models.labels(user), NOW, 0)
    return [(one.article.id, one.positive, one.category) for one in told]


def standing(store, user):
    return [(one.article.id, one.kind.value, one.positive) for one in store.models.labels(user)]


@pytest.mark.parametrize(
    ("kinds", "positive"),
    [
        ("like", True),
        ("dislike", False),
        ("star", True),
        ("star dislike", False),
        ("dislike star", True),
        ("like dislike", False),
        ("like unrate", None),
        ("star unstar", None),
        ("like star unstar", True),
        ("dislike like unrate", None),
        ("read opened", None),
        ("bulk_read opened", None),
        ("finished", True),
        ("skipped", False),
        ("finished skipped", False),
        ("finished dislike", False),
        ("like finished skipped", True),
        ("star finished dislike", False),
        ("skipped like unrate", False),
    ],
)
def test_the_latest_standing_mark_is_the_label(store, reader, feed, kinds, positive):
    (one,) = add(store, feed, "a")
    for kind in kinds.split():
        like(store, reader, one, kind=EventKind(kind.replace("_", " ")))
    assert labels(store, reader) == ([] if positive is None else [(one, positive, "News")])


def test_what_was_taken_back_is_no_label(store, reader, feed):
    (one,) = add(store, feed, "a")
    like(store, reader, one, kind=EventKind.DISLIKE)
    like(store, reader, one)
    store.reading.undo(reader, NOW, "test")
    assert labels(store, reader) == [(one, False, "News")]
    store.reading.undo(reader, NOW, "test")
    assert labels(store, reader) == []


def test_labels_come_oldest_first_with_their_time(store, reader, feed):
    a, b = add(store, feed, "a", "b")
    like(store, reader, b, at=NOW)
    like(store, reader, a, at=NOW + HOUR)
    like(store, reader, b, kind=EventKind.STAR, at=NOW + 2 * HOUR)
    assert [(one.article.id, one.kind, one.at) for one in store.models.labels(reader)] == [
        (b, EventKind.LIKE, NOW),
        (a, EventKind.LIKE, NOW + HOUR),
        (b, EventKind.STAR, NOW + 2 * HOUR),
    ]


def test_a_label_says_through_what_it_came(store, reader, feed):
    (one,) = add(store, feed, "a")
    store.reading.mark(reader, [one], EventKind.FINISHED, NOW, "ttrss")
    (label,) = store.models.labels(reader)
    assert (label.kind, label.via) == (EventKind.FINISHED, "ttrss")


def test_what_was_passed_over_outlives_the_subscription(store, reader, feed):
    a, b = add(store, feed, "a", "b")
    like(store, reader, a, kind=EventKind.SKIPPED)
    store.reading.mark(reader, [a, b], EventKind.UNREAD, NOW, "test")
    store.reading.unsubscribe(reader, feed)
    assert store.lists.listed(reader, [a], NOW, HALF_LIVES) == ()
    assert standing(store, reader) == [(a, "skipped", False)]


def test_a_label_brings_its_text(store, reader, feed):
    (one,) = add(store, feed, "a", title="Title")
    read_texts(store)
    like(store, reader, one)
    (label,) = store.models.labels(reader)
    assert (label.article.title, label.article.text) == ("Title", "Content of a.")
    assert store.articles.texts([one]) == (label.article,)


def test_labels_outlive_the_subscription(store, reader, feed):
    (one,) = add(store, feed, "a")
    like(store, reader, one)
    store.reading.unsubscribe(reader, feed)
    assert labels(store, reader) == [(one, True, "")]


def test_labels_of_others_are_theirs(store, reader, feed):
    (one,) = add(store, feed, "a")
    like(store, reader, one)
    assert store.models.labels(store.users.user("other", NOW)) == ()


CHANGES = {
    "like": lambda store, user, one, feed: like(store, user, one),
    "star": lambda store, user, one, feed: like(store, user, one, kind=EventKind.STAR),
    "unrate": lambda store, user, one, feed: like(store, user, one, kind=EventKind.UNRATE),
    "finish": lambda store, user, one, feed: like(store, user, one, kind=EventKind.FINISHED),
    "skip": lambda store, user, one, feed: like(store, user, one, kind=EventKind.SKIPPED),
    "forget": lambda store, user, one, feed: store.models.exclude_period(
        user, NOW, NOW + HOUR, NOW
    ),
    "undo": lambda store, user, one, feed: store.reading.undo(user, NOW, "test"),
    "interest": lambda store, user, one, feed: store.models.add_interest(user, "trains", NOW),
    "no interest": lambda store, user, one, feed: store.models.remove_interest(user, 1),
    "category": lambda store, user, one, feed: store.reading.edit_subscription(
        user, feed, category="x"
    ),
    "leaving": lambda store, user, one, feed: store.reading.unsubscribe(user, feed),
    "following": lambda store, user, one, feed: store.reading.subscribe(
        user, "https://x.test/", NOW
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_labels_mark_changes_with_what_is_learned_from(store, reader, feed, change):
    (one,) = add(store, feed, "a")
    like(store, reader, one)
    store.models.add_interest(reader, "cars", NOW)
    before = store.models.labels_mark(reader)
    change(store, reader, one, feed)
    assert store.models.labels_mark(reader) != before


def test_labels_mark_changes_when_the_text_of_a_label_does(store, reader, feed):
    one, other = add(store, feed, "a", "b")
    like(store, reader, one)
    marks = [store.models.labels_mark(reader)]
    for text in ("first text", "second text"):
        store.articles.put_texts(TEXT, [PlainText(one, "Title", text)])
        marks.append(store.models.labels_mark(reader))
    assert len(set(marks)) == 3
    store.articles.put_texts(TEXT, [PlainText(other, "Not labelled", "text")])
    assert store.models.labels_mark(reader) == marks[-1]


def test_labels_mark_rests_while_reading(store, reader, feed):
    (one,) = add(store, feed, "a")
    like(store, reader, one)
    before = store.models.labels_mark(reader)
    for kind in (EventKind.READ, EventKind.OPENED, EventKind.BULK_READ, EventKind.UNREAD):
        like(store, reader, one, kind=kind)
    store.reading.undo(reader, NOW, "test")
    publish(store, feed, revised(article(feed, "a", title="Other"), one))
    add(store, feed, "b")
    assert store.models.labels_mark(reader) == before
    assert store.models.labels_mark(store.users.user("other", NOW)) != ""


def test_interests_come_and_go(store, reader):
    trains = store.models.add_interest(reader, "night trains", NOW)
    cars = store.models.add_interest(reader, "cars", NOW + HOUR)
    assert store.models.interests(reader) == (trains, cars)
    other = store.users.user("other", NOW)
    assert store.models.interests(other) == ()
    assert not store.models.remove_interest(other, trains.id)
    assert store.models.remove_interest(reader, trains.id)
    assert not store.models.remove_interest(reader, trains.id)
    assert store.models.interests(reader) == (cars,)
