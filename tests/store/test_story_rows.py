"""Rows that stand for stories: who leads, what stands behind, what reading one does to the others.

That pages of them are the whole list, in any order and behind any filter, is in test_clusters.py
and test_streams.py.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import event

from newsloom.duplicates.values import Relation
from newsloom.ranking.values.models import PlainText, Score
from newsloom.reading.values.reading import EventKind, ListQuery, Order, Rows
from newsloom.stories.values.pages import StoryId

from .builders import (
    HALF_LIVES,
    HOUR,
    NOW,
    TEXT,
    add,
    article,
    ids_of,
    new,
    publish,
    read_texts,
    relate,
)
from .searching import BEST, ids, search
from .test_clusters import tell

DAY = 24 * HOUR
ONE, OTHER, ALONE = 7, 8, 9
BODY = "<p>Content of some length.</p>"


@pytest.fixture
def told(store, reader, subscribe):
    """Of the first story three, the best of them last; a story of another's; one alone; one of no
    story, with its copy."""
    wire, courier = subscribe("wire"), subscribe("courier")
    first = add(store, wire, "early", "middle", content=BODY, dated=NOW - 2 * DAY)
    (best,) = add(store, courier, "best", content=BODY, dated=NOW - DAY)
    alone, unjudged = add(store, courier, "alone", "unjudged", content=BODY, dated=NOW - 3 * DAY)
    (copy,) = add(store, wire, "copy", content=f"{BODY} And more.", dated=NOW - 3 * DAY)
    relate(store, Relation.SAME_TEXT, (copy, unjudged))
    relate(store, Relation.SAME_EVENT, (first[1], first[0]))
    made = (*first, best, alone, unjudged, copy)
    scores = (40.0, 30.0, 90.0, 60.0, 50.0, 20.0)
    store.articles.put_scores(
        reader, "made", [Score(*one, 3) for one in zip(made, scores, strict=True)], HALF_LIVES
    )
    tell(store, {first[0]: ONE, first[1]: ONE, best: ONE, alone: ALONE})
    return made


EARLY, MIDDLE, TOP, SINGLE, UNJUDGED, COPY = range(6)


def page(store, reader, **query):
    list_query = ListQuery(**{"limit": 10, "rows": Rows.STORY, **query})
    return store.lists.page(reader, list_query, NOW, HALF_LIVES)


def shown(store, reader, **query):
    return [one.id for one in page(store, reader, **query)]


def test_the_best_of_a_story_leads_and_others_have_rows_as_by_cluster(store, reader, told):
    assert shown(store, reader) == [told[one] for one in (TOP, SINGLE, COPY)]
    first, single, copied = page(store, reader)
    assert (first.story.id, first.story.articles, first.story.unread) == (ONE, 3, 3)
    assert (first.story.sources, first.story.latest) == (2, NOW - DAY)
    assert [one.id for one in first.story.others] == [told[MIDDLE], told[EARLY]]
    assert first.stands_by is None
    assert single.story is None, "a story of one article is none"
    assert (copied.story, copied.cluster.articles) == (None, 2)
    assert copied.stands_by == told[UNJUDGED]


@pytest.mark.parametrize(
    ("query", "led"),
    [
        ({"order": Order.NEWEST}, TOP),
        ({"order": Order.IMPORTANT}, TOP),
        ({"feed": 1}, EARLY),
        ({"starred_only": True, "unread_only": False}, MIDDLE),
        ({"sensitivity": 3, "since": NOW - 30 * HOUR}, TOP),
    ],
)
def test_a_filter_leaves_the_best_that_it_lets_through(store, reader, told, query, led):
    store.reading.mark(reader, [told[MIDDLE]], EventKind.STAR, NOW, "test")
    if "feed_id" in query:
        query = {"feed": page(store, reader, rows=Rows.ARTICLE, order=Order.NEWEST)[1].feed_id}
    rows = page(store, reader, **query)
    (row,) = [one for one in rows if one.id in told[:3]]
    assert (row.id, row.story.articles) == (told[led], 3)


def test_reading_one_of_a_story_reads_its_copies_and_no_more(store, reader, told):
    reads = {"rows": Rows.STORY, "read_together": True}
    store.reading.mark(reader, [told[TOP]], EventKind.READ, NOW, "test", **reads)
    first = page(store, reader)[-1]
    assert (first.id, first.story.articles, first.story.unread) == (told[EARLY], 3, 2)
    store.reading.mark(reader, [told[EARLY]], EventKind.READ, NOW, "test", **reads)
    assert shown(store, reader)[-1] == told[MIDDLE], "though it reports the same event"
    relate(store, Relation.SAME_TEXT, (told[TOP], told[MIDDLE]))
    store.reading.undo(reader, NOW, "test")
    store.reading.mark(reader, [told[TOP]], EventKind.READ, NOW, "test", **reads)
    assert shown(store, reader)[-1] == told[EARLY], "but a copy is read with it"
    assert told[MIDDLE] not in shown(store, reader, rows=Rows.ARTICLE)
    store.reading.mark(reader, [told[COPY]], EventKind.READ, NOW, "test", **reads)
    assert shown(store, reader) == [told[SINGLE], told[EARLY]], "what is in no story as by cluster"


def test_a_list_as_of_a_moment_keeps_what_led(store, reader, told):
    before = store.lists.as_of(reader)
    store.reading.mark(reader, [told[TOP]], EventKind.READ, NOW, "test", rows=Rows.STORY)
    assert shown(store, reader, as_of=before)[0] == told[TOP]
    assert shown(store, reader) == [told[SINGLE], told[COPY], told[EARLY]]


def test_marks_of_one_article_of_a_story_are_not_shown_on_another(store, reader, told):
    store.reading.mark(reader, [told[MIDDLE]], EventKind.LIKE, NOW, "test", rows=Rows.STORY)
    first = page(store, reader, unread_only=False)[0]
    assert (first.id, first.state.rating) == (told[TOP], 0)


def test_a_row_made_anew_is_the_row_of_the_list(store, reader, told):
    query = ListQuery(rows=Rows.STORY)
    rows = store.lists.page(reader, query, NOW, HALF_LIVES)
    again = store.lists.listed(reader, [one.id for one in rows], NOW, HALF_LIVES, query)
    assert again == rows
    (other,) = store.lists.listed(reader, [told[EARLY]], NOW, HALF_LIVES, query)
    assert (other.stands_by, other.relevance) == (None, 40.0), "by its own score"


def test_whoever_has_one_article_of_a_story_sees_an_article(store, told):
    other = store.users.user("other", NOW)
    store.reading.subscribe(other, "https://courier.test/feed", NOW)
    rows = page(store, other)
    assert all(one.story is None for one in rows)
    assert store.lists.unread(other, Rows.STORY) == len(rows)


def test_clearing_a_list_reads_all_of_its_stories(store, reader, told):
    query = ListQuery(rows=Rows.STORY)
    done = store.reading.clear(reader, query, NOW, "test", HALF_LIVES, read_together=True)
    assert done == 4, "of six articles two are copies or tell the same"
    assert store.lists.unread(reader, Rows.STORY) == 0


def test_what_is_looked_for_comes_once_for_each_story(store, reader, told):
    words = ("sea", "sea sea", "sea wall", "sea", "sea", "sea")
    store.articles.put_texts(
        TEXT, [PlainText(one, said, "text") for one, said in zip(told, words, strict=True)]
    )
    found = search(store, reader, "sea wall OR sea", BEST, rows=Rows.STORY)
    assert found.count == len(found.rows) == 3
    assert ids(found)[0] == told[TOP], "the best match leads, not the newest"
    only = search(store, reader, "sea -wall", rows=Rows.STORY)
    assert {told[EARLY], told[MIDDLE]} & {*ids(only)}
    assert told[TOP] not in ids(only)


@pytest.mark.parametrize(
    ("typed", "there"),
    [
        (f"story:{ONE}", {EARLY, MIDDLE, TOP}),
        (f"story:{ONE} score:>50", {TOP}),
        (f"-story:{ONE}", {SINGLE, UNJUDGED, COPY}),
        (f"story:{ALONE} OR score:>80", {TOP, SINGLE}),
        (f"story:{OTHER}", set()),
        ("story:0", set()),
    ],
)
def test_a_search_in_a_story(store, reader, told, typed, there):
    found = search(store, reader, typed, rows=Rows.ARTICLE)
    assert {*ids(found)} == {told[one] for one in there}
    said = "You have no story"
    unknown = typed in {f"story:{OTHER}", "story:0"}
    assert [said in one for one in found.notes] == [True] * unknown


def test_a_story_that_went_into_another_is_found_there(store, reader, told):
    tell(store, {told[EARLY]: ONE, told[TOP]: ONE, told[SINGLE]: ALONE})
    assert store.stories.merge_stories(reader, StoryId(ALONE), StoryId(ONE), NOW)
    found = search(store, reader, f"story:{ALONE}", rows=Rows.ARTICLE)
    assert {*ids(found)} == {told[EARLY], told[TOP], told[SINGLE]}


def test_the_story_of_a_stranger_is_as_one_that_is_not_there(store, told):
    other = store.users.user("other", NOW)
    assert "You have no story" in search(store, other, f"story:{ONE}").notes[0]


# --- how it is found ---


@pytest.mark.parametrize("query", [ListQuery(), ListQuery(order=Order.NEWEST)])
def test_no_list_goes_through_the_stories(sqlite, store, reader, told, query):
    asked = []

    def remember(_connection, _cursor, statement, values, *_more):
        asked.append((statement, values))

    engine = store.database._engine
    event.listen(engine, "before_cursor_execute", remember)
    first = store.lists.listing(reader, replace(query, rows=Rows.STORY, limit=1), NOW, HALF_LIVES)
    further = replace(query, rows=Rows.STORY, limit=1, after=first.after)
    store.lists.listing(reader, further, NOW, HALF_LIVES)
    event.remove(engine, "before_cursor_execute", remember)
    with store.database.read() as connection:
        raw = connection.connection.driver_connection
        steps = [
            step[3]
            for statement, values in asked
            if statement.lstrip().startswith("SELECT")
            for step in raw.execute(f"EXPLAIN QUERY PLAN {statement}", values)
        ]
    held = ("stories", "story_members", "states", "articles", " z", " y", " c", " g", " s", " o")
    assert [step for step in steps if "story_members_story_id" in step]
    assert not [step for step in steps if step.startswith("SCAN") and step.endswith(held)], steps


def test_an_article_without_a_title_shows_its_first_words(store, reader, subscribe):
    """Wherever it stands behind another one, in rows, on its page and on that of its story."""
    wire, post = subscribe("wire"), subscribe("post")
    (lead,) = add(store, wire, "lead", content=f"<p>{'All of it. ' * 40}</p>")
    words = "The harbour is closed until Friday " * 6
    made = article(post, "untitled", content=words)
    bare = replace(made.copy, title="")
    publish(store, post, new(replace(made, parsed=made.parsed._replace(title=""), copy=bare)))
    (untitled,) = ids_of(store, post, "untitled")
    relate(store, Relation.SAME_EVENT, (untitled, lead))
    read_texts(store)
    scores = [Score(lead, 80.0, 3), Score(untitled, 20.0, 3)]
    store.articles.put_scores(reader, "made", scores, HALF_LIVES)
    tell(store, {lead: ONE, untitled: ONE})
    shown = f"{words[:70]}The…"
    (row,) = page(store, reader)
    assert [one.title for one in row.story.others] == [shown]
    (row,) = page(store, reader, rows=Rows.CLUSTER)
    assert [one.title for one in row.cluster.others] == [shown]
    (related,) = store.reading.article(reader, lead, NOW, HALF_LIVES).related
    assert related.title == shown
    members = store.stories.visible_members(reader, [ONE])[ONE]
    assert {one.article: one.title for one in members}[untitled] == shown
