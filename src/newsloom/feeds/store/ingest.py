"""One open write transaction of a poll pass. Does what the records say; decides nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from newsloom.articles.store import records
from newsloom.articles.store.keys import copies, newest
from newsloom.duplicates.store.cluster_rows import link_copies
from newsloom.duplicates.values import Action, Copy, JudgedArticle
from newsloom.feeds.store import feed_moves, host_turns, quarantine
from newsloom.feeds.store.hints import write_hints, write_identity, write_pace
from newsloom.feeds.store.tables import polls
from newsloom.feeds.values.health import FeedState
from newsloom.feeds.values.polling import READ, DueFeed, PollOutcome, PollRecord
from newsloom.kernel.db.bulk import insert_rows, rows, rows_of_those, run_for_each
from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.dialects import portable
from newsloom.kernel.db.sql import Transactions
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.reading.store import states

# Polls remembered of one feed: four days at the shortest interval, three months at the longest.
POLLS_KEPT = 100


_FEED_HAS_ARTICLES = portable("SELECT 1 FROM articles WHERE feed_id = :feed LIMIT 1")

# NULL leaves what is stored. A document that lost its title is still the feed the reader knows.
_UPDATE_FEED = portable("""
    UPDATE feeds SET
        polled_at = :at, next_poll_at = :next_poll_at, interval = :interval,
        not_before = :not_before,
        ok_at = CASE WHEN :answered THEN :at ELSE ok_at END,
        changed_at = CASE WHEN :changed THEN :at ELSE changed_at END,
        failures = CASE WHEN :answered THEN 0 ELSE failures + 1 END,
        unchanged = CASE WHEN :changed THEN 0 WHEN :unchanged THEN unchanged + 1 ELSE unchanged END,
        unreadable = CASE WHEN :unreadable THEN unreadable + 1 WHEN :answered THEN 0
            ELSE unreadable END,
        newsy = CASE WHEN :changed THEN newsy + 1 WHEN :unchanged THEN 0 ELSE newsy END,
        damaged = CASE WHEN CAST(:damaged AS BOOLEAN) IS NULL THEN damaged
            WHEN :damaged THEN damaged + 1 ELSE 0 END,
        damage = COALESCE(:damage, damage),
        status = :status, problem = :problem, dead = CAST(:next_poll_at AS BIGINT) IS NULL,
        asked_under = :asked_under,
        pace = COALESCE(:pace, pace),
        state_at = CASE WHEN COALESCE(:state, state) = state THEN state_at ELSE :at END,
        state = COALESCE(:state, state),
        moved_to = CASE WHEN :still THEN '' ELSE COALESCE(:moved_to, moved_to) END,
        moved_at = CASE WHEN :still THEN NULL ELSE COALESCE(:moved_at, moved_at) END,
        moved_times = CASE WHEN :still THEN 0 ELSE COALESCE(:moved_times, moved_times) END,
        held_at = CASE WHEN :held_because = '' THEN held_at ELSE COALESCE(held_at, :at) END,
        held_because = CASE WHEN :held_because = '' THEN held_because ELSE :held_because END,
        etag = COALESCE(:etag, etag), last_modified = COALESCE(:last_modified, last_modified),
        validated_url = COALESCE(:validated_url, validated_url),
        body_hash = COALESCE(:body_hash, body_hash), title = COALESCE(:title, title),
        site_url = COALESCE(:site_url, site_url), description = COALESCE(:description, description),
        language = COALESCE(:language, language), format = COALESCE(:format, format),
        image = COALESCE(:image, image), hints = COALESCE(:hints, hints),
        face = COALESCE(:face, face),
        left_out = COALESCE(:left_out, left_out),
        lease_owner = NULL, lease_token = NULL, lease_until = NULL
    WHERE id = :id
""")
# What a hub sent is news, and tells nothing of how the feed answers.
_TOLD_FEED = portable("""
    UPDATE feeds SET
        changed_at = CASE WHEN :changed THEN :at ELSE changed_at END,
        pace = COALESCE(:pace, pace),
        state_at = CASE WHEN :held_because = '' OR state = :state THEN state_at ELSE :at END,
        state = CASE WHEN :held_because = '' THEN state ELSE :state END,
        held_at = CASE WHEN :held_because = '' THEN held_at ELSE COALESCE(held_at, :at) END,
        held_because = CASE WHEN :held_because = '' THEN held_because ELSE :held_because END,
        lease_owner = NULL, lease_token = NULL, lease_until = NULL
    WHERE id = :id
""")
# A poll found what a hub should have told, if it told of this feed when the poll before was made,
# and nothing it sent waits to be read. An older omission stands until it tells again.
_MISSED = portable("""
    UPDATE pushes SET missed_at = CASE
        WHEN missed_at IS NOT NULL AND COALESCE(pushed_at, 0) < missed_at THEN missed_at ELSE :at
    END
    WHERE feed_id = :feed AND state = 'active' AND active_at <= :before
    AND NOT EXISTS (SELECT 1 FROM deliveries WHERE feed_id = :feed)
