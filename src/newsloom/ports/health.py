"""The store as it knows how feeds are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from typing import Protocol

from newsloom.types import (
    Copy,
    Face,
    FeedHealth,
    FeedId,
    FeedState,
    HeldDocument,
    JudgedArticle,
    Move,
    ParsedFeed,
    PastPoll,
    UserId,
)


class OpenLetting(Protocol):
    """One open write transaction that lets in what was held of a feed."""

    def candidates(
        self, keys: Iterable[tuple[str, str]]
    ) -> Mapping[tuple[str, str], Sequence[Copy]]:
        """As Ingest.candidates."""

    def take_in(
        self, document: ParsedFeed, judged: Sequence[JudgedArticle], face: Face, at: datetime
    ) -> int:
        """Store the articles of one document, and who the feed is by it; how many were news."""


class HealthStore(Protocol):
    """How feeds are. What is asked for a reader is bounded to the feeds they follow."""

    def health(self, user: UserId, those: Sequence[FeedId] | None = None) -> tuple[FeedHealth, ...]:
        """Every feed the reader follows, or those of them, in no order."""

    def unseen_health(self, user: UserId, states: Sequence[FeedState]) -> tuple[FeedId, ...]:
        """Feeds that came to be so, or moved, since the reader last said that they know."""

    def past_polls(self, user: UserId, feed: FeedId, limit: int = 100) -> tuple[PastPoll, ...]:
        """The newest first."""

    def moves(self, user: UserId) -> tuple[Move, ...]:
        """Of the reader's feeds, and of those that became part of them; the newest first."""

    def take_back_move(self, user: UserId, number: int, at: datetime) -> bool:
        """The address as it was, which is then kept whatever it redirects to. A feed that had
        become part of another is parted from it, with its followers and articles of then.

        False when there is no such move of the reader's, or another feed has the address by now.
        """

    def see_health(self, user: UserId, feed: FeedId | None, at: datetime) -> None:
        """The reader has seen how a feed is, or all of them: what was told so far is told."""

    def set_floor(self, feed: FeedId, floor: timedelta | None, next_poll: datetime | None) -> None:
        """The least time between two polls of a feed; None: as the settings say.

        It is asked at `next_poll` unless it is asked sooner; None leaves its time.
        """

    def held(self, feed: FeedId) -> tuple[HeldDocument, ...]:
        """What is kept back of a feed, the oldest first."""

    def letting_in(self, feed: FeedId, at: datetime) -> AbstractContextManager[OpenLetting]:
        """One write transaction; on a clean exit the quarantine ends and all is let in, else
        nothing is changed."""

    def keep_out(self, feed: FeedId, at: datetime) -> None:
        """Say that a feed in quarantine is another's: it is not asked any more."""

    def take_back_verdict(self, feed: FeedId, at: datetime) -> bool:
        """In quarantine as before the last word on it: what was let in is out again, but for what
        the reader read, starred or rated. False when there is no word to take back."""
