"""One open write transaction of a poll pass. Does what the records say; decides nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from newsloom.store import articles, states
from newsloom.store.faults import told
from newsloom.store.hints import write_hints
from newsloom.store.keys import copies
from newsloom.store.tables import feeds, polls
from newsloom.types import Action, Copy, ParsedFeed, PollOutcome, PollRecord

# Polls remembered of one feed: four days at the shortest interval, three months at the longest.
POLLS_KEPT = 100

_ANSWERED = {PollOutcome.CHANGED, PollOutcome.UNCHANGED}


class OpenIngest:
    """See ports.Ingest."""

    def __init__(self, connection: Connection, path: Path) -> None:
        self._connection = connection
        self._path = path

    def candidates(
        self, keys: Iterable[tuple[str, str]]
    ) -> Mapping[tuple[str, str], Sequence[Copy]]:
        with told(self._path):
            return copies(self._connection, keys)

    def record(self, poll: PollRecord) -> bool:
        # The savepoint keeps "all or nothing" even for a caller that goes on after an error.
        with told(self._path), self._connection.begin_nested():
            if not _update_feed(self._connection, poll):
                return False
            _remember(self._connection, poll)
            if any(one.judgement.action is not Action.UNCHANGED for one in poll.articles):
                stored = articles.store(self._connection, poll.articles, poll.at)
                states.add_unread(self._connection, poll.due.id, stored)
        return True


def _update_feed(connection: Connection, poll: PollRecord) -> bool:
    """Write the feed and end its lease; False when the lease is another's by now."""
    answered = poll.outcome in _ANSWERED
    unchanged = {PollOutcome.CHANGED: 0, PollOutcome.UNCHANGED: feeds.c.unchanged + 1}
    values: dict[str, Any] = {
        "polled_at": poll.at,
        "next_poll_at": poll.plan.next_poll,
        "interval": poll.plan.interval,
        "failures": 0 if answered else feeds.c.failures + 1,
        "unchanged": unchanged.get(poll.outcome, feeds.c.unchanged),
        "problem": poll.problem,
        "dead": poll.plan.next_poll is None,
        "lease_owner": None,
        "lease_token": None,
        "lease_until": None,
    }
    if answered:
        values["ok_at"] = poll.at
    if poll.outcome is PollOutcome.CHANGED:
        values["changed_at"] = poll.at
    for name in ("etag", "last_modified", "body_hash"):
        if (validator := getattr(poll, name)) is not None:
            values[name] = validator
    if poll.feed is not None:
        values |= _described(poll.feed)
    held = (feeds.c.id == poll.due.id) & (feeds.c.lease_token == poll.due.lease)
    return connection.execute(update(feeds).where(held).values(values)).rowcount == 1


def _described(feed: ParsedFeed) -> dict[str, Any]:
    return {
        # A document that lost its title is still the feed the reader knows.
        "title": feed.title or feeds.c.title,
        "site_url": feed.site_url,
        "description": feed.description,
        "language": feed.language,
        "format": feed.format,
        "image": feed.image,
        "hints": write_hints(feed.hints),
    }


def _remember(connection: Connection, poll: PollRecord) -> None:
    actions = [one.judgement.action for one in poll.articles]
    connection.execute(
        insert(polls).values(
            feed_id=poll.due.id,
            at=poll.at,
            outcome=poll.outcome.value,
            status=poll.status,
            seconds=poll.seconds,
            wire_bytes=poll.wire_bytes,
            new=actions.count(Action.NEW),
            revised=actions.count(Action.REVISED),
            duplicates=actions.count(Action.DUPLICATE),
            problem=poll.problem,
            next_poll_at=poll.plan.next_poll,
            reason=poll.plan.reason,
        )
    )
    oldest_kept = (
        select(polls.c.id)
        .where(polls.c.feed_id == poll.due.id)
        .order_by(polls.c.id.desc())
        .offset(POLLS_KEPT - 1)
        .limit(1)
        .scalar_subquery()
    )
    connection.execute(
        delete(polls).where(polls.c.feed_id == poll.due.id, polls.c.id < oldest_kept)
    )
