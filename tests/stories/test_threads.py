"""Threads of events: which one an event joins, what repair moves, what readers hold."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from newsloom.kernel.ids import ArticleId
from newsloom.stories.events import Event, event, names_in
from newsloom.stories.prepared import Background, prepare
from newsloom.stories.threads import MINILM, Stream, ThreadId, Threads, kind_of, rule_of
from newsloom.stories.values.pages import Piece, StoryId
from newsloom.stories.values.threads import ThreadKind
from newsloom.topics.tfidf import EMPTY

DAY = datetime(2026, 11, 1, 12, tzinfo=UTC)


def made(number: int, title: str, axis: int, day: float, noise: float = 0.0) -> Event:
    vector = np.eye(8)[axis] + noise * np.random.default_rng(number).standard_normal(8)
    piece = Piece(ArticleId(number), title, "", DAY + timedelta(days=day), "a.example")
    article = prepare(piece, vector, Background(EMPTY))
    found = event(StoryId(number), [article], Background(EMPTY))
    assert found is not None
    return found


STRIKE = ("Pilots of Freedonia Air vote to strike", "Freedonia Air cancels flights over strike")
FLOOD = ("Flood sweeps through Lima", "Lima flood: bridge collapses")


def narratives() -> list[Event]:
    return [
        made(1 + 2 * at + axis, titles[at % 2], axis, 4.0 * at, 0.05)
        for at in range(6)
        for axis, titles in enumerate((STRIKE, FLOOD))
    ]


def test_events_of_weeks_are_threads() -> None:
    found = Stream(Threads(MINILM, 8)).run(narratives())
    assert {found[StoryId(one)] for one in (1, 3, 5, 7, 9, 11)} == {ThreadId(1)}
    assert {found[StoryId(one)] for one in (2, 4, 6, 8, 10, 12)} == {ThreadId(2)}


def test_a_thread_is_over_after_thirty_days() -> None:
    first = made(1, STRIKE[0], 0, 0)
    soon, late = made(2, STRIKE[0], 0, 29), made(3, STRIKE[0], 0, 60)
    found = Stream(Threads(MINILM, 8)).run([first, soon, late])
    assert found[StoryId(1)] == found[StoryId(2)] != found[StoryId(3)]


def test_a_pinned_event_stays_and_candidates_are_told() -> None:
    threads = Threads(MINILM, 8)
    threads.put(made(1, STRIKE[0], 0, 0), ThreadId(1))
    placed = threads.place(made(2, STRIKE[1], 0, 1))
    assert placed.thread == ThreadId(1)
    assert [near.thread for near in placed.candidates] == [1]
    pinned = replace(made(3, STRIKE[0], 0, 1), pinned=True)
    threads.put(pinned, ThreadId(2))
    assert threads.repair(pinned) is None


def test_repair_moves_an_event_to_a_nearer_thread_and_lets_a_wrong_one_leave() -> None:
    threads = Threads(MINILM, 8)
    for number in (1, 2):
        threads.put(made(number, STRIKE[number - 1], 0, 0), ThreadId(1))
    for number in (3, 4):
        threads.put(made(number, FLOOD[number - 3], 1, 0), ThreadId(2))
    wrong = made(5, FLOOD[0], 1, 1)
    threads.put(wrong, ThreadId(1))
    moved = threads.repair(wrong)
    assert moved is not None
    assert (moved.before, moved.thread) == (1, 2)
    alone = made(6, "Ruritania elects a president", 3, 1)
    threads.put(alone, ThreadId(1))
    left = threads.repair(alone)
    assert left is not None
    assert (left.before, left.thread) == (1, None)
    right = made(7, STRIKE[0], 0, 1)
    threads.put(right, ThreadId(1))
    assert threads.repair(right) is None


@pytest.mark.parametrize(
    ("title", "lead", "names"),
    [
        ("Pilots of Freedonia vote", "The union met in Lima.", {"pilot", "freedonia", "lima"}),
        ("Pilots Of Freedonia Vote To Strike", "they met", set()),
    ],
)
def test_names_are_words_with_capitals(title: str, lead: str, names: set[str]) -> None:
    assert names_in(Piece(ArticleId(1), title, lead, None, "", "en")) == names


def test_threads_grow_beyond_their_first_room_and_forget() -> None:
    threads = Threads(MINILM, 8)
    events = [made(number, STRIKE[0], number % 8, 0) for number in range(1, 401)]
    for one in events:
        threads.put(one, ThreadId(one.id))
    threads.forget([StoryId(1), StoryId(999)])
    assert threads.thread_of(StoryId(1)) is None
    assert threads.thread_of(StoryId(400)) == 400
    assert len(threads.events) == 399


def test_the_shipped_encoder_has_its_own_rule() -> None:
    assert rule_of("all-minilm-l6-v2-int8/2") is MINILM


SERMONS = (
    "Sabbath School | The Virtuous Woman, Part Two",
    "Sabbath School | The Virtuous Woman, Part Three",
)


@pytest.mark.parametrize(
    ("titles", "shared", "kind"),
    [
        (SERMONS, 0.9, ThreadKind.SERIES),
        (STRIKE, 0.4, ThreadKind.NARRATIVE),
        (STRIKE, 0.3, ThreadKind.SUBJECT),  # two that share as little are of one place or person
        ((*STRIKE, *FLOOD), 0.3, ThreadKind.SUBJECT),
        ((*STRIKE, *FLOOD, "Freedonia"), 0.3, ThreadKind.NARRATIVE),
        ((*STRIKE, *FLOOD, "Freedonia"), 0.1, ThreadKind.SUBJECT),
        (STRIKE[:1], 1.0, ThreadKind.NARRATIVE),
    ],
)
def test_a_thread_that_is_only_about_the_same_is_no_narrative(titles, shared, kind) -> None:
    assert kind_of(titles, shared) is kind


def test_a_thread_knows_that_a_reader_put_a_story_there() -> None:
    threads = Threads(MINILM, 8)
    threads.put(made(1, STRIKE[0], 0, 0), ThreadId(1))
    threads.put(replace(made(2, FLOOD[0], 1, 1), pinned=True), ThreadId(2))
    assert threads.judged == {ThreadId(2)}
