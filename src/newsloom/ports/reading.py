"""The store as one reader sees it: feeds, articles, marks, labels, models."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from newsloom.ports.duplicates import ClusterStore
from newsloom.ports.health import HealthStore
from newsloom.ports.models import HalfLives
from newsloom.ports.pages import IconStore
from newsloom.types import (
    ArticleId,
    ArticleText,
    AsOf,
    Copy,
    Cursor,
    Elsewhere,
    Evaluation,
    Event,
    EventKind,
    FeedId,
    Forgetting,
    Found,
    FullArticle,
    Interest,
    JudgedArticle,
    Label,
    LeftFeed,
    Listed,
    Listing,
    ListQuery,
    Mark,
    ModelId,
    ParsedArticle,
    Rating,
    Reading,
    Rows,
    SearchOrder,
    SearchQuery,
    StoredModel,
    Subscription,
    UserId,
)


class OpenImport(Protocol):
    """One open write transaction of labelled articles from a file."""

    def feed(self, source: str, now: datetime) -> FeedId:
        """The reader's feed of what was imported of a source, made if need be; never polled."""

    def candidates(
        self, keys: Iterable[tuple[str, str]]
    ) -> Mapping[tuple[str, str], Sequence[Copy]]:
        """As Ingest.candidates."""

    def take_in(
        self, feed: FeedId, judged: Sequence[JudgedArticle], at: datetime
    ) -> tuple[ArticleId, ...]:
        """Store new and revised ones; what each is shown as. The reader has all of them then,
        read where they had them not. Duplicates are only pointed out, not stored once more."""

    def label(self, wanted: Sequence[Mark], via: str) -> int:
        """One step of label events; how many were new and not overruled by a later one."""


class ReadingStore(ClusterStore, HealthStore, IconStore, Protocol):
    """One reader's feeds, articles and marks. Every query is bounded to the user given."""

    def user(self, name: str, now: datetime) -> UserId:
        """The user of that name, made if there is none."""

    def users(self) -> tuple[tuple[UserId, str], ...]: ...

    def shared_feeds(self) -> Mapping[str, int]:
        """Feeds that several readers follow: address to how many."""

    def polled_feed(self, url: str) -> str | None:
        """The title of a feed of exactly this address that is polled for somebody and was read
        well the last time; None when there is none."""

    def subscribe(
        self, user: UserId, url: str, now: datetime, *, title: str = "", category: str = ""
    ) -> tuple[FeedId, bool]:
        """The feed, and whether the subscription is new. Known articles become unread for them."""

    def subscribe_all(
        self, user: UserId, feeds: Sequence[tuple[str, str, str]], now: datetime
    ) -> int:
        """Subscribe to many, each a URL, a title and a category; how many are new. All or none."""

    def unsubscribe(self, user: UserId, feed: FeedId) -> None:
        """Leave a feed. What was unread of it goes with it; for 30 days it can be taken back."""

    def left(self, user: UserId, now: datetime) -> tuple[LeftFeed, ...]:
        """Feeds that were left and can be followed again as they were, the last first."""

    def follow_again(self, user: UserId, feed: FeedId) -> bool:
        """Take leaving a feed back: its name, category, marks and scores as they were, and what
        came since for others. False when it was not left, or too long ago."""

    def edit_subscription(
        self, user: UserId, feed: FeedId, *, title: str | None = None, category: str | None = None
    ) -> None: ...
    def subscriptions(self, user: UserId) -> tuple[Subscription, ...]:
        """By category, then title, with unread counts (each article counts once per feed)."""

    def set_full_text(self, feed: FeedId, on: bool) -> None:
        """As PageStore.set_full_text."""

    def unread(self, user: UserId, rows: Rows = Rows.ARTICLE) -> int:
        """How many rows an unread list has."""

    def elsewhere(self, user: UserId) -> Mapping[FeedId, Elsewhere]:
        """How much of each of the reader's feeds other places have too; absent: none of it."""

    def unscored(self, user: UserId) -> int:
        """Unread articles that have no relevance of any model yet."""

    def page(
        self, user: UserId, query: ListQuery, now: datetime, half_lives: HalfLives
    ) -> tuple[Listed, ...]:
        """Ranked: the exact order of R(now), by merging five ranges of the static key.

        A row that stands for several articles has the place of the best of those that the query
        lets through, and shows the fullest of them. With variety, rows of a feed that has its
        share give way to others (scoring/variety.py).
        """

    def listing(
        self, user: UserId, query: ListQuery, now: datetime, half_lives: HalfLives
    ) -> Listing:
        """The same rows, and a cursor. The page after it has every row that stands below in the
        order and is still there, and none that was shown, whatever is read or comes meanwhile."""

    def page_ids(
        self, user: UserId, query: ListQuery, now: datetime, half_lives: HalfLives
    ) -> tuple[ArticleId, ...]:
        """The ids of a page alone."""

    def as_of(self) -> AsOf:
        """The moment it is, for lists that are to be the same later."""

    def languages(self, user: UserId) -> tuple[str, ...]:
        """The languages that unread articles say they are in."""

    def half_lives(self, user: UserId) -> tuple[float, ...] | None:
        """Days for sensitivity 1 to 5; None when the reader has none of their own."""

    def set_half_lives(
        self, user: UserId, days: Sequence[float] | None, in_force: HalfLives
    ) -> None:
        """Keep them (None: none of their own) and make every rank key anew with those in force."""

    def listed(
        self,
        user: UserId,
        ids: Sequence[ArticleId],
        now: datetime,
        half_lives: HalfLives,
        query: ListQuery | None = None,
    ) -> tuple[Listed, ...]:
        """Those articles, in that order; ones the reader has no state for are absent.

        With a query, each as its row stands in that list, read or not; in one as of a moment,
        exactly as that list has it.
        """

    def article(
        self,
        user: UserId,
        article: ArticleId,
        now: datetime,
        half_lives: HalfLives,
        rows: Rows = Rows.CLUSTER,
    ) -> FullArticle | None: ...

    def search(
        self,
        user: UserId,
        query: SearchQuery,
        order: SearchOrder,
        limit: int,
        now: datetime,
        half_lives: HalfLives,
        *,
        rows: Rows = Rows.CLUSTER,
        after: Cursor | None = None,
    ) -> Found:
        """One page of what a search finds, from its top or where a page ended."""

    def mark(
        self,
        user: UserId,
        articles: Sequence[ArticleId],
        kind: EventKind,
        at: datetime,
        via: str,
        *,
        rows: Rows = Rows.ARTICLE,
        read_together: bool = False,
    ) -> tuple[Event, ...]:
        """One event per article the reader has, applied to its state; one step for undo.

        `rows` are those of the list it was done in: a star or a rating is taken off whichever
        article of the row has it, and with `read_together` the others are read too, in a way that
        teaches nothing.
        """

    def clear(
        self,
        user: UserId,
        query: ListQuery,
        at: datetime,
        via: str,
        half_lives: HalfLives,
        *,
        read_together: bool = False,
        heard: Callable[[int, int], bool] = lambda _done, _of: True,
    ) -> int:
        """Mark read all that a query lists now, in a way that teaches nothing; how many articles.

        What comes into the list meanwhile stays unread. Done in batches, so that others can write
        in between, and one step for undo. `heard` is told after each batch how many of how many are
        done; it says whether to go on. Taking the step back ends it as well.
        """

    def undo(self, user: UserId, at: datetime, via: str) -> tuple[Event, ...]:
        """Take back the last step that is not taken back yet; what it was, or nothing.

        A large step is taken back in batches. One that was interrupted is still the last one.
        """

    def readings(self, user: UserId, since: datetime, until: datetime) -> tuple[Reading, ...]:
        """Articles published from `since` to `until`, and when they were read, if by `until`.

        Without those that were old news when their feed was first polled.
        """

    def interests(self, user: UserId) -> tuple[Interest, ...]: ...
    def add_interest(self, user: UserId, text: str, now: datetime) -> Interest: ...
    def remove_interest(self, user: UserId, interest_id: int) -> bool: ...

    def labels(self, user: UserId) -> tuple[Label, ...]:
        """What stands of every event that may teach, by article and kind, oldest first: not
        withdrawn, undone or forgotten. classify.evidence says what it comes to."""

    def forget(self, user: UserId, since: datetime, until: datetime, at: datetime) -> Forgetting:
        """Events from `since` to before `until` teach nothing any more."""

    def forgettings(self, user: UserId) -> tuple[Forgetting, ...]: ...

    def lift_forgetting(self, user: UserId, number: int, at: datetime) -> bool:
        """Let a stretch teach again; False when none of that number is in force."""

    def importing(self, user: UserId) -> AbstractContextManager[OpenImport]:
        """One write transaction; commits on a clean exit, else leaves nothing."""

    def whole(self, ids: Sequence[ArticleId]) -> Mapping[ArticleId, tuple[ParsedArticle, str]]:
        """Articles as shown, with what their source is called; guids only of imported ones."""

    def vectors(
        self, model_id: str, ids: Sequence[ArticleId]
    ) -> Mapping[ArticleId, NDArray[np.float32]]: ...
    def texts(self, ids: Sequence[ArticleId]) -> tuple[ArticleText, ...]: ...
    def rating(self, model_id: str, article: ArticleId) -> Rating | None: ...

    def labels_mark(self, user: UserId) -> str:
        """Changes whenever labels(), interests() or the feeds' categories could have."""


