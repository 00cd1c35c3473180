"""Marks that a browser sends later: once each, the later word holds, and nobody sends another's."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from newsloom.reading.values.reading import ArticleState
from web.conftest import Visitor
from web.world import World


def key(number: int) -> str:
    return str(UUID(int=number))


def whose(visitor: Visitor) -> str:
    found = re.search(r'data-reader="(\w+)"', visitor.get("/help").text)
    assert found is not None
    return found[1]


def send(visitor: Visitor, *marks: dict[str, Any]) -> dict[str, str]:
    form = {"reader": whose(visitor), "marks": json.dumps(marks)}
    outcomes: dict[str, str] = visitor.post("/offline/marks", form).json()["outcomes"]
    return outcomes


def mark(number: int, kind: str, article: int = 1, age: float = 60, **more: Any) -> dict[str, Any]:
    return {"key": key(number), "kind": kind, "articles": [article], "age": age, **more}


def state(world: World, article: int) -> ArticleState:
    return next(one.state for one in world.listed() if one.id == article)


def events(world: World) -> list[tuple[int, str]]:
    rows = world.store.accounts.everything_of(world.user)["events"]
    return [(row["article_id"], row["kind"]) for row in rows]


def test_what_is_sent_again_is_done_once(world: World, visitor: Visitor) -> None:
    sent = (mark(1, "like"), mark(2, "star"), mark(3, "opened", 2))
    assert set(send(visitor, *sent).values()) == {"done"}
    before = events(world)
    assert set(send(visitor, *sent).values()) == {"done"}
    assert events(world) == before
    assert state(world, 1) == ArticleState(read=True, starred=True, rating=1)
    assert state(world, 2).read


def test_a_mark_that_arrived_and_lost_its_answer_is_known_by_its_header(
    world: World, visitor: Visitor
) -> None:
    form = {"kind": "like", "at": ""}
    visitor.post("/articles/1/marks", form, **{"newsloom-key": key(1)})
    before = events(world)
    assert send(visitor, mark(1, "like")) == {key(1): "done"}
    assert events(world) == before


def test_the_later_word_holds_wherever_it_was_said(world: World, visitor: Visitor) -> None:
    visitor.post("/articles/1/marks", {"kind": "unstar"})
    visitor.post("/articles/1/marks", {"kind": "read"})
    sent = (mark(1, "star"), mark(2, "unread"), mark(3, "like"))
    assert send(visitor, *sent) == {key(1): "overtaken", key(2): "overtaken", key(3): "done"}
    assert state(world, 1) == ArticleState(read=True, rating=1)


def test_what_is_taken_back_is_that_mark_alone(world: World, visitor: Visitor) -> None:
    send(visitor, mark(1, "star"))
    visitor.post("/articles/2/marks", {"kind": "like"})
    undo = {"key": key(2), "kind": "undo", "of": key(1)}
    for _ in range(2):
        assert send(visitor, undo) == {key(2): "done"}
    assert state(world, 1) == ArticleState()
    assert state(world, 2) == ArticleState(read=True, rating=1)
    send(visitor, mark(3, "star", 2))
    visitor.post("/articles/2/marks", {"kind": "unrate"})
    assert send(visitor, {"key": key(4), "kind": "undo", "of": key(3)}) == {key(4): "overtaken"}


def test_what_cannot_be_done_is_said(world: World, visitor: Visitor) -> None:
    month = timedelta(days=31).total_seconds()
    sent = (
        mark(1, "star", 99_999),
        mark(2, "star", age=month),
        mark(3, "explode"),
        mark(4, "star", age=-1),
        {"key": "short", "kind": "star", "articles": [1]},
        mark(6, "star", articles=["1"]),
        mark(7, "undo", of=5),
    )
    assert list(send(visitor, *sent).values()) == ["gone", "late", *["refused"] * 5]
    assert events(world) == []


@pytest.mark.parametrize("marks", ["", "{}", "[1]", "[" * 5_000, json.dumps([{}] * 101)])
def test_what_is_no_list_of_marks_is_refused(visitor: Visitor, marks: str) -> None:
    answer = visitor.post("/offline/marks", {"reader": whose(visitor), "marks": marks})
    assert answer.status_code == 400


def test_keys_are_forgotten_after_a_month(world: World) -> None:
    send(Visitor(world), mark(1, "star"))
    world.now += timedelta(days=31)
    send(Visitor(world), mark(2, "like"))
    kept = world.store.accounts.everything_of(world.user)["sent_marks"]
    assert [row["key"] for row in kept] == [key(2)]


def test_an_id_of_a_reader_is_of_one_store(world: World, visitor: Visitor, empty: World) -> None:
    assert len(whose(visitor)) == 20
    other = replace(empty, user=empty.store.users.user("another", world.now))
    assert whose(Visitor(other)) != whose(visitor)
