"""The store as polls and stages see it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from typing import Protocol

from newsloom.ports.models import HalfLives, Vectors
from newsloom.types import (
    ArticleId,
    ArticleText,
    Copy,
    DueFeed,
    FeedId,
    HostTurn,
    KnownRedirect,
    Pause,
    PlainText,
    PollRecord,
    Rating,
    RawArticle,
    Score,
    UserId,
    Waiting,
)


class Ingest(Protocol):
    """One open write transaction of a poll pass; what a decision sees cannot change under it."""

    def candidates(
        self, keys: Iterable[tuple[str, str]]
    ) -> Mapping[tuple[str, str], Sequence[Copy]]:
        """Stored copies under each (layer, key); keys without any are absent."""

    def newest(self, feed: FeedId, limit: int) -> Sequence[tuple[ArticleId, str]]:
        """The stored articles of a feed with the latest dates, the latest first, each with the
        hash of its content."""

    def leased(self, feeds: Iterable[DueFeed]) -> frozenset[FeedId]:
        """Those of the feeds that are still leased to whoever claimed them so."""

    def failing(self, host: str, besides: FeedId, since: datetime, most: int) -> int:
        """How many other feeds of a host have been failing since then, counted up to `most`:
        those without an answer, and those whose server said that it failed."""

    def record(self, poll: PollRecord) -> bool:
        """Store all that one poll changes. False, and nothing stored, when the lease was lost.

        New and duplicate articles are inserted with their keys; revised ones keep the earlier
        version as a revision; every subscriber of the feed gets an unread state for each original
        they have none for; texts of what changed are dropped so that the stages run again.
        """


class PollStore(Protocol):
    def claim_due(
        self,
        now: datetime,
        *,
        owner: str,
        lease_for: timedelta,
        limit: int,
        feeds: Sequence[FeedId] | None = None,
        per_host: int | None = None,
        full: Collection[str] = (),
        asked_before: datetime | None = None,
        under: str | None = None,
        turns: str = "",
        turns_for: timedelta = timedelta(0),
    ) -> tuple[DueFeed, ...]:
        """Lease feeds that are due (or, with `feeds`, those named, due or not), oldest first.

        Of one host `per_host` at most, of the hosts in `full` none, and none of a host that is
        paused. Named ones are not held back so, unless with `asked_before`: then only those that
        were not asked since and that no server wants left alone. What failed since without that any
        server was asked, or under other settings than `under`, may be asked all the same.
        With `turns` their hosts are that owner's for `turns_for` too (take_host), and none is due
        of a host that another owner has or waits for; named ones leave hosts as they are.
        No feed is leased to two owners at once; a lease ends at its time, when recorded, when
        released, or when its owner was a process of this machine that no longer lives.
        """

    def hasten(
        self,
        feeds: Sequence[FeedId],
        now: datetime,
        *,
        asked_before: datetime,
        under: str | None = None,
    ) -> tuple[Waiting, ...]:
        """Make those of the feeds due that may be asked by hand (as in claim_due); how each of
        the feeds stood before."""

    def asked_elsewhere(
        self, now: datetime, process: str, feeds: Sequence[FeedId] | None = None
    ) -> int:
        """How many due feeds (or of those named) other processes are asking, or keep the host of.

        `process` is how the names of our owners begin."""

    def take_host(
        self, host: str, *, owner: str, now: datetime, until: datetime, wish: timedelta
    ) -> HostTurn:
        """Let nobody else ask a host until then.

        Another owner who has it keeps it while its process lives, and is told that it is wanted;
        the wish holds so long, goes before all who did not wish, and is to be repeated.
        """

    def wanted_hosts(self, owner: str, now: datetime) -> frozenset[str]:
        """Those of an owner's hosts that another waits for."""

    def keep_hosts(self, owner: str, until: datetime) -> frozenset[str]:
        """Keep all hosts of an owner until then; which they are."""

    def give_back_hosts(
        self,
        owner: str,
        asked: Mapping[str, datetime | None],
        *,
        now: datetime,
        long_ago: datetime,
    ) -> None:
        """Let others ask those hosts, each told when it was asked last; None: it was not.

        When that was before `long_ago`, nobody needs to know.
        """

    def wake(self, now: datetime, *, furthest: datetime, slack: datetime) -> None:
        """Make due what a clock that was wrong put off: what waits beyond `furthest`, or was asked
        after `slack`; pauses and turns of hosts so are over."""

    def pauses(self, now: datetime) -> Mapping[str, datetime]:
        """Hosts that are left alone, and until when."""

    def pause_host(self, pause: Pause) -> None:
        """Leave a host alone, or for longer than it is."""

    def paused_hosts(self, hosts: Collection[str], now: datetime) -> frozenset[str]:
        """Those of the hosts that are left alone now."""

    def release(self, owner: str) -> None:
        """Give back every lease of an owner."""

    def ingest(self) -> AbstractContextManager[Ingest]:
        """One write transaction; commits on a clean exit, else leaves nothing."""

    def next_due(self, process: str = "") -> datetime | None:
        """When the next feed is due that can be claimed; None when no feed is polled.

        `process` is the beginning of an owner's name: hosts of others are out of reach."""


class RedirectStore(Protocol):
    """What is known of addresses that only forward."""

    def redirects(self, urls: Sequence[str]) -> Mapping[str, KnownRedirect]:
        """Those of the addresses that have been asked."""

    def put_redirects(self, known: Sequence[KnownRedirect]) -> None:
        """Remember what asking came to, instead of what was known before."""


class StageStore(Protocol):
    """What is left to do is a left join; a result and its done-mark share one transaction."""

    def pending_texts(self, version: str, limit: int) -> tuple[RawArticle, ...]: ...
    def put_texts(self, version: str, texts: Sequence[PlainText]) -> None: ...

    def pending_vectors(self, model_id: str, limit: int) -> tuple[ArticleText, ...]: ...
    def put_vectors(self, model_id: str, ids: Sequence[ArticleId], vectors: Vectors) -> None: ...

    def pending_ratings(
        self, sensitivity_model: str, vector_model: str, limit: int
    ) -> tuple[tuple[ArticleText, ...], Vectors]: ...
    def put_ratings(
        self, model_id: str, ids: Sequence[ArticleId], ratings: Sequence[Rating], at: datetime
    ) -> None: ...

    def rating_makers(self, beginning: str) -> tuple[tuple[str, int], ...]:
        """Who rated, by names that begin so, and how many articles; most first."""

    def rated_articles(
        self, maker: str, vector_model: str
    ) -> tuple[tuple[ArticleText, ...], Vectors, tuple[int, ...]]:
        """Every article of that maker that has a vector, the oldest first."""

    def pending_scores(
        self,
        user: UserId,
        *,
        scored_by: str,
        sensitivity_model: str,
        vector_model: str,
        limit: int,
        language_model: str = "",
    ) -> tuple[tuple[ArticleText, ...], Vectors, tuple[str, ...], tuple[int, ...]]:
        """Newest first: articles, vectors, the reader's categories, ratings in force.

        An article that the maker `language_model` has rated has that rating, as far as it may move
        the one of the sensitivity model.
        """

    def put_scores(
        self, user: UserId, scored_by: str, scores: Sequence[Score], half_lives: HalfLives
    ) -> None:
        """Sets relevance, sensitivity and the static rank key derived from both.

        By the reader's own half-lives; `half_lives` are for one who has none.
        """

    def half_lives(self, user: UserId) -> tuple[float, ...] | None:
        """Days for sensitivity 1 to 5; None when the reader has none of their own."""