class ModelStore(Protocol):
    """Readers' trained models: one of a kind in force at a time, the others its history."""

    def promote_model(
        self, user: UserId, model: StoredModel, *, instead_of: ModelId | None
    ) -> ModelId | None:
        """Keep it and put it in force, if `instead_of` is what is in force; else keep nothing."""

    def keep_model(self, user: UserId, model: StoredModel) -> ModelId:
        """Keep one that is not put in force. The oldest that nobody can go back to are dropped."""

    def withdraw_model(
        self, user: UserId, kind: str, model: ModelId, at: datetime, *, to: ModelId | None
    ) -> bool:
        """Put `to` in force again (None: no model) if `model` is what is in force."""

    def active_model(self, user: UserId, kind: str) -> StoredModel | None: ...

    def model_in_force(self, user: UserId, kind: str) -> ModelId | None:
        """The number of the active model: one look at an index."""

    def model(self, user: UserId, model: ModelId) -> StoredModel | None: ...

    def models(self, user: UserId, kind: str) -> tuple[StoredModel, ...]:
        """The history, newest first, without the bytes."""

    def claim_training(self, user: UserId, due: datetime, at: datetime) -> bool:
        """Say that the daily training due then begins; False when it has begun already."""

    def tell_training(self, user: UserId, words: str) -> None:
        """What the last daily training came to."""

    def last_training(self, user: UserId) -> tuple[datetime | None, str]:
        """When the daily training was last begun, and what it came to."""

    def add_evaluation(
        self, user: UserId, at: datetime, model_id: str, protocol: str, report: Mapping[str, Any]
    ) -> None:
        """Keep what was measured of a model: plain metric names to what JSON can hold."""

    def evaluations(
        self, user: UserId, protocol: str | None = None, limit: int = 100
    ) -> tuple[Evaluation, ...]:
        """The newest first, of one protocol or of all."""
