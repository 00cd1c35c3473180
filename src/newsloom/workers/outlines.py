"""A list of feeds in OPML. Both sides: `answer` in a worker, the others in Newsloom."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from newsloom.parse.opml import MOST_FEEDS, OutlineFeed, read_opml
from newsloom.workers.wire import written

if TYPE_CHECKING:
    from pydantic import TypeAdapter

TASK, KIND = "read", "list"


def question() -> list[Any]:
    """What is asked beside the list itself."""
    return [KIND]


def answer(_asked: Any, body: bytes) -> bytes:
    """In a worker: the feeds of the list."""
    return written(list(read_opml(body)))


def understood(said: bytes) -> tuple[OutlineFeed, ...]:
    """In Newsloom: the same values again. Raises ValueError for anything else."""
    found = _reader().validate_json(said, strict=True)
    if len(found) > MOST_FEEDS or not all(_is_of_the_web(one.url) for one in found):
        raise ValueError("no feeds that a list can have")
    return found


def _is_of_the_web(url: str) -> bool:
    return url[:8].lower().startswith(("http://", "https://"))


@cache
def _reader() -> TypeAdapter[tuple[OutlineFeed, ...]]:
    from pydantic import TypeAdapter  # its price is not for workers, which only write

    return TypeAdapter(tuple[OutlineFeed, ...])
