"""Protocols by role: what the use cases and the pipeline need from the rooms beside them.

Every store method is one statement or one transaction and decides nothing. Store errors are
StoreError, StoreBusy, StoreFull. All implementations may be called from any thread, one call at a
time per thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from newsloom.types import (
    Account,
    AdoptedEntry,
    ApiReply,
    ApiRequest,
    ArticleId,
    ArticleText,
    Asked,
    Completion,
    Copy,
    DueFeed,
    Evaluation,
    Event,
    EventKind,
    FeedId,
    Forgetting,
    FullArticle,
    Interest,
    JudgedArticle,
    KnownEntry,
    Label,
    Listed,
    ListQuery,
    Mark,
    ModelCall,
    ModelId,
    NotYet,
    ParsedArticle,
    PendingWrite,
    PlainText,
    PollRecord,
    Question,
    Rating,
    RawArticle,
    Reading,
    Reason,
    RemoteAccount,
    RemoteFeed,
    RemoteState,
    RemoteWrite,
    Reply,
    Request,
    Score,
    ServiceState,
    Standing,
    StoredModel,
    Subscription,
    UserId,
)

Vectors = NDArray[np.float32]  # (n, dimensions), rows of unit length
HalfLives = Mapping[int, timedelta]  # sensitivity 1..5 -> half-life

# --- the network ---


class Fetcher(Protocol):
    """One GET. Never raises for what a network or a server does: see Reply.failure."""

    async def get(self, request: Request) -> Reply: ...


class ApiCaller(Protocol):
    """One call of a service named in the settings. Follows no redirect; never raises for what a
    network or a server does: see ApiReply.failure."""

    async def call(self, request: ApiRequest) -> ApiReply: ...


# --- models ---


class Embedder(Protocol):
    """Text to vectors. The id names weights and text preparation; vectors are stored under it."""

    @property
    def model_id(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit-length float32 rows, one per text, in the order given. Empty input: (0, d)."""


class SensitivityModel(Protocol):
    """How fast each article expires."""

    @property
    def model_id(self) -> str: ...

    def rate(self, articles: Sequence[ArticleText], vectors: Vectors) -> list[Rating]:
        """One rating per article; `vectors` are the articles' embeddings, in the same order."""


class RelevanceModel(Protocol):
    """How much one reader wants each article, whatever its age."""

    @property
    def model_id(self) -> str:
        """Changes whenever any score could."""

    @property
    def personal(self) -> bool:
        """Whether it was trained on this reader's own labels."""

    def score(
        self,
        articles: Sequence[ArticleText],
        vectors: Vectors,
        categories: Sequence[str],
    ) -> NDArray[np.float64]:
        """100·sigmoid, shape (n,). `categories` are the reader's own, of the articles' feeds."""

    def parts(
        self, article: ArticleText, vector: NDArray[np.float32], category: str
    ) -> tuple[Reason, ...]:
        """What moved the score of one article away from 50, in points, largest first."""


class PersonalModel(RelevanceModel, Protocol):
    """A relevance model trained on one reader's labels, and what is known of its training."""

    @property
    def positives(self) -> int: ...

    @property
    def negatives(self) -> int: ...

    @property
    def trained(self) -> datetime: ...

    @property
    def metrics(self) -> tuple[tuple[str, float], ...]:
        """On labels held out while training."""

    @property
    def vector_model(self) -> str:
        """Whose vectors it understands; empty when it reads texts alone."""

    def to_payload(self) -> bytes:
        """Plain numbers, or the names and hashes of weight files; never pickle."""


class Trainer(Protocol):
    """Labels in, one reader's model out. The same labels in the same order give the same scores."""

    @property
    def name(self) -> str:
        """Its row in TRAINERS."""

    def train(
        self, labels: Sequence[Label], vectors: Vectors, now: datetime
    ) -> PersonalModel | NotYet:
        """`vectors` are the labelled articles' embeddings, in the same order."""

    def load(self, stored: StoredModel) -> PersonalModel:
        """Raises ModelError when the bytes or files are not the ones kept."""


@dataclass(frozen=True, slots=True)
class Taste:
    """What is known of one reader: their model in force, and how many labels there are."""

    model: RelevanceModel
    likes: int
    dislikes: int
    problem: str = ""  # why the model in force cannot be used, when another answers for it


