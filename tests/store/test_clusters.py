"""Lists of clusters: one row each, whatever is asked for; and what the reader does to one."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import replace
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, insert

from newsloom.duplicates.store.tables import clusters as clusters_table
from newsloom.duplicates.union_find import Member, fullest
from newsloom.duplicates.values import Relation
from newsloom.kernel.ids import ArticleId
from newsloom.ranking.values.models import Score
from newsloom.reading.values.reading import Elsewhere, EventKind, ListQuery, Order, Rows
from newsloom.stories.store.tables import stories as stories_table
from newsloom.stories.store.tables import story_members
from quick import quick_folder

from .builders import HALF_LIVES, HOUR, NOW, add, article, duplicate, new, publish, relate
from .library import moments, queries, states, stocked


@pytest.fixture(scope="module")
def library(backend):
    with quick_folder() as folder, closing(backend.open(folder / "clusters.db")) as store:
        yield stocked(store)


class Grouping(NamedTuple):
    """Where each article stands: (cluster, text), each named by its least id, and its story."""

    clusters: dict  # singles are absent
    stories: dict  # an article that was not judged is absent


@st.composite
def groupings(draw, known):
    """Few clusters and stories, so that they are large; some stories have one article alone."""
    drawn = {one: draw(st.integers(0, 9)) for one in known}
    said = {one: draw(st.integers(0, 1)) for one in known}
    told = {one: draw(st.integers(-3, 5)) for one in known}
    places = {}
    for one in known:
        cluster = [other for other in known if drawn[other] == drawn[one]]
        text = [other for other in cluster if said[other] == said[one]]
        if drawn[one] and len(cluster) > 1:
            places[one] = min(cluster), min(text)
    stories = {one: told[one] or 1000 + one for one in known if told[one] >= 0}
    return Grouping(places, stories)


def group_them(store, grouping):
    rows = [
        {"article_id": one, "cluster_id": cluster, "text_id": text}
        for one, (cluster, text) in grouping.clusters.items()
    ]
    with store.database.write() as connection:
        connection.execute(delete(clusters_table))
        if rows:
            connection.execute(insert(clusters_table), rows)
    tell(store, grouping.stories)


def tell(store, stories):
    """Make these the stories that there are: of each article its number."""
    members = [
        {
            "article_id": one,
            "maker_id": 0,
            "story_id": story,
            "dated_at": NOW,
            "since": NOW,
            "probability": 1.0,
            "decided_by": "test",
            "relation": "",
        }
        for one, story in stories.items()
    ]
    made = [
        {"id": story, "state": "active", "began": NOW, "latest": NOW, "size": size}
        for story, size in Counter(stories.values()).items()
    ]
    with store.database.write() as connection:
        connection.execute(delete(story_members))
        connection.execute(delete(stories_table))
        if made:
            connection.execute(insert(stories_table), made)
            connection.execute(insert(story_members), members)


def name(grouping, one, rows):
    """What an article's row is called."""
    story = grouping.stories.get(one)
    if rows is Rows.STORY and list(grouping.stories.values()).count(story) > 1:
        return "story", story
    if rows is Rows.ARTICLE or one not in grouping.clusters:
        return one
    return grouping.clusters[one][rows is Rows.TEXT]


def expected(articles, grouping, rows, made, library):
    """The rows of a list out of the articles it is made of, in order: the shown of each."""
    by_row = {}
    for one in articles:
        by_row.setdefault(name(grouping, one, rows), []).append(one)
    return [
        members[0]
        if isinstance(called, tuple)
        else fullest(Member(one, library.length[one], NOW - made[one].age) for one in members).id
        for called, members in by_row.items()
    ]


