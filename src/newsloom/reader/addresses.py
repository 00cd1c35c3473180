"""What an address that someone typed leads to: a feed, or the first of a page. Keeps nothing.

A feed is asked for once, and what came is what its first poll reads. Beside it at most one page is
asked for, to see which feeds it names; only if it names none, at most MOST_TRIED usual places.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
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
from newsloom.types import Reply, Request

OK = 200

# Feeds that a page names, or else places where one usually is, that are tried before giving up.
MOST_TRIED = 4


@dataclass(frozen=True, slots=True)
class Found:
    """A feed, as it came, and others that could be meant: (URL, title)."""

    reply: Reply
    title: str
    choices: tuple[tuple[str, str], ...] = ()


async def find(fetcher: Fetcher, typed: str) -> Found:
    """The feed behind an address. Raises UserError with words when it cannot be had, NotAFeed when
    nothing there is a feed."""
    url = complete(typed)
    if words := without_feed(url):
        raise NotAFeed(words)
    known = known_feeds(url)
    if known:
        reply = await fetcher.get(Request(url=known[0].url))
        if (title := _title_if_feed(reply)) is not None:
            return Found(reply, title, _others(known, known[0].url))
    page = await get(fetcher, Request(url=url))
    title = feed_title(page)
    return await discover(fetcher, page) if title is None else Found(page, title)


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


def feed_title(reply: Reply) -> str | None:
    """The title of the feed in a reply; None when it holds no feed."""
    try:
        feed = parse_feed(reply.body, reply.url, content_type=reply.header("content-type"))
    except ParseError:
        return None
    return feed.title or urlsplit(reply.url).hostname or reply.url


async def discover(fetcher: Fetcher, page: Reply) -> Found:
    """The first feed a page names, else the first at a usual place; and the page's others."""
    named = _named(page)
    tried = named[:MOST_TRIED] or _usual(page.url)[:MOST_TRIED]
    for one in tried:
        reply = await fetcher.get(Request(url=one.url))
        if (title := _title_if_feed(reply)) is not None:
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


def _title_if_feed(reply: Reply) -> str | None:
    return feed_title(reply) if reply.failure is None and reply.status == OK else None


def _others(feeds: Iterable[KnownFeed], taken: str) -> tuple[tuple[str, str], ...]:
    return tuple((one.url, one.title) for one in feeds if one.url != taken)
