"""The decision about incoming articles: a table, the laws, and whole documents."""

from __future__ import annotations

import itertools
from collections import defaultdict
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.duplicates import judge, judge_document, prepare
from newsloom.duplicates.arrival import keys
from newsloom.duplicates.union_find import group
from newsloom.duplicates.values import Action, Copy, IncomingArticle, Judgement, Link, Relation
from newsloom.feeds.values.published import ParsedArticle, ParsedFeed
from newsloom.kernel.ids import ArticleId, FeedId

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
SAME_TEXT, NEAR_DUPLICATE = Relation.SAME_TEXT, Relation.NEAR_DUPLICATE
NEW, UNCHANGED, REVISED, DUPLICATE = Action.NEW, Action.UNCHANGED, Action.REVISED, Action.DUPLICATE


def copy(number=None, feed=1, guid="g", url="https://e.com/1/a", title="A title", text="t", **more):
    """A copy; with a number, stored under it and its own original unless said otherwise."""
    stored = {} if number is None else {"id": ArticleId(number), "original": ArticleId(number)}
    values = stored | {"length": 1_000, "dated": NOON} | more
    return Copy(FeedId(feed), guid, url, url, title, content_hash=f"{title} {text}", **values)


def incoming(one: Copy) -> IncomingArticle:
    return IncomingArticle(ParsedArticle(guid=one.guid, title=one.title), one, keys(one))


def candidates(*stored: Copy) -> dict[tuple[str, str], list[Copy]]:
    found = defaultdict(list)
    for one in stored:
        for key in keys(one):
            found[key].append(one)
    return dict(found)


def judged(one: Copy, *stored: Copy) -> Judgement:
    return judge(incoming(one), candidates(*stored))


def outcome(one: Copy, *stored: Copy) -> tuple[Action, int | None, Relation | None]:
    judgement = judged(one, *stored)
    return judgement.action, judgement.target, judgement.relation


OTHER = {"title": "Something else", "text": "other"}
TABLE = {
    "nothing known": (copy(), [], (NEW, None, None)),
    "known": (copy(), [copy(5)], (UNCHANGED, 5, None)),
    "changed": (copy(text="new"), [copy(5)], (REVISED, 5, None)),
    "retitled": (copy(title="Another title"), [copy(5)], (REVISED, 5, None)),
    "changed and moved": (
        copy(text="new", url="https://e.com/1/b"),
        [copy(5)],
        (REVISED, 5, None),
    ),
    "moved only": (copy(url="https://e.com/1/b"), [copy(5)], (UNCHANGED, 5, None)),
    "another feed": (copy(feed=2, guid="h"), [copy(5)], (DUPLICATE, 5, SAME_TEXT)),
    "another feed, same id": (copy(feed=2), [copy(5)], (DUPLICATE, 5, SAME_TEXT)),
    "another feed claims its address": (copy(feed=2, **OTHER), [copy(5)], (NEW, None, None)),
    "another feed, same title": (
        copy(feed=2, text="new"),
        [copy(5)],
        (DUPLICATE, 5, NEAR_DUPLICATE),
    ),
    "another feed of the publisher, other words": (
        copy(feed=2, publisher="e.com", **OTHER),
        [copy(5, publisher="e.com")],
        (DUPLICATE, 5, SAME_TEXT),
    ),
    "another feed of one server, about a page elsewhere": (
        copy(feed=2, publisher="planet.com", **OTHER),
        [copy(5, publisher="planet.com")],
        (NEW, None, None),
    ),
    "the publisher's own page, claimed from elsewhere": (
        copy(feed=2, publisher="m.com", **OTHER),
        [copy(5, publisher="e.com")],
        (NEW, None, None),
    ),
    "of two with one text, the first": (
        copy(feed=3),
        [copy(4), copy(5, feed=2)],
        (DUPLICATE, 4, SAME_TEXT),
    ),
    "another feed, other address": (
        copy(feed=2, url="https://e.com/1/b"),
        [copy(5)],
        (NEW, None, None),
    ),
    "a new id for the same text": (copy(guid="g2"), [copy(5)], (UNCHANGED, 5, None)),
    "a new id for the same title": (copy(guid="g2", text="new"), [copy(5)], (REVISED, 5, None)),
    "a new id on the same page": (copy(guid="g2", **OTHER), [copy(5)], (NEW, None, None)),
    "known here and elsewhere: what is here counts": (
        copy(feed=2, guid="h", text="new"),
        [copy(4), copy(5, feed=2, guid="h")],
        (REVISED, 5, None),
    ),
    "an address that names several articles of a feed": (
        copy(feed=2, guid="h", **OTHER),
        [copy(4, guid="g1", title="One"), copy(5, guid="g2", title="Two")],
        (NEW, None, None),
    ),
    "such an address, and the same title": (
        copy(feed=2, guid="h", title="Two", text="x"),
        [copy(4, guid="g1", title="One"), copy(5, guid="g2", title="Two")],
        (DUPLICATE, 5, NEAR_DUPLICATE),
    ),
    "an address that names another article here": (
        copy(feed=1, guid="g2", **OTHER),
        [copy(4, feed=2, guid="h", title="Third"), copy(5, feed=1, guid="g1")],
        (NEW, None, None),
    ),
    "one id on two links of a feed": (
        copy(guid="g https://e.com/1/b", url="https://e.com/1/b", **OTHER),
        [copy(5, guid="g https://e.com/1/a")],
        (NEW, None, None),
    ),
    "a stored copy without an id is none": (copy(), [copy()], (NEW, None, None)),
    "an id used again after weeks": (
        copy(url="https://e.com/1/b", dated=NOON, **OTHER),
        [copy(5, dated=NOON - timedelta(days=21))],
        (NEW, None, None),
    ),
    "an id used again after weeks, for a title with a common word": (
        copy(url="https://e.com/1/b", title="Rain in the north stops the trains", text="other"),
        [copy(5, title="Parliament votes on the budget", dated=NOON - timedelta(days=21))],
        (NEW, None, None),
    ),
    "an id with a new link and two fifths of its title, after weeks": (
        copy(url="https://e.com/1/b", title="Why the budget passed", text="other"),
        [copy(5, title="Parliament votes on the budget", dated=NOON - timedelta(days=21))],
        (REVISED, 5, None),
    ),
}


