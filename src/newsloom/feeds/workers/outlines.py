"""A list of feeds in OPML. Both sides: `answer` in a worker, the others in Newsloom."""

from __future__ import annotations

from typing import Any

from newsloom.feeds.parse.opml import MOST_FEEDS, Outline, read_outline
from newsloom.feeds.workers.page_links import is_of_the_web
from newsloom.kernel.workers.wire import read_back, written

TASK, KIND = "read", "list"


def question() -> list[Any]:
    """What is asked beside the list itself."""
    return [KIND]


def answer(_asked: Any, body: bytes) -> bytes:
    """In a worker: the list."""
    return written(read_outline(body))


def understood(said: bytes) -> Outline:
    """In Newsloom: the same values again. Raises ValueError for anything else."""
    found = read_back(Outline, said)
    addresses = [one.url for one in (*found.feeds, *found.pages)]
    if len(found.feeds) > MOST_FEEDS or not all(map(is_of_the_web, addresses)):
        raise ValueError("no feeds that a list can have")
    return found
