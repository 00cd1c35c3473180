"""How one worker takes batches of stage work beside others: claim, heartbeat, put, or fail.

The rules of leases are the store's. Knows no stage; what is computed comes as a function.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from newsloom.kernel.errors import NewsloomError
from newsloom.store import Store
from newsloom.work.values import Lease, Put, StageKey

log = logging.getLogger(__name__)

# How long other machines wait for a worker that is silent; on this one a dead process loses its
# leases at once. A batch takes a second or two, on the slowest machines half a minute.
LEASE = timedelta(minutes=1)

# Articles that fail alone, one right after the other, before the fault is taken for our own: the
# pass ends, and what failed is set aside, so that the next pass gets further.
MOST_FAILING = 3

# Results of a batch, given how long to hold the one after it: what became of them.
Keep = Callable[[datetime], Put]


@dataclass(slots=True)
class Leases:
    """The leases that one worker holds. `close` gives back what is left of them."""

    store: Store
    now: Callable[[], datetime]
    stop: Callable[[], bool] = lambda: False
    owner: str = ""  # else this process
    lease_for: timedelta = LEASE
    _held: dict[StageKey, Lease] = field(default_factory=dict)
    _failing: int = 0
    _over: threading.Event = field(default_factory=threading.Event)
    _heart: threading.Thread | None = None

    def work(self, key: StageKey, limit: int, compute: Callable[[Lease], Keep | None]) -> int:
        """Do the next batch of a stage: how many results were kept; 0 when nothing is left.

        `compute` reads and computes under a lease, outside of any transaction; None when nothing of
        it is pending any more. What it raises of ours (a model that cannot load, a store that is
        busy) gives the lease back and is raised. Any other exception is the articles' fault: the
        range is split, and an article that fails alone is set aside.
        """
        while not self.stop() and (lease := self._next(key, limit)) is not None:
            if kept := self._do(lease, compute):
                self._failing = 0
                return kept
        return 0

    def close(self) -> None:
        """Give back what is held, and end the heartbeats."""
        self._over.set()
        if self._heart is not None:
            self._heart.join()
        self._heart, self._over = None, threading.Event()
        self._give_back(list(self._held))

    def _next(self, key: StageKey, limit: int) -> Lease | None:
        """What the last put took already, or else from the top: what came in since is there."""
        if key in self._held:
            return self._held[key]
        now = self.now()
        lease = self.store.work.claim_work(
            key, limit=limit, now=now, until=now + self.lease_for, owner=self.owner
        )
        if lease is not None:
            self._held[key] = lease
        if self._heart is None:
            self._heart = threading.Thread(target=self._beat, name="heartbeat", daemon=True)
            self._heart.start()
        return lease

    def _do(self, lease: Lease, compute: Callable[[Lease], Keep | None]) -> int:
        try:
            keep = compute(lease)
            put = Put(0) if keep is None else keep(self.now() + self.lease_for)
        except NewsloomError:
            self._give_back([lease.key])
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the rest of the work goes on
            self._fail(lease, error)
            return 0
        except BaseException:
            self._give_back([lease.key])
            raise
        if keep is None:
            self._give_back([lease.key])
        elif put.next is None:
            del self._held[lease.key]
        else:
            self._held[lease.key] = put.next
        return put.stored

    def _fail(self, lease: Lease, error: Exception) -> None:
        del self._held[lease.key]
        words = f"{type(error).__name__}: {error}"[:500]
        self.store.work.fail_work(lease, words, self.now())
        alone = len(lease.ids) == 1
        what = f"article {lease.ids[0]} is set aside" if alone else "smaller batches are tried"
        log.warning("%s failed, %s", lease.key.name, what, exc_info=error)
        self._failing += alone
        if self._failing >= MOST_FAILING:
            raise error

    def _give_back(self, keys: Iterable[StageKey]) -> None:
        leases = [self._held.pop(key) for key in keys]
        if not leases:
            return
        try:
            self.store.work.release_work(leases)
        except NewsloomError as error:  # they end with this process, or in a minute
            log.warning("leases of stage work end later: %s", error)

    def _beat(self) -> None:
        over = self._over
        while not over.wait(self.lease_for.total_seconds() / 3):
            leases = list(self._held.copy().values())
            try:
                if leases:
                    self.store.work.renew_work(leases, self.now() + self.lease_for)
            except NewsloomError as error:
                log.warning("a heartbeat of stage work failed: %s", error)
