"""A reply, as far as it can be understood without the store. Never raises: all is an outcome."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Protocol
from urllib.parse import urlsplit

from newsloom.duplicates import prepare
from newsloom.duplicates.values import IncomingArticle
from newsloom.feeds.discovery import moved_to
from newsloom.feeds.parse import parse_feed
from newsloom.feeds.parse.links import resolve
from newsloom.feeds.values.polling import DueFeed, PollOutcome
from newsloom.feeds.values.published import Damage, ParsedFeed
from newsloom.feeds.websub import discovered
from newsloom.feeds.workers import parsing as feeds
from newsloom.kernel.errors import ParseError
from newsloom.kernel.http.values import Reply
from newsloom.kernel.workers.pool import WorkerDied, Workers

log = logging.getLogger(__name__)

OK = 200
NOT_MODIFIED = 304
GONE = 410


# A hash of so many bytes takes a millisecond or two; of more, the event loop does not wait for it.
LARGE = 1_000_000


@dataclass(frozen=True, slots=True)
class Polled:
    """One feed's answer, read as far as it goes without the store."""

    due: DueFeed
    reply: Reply
    outcome: PollOutcome  # CHANGED means only: there is a document to judge
    problem: str = ""
    feed: ParsedFeed | None = None
    incoming: tuple[IncomingArticle, ...] = ()
    body_hash: str | None = None
    damage: Damage | None = None  # of its document; None: there was none to be read
    by_hub: bool = False  # sent by a hub, and no poll
    failed: bool = False  # nobody could tell what it is: the reading ended, not the document


class Reading(Protocol):
    """What reads replies: in this process, or in others that may be killed."""

    async def read(self, due: DueFeed, reply: Reply) -> Polled: ...

    async def moved(self, page: Reply) -> str:
        """Where a page says that what was there is now; "" for most."""


class InThread:
    """Reads in a thread of this process."""

    async def read(self, due: DueFeed, reply: Reply) -> Polled:
        if reply.failure is not None or reply.status != OK:
            return unread(due, reply)
        return await asyncio.to_thread(read, due, reply)

    async def moved(self, page: Reply) -> str:
        kind = page.header("content-type")
        return await asyncio.to_thread(moved_to, page.body, page.url, kind)


@dataclass(frozen=True, slots=True)
class InWorkers:
    """Reads what must be parsed in processes that have little and may be killed."""

    workers: Workers

    async def read(self, due: DueFeed, reply: Reply) -> Polled:
        large = len(reply.body) > LARGE
        polled = await asyncio.to_thread(unread, due, reply) if large else unread(due, reply)
        if polled.outcome is not PollOutcome.CHANGED:
            return polled
        kind = reply.header("content-type")
        question = feeds.question(_base(reply), kind, due.id, reply.received)
        try:
            feed, incoming = await self.workers.call(
                feeds.TASK, question, reply.body, feeds.understood
            )
        except ParseError as error:
            return unreadable(polled, str(error))
        except WorkerDied as error:
            return replace(unreadable(polled, str(error)), failed=True)
        return _understood(polled, feed, incoming)

    async def moved(self, page: Reply) -> str:
        # Knows all kinds of sites; few feeds turn into pages.
        from newsloom.feeds.workers import page_links as pages

        try:
            found = await self.workers.call(
                pages.TASK, pages.question(page, moved_only=True), page.body, pages.understood
            )
        except WorkerDied:
            return ""
        return found.moved


def unread(due: DueFeed, reply: Reply) -> Polled:
    """What a reply comes to if nobody looks into it; CHANGED when somebody must."""
    if reply.failure is not None:
        return Polled(due, reply, PollOutcome.FAILED, reply.problem or reply.failure.value)
    if reply.status == NOT_MODIFIED:
        return Polled(due, reply, PollOutcome.UNCHANGED)
    if reply.status == GONE:
        return Polled(
            due, reply, PollOutcome.GONE, "the publisher has discontinued this feed (410)"
        )
    if reply.status != OK:
        return Polled(due, reply, PollOutcome.FAILED, status_words(reply.status))
    body_hash = hashlib.blake2b(reply.body, digest_size=16).hexdigest()
    same = body_hash == due.body_hash
    outcome = PollOutcome.UNCHANGED if same else PollOutcome.CHANGED
    return Polled(due, reply, outcome, body_hash=body_hash)


def read(due: DueFeed, reply: Reply) -> Polled:
    """A reply as far as it can be understood without the store, in this thread."""
    polled = unread(due, reply)
    if polled.outcome is not PollOutcome.CHANGED:
        return polled
    try:
        feed = parse_feed(reply.body, _base(reply), content_type=reply.header("content-type"))
        incoming = prepare(feed, due.id, reply.received)
    except ParseError as error:
        return unreadable(polled, str(error))
    except Exception as error:
        # Our own fault, whatever it is; but one bad feed must not stop a run.
        log.exception("reading %s failed", due.url)
        words = f"Newsloom failed to read it ({type(error).__name__}: {error})"
        return replace(unreadable(polled, words), failed=True)
    return _understood(polled, feed, incoming)


def _base(reply: Reply) -> str:
    """What relative addresses start from: Content-Location, unless it names another host, as
    servers behind a proxy do."""
    location = resolve(reply.url, reply.header("content-location"))
    same = urlsplit(location).netloc == urlsplit(reply.url).netloc
    return location if same and location.startswith("http") else reply.url


def _understood(polled: Polled, feed: ParsedFeed, incoming: tuple[IncomingArticle, ...]) -> Polled:
    """With what the document says, and where its headers say that there is a hub."""
    hints = discovered(polled.reply.headers, polled.reply.url, feed.hints)
    language = feed.language or polled.reply.header("content-language").partition(",")[0].strip()
    feed = replace(feed, hints=hints, language=language[:35])
    return replace(polled, problem=feed.problem, feed=feed, incoming=incoming, damage=feed.damage)


def with_targets(polled: Polled, targets: Mapping[str, str]) -> Polled:
    """The same document, its articles compared by where their links lead."""
    if polled.feed is None or not targets:
        return polled
    incoming = prepare(polled.feed, polled.due.id, polled.reply.received, targets)
    return replace(polled, incoming=incoming)


def held(polled: Polled) -> Polled:
    """The same poll of a feed in quarantine: it was answered, and nothing of it may be read."""
    return replace(polled, problem="", feed=None, incoming=())


def unreadable(polled: Polled, problem: str) -> Polled:
    """The same poll without its document."""
    return Polled(polled.due, polled.reply, PollOutcome.UNREADABLE, problem)


def status_words(status: int) -> str:
    """ "404 Not Found", for people."""
    try:
        return f"the server returned {status} {HTTPStatus(status).phrase}"
    except ValueError:
        return f"the server returned {status}"