class ChatModel(Protocol):
    """A language model behind a server. Never raises for what a network or a server does."""

    @property
    def service(self) -> str:
        """The server and the model, in words without any key."""

    @property
    def model(self) -> str: ...

    @property
    def forms(self) -> int:
        """How many ways there are to say which form the answer must have, the strictest first."""

    async def complete(
        self,
        system: str,
        user: str,
        schema: Mapping[str, Any],
        *,
        form: int,
        max_tokens: int,
        timeout_seconds: float,
    ) -> Completion:
        """One call."""


# --- the store, by role ---


class Ingest(Protocol):
    """One open write transaction of a poll pass; what a decision sees cannot change under it."""

    def candidates(
        self, keys: Iterable[tuple[str, str]]
    ) -> Mapping[tuple[str, str], Sequence[Copy]]:
        """Stored copies under each (layer, key); keys without any are absent."""

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
    ) -> tuple[DueFeed, ...]:
        """Lease feeds that are due (or, with `feeds`, those named, due or not), oldest first.

        No feed is leased to two owners at once; a lease ends at its time, when recorded, when
        released, or when its owner was a process of this machine that no longer lives.
        """

    def release(self, owner: str) -> None:
        """Give back every lease of an owner."""

    def ingest(self) -> AbstractContextManager[Ingest]:
        """One write transaction; commits on a clean exit, else leaves nothing."""

    def next_due(self) -> datetime | None:
        """When the next feed is due; None when no feed is polled."""


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


class ReadingStore(Protocol):
    """One reader's feeds, articles and marks. Every query is bounded to the user given."""

    def user(self, name: str, now: datetime) -> UserId:
        """The user of that name, made if there is none."""

    def users(self) -> tuple[tuple[UserId, str], ...]: ...

    def subscribe(
        self, user: UserId, url: str, now: datetime, *, title: str = "", category: str = ""
    ) -> tuple[FeedId, bool]:
        """The feed, and whether the subscription is new. Known articles become unread for them."""

    def subscribe_all(
        self, user: UserId, feeds: Sequence[tuple[str, str, str]], now: datetime
    ) -> int:
        """Subscribe to many, each a URL, a title and a category; how many are new. All or none."""

    def unsubscribe(self, user: UserId, feed: FeedId) -> None: ...
    def edit_subscription(
        self, user: UserId, feed: FeedId, *, title: str | None = None, category: str | None = None
    ) -> None: ...
    def subscriptions(self, user: UserId) -> tuple[Subscription, ...]:
        """By category, then title, with unread counts (each article counts once per feed)."""

    def unread(self, user: UserId) -> int: ...

    def unscored(self, user: UserId) -> int:
        """Unread articles that have no relevance of any model yet."""

    def page(
        self, user: UserId, query: ListQuery, now: datetime, half_lives: HalfLives
    ) -> tuple[Listed, ...]:
        """Ranked: the exact order of R(now), by merging five ranges of the static key."""

    def languages(self, user: UserId) -> tuple[str, ...]:
        """The languages that unread articles say they are in."""

    def half_lives(self, user: UserId) -> tuple[float, ...] | None:
        """Days for sensitivity 1 to 5; None when the reader has none of their own."""

    def set_half_lives(
        self, user: UserId, days: Sequence[float] | None, in_force: HalfLives
    ) -> None:
        """Keep them (None: none of their own) and make every rank key anew with those in force."""

    def listed(
        self, user: UserId, ids: Sequence[ArticleId], now: datetime, half_lives: HalfLives
    ) -> tuple[Listed, ...]:
        """Those articles, in that order; ones the reader has no state for are absent."""

    def article(
        self, user: UserId, article: ArticleId, now: datetime, half_lives: HalfLives
    ) -> FullArticle | None: ...

    def search(
        self, user: UserId, words: str, limit: int, now: datetime, half_lives: HalfLives
    ) -> tuple[Listed, ...]:
        """Full text, best match first. Any input is safe: operators in it are only words."""

    def mark(
        self,
        user: UserId,
        articles: Sequence[ArticleId],
        kind: EventKind,
        at: datetime,
        via: str,
    ) -> tuple[Event, ...]:
        """One event per article the reader has, applied to its state; one step for undo."""

    def undo(self, user: UserId, at: datetime, via: str) -> tuple[Event, ...]:
        """Take back the last step that is not taken back yet; what it was, or nothing."""

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


