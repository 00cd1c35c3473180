"""The judge of threads: what is asked, what is taken of an answer, and who is believed, beside a
real server that speaks the OpenAI protocol and answers as an oracle, by chance, or lies."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from newsloom.llm.purpose import Unusable
from newsloom.llm.untrusted import BYTES_PER_TOKEN
from newsloom.stories.purposes.story import ANSWER_TOKENS
from newsloom.stories.purposes.thread import THREAD, parse, prompt
from newsloom.stories.values.pages import Membership, StoryChanges, StoryChoice, StoryId, ThreadId
from newsloom.stories.values.threads import (
    OfferedThread,
    ThreadAnswer,
    ThreadAsk,
    ThreadCandidate,
    ThreadChanges,
    ThreadDecision,
    ThreadQuestion,
)
from store.builders import NOW, VECTORS

from .server import Asked, serving
from .world import World

STRIKE, FLOOD = ThreadId(1), ThreadId(2)
OFFERED = (ThreadCandidate(STRIKE, 0.3, 0.4), ThreadCandidate(FLOOD, 0.2, 0.3))
PRODUCER = THREAD.producer("judge")


def offered(thread: int, *titles: str) -> OfferedThread:
    return OfferedThread(ThreadId(thread), titles[0], titles[-1], titles, NOW, NOW, len(titles))


QUESTION = ThreadQuestion(
    StoryId(1), "Port closes", "Text.", NOW, None, (offered(7, "Strike"), offered(9, "Flood")), ()
)


def said(**changes: object) -> str:
    good = {"choice": "assign", "story": 2, "reason": "So.", "confidence": 0.8}
    return json.dumps(good | {"relation": "causal"} | changes)


def test_an_answer_names_a_thread_by_its_place() -> None:
    found = parse(said(), QUESTION)
    assert found == ThreadAnswer(StoryChoice.ASSIGN, ThreadId(9), "So.", 0.8, "causal")
    for wrong in (said(story=3), said(choice="new"), said(choice="delete"), "no", said(more=1)):
        assert isinstance(parse(wrong, QUESTION), Unusable)


def test_the_question_says_when_and_how_large_and_fits() -> None:
    user = prompt(QUESTION, "SIGNS", 2_048).user
    assert "Date: 2026-" in user
    assert re.search(r"\[2\] 2026-\d\d-\d\d to 2026-\d\d-\d\d, 1 stories: Flood\n", user)
    many = tuple(offered(one, *(f"{word} " * 300 for word in "abc")) for one in range(10))
    long = ThreadQuestion(StoryId(1), "Title <b>x</b> " * 300, "Text. " * 500, NOW, None, many, ())
    for context in (2_048, 1_200):
        asked = prompt(long, "SIGNS", context)
        assert asked.user.count("SIGNS") == 3
        assert "[10]" in asked.user
        assert "<b>" not in asked.user
        assert asked.bytes // BYTES_PER_TOKEN + ANSWER_TOKENS <= context


class Threaded(World):
    """Two threads of five stories; stories that are clearly of them or of none, as controls; and
    borderline ones, most of which are placed right, and eight wrongly begin their own."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.stories = 0
        self.threads = 2
        self.decisions: list[ThreadDecision] = []
        self.asks: list[ThreadAsk] = []

    def fill(self) -> None:
        titles: list[tuple[str, ThreadId | None, bool | None]] = []
        for kind, thread in (("Strike", STRIKE), ("Flood", FLOOD)):
            titles += [(kind, thread, None)] * 5
        titles += [("Strike", None, False)] * 8  # wrong, and asked last
        titles += [("Strike", STRIKE, False), ("Flood", FLOOD, False)] * 8
        titles += [("Strike", STRIKE, True), ("Flood", FLOOD, True)] * 6
        titles += [("Comet", None, True)] * 12
        ids = self.publish(*(f"{kind} {at}" for at, (kind, _t, _c) in enumerate(titles)))
        store = self.store.stories
        own = [StoryId(at + 1) for at in range(len(ids))]
        members = tuple(Membership(one, own[at]) for at, one in enumerate(ids))
        begun = tuple((one, NOW) for one in own)
        store.put_stories("m", VECTORS, StoryChanges(0, begun, members), NOW)
        last = 2
        for at, (_kind, thread, control) in enumerate(titles):
            if thread is None:
                last += 1
            placed = ThreadId(last) if thread is None else thread
            choice = StoryChoice.NEW if thread is None else StoryChoice.ASSIGN
            self.decisions.append(ThreadDecision(NOW, choice, own[at], placed))
            if control is not None:
                self.asks.append(ThreadAsk(own[at], OFFERED, control))
        changes = ThreadChanges(0, tuple(self.decisions), {}, tuple(self.asks))
        assert store.put_threads(changes, NOW)

    def moved(self) -> int:
        """Of the eight that are wrong, how many are where they belong; -1: others have moved."""
        rows = dict(self.rows("SELECT id, thread_id FROM stories"))
        for one in self.decisions:
            if rows[one.story] != one.thread and not 11 <= one.story <= 18:
                return -1
        return sum(rows[one] == STRIKE for one in range(11, 19))


Says = Callable[[str, list[str]], int]


def oracle(title: str, threads: list[str]) -> int:
    kind = title.split()[0]
    return next((at for at, titles in enumerate(threads, 1) if kind in titles), 0)


def liar(title: str, threads: list[str]) -> int:
    return 0 if oracle(title, threads) else len(threads)


def chance() -> Says:
    drawn = random.Random(3)
    return lambda _title, threads: drawn.randint(0, len(threads))


@pytest.mark.parametrize(("says", "moved"), [(oracle, 8), (liar, 0), (chance(), 0)])
def test_who_is_right_in_clear_cases_is_believed(tmp_path: Path, says: Says, moved: int) -> None:
    world = Threaded(tmp_path / "n.db")
    world.fill()

    async def script(asked: Asked) -> None:
        title = re.findall(r"^Title: (.*)$", asked.user, re.MULTILINE)[0]
        story = says(title, re.findall(r"^\[\d+\] (.*)$", asked.user, re.MULTILINE))
        choice, relation = ("assign", "direct") if story else ("new", "none")
        await asked.say(
            said(choice=choice, story=story, relation=relation, reason="It goes on with it.")
        )

    async def main() -> None:
        async with serving(script) as server:
            await world.ask(server.url, rounds=3, purposes=(THREAD,))

    asyncio.run(main())
    assert world.moved() == moved
    of_model = [
        one
        for thread in (STRIKE, FLOOD)
        for one in world.store.stories.thread_decisions(thread, 99)
        if one.judge == PRODUCER
    ]
    assert of_model
    assert {one.prompt for one in of_model} == {THREAD.version}
    assert all(one.reason and one.candidates == OFFERED for one in of_model)
    if moved:
        later = NOW + timedelta(days=1)
        again = world.store.stories.unchecked(VECTORS, since=NOW, before=later, limit=99)
        assert not set(range(11, 19)) & set(again), "repair leaves what the model placed"


def test_no_answer_goes_before_a_reader(tmp_path: Path) -> None:
    world = Threaded(tmp_path / "n.db")
    world.fill()
    from newsloom.stories.store.thread_questions import unanswered

    world.store.stories.move_stories(world.user, [StoryId(11)], FLOOD, NOW)
    with world.store.database.read() as connection:
        waiting = unanswered(connection, PRODUCER, since=NOW, limit=99)
    assert len(waiting) == len(world.asks) - 1
    assert {one.thread for one in waiting} == {STRIKE, FLOOD, None}
