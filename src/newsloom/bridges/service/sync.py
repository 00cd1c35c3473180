"""One synchronisation: take in what is new there, let it be ranked, tell the other side the order.

Every step may be cut off anywhere and done again: entries and marks are taken in page by page, each
page with what follows from it in one transaction; what is to be told waits in the store until the
other side has it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from newsloom.bridges import intake, plan
from newsloom.bridges.remote import Remote
from newsloom.bridges.store.entries import OpenBridge
from newsloom.bridges.values import (
    Account,
    KnownEntry,
    PendingWrite,
    RankedEntry,
    RemoteAccount,
    RemoteEntry,
    RemotePage,
    RemoteWrite,
)
from newsloom.duplicates.values import Action
from newsloom.kernel.errors import BridgeError, NewsloomError, StoreBusy, StoreFull
from newsloom.kernel.ids import AccountId, ArticleId, FeedId, UserId
from newsloom.ranking.ports import HalfLives
from newsloom.store import Store

log = logging.getLogger(__name__)

# Entries asked about by name, and writes told, in one go.
LOOK_BATCH = 500
PUSH_BATCH = 500


@dataclass(frozen=True, slots=True)
class AccountReport:
    """What came of one account."""

    login: str
    user: str  # whom its articles are ranked for here
    feeds: int = 0
    entries: int = 0  # taken in: new ones and changed ones
    new: int = 0
    revised: int = 0
    duplicates: int = 0
    gone: int = 0
    marks: Mapping[str, int] = field(default_factory=dict)  # label events, by kind
    unread: int = 0  # ranked
    written: int = 0
    waiting: int = 0  # to be told later
    waiting_for: str = ""  # what the other side said of the last of them
    problem: str = ""


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What came of all accounts."""

    bridge: str
    accounts: tuple[AccountReport, ...] = ()
    problem: str = ""  # why there are none
    dry: bool = False


@dataclass(slots=True)
class _Tally:
    """Counted while an account is gone through."""

    account: Account
    feeds: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    marks: Counter[str] = field(default_factory=Counter)
    waiting_for: str = ""
    problem: str = ""

    def report(self, unread: int = 0, written: int = 0, waiting: int = 0) -> AccountReport:
        login = self.account.remote.login
        return AccountReport(
            login=login,
            user=f"{self.account.bridge}/{login}",
            feeds=self.feeds,
            entries=self.counts["entries"],
            new=self.counts[Action.NEW],
            revised=self.counts[Action.REVISED],
            duplicates=self.counts[Action.DUPLICATE],
            gone=self.counts["gone"],
            marks=dict(sorted(self.marks.items())),
            unread=unread,
            written=written,
            waiting=waiting,
            waiting_for=self.waiting_for if waiting else "",
            problem=self.problem,
        )