@settings(max_examples=30)
@given(
    data=st.data(),
    query=queries,
    now=moments,
    rows=st.sampled_from(Rows),
    size=st.integers(3, 11),
)
def test_pages_put_together_are_the_whole_list_and_each_row_stands_once(
    library, data, query, now, rows, size
):
    store, known = library.store, sorted(library.carried)
    places = data.draw(groupings(known))
    group_them(store, places)
    made = {one: data.draw(states) for one in data.draw(st.lists(st.sampled_from(known)))}
    user = library.reader(made)
    query = replace(query, limit=1000, offset=0)
    plain = replace(query, rows=Rows.ARTICLE)
    articles = store.lists.page_ids(user, plain, now, HALF_LIVES)
    if query.cluster is not None:
        rows = Rows.ARTICLE  # each of what it holds has a row

    whole = store.lists.page_ids(user, replace(query, rows=rows), now, HALF_LIVES)
    assert list(whole) == expected(articles, places, rows, made, library)
    parts = [
        one
        for start in range(0, len(whole) + size, size)
        for one in store.lists.page_ids(
            user, replace(query, rows=rows, limit=size, offset=start), now, HALF_LIVES
        )
    ]
    assert parts == list(whole)
    shown = store.lists.page(user, replace(query, rows=rows), now, HALF_LIVES)
    assert [one.id for one in shown] == list(whole)
    if query == ListQuery(limit=1000):
        assert store.lists.unread(user, rows) == len(whole)


@settings(max_examples=15)
@given(data=st.data(), rows=st.sampled_from(Rows), sharing=st.booleans())
def test_unread_counts_the_rows_of_the_unread_list(library, data, rows, sharing):
    store, known = library.store, sorted(library.carried)
    group_them(store, data.draw(groupings(known if sharing else known[:4])))
    made = {one: data.draw(states) for one in data.draw(st.lists(st.sampled_from(known)))}
    user = library.reader(made)
    page = store.lists.page_ids(user, ListQuery(limit=1000, rows=rows), NOW, HALF_LIVES)
    count = store.lists.unread(user, rows)
    assert (count, type(count)) == (len(page), int)


# --- one cluster, by hand ---


@pytest.fixture
def feeds(store, reader, subscribe):
    wire, courier, ledger = subscribe("wire"), subscribe("courier"), subscribe("ledger")
    store.reading.edit_subscription(reader, ledger, category="News")
    return wire, courier, ledger


@pytest.fixture
def three(store, feeds):
    """A short one of the wire, its copy, and a longer report of the event."""
    short, long = "<p>Short.</p>", f"<p>{'Long and full. ' * 20}</p>"
    (one,) = add(store, feeds[0], "one", content=short, dated=NOW - 3 * HOUR)
    (copy,) = add(store, feeds[1], "copy", content=short, dated=NOW - 2 * HOUR)
    (report,) = add(store, feeds[2], "report", content=long, dated=NOW - HOUR, language="en")
    relate(store, Relation.SAME_TEXT, (copy, one))
    relate(store, Relation.SAME_EVENT, (report, one))
    return one, copy, report


def page(store, reader, **query):
    return store.lists.page(reader, ListQuery(**{"limit": 10, **query}), NOW, HALF_LIVES)


def shown(store, reader, **query):
    return [one.id for one in page(store, reader, **query)]


ONE, COPY, REPORT = range(3)


