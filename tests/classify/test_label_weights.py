"""What events are worth: a table of histories, laws of the caps, floods against the real head."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.ranking.learning import head
from newsloom.ranking.learning.label_weights import (
    CAPS,
    EVIDENCE,
    NOTICED_SHARE,
    explicit,
    judged,
    likes_and_dislikes,
    spoken,
    weighted,
)
from newsloom.ranking.values.models import ArticleText, Label
from newsloom.reading.values.reading import EventKind

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
TEACHING = {one.kind for one in EVIDENCE}


def event(article, kind="like", *, at=NOW, feed=1, source="", via="web", title="") -> Label:
    text = ArticleText(ArticleId(article), title, "", source or f"s{feed}", "en", NOW, FeedId(feed))
    kind = EventKind(kind)
    return Label(text, "", kind is not EventKind.DISLIKE, at, kind=kind, via=via)


def spread(count, *, kind=None, feeds=10, first=1) -> list[Label]:
    """As many labels over feeds and days, likes and dislikes in turn."""
    return [
        event(
            first + number,
            kind or ("like", "dislike")[number // feeds % 2],
            at=NOW - (number % 50) * DAY,
            feed=number % feeds + 1,
        )
        for number in range(count)
    ]


def flood(count, kind="like", *, days=1, feed=99, first=100_000) -> list[Label]:
    return [
        event(first + number, kind, at=NOW - number % days * DAY, feed=feed)
        for number in range(count)
    ]


def weight(labels) -> float:
    return sum(one.weight for one in labels)


# --- one article ---


@pytest.mark.parametrize(
    ("events", "positive", "weighs"),
    [
        ("like", True, 1.0),
        ("dislike", False, 1.0),
        ("star", True, 2.0),
        ("like star", True, 2.0),
        ("star like", True, 2.0),
        ("star dislike", False, 1.0),
        ("dislike star", True, 2.0),
        ("finished", True, 0.3),
        ("skipped", False, 0.2),
        ("finished dislike", False, 1.0),
        ("dislike finished", False, 1.0),
        ("skipped like finished", True, 1.0),
        ("finished skipped", False, 0.2),
        ("star finished skipped dislike", False, 1.0),
    ],
)
def test_what_several_events_on_one_article_come_to(events, positive, weighs):
    labels = [
        event(1, kind, at=NOW - DAY + number * DAY / 9)
        for number, kind in enumerate(events.split())
    ]
    (label,) = weighted(labels, NOW, 0)
    assert (label.positive, label.weight) == (positive, weighs)


@pytest.mark.parametrize("kind", [kind for kind in EventKind if kind not in TEACHING], ids=str)
def test_whatever_is_not_in_the_table_teaches_nothing(kind):
    assert weighted([event(number, kind) for number in range(1_000)], NOW, 0) == []
    assert spoken([event(1, kind)]) == []


def test_opening_and_every_way_of_marking_read_are_not_in_the_table():
    silent = {EventKind.READ, EventKind.BULK_READ, EventKind.OPENED, EventKind.UNREAD}
    assert not silent & TEACHING


def test_reading_in_a_program_set_up_so_is_a_like_that_words_overrule():
    (read,) = weighted([event(1, "finished", via="ttrss")], NOW, 0)
    assert (read.positive, read.weight, explicit(read)) == (True, 0.5, True)
    labels = [event(1, "dislike", via="ttrss"), event(1, "finished", via="ttrss", at=NOW + DAY)]
    (label,) = weighted(labels, NOW, 0)
    assert not label.positive
    assert not explicit(event(1, "finished", via="web"))


def test_only_what_was_said_is_spoken_once_an_article():
    labels = [
        event(1, "finished"),
        event(2),
        event(2, "star"),
        event(3, "dislike"),
        event(4, "read"),
    ]
    assert [(one.article.id, one.positive) for one in spoken(labels)] == [(2, True), (3, False)]


def test_older_labels_weigh_half_after_as_many_days():
    labels = [event(number, at=NOW - number * 30 * DAY, feed=number) for number in range(3)]
    labels.append(replace(labels[0], article=event(9).article, at=NOW + DAY))
    aged = {one.article.id: one.weight for one in weighted(labels, NOW, 30)}
    assert aged == {0: 1.0, 1: 0.5, 2: 0.25, 9: 1.0}
    assert {one.weight for one in weighted(labels, NOW, 0)} == {1.0}


# --- caps ---


@pytest.mark.parametrize("feeds", [1, 2, 8])
@pytest.mark.parametrize("days", [1, 30])
def test_an_honest_beginning_counts_whole(feeds, days):
    labels = [
        event(
            number,
            ("like", "dislike")[number % 2],
            feed=number // 2 % feeds,
            at=NOW - number % days * DAY / 2,
        )
        for number in range(40)
    ]
    assert [one.weight for one in weighted(labels, NOW, 0)] == [1.0] * 40


@given(
    st.lists(
        st.tuples(st.booleans(), st.integers(1, 3), st.integers(0, 3)), min_size=1, max_size=60
    )
)
def test_the_first_twenty_likes_and_dislikes_are_all_there(rows):
    kept = {True: 0, False: 0}
    labels = []
    for number, (positive, feed, day) in enumerate(rows):
        if kept[positive] < 20:
            kept[positive] += 1
            kind = "like" if positive else "dislike"
            labels.append(event(number, kind, feed=feed, at=NOW - day * DAY))
    assert len(weighted(labels, NOW, 0)) == len(labels)


@given(
    st.lists(
        st.tuples(
            st.integers(0, 30),
            st.sampled_from(sorted(EventKind)),
            st.integers(1, 3),
            st.integers(0, 3),
            st.sampled_from(["web", "ttrss", "import"]),
        ),
        max_size=120,
    ),
    st.sampled_from([0.0, 30.0]),
)
def test_every_article_gives_one_label_of_some_weight_and_words_win(rows, half):
    told = [
        event(article, kind, feed=article % 3 + 1, at=NOW - day * DAY, via=via)
        for article, kind, _feed, day, via in rows
    ]
    labels = weighted(told, NOW, half)
    ids = [one.article.id for one in labels]
    assert len(set(ids)) == len(ids)
    assert labels == sorted(labels, key=lambda one: (one.at, one.article.id))
    assert all(0 < one.weight <= 2 for one in labels)
    said = {one.article.id: one.positive for one in spoken(told)}
    counted = judged((one.article.id, one.kind, one.via) for one in told)
    assert counted == likes_and_dislikes(spoken(told))
    assert all(one.positive is said[one.article.id] for one in labels if one.article.id in said)
    assert all(not explicit(one) for one in labels if one.article.id not in said)


@pytest.mark.parametrize("days", [1, 60])
@pytest.mark.parametrize("kind", ["like", "dislike", "star", "finished", "skipped"])
@pytest.mark.parametrize("base", [40, 200, 1_000])
def test_a_flood_weighs_little_whatever_its_length(base, kind, days):
    honest = spread(base)
    weights = []
    for count in (200, 1_000, 5_000):
        labels = weighted([*honest, *flood(count, kind, days=days)], NOW, 0)
        ours = [one for one in labels if one.article.feed_id == 99]
        weights.append(weight(ours))
        assert weight(ours) <= max(5.0, 0.025 * base) + 1e-9
        assert len(ours) <= 700
    assert weights[2] <= weights[1] * 1.05


def test_a_flood_leaves_what_others_weigh():
    honest = spread(200)
    alone = {one.article.id: one.weight for one in weighted(honest, NOW, 0)}
    with_it = {one.article.id: one.weight for one in weighted([*honest, *flood(1_000)], NOW, 0)}
    assert {article: with_it.get(article) for article in alone} == alone


def test_a_feed_judged_both_ways_is_no_flood():
    mixed = [
        event(number, ("like", "dislike")[number % 2], at=NOW - number // 8 * DAY)
        for number in range(400)
    ]
    others = spread(40, first=10_000)
    labels = weighted([*mixed, *others], NOW, 0)
    assert weight(labels) == 440


def test_what_was_left_out_stays_out_when_the_flood_goes_on():
    honest = spread(200)
    kept = [
        {one.article.id for one in weighted([*honest, *flood(count)], NOW, 0)}
        for count in (1_000, 1_001)
    ]
    assert len(kept[0] ^ kept[1]) <= 2


def test_all_that_was_noticed_weighs_a_share_of_what_was_said():
    noticed = spread(5_000, kind="finished", feeds=500, first=10_000)
    labels = weighted([*spread(100), *noticed], NOW, 0)
    quiet = [one for one in labels if not explicit(one)]
    said = weight(one for one in labels if explicit(one))
    assert 0.9 * NOTICED_SHARE * said <= weight(quiet) <= NOTICED_SHARE * said + 1e-9


def test_floods_of_one_publisher_in_many_feeds_are_one():
    honest = spread(200)
    many = [
        event(100_000 + number, feed=1_000 + number, source="loud.test") for number in range(1_000)
    ]
    ours = [one for one in weighted([*honest, *many], NOW, 0) if one.article.source == "loud.test"]
    assert weight(ours) <= 2.0 + 1e-9


@given(st.permutations(range(60)))
def test_the_order_of_articles_changes_nothing(order):
    told = [*spread(40), *flood(20)]
    labels = weighted([told[place] for place in order], NOW, 0)
    assert labels == weighted(told, NOW, 0)


def test_caps_go_from_narrow_to_wide():
    groups = defaultdict(set)
    for one in spread(500):
        for number, cap in enumerate(CAPS):
            groups[number].add(cap.group(one))
    assert len(groups[0]) == len(groups[1]) > len(groups[2]) == len(groups[3])


# --- M10: feeds that were not touched keep their scores ---

DIMENSIONS = 24


def made_up(seed=3):
    """Feeds with a direction each; a reader who likes half of them; a feed of no direction."""
    draw = np.random.default_rng(seed)
    feeds = draw.normal(size=(12, DIMENSIONS))

    def near(feed):
        rows = (feeds[feed] if feed < len(feeds) else 0) + draw.normal(size=DIMENSIONS)
        return rows / np.linalg.norm(rows)

    return near


def scores(labels, vectors, asked):
    rows = np.array([vectors[one.article.id] for one in labels], np.float32)
    model = head.train(labels, rows, now=NOW)
    texts = [event(0, feed=feed).article for feed, _row in asked]
    return model.score(
        texts, np.array([row for _feed, row in asked], np.float32), [""] * len(asked)
    )


@pytest.mark.parametrize("kind", ["like", "dislike", "finished", "skipped", "read", "bulk read"])
def test_m10_a_thousand_marks_of_one_feed_leave_the_others(kind):
    near = made_up()
    honest = [
        event(
            number,
            "like" if number % 10 < 5 else "dislike",
            feed=number % 10,
            at=NOW - number % 60 * DAY,
        )
        for number in range(300)
    ]
    bot = flood(1_000, kind, feed=11)
    vectors = {one.article.id: near(one.article.feed_id) for one in [*honest, *bot]}
    asked = [(feed, near(feed)) for feed in range(10) for _ in range(40)]
    before = scores(weighted(honest, NOW, 0), vectors, asked)
    after = scores(weighted([*honest, *bot], NOW, 0), vectors, asked)
    assert np.abs(after - before).mean() <= 2.0
    if kind in {"read", "bulk read"}:
        assert (after == before).all()


def test_m10_would_not_hold_without_caps():
    near = made_up()
    honest = [
        event(number, "like" if number % 10 < 5 else "dislike", feed=number % 10)
        for number in range(300)
    ]
    bot = flood(1_000, "dislike", feed=11)
    vectors = {one.article.id: near(one.article.feed_id) for one in [*honest, *bot]}
    asked = [(feed, near(feed)) for feed in range(10) for _ in range(40)]
    plain = [replace(one, positive=one.kind is EventKind.LIKE) for one in [*honest, *bot]]
    moved = np.abs(scores(plain, vectors, asked) - scores(plain[:300], vectors, asked)).mean()
    assert moved > 2.0