@dataclass(frozen=True, slots=True)
class Synchroniser:
    """One bridge. `rank` runs the stages over what was taken in."""

    store: Store
    remote: Remote
    mapped: plan.Mapped
    rank: Callable[[], object]
    half_lives: Callable[[UserId], HalfLives]
    sensitivity_model: Callable[[], str]  # the id of the one in force
    now: Callable[[], datetime]
    language_model: str = ""  # the maker of its ratings; empty: none is asked

    def sync(self, *, every: timedelta | None = None) -> SyncReport:
        """Both ways, for every account (or, with `every`, those whose time has come)."""
        bridge, now = self.remote.bridge, self.now()
        kept = self.store.bridges.bridge_accounts(bridge)
        if every is not None and kept and not any(plan.due(one, every, now) for one in kept):
            return SyncReport(bridge)
        try:
            found = self.remote.accounts()
        except BridgeError as error:
            for account in kept:
                self._failed(account, str(error))
            return SyncReport(bridge, problem=str(error))
        accounts = [self.store.bridges.bridge_account(bridge, one, now) for one in found]
        if every is not None:
            accounts = [one for one in accounts if plan.due(one, every, now)]
        tallies = [self._pull(one) for one in accounts]
        self.rank()
        return SyncReport(bridge, tuple(self._tell(one) for one in tallies))

    def look(self) -> SyncReport:
        """What `sync` would do, without changing anything on either side."""
        bridge = self.remote.bridge
        try:
            found = self.remote.accounts()
        except BridgeError as error:
            return SyncReport(bridge, problem=str(error), dry=True)
        known = {one.remote.key: one for one in self.store.bridges.bridge_accounts(bridge)}
        reports = [self._foresee(one, known.get(one.key)) for one in found]
        return SyncReport(bridge, tuple(reports), dry=True)

    # --- in ---

    def _pull(self, account: Account) -> _Tally:
        tally = _Tally(account)
        try:
            feeds = self._feeds(account, tally)
            missing = set(self.store.bridges.unread_entries(account))
            if self.remote.lists_marked:
                missing |= self.store.bridges.marked_entries(account)
            pages = self.remote.pull(
                account.remote,
                account.cursor,
                lambda keys: self.store.bridges.known_entries(account, keys),
            )
            for page in pages:
                if any(one.feed not in feeds for one in page.entries):
                    feeds = self._feeds(account, tally)  # subscribed to since they were read
                self._take(tally, feeds, page)
                missing.difference_update(one.key for one in page.states)
            left = sorted(missing)
            for start in range(0, len(left), LOOK_BATCH):
                keys = left[start : start + LOOK_BATCH]
                self._take(tally, feeds, self.remote.look(account.remote, keys))
        except BridgeError as error:
            tally.problem = str(error)
        return tally

    def _feeds(self, account: Account, tally: _Tally) -> Mapping[str, FeedId]:
        remote = self.remote.feeds(account.remote)
        tally.feeds = len(remote)
        return self.store.bridges.put_remote_feeds(account, remote, self.now())

    def _take(self, tally: _Tally, feeds: Mapping[str, FeedId], page: RemotePage) -> None:
        """A page, but for entries that cannot be stored: one of them must not stop the rest."""
        try:
            self._take_whole(tally, feeds, page)
        except (StoreBusy, StoreFull):
            raise
        except Exception:
            if not page.entries:
                raise
            if len(page.entries) == 1:
                log.exception("entry %s was left out", page.entries[0].key)
            else:
                for one in page.entries:
                    self._take(tally, feeds, RemotePage((one,)))
            self._take(tally, feeds, replace(page, entries=()))

    def _take_whole(self, tally: _Tally, feeds: Mapping[str, FeedId], page: RemotePage) -> None:
        """A page with all that follows from it, or nothing of it."""
        account, now = tally.account, self.now()
        counts: Counter[str] = Counter()
        with self.store.bridges.bridging(account) as bridge:
            before = bridge.known([one.key for one in page.entries])
            new = _dates(one for one in page.entries if one.key not in before)
            for feed, entries in _by_feed(page.entries, feeds).items():
                counts += _adopt(bridge, account, feed, entries, now)
            known = bridge.known([one.key for one in page.states])
            marks = plan.marks(known, page.states, self.mapped, now, new)
            bridge.mark(marks, account.bridge)
            bridge.see(page.states)
            bridge.forget(page.gone)
            if page.cursor:
                bridge.come_to(page.cursor)
        counts["gone"] += len(page.gone)
        tally.counts += counts
        tally.marks.update(mark.kind.value for mark in marks)

    # --- out ---

    def _ranked_entries(self, account: Account, now: datetime) -> tuple[RankedEntry, ...]:
        half_lives = self.half_lives(account.user)
        judges = self.sensitivity_model(), self.language_model
        return self.store.bridges.ranked_entries(account, now, half_lives, *judges)

    def _tell(self, tally: _Tally) -> AccountReport:
        account = tally.account
        if tally.problem:
            self._failed(account, tally.problem)
            return tally.report(waiting=self.store.bridges.waiting_writes(account))
        now = self.now()
        ranked = self._ranked_entries(account, now)
        self.store.bridges.want(account, self._wanted(account, ranked), now)
        written = 0
        try:
            while pending := self.store.bridges.pending_writes(account, now, PUSH_BATCH):
                written += self._push(tally, pending)
            self.store.bridges.bridge_synced(account, now)
        except BridgeError as error:
            tally.problem = str(error)
            self._failed(account, tally.problem)
        return tally.report(len(ranked), written, self.store.bridges.waiting_writes(account))

    def _wanted(self, account: Account, ranked: Sequence[RankedEntry]) -> Iterable[RemoteWrite]:
        present = self.store.bridges.remote_present(account)
        rated = self.store.bridges.rated_entries(account)
        return self.remote.wanted(ranked, present, rated)

    def _push(self, tally: _Tally, pending: Sequence[PendingWrite]) -> int:
        """Tell a batch. Nothing of it is due again in this run, whatever came of it."""
        account = tally.account
        written = self.remote.push(account.remote, [one.write for one in pending])
        self.store.bridges.writes_done(account, written.done)
        self.store.bridges.drop_writes(account, written.moot)
        settled = {*written.done, *written.moot}
        later = [
            (one.write, plan.next_try(one.attempts, self.now()))
            for one in pending
            if one.write not in settled
        ]
        self.store.bridges.put_off(account, later, written.problem)
        tally.waiting_for = written.problem or tally.waiting_for
        return len(written.done)

    def _failed(self, account: Account, problem: str) -> None:
        self.store.bridges.bridge_failed(
            account, problem, plan.next_try(account.failures, self.now())
        )

    # --- a look without touching ---

    def _foresee(self, remote: RemoteAccount, account: Account | None) -> AccountReport:
        """Entries and marks as a first look gives them; writes for what is ranked already."""
        made = account or Account(AccountId(0), self.remote.bridge, remote, UserId(0))
        tally = _Tally(made)

        def known(keys: Sequence[int]) -> Mapping[int, KnownEntry]:
            return {} if account is None else self.store.bridges.known_entries(account, keys)

        try:
            tally.feeds = len(self.remote.feeds(remote))
            for page in self.remote.pull(remote, made.cursor, known):
                keys = {one.key for one in page.entries} | {one.key for one in page.states}
                kept = known(sorted(keys))
                tally.counts["entries"] += len(page.entries)
                fresh = [one for one in page.entries if one.key not in kept]
                tally.counts[Action.NEW] += len(fresh)
                seen = {**{one.key: _unknown(one) for one in fresh}, **kept}
                marks = plan.marks(seen, page.states, self.mapped, self.now(), _dates(fresh))
                tally.marks.update(mark.kind.value for mark in marks)
        except BridgeError as error:
            tally.problem = str(error)
        if account is None:
            return tally.report()
        ranked = self._ranked_entries(account, self.now())
        present = self.store.bridges.remote_present(account)
        wanted = self._wanted(account, ranked)
        differing = sum(present.get(one.key, {}).get(one.kind) != one.value for one in wanted)
        return tally.report(len(ranked), waiting=differing)


