"""What an address that someone typed leads to: a feed, or the first of a page. Keeps nothing.

A feed is asked for once, and what came is what its first poll reads. Beside it at most one page is
asked for, to see which feeds it names; only if it names none, at most MOST_TRIED usual places.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from newsloom.errors import NotAFeed, ParseError, UserError
from newsloom.parse import parse_feed
from newsloom.ports import Fetcher
from newsloom.text.discovery import decoded, feed_links, guesses
from newsloom.text.known_feeds import (
    feeds_in_page,
    known_feeds,
    likely_feeds,
    page_of_handle,
    without_feed,
)
from newsloom.text.known_feeds.address import KnownFeed
from newsloom.types import ParsedFeed, Reply, Request

OK = 200

# Feeds that a page names, or else places where one usually is, that are tried before giving up.
MOST_TRIED = 4


@dataclass(frozen=True, slots=True)
class Found:
    """A feed, as it came, and others that could be meant: (URL, title)."""

    reply: Reply
    title: str
    choices: tuple[tuple[str, str], ...] = ()


# What reads a reply that may hold a feed, and gives None when it holds none.
Reads = Callable[[Reply], Awaitable[ParsedFeed | None]]


async def in_thread(reply: Reply) -> ParsedFeed | None:
    """Reads in a thread of this process."""
    kind = reply.header("content-type")
    try:
        return await asyncio.to_thread(parse_feed, reply.body, reply.url, content_type=kind)
    except ParseError:
        return None


async def find(fetcher: Fetcher, typed: str, reads: Reads = in_thread) -> Found:
    """The feed behind an address. Raises UserError with words when it cannot be had, NotAFeed when
    nothing there is a feed."""
    url = complete(typed)
    if words := without_feed(url):
        raise NotAFeed(words)
    known = known_feeds(url)
    if known:
        reply = await fetcher.get(Request(url=known[0].url))
        if (title := await _title_if_feed(reply, reads)) is not None:
            return Found(reply, title, _others(known, known[0].url))
    page = await get(fetcher, Request(url=url))
    title = await _title_if_feed(page, reads)
    return await discover(fetcher, page, reads) if title is None else Found(page, title)


async def get(fetcher: Fetcher, request: Request) -> Reply:
    """What is at an address someone typed. Raises UserError with words."""
    reply, url = await fetcher.get(request), request.url
    if reply.failure is not None:
        raise UserError(f"{url} could not be fetched: {reply.problem or reply.failure.value}.")
    if reply.status != OK:
        raise UserError(f"{url} could not be fetched: the server answered {reply.status}.")
    return reply


def complete(address: str) -> str:
    """An address as people type it: "example.org/feed" means https, "@ann@host" her page there."""
    address = address.strip()
    if page := page_of_handle(address):
        return page
    if re.match(r"feed:(//)?", address):
        address = re.sub(r"^feed:(//)?", "", address)
    if "://" not in address:
        address = "https://" + address
    try:
        parts = urlsplit(address)
        valid = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        valid = False
    if not valid:
        raise UserError(f"{address} is not a web address.")
    return address


async def discover(fetcher: Fetcher, page: Reply, reads: Reads = in_thread) -> Found:
    """The first feed a page names, else the first at a usual place; and the page's others."""
    named = _named(page)
    tried = named[:MOST_TRIED] or _usual(page.url)[:MOST_TRIED]
    for one in tried:
        reply = await fetcher.get(Request(url=one.url))
        if (title := await _title_if_feed(reply, reads)) is not None:
            return Found(reply, title, _others(named, one.url))
    found = f"; it links to {named[0].url}, which is none either" if named else ""
    raise NotAFeed(f"{page.url} is no feed and links to none that can be read{found}.")


def _named(page: Reply) -> list[KnownFeed]:
    """The feeds a page names, those of its site's own way of saying it first, each once."""
    own = feeds_in_page(page.url, decoded(page.body))
    links = [KnownFeed(link.url, link.title) for link in feed_links(page.body, page.url)]
    unique: dict[str, KnownFeed] = {}
    for one in (*own, *links):
        unique.setdefault(one.url, one)
    return list(unique.values())


def _usual(url: str) -> list[KnownFeed]:
    return [*likely_feeds(url), *map(KnownFeed, guesses(url))]


async def _title_if_feed(reply: Reply, reads: Reads) -> str | None:
    """The title of the feed in a reply; None when it holds no feed."""
    if reply.failure is not None or reply.status != OK:
        return None
    feed = await reads(reply)
    return None if feed is None else feed.title or urlsplit(reply.url).hostname or reply.url


def _others(feeds: Iterable[KnownFeed], taken: str) -> tuple[tuple[str, str], ...]:
    return tuple((one.url, one.title) for one in feeds if one.url != taken)
