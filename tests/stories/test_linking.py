"""Stories that articles belong to: laws of pairs, of the linker and of the stream."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from itertools import count

import numpy as np
import pytest

from newsloom.stories.linking import Linker
from newsloom.stories.prepared import Background, Prepared, prepare
from newsloom.stories.same_event import SameEvent
from newsloom.stories.stream import assign
from newsloom.topics.tfidf import EMPTY
from newsloom.types import ArticleId, Piece, StoryId

EVENTS = (
    "Earthquake strikes Lima harbour",
    "Bank of Freedonia raises interest rates",
    "Ferry sinks off Zembla coast",
    "Ruritania elects first woman president",
)
NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)


def made(
    number: int,
    title: str,
    vector: object,
    lead: str = "",
    dated: datetime | None = None,
    language: str = "",
) -> Prepared:
    piece = Piece(ArticleId(number), title, lead, dated, "", language)
    return prepare(piece, np.asarray(vector, np.float64), Background(EMPTY))


def reports(many: int = 24, seed: int = 1) -> list[Prepared]:
    """Reports of the events in turn, in directions near to each event's own."""
    chance = np.random.default_rng(seed)
    axes = np.eye(16)
    return [
        made(
            number,
            f"{EVENTS[number % 4]} {['today', 'report', 'officials', 'live'][number % 3]}",
            axes[number % 4] + 0.05 * chance.standard_normal(16),
            lead=f"{EVENTS[number % 4]}, it was said.",
            dated=NOON + timedelta(hours=number),
        )
        for number in range(1, many + 1)
    ]


def streamed(articles: list[Prepared], batch: int = 8) -> tuple[Linker, list[StoryId | None]]:
    linker, ids = Linker(), count(1)
    for start in range(0, len(articles), batch):
        assign(linker, articles[start : start + batch], lambda: StoryId(next(ids)))
    return linker, [linker.story_of(one.piece.id) for one in articles]


def test_each_event_is_one_story_and_the_same_stream_gives_the_same_stories():
    articles = reports()
    linker, found = streamed(articles)
    assert linker.stories == 4
    assert all(len(set(found[event::4])) == 1 for event in range(4))
    assert streamed(articles)[1] == found


def test_equal_dates_may_come_in_any_order():
    articles = [made(n, EVENTS[n % 4], np.eye(16)[n % 4], dated=NOON) for n in range(1, 13)]
    groups = []
    for order in (articles, articles[::-1]):
        linker, _ = streamed(order, batch=12)
        groups.append({linker.members(one) for one in map(StoryId, range(1, 20))} - {()})
    assert groups[0] == groups[1]


def test_the_order_of_restoring_does_not_matter():
    articles = reports()
    stories = {StoryId(event + 1): articles[event::4] for event in range(4)}
    asked = made(99, EVENTS[0], np.eye(16)[1], lead="Lima", dated=NOON)
    found = []
    for order in (list(stories), list(stories)[::-1]):
        linker = Linker()
        for story in order:
            linker.restore(story, stories[story][::-1] if order[0] != 1 else stories[story])
        assert linker.repairs() == ()
        found.append(linker.candidates(asked))
    assert found[0] == found[1]
    assert found[0]


def test_what_is_forgotten_leaves_nothing():
    linker, articles = Linker(), reports(4)
    linker.place(articles[0], StoryId(1))
    assert linker.candidates(articles[0]) == ()  # an article is no candidate for itself
    assert linker.candidates(articles[1])
    linker.forget(StoryId(1))
    assert linker.stories == 0
    assert linker.candidates(articles[1]) == ()
    assert linker.repairs() == ()
    assert linker.story_of(ArticleId(1)) is None


def test_probabilities_of_pairs_are_symmetric_and_grow_with_the_cosine():
    judge = SameEvent()
    last = 0.0
    for cosine in np.linspace(-1.0, 1.0, 21):
        one = made(1, EVENTS[0], (1.0, 0.0), lead="Lima")
        other = made(2, EVENTS[1], (cosine, np.sqrt(max(1 - cosine**2, 0.0))), lead="Bank")
        there, back = judge.probability(one, other), judge.probability(other, one)
        assert there == pytest.approx(back)
        assert last <= there <= 1.0
        last = there


def test_an_explanation_names_what_is_shared_and_how_far_apart():
    parts = {part.name: part for part in SameEvent().explain(*reports(5)[::4])}
    assert "lima" in parts["terms"].detail or "bank" in parts["terms"].detail
    assert parts["time"].detail == "4 hours apart"


@pytest.mark.parametrize("value", [np.nan, np.inf, 0.0])
def test_a_vector_without_direction_is_refused(value):
    with pytest.raises(ValueError, match="finite"):
        made(1, "Title", (value, 0.0))


def test_a_vector_of_another_model_is_refused():
    linker = Linker()
    linker.place(made(1, "Title", (1.0, 0.0)), StoryId(1))
    with pytest.raises(ValueError, match="dimensions"):
        linker.place(made(2, "Title", (1.0, 0.0, 0.0)), StoryId(1))


@pytest.mark.parametrize("language", ["", "xx", "ja", "de-AT"])
def test_one_article_and_empty_texts_are_stories_of_their_own(language):
    assert streamed([made(1, "", (1.0, 0.0), language=language)])[0].stories == 1
    assert streamed([])[0].stories == 0
    apart = [made(1, "", (1.0, 0.0)), made(2, "", (0.0, 1.0), language=language)]
    assert streamed(apart)[0].stories == 2


def test_many_identical_titles_take_no_longer_each_than_few():
    linker, ids = Linker(), count(1)
    articles = [made(n, EVENTS[0], np.eye(16)[0]) for n in range(1, 10_001)]
    linker.restore(StoryId(0), articles)
    more = [made(n, EVENTS[0], np.eye(16)[0]) for n in range(20_000, 20_050)]
    began = time.process_time()
    assign(linker, more, lambda: StoryId(next(ids)))
    assert time.process_time() - began < 10
    assert {linker.story_of(one.piece.id) for one in more} == {StoryId(0)}