class OpenBridge(Protocol):
    """One open write transaction of a bridge: a page of the other side, taken in whole."""

    def candidates(
        self, keys: Iterable[tuple[str, str]]
    ) -> Mapping[tuple[str, str], Sequence[Copy]]:
        """As Ingest.candidates."""

    def adopt(self, feed: FeedId, entries: Sequence[AdoptedEntry], at: datetime) -> None:
        """Store entries of one feed as judged, and which article each became."""

    def same_article(self, key: int, digest: str, other: int) -> None:
        """One entry is the article that another became."""

    def known(self, keys: Sequence[int]) -> Mapping[int, KnownEntry]: ...

    def mark(self, wanted: Sequence[Mark], via: str) -> None:
        """Label events, in their order."""

    def see(self, seen: Sequence[RemoteState]) -> None:
        """Marks as they stand there now. Entries that are not kept are passed over."""

    def forget(self, keys: Sequence[int]) -> None: ...

    def come_to(self, cursor: str) -> None:
        """Where the other side is to go on next time."""


class BridgeStore(Protocol):
    """Accounts at other programs. Every method is bounded to the account given."""

    def bridge_account(self, bridge: str, remote: RemoteAccount, now: datetime) -> Account:
        """The account of that key, made with a user of its own if there is none."""

    def bridge_accounts(self, bridge: str) -> tuple[Account, ...]: ...

    def put_remote_feeds(
        self, account: Account, remote: Sequence[RemoteFeed], now: datetime
    ) -> Mapping[str, FeedId]:
        """Follow exactly these, with their titles and categories; by their keys."""

    def known_entries(self, account: Account, keys: Sequence[int]) -> Mapping[int, KnownEntry]:
        """Unknown ones are absent."""

    def unread_entries(self, account: Account) -> frozenset[int]:
        """The keys of all that was unread there when last seen."""

    def starred_entries(self, account: Account) -> frozenset[int]:
        """The keys of all that was starred there when last seen."""

    def bridging(self, account: Account) -> AbstractContextManager[OpenBridge]:
        """One write transaction; commits on a clean exit, else leaves nothing."""

    def standings(
        self,
        account: Account,
        now: datetime,
        half_lives: HalfLives,
        sensitivity_model: str,
        language_model: str = "",
    ) -> tuple[Standing, ...]:
        """Every entry unread there, in the order of the ranked list."""

    def remote_present(self, account: Account) -> Mapping[int, Mapping[str, str]]:
        """What stands there, by entry and kind, as far as is known."""

    def want(self, account: Account, writes: Iterable[RemoteWrite], now: datetime) -> int:
        """Exactly these are to stand there; how many do not yet. What waits keeps its time."""

    def pending_writes(
        self, account: Account, now: datetime, limit: int
    ) -> tuple[PendingWrite, ...]: ...
    def waiting_writes(self, account: Account) -> int: ...
    def writes_done(self, account: Account, writes: Sequence[RemoteWrite]) -> None: ...
    def put_off(
        self, account: Account, writes: Sequence[tuple[RemoteWrite, datetime]], problem: str
    ) -> None: ...
    def drop_writes(self, account: Account, writes: Sequence[RemoteWrite]) -> None: ...
    def bridge_synced(self, account: Account, now: datetime) -> None: ...
    def bridge_failed(self, account: Account, problem: str, next_try: datetime) -> None: ...


class ServiceStore(Protocol):
    """Services outside: how they do, what they cost, and each question they were asked."""

    def service(self, name: str) -> ServiceState:
        """How it does; of one never asked, nothing is known."""

    def reserve_tokens(self, name: str, day: int, tokens: int, limit: int) -> bool:
        """Count tokens as spent that day, if they do not pass the limit (0: none)."""

    def pending_questions(
        self, maker: str, *, since: datetime, lately: datetime, limit: int
    ) -> tuple[Question, ...]:
        """Unread articles since then that this maker has not rated, the newest first.

        Those come last whose text got an unusable answer lately, and then wait.
        """

    def settle_call(
        self,
        call: ModelCall,
        *,
        day: int,
        returned: int,
        after: Callable[[ServiceState], ServiceState],
        rating: Rating | None = None,
    ) -> bool:
        """Keep what a call came to, and its rating; whether that is of the article's present text.

        `returned` of the tokens reserved that day were not spent (negative: more were); `after`
        says how the service does now, from how it did.
        """

    def asked(self, maker: str, since: datetime) -> Asked:
        """What the questions of this maker came to since then."""


class Store(PollStore, StageStore, ReadingStore, ModelStore, BridgeStore, ServiceStore, Protocol):
    """All roles on one database."""

    def facts(self) -> Mapping[str, str]:
        """What `doctor` shows: library, version, journal mode, file, sizes, counts."""

    def close(self) -> None: ...
