"""One open write transaction of a poll pass. Does what the records say; decides nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from sqlalchemy import Connection, insert, text

from newsloom.store import articles, states
from newsloom.store.columns import micros
from newsloom.store.faults import told
from newsloom.store.hints import write_face, write_hints, write_pace
from newsloom.store.keys import copies
from newsloom.store.tables import holds, polls
from newsloom.types import Action, Copy, FeedId, HeldDocument, PollOutcome, PollRecord

# Polls remembered of one feed: four days at the shortest interval, three months at the longest.
POLLS_KEPT = 100

_ANSWERED = {PollOutcome.CHANGED, PollOutcome.UNCHANGED}

# NULL leaves what is stored. A document that lost its title is still the feed the reader knows.
_UPDATE_FEED = text("""
    UPDATE feeds SET
        polled_at = :at, next_poll_at = :next_poll_at, interval = :interval,
        ok_at = CASE WHEN :answered THEN :at ELSE ok_at END,
        changed_at = CASE WHEN :changed THEN :at ELSE changed_at END,
        failures = CASE WHEN :answered THEN 0 ELSE failures + 1 END,
        unchanged = CASE WHEN :changed THEN 0 WHEN :unchanged THEN unchanged + 1 ELSE unchanged END,
        unreadable = CASE WHEN :unreadable THEN unreadable + 1 WHEN :answered THEN 0
            ELSE unreadable END,
        newsy = CASE WHEN :changed THEN newsy + 1 WHEN :unchanged THEN 0 ELSE newsy END,
        status = :status, problem = :problem, dead = :next_poll_at IS NULL,
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
        lease_owner = NULL, lease_token = NULL, lease_until = NULL
    WHERE id = :id AND lease_token = :lease
""")
_REMEMBER = insert(polls)
_FORGET_OLDEST = text(f"""
    DELETE FROM polls WHERE feed_id = :feed AND id < (
        SELECT id FROM polls WHERE feed_id = :feed ORDER BY id DESC LIMIT 1 OFFSET {POLLS_KEPT - 1}
    )
""")  # noqa: S608


class OpenIngest:
    """See ports.Ingest. After an error nothing more is taken, and nothing of it all is kept.

    A savepoint for each record was tried: a full disk makes SQLite roll back the whole transaction,
    savepoints and all, and what came after would have been stored outside of any.
    """

    def __init__(self, connection: Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._failure: BaseException | None = None

    def candidates(
        self, keys: Iterable[tuple[str, str]]
    ) -> Mapping[tuple[str, str], Sequence[Copy]]:
        with self._whole():
            return copies(self._connection, keys)

    def record(self, poll: PollRecord) -> bool:
        with self._whole():
            if not _update_feed(self._connection, poll):
                return False
            _remember(self._connection, poll)
            if poll.hold is not None:
                _hold(self._connection, poll.due.id, poll.hold)
            if any(
                one.judgement.action is not Action.UNCHANGED or one.judgement.moved
                for one in poll.articles
            ):
                stored = articles.store(self._connection, poll.articles, poll.at)
                states.add_unread(self._connection, poll.due.id, stored)
        return True

    def check(self) -> None:
        """Raise what went wrong, if anything did."""
        if self._failure is not None:
            raise self._failure

    @contextmanager
    def _whole(self) -> Iterator[None]:
        self.check()
        try:
            with told(self._path):
                yield
        except BaseException as error:
            self._failure = error
            raise


def _update_feed(connection: Connection, poll: PollRecord) -> bool:
    """Write the feed and end its lease; False when the lease is another's by now."""
    feed = poll.feed
    values = {
        "id": poll.due.id,
        "lease": poll.due.lease,
        "at": micros(poll.at),
        "next_poll_at": None if poll.plan.next_poll is None else micros(poll.plan.next_poll),
        "interval": poll.plan.interval // timedelta(microseconds=1),
        "answered": poll.outcome in _ANSWERED,
        "changed": poll.outcome is PollOutcome.CHANGED,
        "unchanged": poll.outcome is PollOutcome.UNCHANGED,
        "problem": poll.problem,
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
        "status": poll.status,
        "pace": None if poll.pace is None else json.dumps(write_pace(poll.pace)),
        "face": None if poll.face is None else json.dumps(write_face(poll.face)),
        "state": None if poll.state is None else poll.state.value,
        "still": poll.still,
        "moved_to": poll.moving.url if poll.moving else None,
        "moved_at": micros(poll.moving.since) if poll.moving else None,
        "moved_times": poll.moving.times if poll.moving else None,
        "held_because": poll.held_because,
    }
    return connection.execute(_UPDATE_FEED, values).rowcount == 1


def _hold(connection: Connection, feed: FeedId, document: HeldDocument) -> None:
    connection.execute(
        insert(holds),
        {
            "feed_id": feed,
            "at": document.at,
            "url": document.url,
            "content_type": document.content_type,
            "body": document.body,
        },
    )


def _remember(connection: Connection, poll: PollRecord) -> None:
    actions = [one.judgement.action for one in poll.articles]
    connection.execute(
        _REMEMBER,
        {
            "feed_id": poll.due.id,
            "at": poll.at,
            "outcome": poll.outcome.value,
            "status": poll.status,
            "seconds": poll.seconds,
            "wire_bytes": poll.wire_bytes,
            "articles": poll.seen,
            "misdated": poll.misdated,
            "new": actions.count(Action.NEW),
            "revised": actions.count(Action.REVISED),
            "duplicates": actions.count(Action.DUPLICATE),
            "problem": poll.problem,
            "next_poll_at": poll.plan.next_poll,
            "reason": poll.plan.reason,
        },
    )
    connection.execute(_FORGET_OLDEST, {"feed": poll.due.id})
