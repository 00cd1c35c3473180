"""What an address that someone typed leads to: a feed, or the first of a page. Keeps nothing.

A feed is asked for once, and what came is what its first poll reads. Beside it at most one page is
asked for, to see which feeds it names; only if it names none, at most MOST_TRIED of its links that
may be one, and MOST_GUESSED usual places. A page that only says that it has moved leads to one
more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from newsloom.feeds.discovery import guesses
from newsloom.feeds.known_feeds import known_feeds, likely_feeds, page_of_handle, without_feed
from newsloom.feeds.known_feeds.sites import KnownFeed
from newsloom.feeds.parse.opml import Outline
from newsloom.feeds.service.reply import Reading
from newsloom.feeds.values.polling import DueFeed
from newsloom.feeds.values.published import ParsedFeed
from newsloom.feeds.workers import outlines
from newsloom.feeds.workers import page_links as pages
from newsloom.kernel.errors import NotAFeed, UserError
from newsloom.kernel.http.ports import Fetcher
from newsloom.kernel.http.values import Reply, Request
from newsloom.kernel.ids import FeedId
from newsloom.kernel.text.slips import meant
from newsloom.kernel.text.urls import one_spelling
from newsloom.kernel.workers.pool import WorkerDied, Workers

OK = 200

# Feeds that a page names, or else places where one usually is, that are tried before giving up.
MOST_TRIED = 4
# Usual places, where it names none; the last of them is SPIP's.
MOST_GUESSED = 7


@dataclass(frozen=True, slots=True)
class Found:
    """A feed, as it came, and others that could be meant: (URL, title)."""

    reply: Reply
    title: str
    choices: tuple[tuple[str, str], ...] = ()


async def find(fetcher: Fetcher, typed: str, documents: Finding) -> Found:
    """The feed behind an address. Raises UserError with words when it cannot be had, NotAFeed when
    nothing there is a feed."""
    url = complete(typed)
    if words := without_feed(url):
        raise NotAFeed(words)
    known = known_feeds(url)
    if known:
        reply = await fetcher.get(Request(url=known[0].url))
        if (title := await _title_if_feed(reply, documents)) is not None:
            return Found(reply, title, _others(known, known[0].url))
    page = await get(fetcher, Request(url=url))
    title = await _title_if_feed(page, documents)
    return await discover(fetcher, page, documents) if title is None else Found(page, title)


async def get(fetcher: Fetcher, request: Request) -> Reply:
    """What is at an address someone typed. Raises UserError with words."""
    reply, url = await fetcher.get(request), request.url
    if reply.failure is not None:
        raise UserError(f"{url} could not be fetched: {reply.problem or reply.failure.value}.")
    if reply.status != OK:
        raise UserError(f"{url} could not be fetched: the server returned {reply.status}.")
    return reply


def complete(address: str) -> str:
    """An address as people type it: "example.org/feed" means https, "@ann@host" her page there."""
    address = address.strip()
    if page := page_of_handle(address):
        return page
    if re.match(r"feed:(//)?", address):
        address = re.sub(r"^feed:(//)?", "", address)
    if not address.lower().startswith("www."):  # which is asked over https
        address = meant(address)
    if "://" not in address:
        address = "https://" + address
    try:
        parts = urlsplit(address)
        valid = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        valid = False
    if not valid:
        raise UserError(f"{address} is not a web URL.")
    return one_spelling(address)


async def discover(
    fetcher: Fetcher, page: Reply, documents: Finding, *, moved: bool = False
) -> Found:
    """The first feed a page names, else the first at a usual place; and the page's others.

    Where a page says that it has moved, what is there, once.
    """
    links = await documents.page(page)
    if links.moved and not links.feeds and not moved:
        there = await get(fetcher, Request(url=links.moved))
        title = await _title_if_feed(there, documents)
        if title is not None:
            return Found(there, title)
        return await discover(fetcher, there, documents, moved=True)
    named = links.feeds
    usual = [*likely_feeds(page.url), *map(KnownFeed, guesses(page.url))]
    guessed = [*links.possible[:MOST_TRIED], *usual[:MOST_GUESSED]]
    tried = named[:MOST_TRIED] or {one.url: one for one in guessed}.values()
    problem = f"; it links to {named[0].url}, which is not a feed either" if named else ""
    for one in tried:
        reply = await fetcher.get(Request(url=one.url))
        try:
            title = await _title_if_feed(reply, documents)
        except UserError as error:  # the next may be readable
            problem = f"; {str(error).rstrip('.')}"
            continue
        if title is not None:
            return Found(reply, title, _others(named, one.url))
    raise NotAFeed(f"{page.url} is not a feed and links to no readable feed{problem}.")


async def _title_if_feed(reply: Reply, documents: Finding) -> str | None:
    """The title of the feed in a reply; None when it holds no feed."""
    if reply.failure is not None or reply.status != OK:
        return None
    feed = await documents.feed(reply)
    return None if feed is None else feed.title or urlsplit(reply.url).hostname or reply.url


def _others(feeds: Iterable[KnownFeed], taken: str) -> tuple[tuple[str, str], ...]:
    return tuple((one.url, one.title) for one in feeds if one.url != taken)


# For people who wait for an answer: what cannot be read is said to them, not kept.


@dataclass(frozen=True, slots=True)
class Finding:
    """What reads documents of strangers."""

    reading: Reading
    workers: Workers

    async def feed(self, reply: Reply) -> ParsedFeed | None:
        """The feed in a reply that nobody subscribes to yet; None when it holds none.

        Raises UserError when it could not be told.
        """
        polled = await self.reading.read(DueFeed(FeedId(0), reply.url, ""), reply)
        if polled.failed:
            raise UserError(f"{reply.url} could not be read: {polled.problem}")
        return polled.feed

    async def page(self, reply: Reply) -> pages.PageLinks:
        """Where the feeds of a page are. Raises UserError when it could not be told."""
        question = pages.question(reply)
        try:
            return await self.workers.call(pages.TASK, question, reply.body, pages.understood)
        except WorkerDied as error:
            raise UserError(f"{reply.url} could not be read: {error}") from error

    def outline(self, document: bytes) -> Outline:
        """A list of feeds. Raises ParseError as `read_outline` does, UserError when it could not
        be told."""
        asked = self.workers.submit(
            outlines.TASK, outlines.question(), document, outlines.understood
        )
        try:
            return asked.result()
        except WorkerDied as error:
            raise UserError(f"The list could not be read: {error}") from error
