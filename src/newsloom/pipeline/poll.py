"""Polling: lease what is due, fetch it, read it, judge it, store it; feed by feed, batch by batch.

A feed that cannot be read is recorded as such and stops nothing. What is judged and what is stored
share one write transaction, so two processes never double an article.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from http import HTTPStatus

from newsloom import schedule
from newsloom.dedup import forwarding, judge_document, prepare
from newsloom.errors import ParseError, StoreBusy, StoreError, StoreFull
from newsloom.parse import parse_feed
from newsloom.pipeline.resolving import Resolver
from newsloom.ports import Fetcher, Ingest, PollStore
from newsloom.types import (
    Action,
    DueFeed,
    FeedId,
    IncomingArticle,
    ParsedFeed,
    PollCounts,
    PollOutcome,
    PollRecord,
    Reply,
    Request,
)

log = logging.getLogger(__name__)

# Longer than any poll may take while it waits for its host's turn. A process that dies gives its
# leases back at once (the store sees that its owner is gone), so a long lease costs nothing.
LEASE = timedelta(hours=1)

OK = 200
NOT_MODIFIED = 304
GONE = 410


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


@dataclass(frozen=True, slots=True)
class Poller:
    """Polls feeds through the ports given. `jitter` gives 0..1; `on_poll` hears of each feed."""

    store: PollStore
    fetcher: Fetcher
    owner: str
    now: Callable[[], datetime]
    jitter: Callable[[], float]
    floor: timedelta
    ceiling: timedelta
    resolver: Resolver | None = None  # None: forwarding links are compared as they stand
    window: int = 64  # feeds leased and under way at once
    on_poll: Callable[[PollCounts], None] = lambda _counts: None

    async def due(self, feeds: Sequence[FeedId] | None = None) -> PollCounts:
        """Poll every feed that is due, or those named; returns what came of it."""
        counts = PollCounts()
        under_way: set[asyncio.Task[Polled]] = set()
        try:
            claimed = self.claim(self.window, feeds)
            under_way |= self._start(claimed)
            # Named feeds are claimed once: they would be handed out again for ever.
            more = feeds is None and len(claimed) == self.window
            while under_way:
                done, under_way = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
                counts += await asyncio.to_thread(self.store_all, [task.result() for task in done])
                if more and len(under_way) <= self.window // 2:
                    wanted = self.window - len(under_way)
                    claimed = self.claim(wanted, None)
                    under_way |= self._start(claimed)
                    more = len(claimed) == wanted
        finally:
            for task in under_way:
                task.cancel()
            self.store.release(self.owner)
        return counts

    async def first(self, feed: FeedId, reply: Reply) -> PollCounts:
        """Store a reply already in hand as the first poll of a feed just subscribed to."""
        claimed = await asyncio.to_thread(self.claim, 1, [feed])
        polled = [await self._read(due, reply) for due in claimed]
        return await asyncio.to_thread(self.store_all, polled)

    def claim(self, limit: int, feeds: Sequence[FeedId] | None) -> tuple[DueFeed, ...]:
        """Lease feeds for this poller: those due, or those named."""
        return self.store.claim_due(
            self.now(),
            owner=self.owner,
            lease_for=LEASE,
            limit=limit if feeds is None else max(limit, len(feeds)),
            feeds=feeds,
        )

    def _start(self, feeds: Sequence[DueFeed]) -> set[asyncio.Task[Polled]]:
        return {asyncio.create_task(self._fetch(feed)) for feed in feeds}

    async def _fetch(self, due: DueFeed) -> Polled:
        reply = await self.fetcher.get(
            Request(
                url=due.url,
                etag=due.etag,
                last_modified=due.last_modified,
                validated_url=due.validated_url,
            )
        )
        return await self._read(due, reply)

    async def _read(self, due: DueFeed, reply: Reply) -> Polled:
        """A reply understood, with what is known of where its articles' links lead."""
        polled = await asyncio.to_thread(read, due, reply)
        links = forwarding(polled.feed) if polled.feed and self.resolver else ()
        if not links or self.resolver is None:
            return polled
        targets = await self.resolver.targets(links)
        return await asyncio.to_thread(led, polled, targets)

    def store_all(self, polled: Sequence[Polled]) -> PollCounts:
        """Judge and store a batch in one transaction; a feed the store refuses is set apart."""
        try:
            with self.store.ingest() as ingest:
                counts = [self._store(ingest, one) for one in polled]
        except (StoreBusy, StoreFull):
            raise
        except StoreError as error:
            if len(polled) > 1:
                return sum((self.store_all([one]) for one in polled), PollCounts())
            if polled[0].outcome is not PollOutcome.CHANGED:
                raise
            return self.store_all([unreadable(polled[0], f"could not be stored: {error}")])
        for one in counts:
            self.on_poll(one)
        return sum(counts, PollCounts())

    def _store(self, ingest: Ingest, polled: Polled) -> PollCounts:
        keys = {key for one in polled.incoming for key in one.keys}
        candidates = ingest.candidates(keys) if keys else {}
        judged = judge_document(polled.incoming, candidates)
        outcome = polled.outcome
        if outcome is PollOutcome.CHANGED and all(
            one.judgement.action is Action.UNCHANGED for one in judged
        ):
            outcome = PollOutcome.UNCHANGED
        at = self.now()
        hints = polled.feed.hints if polled.feed else polled.due.hints
        facts = schedule.facts(polled.due, polled.reply, outcome, hints)
        plan = schedule.plan(facts, at, self.floor, self.ceiling, self.jitter())
        answered = polled.outcome in {PollOutcome.CHANGED, PollOutcome.UNCHANGED}
        record = PollRecord(
            due=polled.due,
            outcome=outcome,
            plan=plan,
            at=at,
            seconds=polled.reply.seconds,
            status=polled.reply.status,
            wire_bytes=polled.reply.wire_bytes,
            problem=polled.problem,
            etag=_validator(polled.reply, "etag") if answered else None,
            last_modified=_validator(polled.reply, "last-modified") if answered else None,
            validated_url=polled.reply.url if answered else None,
            body_hash=polled.body_hash,
            feed=polled.feed,
            articles=judged,
        )
        kept = ingest.record(record)
        return _counts(record) if kept else PollCounts()