def _adopt(
    bridge: OpenBridge,
    account: Account,
    feed: FeedId,
    entries: Sequence[RemoteEntry],
    now: datetime,
) -> Counter[str]:
    """Judge and store the entries of one feed; what became of them."""
    prepared = intake.prepared(account, feed, entries, now)
    adopted = intake.judged(prepared, bridge.candidates(prepared.keys))
    bridge.adopt(feed, adopted, now)
    for key, other in prepared.same.items():
        bridge.same_article(key, prepared.digests[key], other)
    counts = Counter(one.judged.judgement.action.value for one in adopted)
    counts["entries"] = len(entries)
    return counts


def _by_feed(
    entries: Sequence[RemoteEntry], feeds: Mapping[str, FeedId]
) -> Mapping[FeedId, Sequence[RemoteEntry]]:
    """What belongs to a feed that is gone by now goes with it."""
    found: dict[FeedId, list[RemoteEntry]] = defaultdict(list)
    for one in entries:
        if one.feed in feeds:
            found[feeds[one.feed]].append(one)
    return found


def _dates(entries: Iterable[RemoteEntry]) -> dict[int, datetime | None]:
    """When each came out."""
    return {one.key: one.article.published for one in entries}


def _unknown(entry: RemoteEntry) -> KnownEntry:
    """As an entry is before anything is known of it."""
    return KnownEntry(entry.key, ArticleId(0), "", False, False, False, 0, False)


# Looked at this often: a failure's pause is over by then, and a clock that was set is noticed.
LOOK = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Bridge:
    """One other program, and how often it is visited."""

    synchroniser: Synchroniser
    every: timedelta
    look: timedelta = LOOK

    async def run(
        self,
        ended: asyncio.Event,
        apart: Callable[[Callable[[], SyncReport]], Awaitable[SyncReport]],
        on_report: Callable[[SyncReport], None],
    ) -> None:
        """Synchronise when it is due, in a thread of `apart`, until `ended`. Never raises."""
        text, failures = "", 0
        while not ended.is_set():
            try:
                report = await apart(lambda: self.synchroniser.sync(every=self.every))
            except NewsloomError as error:
                log.warning("the bridge to %s waits: %s", self.synchroniser.remote.bridge, error)
            else:
                # Log the same problem once, not every minute.
                if report.problem and report.problem != text:
                    log.warning("%s: %s", report.bridge, report.problem)
                text = report.problem
                failures = failures + 1 if report.problem else 0
                if report.accounts:
                    on_report(report)
            # A wrong password has no account here yet that could wait: the looking itself does.
            pause = plan.longer(self.look, failures)
            with suppress(TimeoutError):
                await asyncio.wait_for(ended.wait(), pause.total_seconds())
