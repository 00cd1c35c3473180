"""A list of feeds in OPML. Both sides: `answer` in a worker, the others in Newsloom."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from newsloom.feeds.parse.opml import MOST_FEEDS, Outline, read_outline
from newsloom.kernel.workers.wire import written

if TYPE_CHECKING:
    from pydantic import TypeAdapter

TASK, KIND = "read", "list"


def question() -> list[Any]:
    """What is asked beside the list itself."""
    return [KIND]


def answer(_asked: Any, body: bytes) -> bytes:
    """In a worker: the list."""
    return written(read_outline(body))


def understood(said: bytes) -> Outline:
    """In Newsloom: the same values again. Raises ValueError for anything else."""
    found = _reader().validate_json(said, strict=True)
    addresses = [one.url for one in (*found.feeds, *found.pages)]
    if len(found.feeds) > MOST_FEEDS or not all(map(_is_of_the_web, addresses)):
        raise ValueError("no feeds that a list can have")
    return found


def _is_of_the_web(url: str) -> bool:
    return url[:8].lower().startswith(("http://", "https://"))


@cache
def _reader() -> TypeAdapter[Outline]:
    from pydantic import TypeAdapter  # its price is not for workers, which only write

    return TypeAdapter(Outline)
