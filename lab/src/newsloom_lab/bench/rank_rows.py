"""The list by what one row of it is, where articles share texts, events and stories.

Of every fifteen articles five are one event (two of them one text) and of one story, five more are
of a story, and five stand alone: each in a story of its own, as every article is once it was
judged.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import func, select

from newsloom.articles.store.tables import articles
from newsloom.duplicates.store.tables import clusters
from newsloom.kernel.ids import UserId
from newsloom.reading.values.reading import ListQuery, Rows
from newsloom.store import Store
from newsloom.stories.store.tables import stories as stories_table
from newsloom.stories.store.tables import story_members
from newsloom_lab.bench.rank import BATCH, HALF_LIVES, NOW, median, put

EVERY, TOGETHER = 15, 5
ALONE = 2  # the last five of the fifteen


@dataclass(frozen=True, slots=True)
class RowTimes:
    """Medians in milliseconds, by what one row is: of processor time, or as the clock went."""

    rows: str
    merge_ms: float  # ids of the first page
    further_ms: float  # the page after it, whole, from its cursor
    page_ms: float  # the first page whole
    unread_ms: float  # how many rows there are
    unread: int


def times(
    store: Store,
    user: UserId,
    limit: int,
    most: int,
    clock: Callable[[], float] = time.process_time,
) -> tuple[RowTimes, ...]:
    """Of each kind of rows, once articles share them. A server of its own needs another clock than
    this process's."""
    _share(store)
    return tuple(_times(store, user, limit, most, rows, clock) for rows in Rows)


def _times(
    store: Store, user: UserId, limit: int, most: int, rows: Rows, clock: Callable[[], float]
) -> RowTimes:
    lists, query = store.lists, ListQuery(limit=limit, rows=rows)
    after = lists.listing(user, query, NOW, HALF_LIVES).after
    further = replace(query, after=after)
    return RowTimes(
        rows=str(rows),
        merge_ms=median(
            min(200, most), lambda: lists.page_ids(user, query, NOW, HALF_LIVES), clock
        ),
        further_ms=median(
            min(50, most), lambda: lists.listing(user, further, NOW, HALF_LIVES), clock
        ),
        page_ms=median(min(50, most), lambda: lists.page(user, query, NOW, HALF_LIVES), clock),
        unread_ms=median(min(10, most), lambda: lists.unread(user, rows), clock),
        unread=lists.unread(user, rows),
    )


def _share(store: Store) -> None:
    with store.database.write() as connection:
        count = connection.scalar(select(func.max(articles.c.id))) or 0
        for start in range(1, count + 1, BATCH):
            numbers = range(start, min(start + BATCH, count + 1))
            stories = {_story(number) for number in numbers}
            made = [_made(story, count) for story in sorted(stories) if story in numbers]
            put(connection, stories_table, made)
            members = [_member(number) for number in numbers]
            put(connection, story_members, members)
            if grouped := list(_grouped(numbers)):
                put(connection, clusters, grouped)
    store.database.settle()


def _place(number: int) -> tuple[int, int]:
    """Which five of its fifteen an article is of, and which of the five it is."""
    return divmod((number - 1) % EVERY, TOGETHER)


def _story(number: int) -> int:
    """The number of the first article of its story."""
    five, place = _place(number)
    return number if five == ALONE else number - place


def _made(story: int, count: int) -> dict[str, Any]:
    alone = _place(story)[0] == ALONE
    return {
        "id": story,
        "state": "active",
        "began": NOW,
        "latest": NOW,
        "size": 1 if alone else min(TOGETHER, count - story + 1),
        "title": f"What happened in place {story}",
        "summary": "" if alone else "A summary of sixty words at most, in whole sentences. " * 6,
    }


def _member(number: int) -> dict[str, Any]:
    return {
        "article_id": number,
        "maker_id": 1,
        "story_id": _story(number),
        "dated_at": NOW,
        "since": NOW,
        "probability": 0.8,
        "decided_by": "calibrated",
        "relation": "direct",
    }


def _grouped(numbers: range) -> Iterator[dict[str, int]]:
    for number in numbers:
        five, place = _place(number)
        if not five:
            text = number - place if place < 2 else number
            yield {"article_id": number, "cluster_id": number - place, "text_id": text}
