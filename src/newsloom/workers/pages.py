"""A web page that may name feeds. Both sides: `answer` in a worker, the others in Newsloom."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from newsloom.text.discovery import MOST_LINKS, decoded, feed_links
from newsloom.text.known_feeds import feeds_in_page
from newsloom.text.known_feeds.address import KnownFeed
from newsloom.workers.wire import written

if TYPE_CHECKING:
    from pydantic import TypeAdapter

TASK, KIND = "read", "page"


def question(url: str, content_type: str) -> list[Any]:
    """What is asked beside the page itself."""
    return [KIND, url, content_type]


def answer(asked: Any, body: bytes) -> bytes:
    """In a worker: the feeds it names, those of its site's own way of saying it first."""
    _kind, url, content_type = asked
    own = feeds_in_page(url, decoded(body, content_type))
    links = [KnownFeed(link.url, link.title) for link in feed_links(body, url, content_type)]
    unique: dict[str, KnownFeed] = {}
    for one in (*own, *links):
        unique.setdefault(one.url, one)
    return written(list(unique.values()))


def understood(said: bytes) -> tuple[KnownFeed, ...]:
    """In Newsloom: the same values again. Raises ValueError for anything else."""
    found = _reader().validate_json(said, strict=True)
    if len(found) > MOST_LINKS + 1 or not all(_is_of_the_web(one.url) for one in found):
        raise ValueError("no feeds that a page can name")
    return found


def _is_of_the_web(url: str) -> bool:
    return url[:8].lower().startswith(("http://", "https://"))


@cache
def _reader() -> TypeAdapter[tuple[KnownFeed, ...]]:
    from pydantic import TypeAdapter  # its price is not for workers, which only write

    return TypeAdapter(tuple[KnownFeed, ...])