""")
_LEASES = portable("SELECT id, lease_token FROM feeds WHERE id IN numbers_in(:those)")
_LEFT_OUT = portable("SELECT left_out FROM feeds WHERE id = :feed")
_POLL = (
    "feed_id", "at", "outcome", "status", "seconds", "wire_bytes", "articles", "misdated", "new",
    "revised", "duplicates", "problem", "next_poll_at", "reason",
)  # fmt: skip
_FORGET_OLDEST = portable(f"""
    DELETE FROM polls WHERE feed_id = :feed AND id < (
        SELECT id FROM polls WHERE feed_id = :feed ORDER BY id DESC LIMIT 1 OFFSET {POLLS_KEPT - 1}
    )
""")  # noqa: S608


class OpenIngest:
    """One open write transaction of a poll pass; what a decision sees cannot change under it.

    After an error nothing more is taken, and nothing of it all is kept.

    Articles are written as they are recorded, for the next feed may carry copies of them; what
    stands in the row of a feed, and the history of its polls, is written for all at the end.

    A savepoint for each record was tried: a full disk makes SQLite roll back the whole transaction,
    savepoints and all, and what came after would have been stored outside of any.
    """

    def __init__(
        self, connection: Connection, database: Transactions, now: Callable[[], datetime]
    ) -> None:
        self._connection = connection
        self._database = database
        self._now = now
        self._failure: BaseException | None = None
        self._leases: dict[FeedId, str | None] = {}  # as they stand in this transaction
        self._recorded: list[PollRecord] = []

    def leased(self, feeds: Iterable[DueFeed]) -> frozenset[FeedId]:
        """Those of the feeds that are still leased to whoever claimed them so."""
        feeds = tuple(feeds)
        with self._whole():
            feed_ids = [one.id for one in feeds if one.id not in self._leases]
            self._leases.update(dict.fromkeys(feed_ids))
            found = rows_of_those(self._connection, _LEASES, feed_ids)
            self._leases.update((FeedId(feed), token) for feed, token in found)
        return frozenset(one.id for one in feeds if self._leases[one.id] == one.lease)

    def candidates(
        self, keys: Iterable[tuple[str, str]]
    ) -> Mapping[tuple[str, str], Sequence[Copy]]:
        """Stored copies under each (layer, key); keys without any are absent."""
        with self._whole():
            return copies(self._connection, keys)

    def newest(self, feed: FeedId, limit: int) -> Sequence[tuple[ArticleId, str, datetime]]:
        """The stored articles of a feed with the latest dates, the latest first, each with the
        hash of its content and its date."""
        with self._whole():
            return newest(self._connection, feed, limit)

    def left_out(self, feed: FeedId) -> bytes:
        """The marks of the articles that earlier polls of a feed did not add."""
        with self._whole():
            found = rows(self._connection, _LEFT_OUT, feed=feed)
            return bytes(found[0][0] or b"") if found else b""

    def record(self, poll: PollRecord) -> bool:
        """Store all that one poll changes. False, and nothing stored, when the lease was lost.

        New and duplicate articles are inserted with their keys; revised ones keep the earlier
        version as a revision; every subscriber of the feed gets an unread state for each original
        they have none for; texts of what changed are dropped so that the stages run again.
        """
        feed = poll.due.id
        if feed not in self._leases:
            self.leased([poll.due])
        if self._leases[feed] != poll.due.lease:
            return False
        self._leases[feed] = None
        with self._whole():
            if poll.hold is not None:
                quarantine.hold(self._connection, feed, poll.hold)
            if any(
                one.judgement.action is not Action.UNCHANGED or one.judgement.amended
                for one in poll.articles
            ):
                stored = records.store(
                    self._connection, _undated_behind(self._connection, poll.articles), poll.at
                )
                states.add_stored(self._connection, stored, self._now())
                link_copies(self._connection, stored.links, poll.at)
        self._recorded.append(poll)
        return True

    def failing(self, host: str, besides: FeedId, since: datetime, most: int) -> int:
        """How many other feeds of a host have been failing since then, counted up to `most`:
        those without an answer, and those whose server said that it failed."""
        with self._whole():
            found = host_turns.failing(self._connection, host, since, most + 1)
        here = {one.due.id for one in self._recorded if one.due.host == host and _fails(one)}
        return min(len((found | here) - {besides}), most)

    def finish(self) -> None:
        """Write what is left to write; raise what went wrong, if anything did."""
        with self._whole():
            poll_records = [one for one in self._recorded if not one.by_hub]
            sent = [_columns(one) for one in self._recorded if one.by_hub]
            run_for_each(self._connection, _UPDATE_FEED, [_feed(one) for one in poll_records])
            run_for_each(self._connection, _TOLD_FEED, sent)
            run_for_each(
                self._connection, _MISSED, [_missed(one) for one in poll_records if _late(one)]
            )
            insert_rows(self._connection, polls, _POLL, [_poll(one) for one in poll_records])
            for one in poll_records:
                if one.pause is not None:
                    host_turns.put(self._connection, one.pause)
            told_of = [{"feed": one.due.id} for one in poll_records]
            run_for_each(self._connection, _FORGET_OLDEST, told_of)
            for one in poll_records:
                if one.move_to:
                    feed_moves.move(self._connection, one, self._now())

    @contextmanager
    def _whole(self) -> Iterator[None]:
        if self._failure is not None:
            raise self._failure
        try:
            with self._database.translate_errors():
                yield
        except BaseException as error:
            self._failure = error
            raise


def _fails(poll: PollRecord) -> bool:
    """As pauses.failing counts."""
    return poll.outcome is PollOutcome.FAILED and (poll.status == 0 or poll.status >= 500)


def _feed(poll: PollRecord) -> dict[str, Any]:
    """What a poll leaves in the row of its feed; its lease ends."""
    feed = poll.feed
    return {
        "id": poll.due.id,
        "at": micros(poll.at),
        "next_poll_at": None if poll.plan.next_poll is None else micros(poll.plan.next_poll),
        "interval": poll.plan.interval // timedelta(microseconds=1),
        "not_before": None if poll.plan.not_before is None else micros(poll.plan.not_before),
        "answered": poll.outcome in READ,
        "changed": poll.outcome is PollOutcome.CHANGED,
        "unchanged": poll.outcome is PollOutcome.UNCHANGED,
        "problem": poll.problem,
        "asked_under": poll.settings_fingerprint,
        "etag": poll.etag,
        "last_modified": poll.last_modified,
        "validated_url": poll.validated_url,
        "body_hash": poll.body_hash,
        "title": feed.title or None if feed else None,
        "site_url": feed.site_url if feed else None,
        "description": feed.description if feed else None,
        "language": feed.language if feed else None,
        "format": feed.format if feed else None,
        "image": feed.image if feed else None,
        "hints": json.dumps(write_hints(feed.hints)) if feed else None,
        "unreadable": poll.outcome is PollOutcome.UNREADABLE,
        "damaged": None if poll.damage is None else bool(poll.damage),
        "damage": None if poll.damage is None else poll.damage.value,
        "status": poll.status,
        "pace": None if poll.pace is None else json.dumps(write_pace(poll.pace)),
        "face": None if poll.identity is None else json.dumps(write_identity(poll.identity)),
        "left_out": poll.left_out,
        "state": None if poll.state is None else poll.state.value,
        "still": poll.still,
        "moved_to": poll.moving.url if poll.moving else None,
        "moved_at": micros(poll.moving.since) if poll.moving else None,
        "moved_times": poll.moving.times if poll.moving else None,
        "held_because": poll.held_because,
    }


def _columns(sent: PollRecord) -> dict[str, Any]:
    return {
        "id": sent.due.id,
        "at": micros(sent.at),
        "changed": sent.outcome is PollOutcome.CHANGED,
        "held_because": sent.held_because,
        "state": FeedState.HELD.value,
        "pace": None if sent.pace is None else json.dumps(write_pace(sent.pace)),
    }


def _late(poll: PollRecord) -> bool:
    """Whether a poll found new articles of a feed that a hub tells of."""
    new = any(one.judgement.action is Action.NEW for one in poll.articles)
    return new and poll.due.pushed and poll.due.polled_at is not None


def _missed(poll: PollRecord) -> dict[str, Any]:
    before = poll.due.polled_at or poll.at
    return {"feed": poll.due.id, "at": micros(poll.at), "before": micros(before)}


def _poll(poll: PollRecord) -> tuple[Any, ...]:
    """The row of the history, in the order of _POLL."""
    actions = [one.judgement.action for one in poll.articles]
    return (
        poll.due.id,
        micros(poll.at),
        poll.outcome.value,
        poll.status,
        poll.seconds,
        poll.wire_bytes,
        poll.seen,
        poll.misdated,
        actions.count(Action.NEW),
        actions.count(Action.REVISED),
        actions.count(Action.DUPLICATE),
        poll.problem,
        None if poll.plan.next_poll is None else micros(poll.plan.next_poll),
        poll.plan.reason,
    )


def _undated_behind(
    connection: Connection, judged: Sequence[JudgedArticle]
) -> Sequence[JudgedArticle]:
    """The articles of a feed's first document; ones without a date as old as the oldest one.

    Where others have a date, those are mostly pages such as "About" and "Sources", and would be the
    newest articles of a new feed. Readers are shown when they were first seen. What the feed adds
    later is new.
    """
    undated = [one for one in judged if not one.incoming.parsed.is_dated]
    if not undated or len(undated) == len(judged):
        return judged
    feed = judged[0].incoming.copy.feed_id
    if connection.execute(_FEED_HAS_ARTICLES, {"feed": feed}).first() is not None:
        return judged
    oldest = min(one.incoming.copy.dated for one in judged)
    return [
        one
        if one.incoming.parsed.is_dated
        else replace(
            one, incoming=replace(one.incoming, copy=replace(one.incoming.copy, dated=oldest))
        )
        for one in judged
    ]