@pytest.mark.parametrize(
    ("query", "read", "there"),
    [
        ({}, [], [REPORT]),
        ({"rows": Rows.TEXT}, [], [REPORT, ONE]),
        ({"rows": Rows.ARTICLE}, [], [REPORT, COPY, ONE]),
        ({}, [REPORT], [ONE]),
        ({}, [REPORT, ONE], [COPY]),
        ({}, [ONE, COPY, REPORT], []),
        ({"unread_only": False}, [REPORT], [REPORT]),
        ({"feed": 1}, [], [ONE]),
        ({"feed": 3}, [], [REPORT]),
        ({"category": "News"}, [], [REPORT]),
        ({"category": "News"}, [REPORT], []),
        ({"language": "en"}, [], [REPORT]),
        ({"language": ""}, [], [ONE]),
        ({"starred_only": True, "unread_only": False}, [], [COPY]),
        ({"since": NOW - 2 * HOUR}, [REPORT], [COPY]),
        ({"cluster": 0}, [], [REPORT, COPY, ONE]),
    ],
    ids=[
        "the fullest is shown",
        "a row for each text",
        "a row for each article",
        "the fullest is read: the next stands for it",
        "all but the copy are read",
        "all are read",
        "all, read or not",
        "in the feed of the first",
        "in the feed of the fullest",
        "in its category",
        "in its category, where it is read",
        "in its language",
        "of no language",
        "only the copy is starred",
        "only since",
        "the articles of one cluster",
    ],
)
def test_a_row_shows_the_fullest_of_those_that_pass(
    store, reader, feeds, three, query, read, there
):
    if query.get("starred_only"):
        store.reading.mark(reader, [three[COPY]], EventKind.STAR, NOW, "test")
    if "feed_id" in query:
        query = {"feed": feeds[query["feed"] - 1]}
    if "cluster" in query:
        query = {"cluster": three[COPY]}
    store.reading.mark(reader, [three[one] for one in read], EventKind.READ, NOW, "test")
    order = {"order": Order.NEWEST, **query}
    assert shown(store, reader, **order) == [three[one] for one in there]


def test_a_row_counts_the_sources_that_speak_and_not_those_linked_to(store, reader, subscribe):
    evil, small = subscribe("evil"), subscribe("small")
    made = [
        add(store, evil, name, url=f"https://{name}/flood", content=f"<p>{name} says so.</p>")[0]
        for name in ("bbc.co.uk", "nytimes.com", "reuters.com")
    ]
    relate(store, Relation.SAME_EVENT, (made[1], made[0]), (made[2], made[0]))
    (row,) = page(store, reader)
    assert row.cluster.sources == 1
    told = add(store, small, "told", content="<p>It did flood here.</p>")
    relate(store, Relation.SAME_EVENT, (*told, made[0]))
    (row,) = page(store, reader)
    assert row.cluster.sources == 2


def test_one_row_says_what_stands_behind_it(store, reader, three):
    (row,) = page(store, reader)
    cluster = row.cluster
    assert (cluster.articles, cluster.texts, cluster.sources, cluster.feeds) == (3, 2, 3, 1)
    assert [(one.id, one.same_text) for one in cluster.others] == [
        (three[ONE], False),
        (three[COPY], False),
    ]
    (row,) = page(store, reader, feed=row.feed_id - 2)
    assert (row.id, row.cluster.feeds) == (three[ONE], 2)
    assert [one.same_text for one in row.cluster.others] == [False, True]
    assert page(store, reader, rows=Rows.ARTICLE)[0].cluster is None


def test_a_row_stands_by_the_best_of_those_that_pass(store, reader, feeds, three):
    scores = [
        Score(one, relevance, 3) for one, relevance in zip(three, (90.0, 40.0, 10.0), strict=True)
    ]
    store.articles.put_scores(reader, "made", scores, HALF_LIVES)
    (other,) = add(store, feeds[0], "other")
    store.articles.put_scores(reader, "made", [Score(other, 50.0, 3)], HALF_LIVES)
    first, second = page(store, reader)
    assert (first.id, first.stands_by, first.relevance) == (three[REPORT], three[ONE], 90.0)
    assert (second.id, second.stands_by, second.relevance) == (other, None, 50.0)
    store.reading.mark(reader, [three[ONE]], EventKind.READ, NOW, "test")
    first, second = page(store, reader)
    assert (first.id, second.id) == (other, three[REPORT])
    assert (second.stands_by, second.relevance) == (three[COPY], 40.0)
    (again,) = store.lists.listed(reader, [three[REPORT]], NOW, HALF_LIVES, ListQuery())
    assert again.stands_by == three[ONE]
    (alone,) = store.lists.listed(reader, [three[REPORT]], NOW, HALF_LIVES)
    assert (alone.stands_by, alone.relevance) == (None, 10.0)