@pytest.mark.parametrize(("one", "stored", "expected"), TABLE.values(), ids=TABLE.keys())
def test_table(one, stored, expected):
    assert outcome(one, *stored) == expected


def test_evidence_is_kept():
    assert judged(copy(), copy(5)).evidence.layer == "guid"
    why = judged(copy(feed=2), copy(5)).evidence
    assert (why.layer, why.score) == ("url", 1.0)
    assert why.detail == "same address https://e.com/1/a, same text"
    assert judged(copy()).evidence is None


# --- laws ---

words = st.sampled_from(("x", "y"))
copies = st.builds(
    copy,
    number=st.one_of(st.none(), st.integers(1, 6)),
    feed=st.integers(1, 3),
    guid=st.sampled_from(("", "g", "G", "h")),
    url=st.sampled_from(("", "https://e.com/", "https://e.com/news", "https://e.com/1/a")),
    title=st.sampled_from(("", "?", "One", "one!", "Two")),
    text=words,
    length=st.integers(-1, 3_000),
    dated=st.sampled_from((NOON, NOON - timedelta(days=9), datetime.max.replace(tzinfo=UTC))),
)


shelves = st.lists(copies, max_size=6, unique_by=lambda one: one.id)


@given(copies, shelves)
def test_every_judgement_makes_sense(one, stored):
    judgement = judged(one, *stored)
    by_id = {other.id: other for other in stored if other.id is not None}
    if judgement.action is NEW:
        assert judgement == Judgement(NEW)
        return
    assert judgement.evidence is not None
    assert judgement.target in by_id
    known = by_id[judgement.target]
    same = known.content_hash == one.content_hash
    own = known.feed_id == one.feed_id
    assert own == (judgement.action in {UNCHANGED, REVISED})
    assert own == (judgement.relation is None)
    assert (judgement.action is UNCHANGED) == (own and same)


@given(st.lists(copies, max_size=5), shelves)
def test_no_two_articles_of_a_document_are_one_stored_article(written, stored):
    found = judge_document([incoming(one) for one in written], candidates(*stored))
    assert [one.incoming.copy for one in found] == written
    targets = [
        one.judgement.target for one in found if one.judgement.action in {UNCHANGED, REVISED}
    ]
    assert len(set(targets)) == len(targets)


def test_of_two_that_claim_one_article_the_surer_has_it():
    by_link = copy(guid="g2", url="https://e.com/1/a")
    by_id = copy(guid="g", url="https://e.com/1/b", text="new")
    for document in ((by_link, by_id), (by_id, by_link)):
        found = judge_document([incoming(one) for one in document], candidates(copy(5)))
        actions = {one.incoming.copy.guid: one.judgement.action for one in found}
        assert actions == {"g": REVISED, "g2": NEW}


