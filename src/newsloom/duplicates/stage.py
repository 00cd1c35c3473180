"""The duplicates stage: signs what the text stage read, judges it against the window, links it.

A batch is signed outside of any transaction and judged within one, so that nothing it sees changes
under it; a kill leaves the batch to be done again.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from typing import Any

from newsloom.duplicates.packed import Signature, unpack
from newsloom.duplicates.pairs import Verdict, judge_pair
from newsloom.duplicates.signing import VERSION, SigningPool, keys_of, signed
from newsloom.duplicates.store.duplicate_writes import DuplicateSession, Keys
from newsloom.duplicates.union_find import Groups
from newsloom.duplicates.values import PROFILES, Link, Relation, Signed, Thresholds, Unsigned
from newsloom.kernel.ids import ArticleId
from newsloom.kernel.settings import DuplicateSettings
from newsloom.store import Store
from newsloom.work.service import Keep, Leases
from newsloom.work.values import Batch, Lease, Put, StageKey

log = logging.getLogger(__name__)

BATCH = 2_000
# Others cannot write while a batch is judged, and wait ten seconds at most. Batches begin with so
# many articles; each is twice as large as the last, or half of it where that took too long: each of
# ten thousand texts of one wording is judged against thousands. After a long one comes a rest: who
# waits for SQLite looks ten times a second.
FIRST_BATCH, LEAST_BATCH, LONGEST_SECONDS, REST_SECONDS = 100, 25, 1.0, 0.15

# Links kept of one article beyond which only those are that join what was apart: ten thousand
# copies of one text need no fifty million. Of clusters no larger than this all are kept.
LINKS = 16


def thresholds_of(settings: DuplicateSettings) -> Thresholds:
    """Those of the profile, but for what was set by hand."""
    usual, values = DuplicateSettings(), dict[str, Any]()
    for one in fields(settings):
        value = getattr(settings, one.name)
        if value == getattr(usual, one.name):
            continue
        if one.name == "entity_hours":
            values["entity_span"] = timedelta(hours=value)
        elif one.name == "window_days":
            values["window"] = timedelta(days=value)
        elif one.name in _THRESHOLDS:
            values[one.name] = value
    return replace(PROFILES[settings.profile], **values)


_THRESHOLDS = {one.name for one in fields(Thresholds)}


@dataclass(slots=True)
class DuplicateDetector:
    """Signs and judges batch after batch."""

    thresholds: Thresholds = field(default_factory=Thresholds)
    read_together: bool = True
    batch: int = BATCH
    workers: int = 0  # processes that sign while a backlog lasts; 0: signed here
    joined: int = 0  # how many articles came to share a cluster, all in all
    _signers: SigningPool | None = None
    _ahead: bool = False  # whether a batch is under way at the signers
    _size: int = FIRST_BATCH  # of the next batch

    def step(
        self,
        store: Store,
        texts: str,
        now: Callable[[], datetime],
        leases: Leases | None = None,
    ) -> int:
        """Do the next batch of what that maker of texts read: how many articles there were."""

        def compute(lease: Lease) -> Keep | None:
            batch, articles = store.duplicates.leased_signatures(lease, size)
            if not articles:
                return None
            signatures = self._signed(store, batch, articles, size)
            return lambda until: self._kept(store, batch, until, signatures, now())

        own = leases or Leases(store, now)
        size = min(self.batch, self._size)
        try:
            done = own.work(StageKey("duplicates", VERSION, (texts,)), size, compute)
            if not done:
                self.close()
            return done
        finally:
            if leases is None:
                own.close()

    def close(self) -> None:
        """End the processes that sign, if any run."""
        if self._signers is not None:
            self._signers.close()
        self._signers, self._ahead = None, False

    def _kept(
        self,
        store: Store,
        batch: Batch,
        until: datetime,
        signatures: Sequence[Signed],
        at: datetime,
    ) -> Put:
        with store.duplicates.duplicate_session(VERSION, batch=batch, until=until) as judging:
            began = time.monotonic()
            if judging.ended is None:
                return Put(0)
            kept = set(judging.put(signatures))
            fresh = {one.id: one for one in signatures if one.id in kept}
            joined = self._judge(judging, fresh, at)
            ended = judging.ended
        slow = time.monotonic() - began > LONGEST_SECONDS
        size = len(signatures)
        self._size = max(LEAST_BATCH, size // 2) if slow else min(self.batch, 2 * self._size)
        if slow:
            time.sleep(REST_SECONDS)
        self.joined += joined
        return replace(ended, stored=len(kept))

    def _signed(
        self, store: Store, batch: Batch, articles: Sequence[Unsigned], size: int
    ) -> Sequence[Signed]:
        """A batch signed; of a backlog the one after it is begun."""
        ready = {(one.id, one.digest): one for one in self._finished()}
        left = [one for one in articles if (one.id, one.digest) not in ready]
        if len(articles) < size:
            self.close()
        elif self.workers and batch.following is not None:
            self._look_ahead(store, batch.following)
        done = ready | {(one.id, one.digest): one for one in signed(left)}
        return [done[one.id, one.digest] for one in articles]

    def _look_ahead(self, store: Store, following: Lease) -> None:
        """Have the next batch signed while this one is judged, once the signers have come up."""
        try:
            self._signers = self._signers or SigningPool(self.workers)
            if self._signers.ready():
                self._signers.begin(store.duplicates.unsigned(VERSION, following.ids))
                self._ahead = True
        except (EOFError, OSError) as error:
            self._without_workers(error)

    def _finished(self) -> Sequence[Signed]:
        """What the signers made of what they were given; nothing if they died of it."""
        begun, self._ahead = self._ahead, False
        if not begun or self._signers is None:
            return ()
        try:
            return self._signers.finish()
        except (EOFError, OSError) as error:
            self._without_workers(error)
            return ()

    def _without_workers(self, error: BaseException) -> None:
        log.warning("articles are signed in one process from now on: %s", error)
        self.close()
        self.workers = 0

    def _judge(
        self, judging: DuplicateSession, fresh: Mapping[ArticleId, Signed], at: datetime
    ) -> int:
        again = _unpacked(judging, judging.left())
        keys: dict[ArticleId, Keys] = {one: keys_of(again[one]) for one in again}
        keys |= {one: signed.keys for one, signed in fresh.items()}
        pairs = judging.pairs(keys)
        met = {one for pair in pairs for one in pair}
        known = again | {one: unpack(fresh[one].packed) for one in met & fresh.keys()}
        known |= _unpacked(judging, met - known.keys())
        links = _Links(judging.positions(sorted(met)), self.thresholds, known)
        for pair in pairs:
            links.judge(*pair)
        joined = judging.link(links.found, at)
        if self.read_together:
            judging.read_along()
        return joined


def _unpacked(
    judging: DuplicateSession, articles: Iterable[ArticleId]
) -> dict[ArticleId, Signature]:
    packed = judging.packed(sorted(articles))
    return {one: unpack(signature) for one, signature in packed.items()}


@dataclass(slots=True)
class _Links:
    """The links of a batch as they are found, and what they join."""

    positions: Mapping[ArticleId, tuple[ArticleId, ArticleId]]  # clusters and texts so far
    thresholds: Thresholds
    known: Mapping[ArticleId, Signature]
    found: list[Link] = field(default_factory=list)
    _counts: Counter[ArticleId] = field(default_factory=Counter)
    _clusters: Groups[ArticleId] = field(default_factory=Groups)
    _texts: Groups[ArticleId] = field(default_factory=Groups)

    def judge(self, one: ArticleId, other: ArticleId) -> None:
        """Judge a pair and keep what it is."""
        if one not in self.known or other not in self.known:  # signed by an earlier version
            return
        enough = self._counts[one] >= LINKS
        if enough and self._one_text(one, other):
            return
        verdict = judge_pair(self.known[one], self.known[other], self.thresholds)
        if verdict.relation is not None and (
            not enough or self._joins(one, other, verdict.relation)
        ):
            self._add(one, other, verdict)

    def _joins(self, one: ArticleId, other: ArticleId, relation: Relation) -> bool:
        return relation.joins and not (
            self._one_text(one, other)
            if relation is Relation.SAME_TEXT
            else self._clusters.of(self._cluster(one)) == self._clusters.of(self._cluster(other))
        )

    def _add(self, one: ArticleId, other: ArticleId, verdict: Verdict) -> None:
        assert verdict.relation is not None
        greater, lesser = max(one, other), min(one, other)
        self.found.append(Link(greater, lesser, verdict.relation, verdict.evidence))
        self._counts[one] += 1
        if verdict.relation.joins:
            self._clusters.unite(self._cluster(one), self._cluster(other))
        if verdict.relation is Relation.SAME_TEXT:
            self._texts.unite(self._text(one), self._text(other))

    def _one_text(self, one: ArticleId, other: ArticleId) -> bool:
        return self._texts.of(self._text(one)) == self._texts.of(self._text(other))

    def _cluster(self, one: ArticleId) -> ArticleId:
        return self.positions.get(one, (one, one))[0]

    def _text(self, one: ArticleId) -> ArticleId:
        return self.positions.get(one, (one, one))[1]
