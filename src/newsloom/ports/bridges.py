"""The store as bridges and language models see it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from newsloom.ports.models import HalfLives
from newsloom.types import (
    Account,
    AdoptedEntry,
    Asked,
    Copy,
    FeedId,
    KnownEntry,
    Mark,
    ModelCall,
    PendingWrite,
    Question,
    Rating,
    RemoteAccount,
    RemoteFeed,
    RemoteState,
    RemoteWrite,
    ServiceState,
    Standing,
)


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