# --- a store in memory: what a sequence of polls comes to ---


class Shelf:
    def __init__(self):
        self.stored: dict[int, Copy] = {}
        self.links: list[Link] = []
        self.actions: list[Action] = []

    def poll(self, feed, *articles):
        self.add(prepare(ParsedFeed("rss 2.0", articles=articles), FeedId(feed), NOON))
        return self.actions[-len(articles) :]

    def add(self, document):
        for one in judge_document(document, candidates(*self.stored.values())):
            judgement = one.judgement
            self.actions.append(judgement.action)
            if judgement.action is REVISED:
                known = self.stored[judgement.target]
                self.stored[known.id] = replace(
                    one.incoming.copy, id=known.id, original=known.original
                )
            elif judgement.action is not UNCHANGED:
                number = ArticleId(len(self.stored) + 1)
                self.stored[number] = replace(one.incoming.copy, id=number, original=number)
                if judgement.relation is not None:
                    self.links.append(Link(number, judgement.target, judgement.relation, ()))

    def groups(self):
        places = group(self.links)
        found = defaultdict(set)
        for one in self.stored.values():
            position = places.get(one.id)
            found[position.text if position else one.id].add((one.feed_id, one.guid))
        return {frozenset(group) for group in found.values()}


def article(guid, url="", title="", content="<p>Text</p>"):
    return ParsedArticle(guid=guid, url=url, title=title or f"Title {guid}", content=content)


# Each feed names an article by one id, and an address names one article of a feed.
places = st.lists(
    st.tuples(st.integers(1, 4), st.integers(1, 5)), unique=True, min_size=1, max_size=8
)


@given(places, st.data())
def test_the_order_of_arrival_makes_the_same_groups(seen, data):
    def shelf(order):
        made = Shelf()
        for feed, story in order:
            made.poll(
                feed, article(f"{feed}-{story}", f"https://e.com/1/{story}", f"Story {story}")
            )
        return made.groups()

    groups = shelf(seen)
    assert groups == shelf(data.draw(st.permutations(seen)))
    expected = defaultdict(set)
    for feed, story in seen:
        expected[story].add((feed, f"{feed}-{story}"))
    assert groups == {frozenset(group) for group in expected.values()}


def test_a_second_poll_changes_nothing():
    shelf = Shelf()
    document = [
        article("1", "https://e.com/1/a"),
        article("", "https://e.com/1/b", "No id"),
        article("", "", "No id, no link"),
        article("x", "https://e.com/1/c"),
        article("x", "https://e.com/1/d", "Same id, other link"),
        article("5", "https://e.com/show", "Episode 5"),
        article("6", "https://e.com/show", "Episode 6"),
    ]
    assert set(shelf.poll(1, *document)) == {NEW}
    assert set(shelf.poll(1, *document)) == {UNCHANGED}
    assert set(shelf.poll(1, *reversed(document))) == {UNCHANGED}


@pytest.mark.parametrize("kept", list(itertools.combinations(range(4), 2)), ids=str)
def test_what_falls_out_of_a_feed_makes_nothing_new(kept):
    shelf = Shelf()
    document = [
        article("x", "https://e.com/1/a", "One"),
        article("x", "https://e.com/1/b", "Two"),
        article("", "https://e.com/show#1", "Three"),
        article("", "https://e.com/show#2", "Four"),
    ]
    shelf.poll(1, *document)
    number = len(shelf.stored)
    shelf.poll(1, *(document[index] for index in kept))
    assert len(shelf.stored) == number


def test_a_feed_that_starts_to_send_ids():
    shelf = Shelf()
    shelf.poll(1, article("", "https://e.com/1/a", "One"), article("", "https://e.com/1/b", "Two"))
    again = shelf.poll(
        1, article("id 1", "https://e.com/1/a", "One"), article("id 2", "https://e.com/1/b", "Two")
    )
    assert again == [UNCHANGED, UNCHANGED]


def test_an_article_revised_again_and_again_stays_one():
    shelf = Shelf()
    for hour in range(20):
        shelf.poll(1, article("live", "https://e.com/1/live", f"Live, hour {hour}", f"<p>{hour}"))
    assert shelf.actions == [NEW] + [REVISED] * 19
    assert len(shelf.stored) == 1
