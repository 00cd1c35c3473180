"""A web page that may name feeds. Both sides: `answer` in a worker, the others in Newsloom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from newsloom.feeds.discovery import MOST_LINKS, decoded, feed_links, moved_to, possible_feeds
from newsloom.feeds.known_feeds import feeds_in_page
from newsloom.feeds.known_feeds.sites import KnownFeed
from newsloom.kernel.workers.wire import read_back, written

if TYPE_CHECKING:
    from newsloom.kernel.http.values import Reply

TASK, KIND = "read", "page"


@dataclass(frozen=True, slots=True)
class PageLinks:
    """Where the feeds of a page are."""

    feeds: tuple[KnownFeed, ...] = ()  # that it names
    possible: tuple[KnownFeed, ...] = ()  # links that may be some
    moved: str = ""  # where it says that what was here is now


def question(reply: Reply, *, moved_only: bool = False) -> list[Any]:
    """What a worker gets besides the page. With `moved_only` it looks for no feeds."""
    headers = [value for name, value in reply.headers if name == "link"]
    return [KIND, reply.url, reply.header("content-type"), headers, moved_only]


def answer(asked: Any, body: bytes) -> bytes:
    """In a worker: the feeds it names, those of its site's own way of saying it first."""
    _kind, url, content_type, headers, moved_only = asked
    moved = moved_to(body, url, content_type)
    if moved_only:
        return written(PageLinks(moved=moved))
    own = feeds_in_page(url, decoded(body, content_type))
    links = [KnownFeed(one.url, one.title) for one in feed_links(body, url, content_type, headers)]
    unique: dict[str, KnownFeed] = {}
    for one in (*own, *links):
        unique.setdefault(one.url, one)
    possible = () if unique else possible_feeds(body, url, content_type)
    others = tuple(KnownFeed(one.url) for one in possible)
    return written(PageLinks(tuple(unique.values()), others, moved))


def understood(said: bytes) -> PageLinks:
    """In Newsloom: the same values again. Raises ValueError for anything else."""
    found = read_back(PageLinks, said)
    urls = [one.url for one in (*found.feeds, *found.possible)] + [found.moved or "http://"]
    if len(urls) > 2 * MOST_LINKS or not all(map(is_of_the_web, urls)):
        raise ValueError("no feeds that a page can name")
    return found


def is_of_the_web(url: str) -> bool:
    return url[:8].lower().startswith(("http://", "https://"))
