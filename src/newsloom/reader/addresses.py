"""What an address that someone typed leads to: a feed, or the first of a page. Keeps nothing."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from newsloom.errors import NotAFeed, ParseError, UserError
from newsloom.parse import parse_feed
from newsloom.ports import Fetcher
from newsloom.text.discovery import feed_links, guesses
from newsloom.types import Reply, Request

OK = 200

# Feeds of one page that are tried before giving up.
MOST_LINKS = 4


async def get(fetcher: Fetcher, url: str) -> Reply:
    """The page or feed at an address someone typed. Raises UserError with words."""
    reply = await fetcher.get(Request(url=url))
    if reply.failure is not None:
        raise UserError(f"{url} could not be fetched: {reply.problem or reply.failure.value}.")
    if reply.status != OK:
        raise UserError(f"{url} could not be fetched: the server answered {reply.status}.")
    return reply


def complete(address: str) -> str:
    """An address as people type it: "example.org/feed" means https."""
    address = address.strip()
    if re.match(r"feed:(//)?", address):
        address = re.sub(r"^feed:(//)?", "", address)
    if "://" not in address:
        address = "https://" + address
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise UserError(f"{address} is not a web address.")
    return address


def feed_title(reply: Reply) -> str | None:
    """The title of the feed in a reply; None when it holds no feed."""
    try:
        feed = parse_feed(reply.body, reply.url, content_type=reply.header("content-type"))
    except ParseError:
        return None
    return feed.title or urlsplit(reply.url).hostname or reply.url


async def discover(fetcher: Fetcher, page: Reply) -> tuple[Reply, str, tuple[tuple[str, str], ...]]:
    """The first feed a page links to, else the first at a usual place; and the page's others."""
    links = [(link.url, link.title) for link in feed_links(page.body, page.url)]
    tried = links[:MOST_LINKS] or [(url, "") for url in guesses(page.url)[:MOST_LINKS]]
    for url, _title in tried:
        reply = await fetcher.get(Request(url=url))
        title = feed_title(reply) if reply.failure is None and reply.status == OK else None
        if title is not None:
            return reply, title, tuple(link for link in links if link[0] != url)
    found = f"; it links to {links[0][0]}, which is none either" if links else ""
    raise NotAFeed(f"{page.url} is no feed and links to none that can be read{found}.")