def test_whoever_left_a_feed_sees_the_copies_that_are_theirs(store, reader, feeds, three):
    store.reading.unsubscribe(reader, feeds[2])
    (row,) = page(store, reader)
    assert (row.id, row.cluster.articles) == (three[ONE], 2)
    another = store.users.user("another", NOW)
    store.reading.subscribe(another, "https://courier.test/feed.xml", NOW)
    assert page(store, another) == () or page(store, another)[0].cluster is None


# --- marks ---

READ, BULK = EventKind.READ, EventKind.BULK_READ


def state(store, reader):
    rows = page(store, reader, unread_only=False, rows=Rows.ARTICLE)
    return {row.id: row.state for row in rows}


def marked(store, reader, ids, kind, **options):
    options = {"rows": Rows.CLUSTER, "read_together": True, **options}
    step = store.reading.mark(reader, ids, kind, NOW, "test", **options)
    return store.reading.events(step)


@pytest.mark.parametrize(
    ("kind", "options", "read"),
    [
        (EventKind.READ, {}, {ONE, COPY, REPORT}),
        (EventKind.BULK_READ, {}, {ONE, COPY, REPORT}),
        (EventKind.FINISHED, {}, {ONE, COPY, REPORT}),
        (EventKind.SKIPPED, {}, {ONE, COPY, REPORT}),
        (EventKind.READ, {"rows": Rows.TEXT}, {ONE, COPY}),
        (EventKind.READ, {"rows": Rows.ARTICLE}, {ONE}),
        (EventKind.READ, {"read_together": False}, {ONE}),
        (EventKind.OPENED, {}, set()),
        (EventKind.STAR, {}, set()),
        (EventKind.LIKE, {}, {ONE, COPY, REPORT}),
        (EventKind.DISLIKE, {"read_together": False}, {ONE}),
    ],
)
def test_reading_one_reads_its_row(store, reader, three, kind, options, read):
    events = marked(store, reader, [three[ONE]], kind, **options)
    assert {one for one, state in state(store, reader).items() if state.read} == {
        three[one] for one in read
    }
    assert [event.kind for event in events[1:]] == [BULK] * max(len(read) - 1, 0)
    assert not [label for label in store.models.labels(reader) if label.article.id != three[ONE]]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ([(ONE, EventKind.STAR)], (REPORT, EventKind.UNSTAR)),
        ([(COPY, EventKind.LIKE)], (REPORT, EventKind.UNRATE)),
        ([(COPY, EventKind.LIKE)], (REPORT, EventKind.DISLIKE)),
        ([(ONE, EventKind.STAR)], (REPORT, EventKind.LIKE)),
        ([(ONE, EventKind.STAR), (COPY, EventKind.LIKE)], (REPORT, EventKind.UNREAD)),
        ([(ONE, EventKind.READ)], (REPORT, EventKind.UNREAD)),
    ],
)
def test_a_step_on_a_row_is_taken_back_whole(store, reader, three, first, then):
    for number, kind in first:
        marked(store, reader, [three[number]], kind)
    before = state(store, reader)
    marked(store, reader, [three[then[0]]], then[1])
    assert state(store, reader) != before
    store.reading.undo(reader, NOW, "test")
    assert state(store, reader) == before


def test_a_row_shows_the_star_and_the_like_of_whichever_has_them(store, reader, three):
    marked(store, reader, [three[ONE]], EventKind.STAR)
    marked(store, reader, [three[COPY]], EventKind.LIKE)
    (row,) = page(store, reader, unread_only=False)
    assert (row.id, row.state.starred, row.state.rating) == (three[REPORT], True, 1)
    marked(store, reader, [row.id], EventKind.UNSTAR)
    marked(store, reader, [row.id], EventKind.DISLIKE)
    (row,) = page(store, reader, unread_only=False)
    assert (row.state.starred, row.state.rating) == (False, -1)
    assert state(store, reader)[three[COPY]].rating == 0


