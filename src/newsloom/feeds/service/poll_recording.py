"""What was polled, judged and stored: what is judged and what is stored share one transaction."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from newsloom import duplicates as dedup
from newsloom.duplicates import judge_document
from newsloom.duplicates.values import Action, JudgedArticle
from newsloom.feeds import health, schedule
from newsloom.feeds.service.reply import OK, Polled, Reading, held, unreadable
from newsloom.feeds.store.ingest import OpenIngest
from newsloom.feeds.values.health import HeldDocument
from newsloom.feeds.values.polling import (
    READ,
    DueFeed,
    Pause,
    PollCounts,
    PollOutcome,
    PollPlan,
    PollRecord,
    PublishingRate,
)
from newsloom.feeds.values.published import Damage
from newsloom.kernel.errors import Audience, StoreBusy, StoreError, StoreFull, error_reply
from newsloom.kernel.http.values import Reply, Request
from newsloom.kernel.ids import FeedId
from newsloom.store import Store

log = logging.getLogger(__name__)

# What the feed has had already, the present version or another.
_KNOWN = frozenset({Action.UNCHANGED, Action.REVISED})


@dataclass(frozen=True, slots=True)
class PollRecorder:
    """Judges and stores batches of polled feeds. `jitter` gives 0..1; `on_poll` hears of each."""

    store: Store
    now: Callable[[], datetime]
    jitter: Callable[[], float]
    floor: timedelta
    ceiling: timedelta
    on_poll: Callable[[PollCounts], None] = lambda _counts: None
    settings_fingerprint: str = ""  # the settings in force that a poll may fail by

    def store_all(self, polled: Sequence[Polled]) -> PollCounts:
        """Judge and store a batch in one transaction; a feed the store refuses is set apart."""
        try:
            with self.store.feeds.ingest() as ingest:
                leased = ingest.leased(one.due for one in polled)
                counts = [self._store(ingest, one) for one in polled if one.due.id in leased]
        except (StoreBusy, StoreFull):
            raise
        except StoreError as error:
            if len(polled) > 1:
                return sum((self.store_all([one]) for one in polled), PollCounts())
            if polled[0].outcome is not PollOutcome.CHANGED:
                raise
            log.warning("feed %s could not be stored: %s", polled[0].due.id, error)
            problem = error_reply(error, Audience.READER).message
            return self.store_all([unreadable(polled[0], f"could not be stored: {problem}")])
        for one in counts:
            self.on_poll(one)
        return sum(counts, PollCounts())

    def _store(self, ingest: OpenIngest, polled: Polled) -> PollCounts:
        """Judge one document and the feed it came from, then record both. Long for its fields."""
        at, seen = self.now(), len(polled.feed.articles) if polled.feed else 0
        judged, left_out = _judged(ingest, polled)
        outcome = _outcome(polled, judged)
        known = sum(one.judgement.action in _KNOWN for one in judged)
        well = health.judged(
            polled.due, polled.reply, outcome, polled.feed, polled.incoming, known, at
        )
        damage = polled.damage or Damage.NONE
        trusted = schedule.trusted(damage, polled.due.damaged)
        kept = schedule.validators(polled.reply, polled.outcome, damage, polled.due.damaged)
        if well.hold is not None:
            polled, judged, outcome = held(polled), (), PollOutcome.UNCHANGED
        pace = _pace(polled, judged, at)
        hints = polled.feed.hints if polled.feed else polled.due.hints
        facts = schedule.facts(polled.due, polled.reply, outcome, hints, pace, damage)
        plan = schedule.plan(facts, at, self.floor, self.ceiling, self.jitter())
        record = PollRecord(
            due=polled.due,
            outcome=outcome,
            plan=plan,
            at=at,
            seconds=polled.reply.seconds,
            status=polled.reply.status,
            wire_bytes=polled.reply.wire_bytes,
            problem="; ".join(
                filter(None, (polled.problem, dedup.renaming(judged), _too_many(seen, left_out)))
            ),
            etag=kept.etag,
            last_modified=kept.last_modified,
            validated_url=kept.url,
            # What may lack articles is read again, even if it comes byte for byte.
            body_hash=polled.body_hash if trusted else "",
            damage=polled.damage,
            feed=polled.feed,
            articles=judged,
            seen=seen,
            left_out=left_out,
            misdated=well.misdated,
            identity=well.identity,
            state=well.state,
            moving=well.moving,
            still=well.still,
            hold=well.hold,
            held_because=well.held_because,
            move_to=well.move_to,
            move_because=well.move_because,
            settings_fingerprint=self.settings_fingerprint if polled.reply.reached else "",
            by_hub=polled.by_hub,
            pace=pace,
            pause=_pause(ingest, polled, plan, at) if outcome is PollOutcome.FAILED else None,
        )
        return _counts(record) if ingest.record(record) else PollCounts()


def _judged(ingest: OpenIngest, polled: Polled) -> tuple[tuple[JudgedArticle, ...], bytes | None]:
    """What becomes of each article of a document, and the marks of those left out of a long one."""
    incoming = [
        replace(one, copy=replace(one.copy, publisher=polled.due.host)) for one in polled.incoming
    ]
    keys = {key for one in incoming for key in one.keys}
    judged = dedup.judge_document(incoming, ingest.candidates(keys)) if keys else ()
    if not polled.due.new and dedup.seems_renamed(judged):
        judged = dedup.by_text(judged, ingest.newest(polled.due.id, dedup.LOOK * len(judged)))
    if len(judged) <= dedup.MOST_NEW:
        return judged, None
    return dedup.limited(judged, ingest.left_out(polled.due.id))


def _too_many(seen: int, left_out: bytes | None) -> str:
    """Words for what a long document has beside what is stored."""
    count = len(left_out or b"") // dedup.MARK_BYTES
    if not count:
        return ""
    return f"has {seen:,} articles; the {count:,} oldest were skipped"


def _outcome(polled: Polled, judged: Sequence[JudgedArticle]) -> PollOutcome:
    """A document with nothing new or revised in it has not changed, whatever its bytes."""
    unchanged = all(one.judgement.action is Action.UNCHANGED for one in judged)
    if polled.outcome is PollOutcome.CHANGED and unchanged:
        return PollOutcome.UNCHANGED
    return polled.outcome


def _pace(polled: Polled, judged: Sequence[JudgedArticle], at: datetime) -> PublishingRate | None:
    """What its new articles tell of a feed's pace; None when there are none.

    Of the first document all are new, whatever other feeds had of them.
    """
    due = polled.due
    first = due.pace.at is None
    new = [
        one.incoming.parsed
        for one in judged
        if first or one.judgement.action in {Action.NEW, Action.DUPLICATE}
    ]
    if polled.feed is None or not (new or first):
        return None
    dates = [date for one in new if (date := one.published or one.updated)]
    return schedule.learned(due.pace, at, len(new), dates, due.unchanged + 1)


def _pause(ingest: OpenIngest, polled: Polled, plan: PollPlan, at: datetime) -> Pause | None:
    due, reply = polled.due, polled.reply
    failing = 0
    if schedule.may_pause(reply):
        since = at - schedule.FAILING_WITHIN
        failing = ingest.failing(due.host, due.id, since, schedule.FAILING_FEEDS - 1)
    return schedule.pause(due, reply, plan, at, failing)


def _counts(record: PollRecord) -> PollCounts:
    actions = [one.judgement.action for one in record.articles]
    failed = record.outcome not in READ
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


# Letting in what was held of a feed in quarantine: read, judged and stored as if polled, at once.
# No poll: nothing is asked of the network, and when the feed is asked next does not change.

# Enough to see whose they are.
MOST_HEADLINES = 50


@dataclass(frozen=True, slots=True)
class QuarantineRelease:
    """Reads held documents, and lets them in through the ports given."""

    store: Store
    reading: Reading
    now: Callable[[], datetime]

    async def release(self, feed: FeedId) -> int:
        """End the quarantine of a feed: everything in it, in order and one step. How much is news.

        A document that cannot be read again is left out.
        """
        documents = await self.read(feed)
        return await asyncio.to_thread(self._store, feed, documents)

    async def headlines(self, feed: FeedId) -> tuple[str, ...]:
        """The titles of what is held, the newest document first, each once."""
        titles = [
            article.parsed.title
            for one in reversed(await self.read(feed))
            for article in one.incoming
        ]
        return tuple(dict.fromkeys(filter(None, titles)))[:MOST_HEADLINES]

    async def read(self, feed: FeedId) -> tuple[Polled, ...]:
        """What is held of a feed, as far as it can be read, the oldest first."""
        held = await asyncio.to_thread(self.store.feeds.held, feed)
        return tuple(
            [await self.reading.read(DueFeed(feed, one.url, lease=""), _reply(one)) for one in held]
        )

    def _store(self, feed: FeedId, documents: Sequence[Polled]) -> int:
        news = 0
        with self.store.feeds.letting_in(feed, self.now()) as letting:
            for one in documents:
                if one.feed is None:
                    continue
                keys = {key for article in one.incoming for key in article.keys}
                judged = judge_document(one.incoming, letting.candidates(keys) if keys else {})
                identity = health.identity_of(one.feed)
                news += letting.take_in(one.feed, judged, identity, one.reply.received)
        return news


def _reply(document: HeldDocument) -> Reply:
    return Reply(
        Request(document.url),
        received=document.at,
        seconds=0.0,
        status=OK,
        url=document.url,
        headers=(("content-type", document.content_type),),
        body=document.body,
    )