def _validator(reply: Reply, name: str) -> str | None:
    """A 304 without the header keeps what is stored; a 200 without it forgets (P06, P07)."""
    value = reply.header(name)
    return None if not value and reply.status == NOT_MODIFIED else value


def read(due: DueFeed, reply: Reply) -> Polled:
    """A reply as far as it can be understood without the store. Pure, and never raises."""
    if reply.failure is not None:
        return Polled(due, reply, PollOutcome.FAILED, reply.problem or reply.failure.value)
    if reply.status == NOT_MODIFIED:
        return Polled(due, reply, PollOutcome.UNCHANGED)
    if reply.status == GONE:
        return Polled(due, reply, PollOutcome.GONE, "the publisher says this feed is gone (410)")
    if reply.status != OK:
        return Polled(due, reply, PollOutcome.FAILED, status_words(reply.status))
    body_hash = hashlib.blake2b(reply.body, digest_size=16).hexdigest()
    if body_hash == due.body_hash:
        return Polled(due, reply, PollOutcome.UNCHANGED, body_hash=body_hash)
    try:
        feed = parse_feed(reply.body, reply.url, content_type=reply.header("content-type"))
        incoming = prepare(feed, due.id, reply.received)
    except ParseError as error:
        return Polled(due, reply, PollOutcome.UNREADABLE, str(error))
    except Exception as error:
        # Our own fault, whatever it is; but one bad feed must not stop a run.
        log.exception("reading %s failed", due.url)
        words = f"Newsloom failed to read it ({type(error).__name__}: {error})"
        return Polled(due, reply, PollOutcome.UNREADABLE, words)
    return Polled(due, reply, PollOutcome.CHANGED, feed.problem, feed, incoming, body_hash)


def led(polled: Polled, targets: Mapping[str, str]) -> Polled:
    """The same document, its articles compared by where their links lead."""
    if polled.feed is None or not targets:
        return polled
    incoming = prepare(polled.feed, polled.due.id, polled.reply.received, targets)
    return replace(polled, incoming=incoming)


def unreadable(polled: Polled, problem: str) -> Polled:
    """The same poll without its document."""
    return Polled(polled.due, polled.reply, PollOutcome.UNREADABLE, problem)


def status_words(status: int) -> str:
    """ "404 Not Found", for people."""
    try:
        return f"the server answered {status} {HTTPStatus(status).phrase}"
    except ValueError:
        return f"the server answered {status}"


def _counts(record: PollRecord) -> PollCounts:
    actions = [one.judgement.action for one in record.articles]
    failed = record.outcome not in {PollOutcome.CHANGED, PollOutcome.UNCHANGED}
    return PollCounts(
        feeds=1,
        changed=int(record.outcome is PollOutcome.CHANGED),
        unchanged=int(record.outcome is PollOutcome.UNCHANGED),
        failed=int(failed),
        articles=len(record.feed.articles) if record.feed else 0,
        new=actions.count(Action.NEW),
        revised=actions.count(Action.REVISED),
        duplicates=actions.count(Action.DUPLICATE),
        wire_bytes=record.wire_bytes,
        problems=((record.due.url, record.problem),) if failed else (),
    )