def test_a_better_copy_that_comes_late_is_shown_with_what_the_reader_said(store, reader, feeds):
    (early,) = add(store, feeds[0], "early", content="<p>Short.</p>")
    store.reading.mark(reader, [early], EventKind.STAR, NOW, "test")
    (late,) = add(store, feeds[1], "late", content=f"<p>{'Fuller. ' * 30}</p>")
    relate(store, Relation.SAME_TEXT, (late, early))
    (row,) = page(store, reader)
    assert (row.id, row.state.starred) == (late, True)
    assert shown(store, reader, starred_only=True, unread_only=False) == [early]


def test_unread_brings_back_the_one_that_is_shown(store, reader, three):
    marked(store, reader, [three[REPORT]], READ)
    assert page(store, reader) == ()
    marked(store, reader, [three[REPORT]], EventKind.UNREAD)
    assert shown(store, reader) == [three[REPORT]]
    assert state(store, reader)[three[ONE]].read


def test_undo_stops_at_no_finish_that_changed_nothing(store, reader, three):
    marked(store, reader, [three[ONE]], READ, read_together=False)
    marked(store, reader, [three[ONE]], EventKind.FINISHED)
    assert not state(store, reader)[three[COPY]].read
    (event,) = store.reading.undo(reader, NOW, "test")
    assert (event.kind, event.article_id) == (READ, three[ONE])


# --- taking apart ---


def test_a_reader_takes_an_article_out_and_puts_it_back(store, reader, three):
    assert store.duplicates.separate(reader, three[REPORT], NOW) == 2
    assert store.duplicates.cluster(three[REPORT]) == (three[REPORT],)
    assert store.duplicates.cluster(three[ONE]) == (three[ONE], three[COPY])
    assert len(page(store, reader)) == 2
    relate(store, Relation.NEAR_DUPLICATE, (three[REPORT], three[COPY]))
    assert store.duplicates.cluster(three[REPORT]) == (three[REPORT],), (
        "no evidence joins them again"
    )
    assert store.duplicates.rejoin(store.users.user("another", NOW), three[REPORT]) == 0
    assert store.duplicates.rejoin(reader, three[REPORT]) == 2
    assert store.duplicates.cluster(three[REPORT]) == tuple(sorted(three))
    assert store.duplicates.rejoin(reader, three[REPORT]) == 0
    assert store.duplicates.separate(reader, ArticleId(999), NOW) == 0


def test_an_article_tells_what_it_is_related_to_and_why(store, reader, feeds, three):
    (earlier,) = add(store, feeds[2], "earlier", dated=NOW - 9 * HOUR)
    relate(store, Relation.REVISION, (earlier, three[REPORT]))
    whole = store.reading.article(reader, three[REPORT], NOW, HALF_LIVES)
    told = [(one.id, one.relation, one.through, one.in_cluster) for one in whole.related]
    assert told == [
        (three[COPY], Relation.SAME_TEXT, three[ONE], True),
        (three[ONE], Relation.SAME_EVENT, None, True),
        (earlier, Relation.REVISION, None, False),
    ]
    assert whole.related[1].evidence[0].detail == "the same text"
    store.duplicates.separate(reader, three[REPORT], NOW)
    parted = store.reading.article(reader, three[REPORT], NOW, HALF_LIVES).related
    assert {one.id for one in parted if one.parted_at == NOW} == {three[ONE], three[COPY]}
    assert store.duplicates.links([three[REPORT]])[0].article == three[REPORT]


def test_how_much_of_a_feed_stands_elsewhere(store, reader, feeds, three):
    publish(store, feeds[0], new(article(feeds[0], "alone")))
    publish(store, feeds[0], duplicate(article(feeds[0], "again"), three[REPORT]))
    found = store.lists.elsewhere(reader)
    assert found[feeds[0]] == Elsewhere(same_text=2, shared=2)
    assert found[feeds[2]] == Elsewhere(same_text=1, shared=1)
    other = store.users.user("other", NOW)
    store.reading.subscribe(other, "https://first.test/", NOW)
    assert store.lists.elsewhere(other).keys() <= {feeds[0]}, "only what they have themselves"
