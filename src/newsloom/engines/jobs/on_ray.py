"""The jobs `embed` and `judge` on Ray Data: leases are taken, computed by actors, and kept.

A row of the dataset is one leased range. It is taken by one actor (which also paces, and sees that
the job was paused), computed by a pool of actors that load their model once, and kept by one actor
in a transaction that ends the lease, as in this process. What a lost actor held is taken anew by
whoever works next. Back-pressure and restarts are Ray's.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from newsloom.engines.jobs.values import HistoryJob, JobId, JobState
from newsloom.kernel import extras
from newsloom.kernel.errors import NewsloomError, UserError
from newsloom.kernel.settings import Settings
from newsloom.kernel.settings.tree import ENV_PREFIX, SECRETS
from newsloom.work.values import Batch, Lease, Put, StageKey

if TYPE_CHECKING:
    import numpy as np

    from newsloom.app import App
    from newsloom.engines.jobs.context import JobContext

    Rows = Mapping[str, np.ndarray]

COLUMN = "work"
# A lease that is not kept by then is given up: its row is lost, or waits behind too many.
LONGEST_HELD = 600.0


@dataclass(frozen=True, slots=True)
class Computing:
    """What one kind takes, computes and keeps, in three processes."""

    size: int  # articles of a lease
    key: Callable[[JobContext, HistoryJob], StageKey]
    read: Callable[[JobContext, Lease], tuple[Batch, Any]]
    compute: Callable[[JobContext, HistoryJob, Any], Any]
    keep: Callable[[JobContext, HistoryJob, Batch, Any], Put]


def kinds() -> Mapping[str, Computing]:
    """Those that Ray Data can do: of the others one worker at a time does each."""
    from newsloom.engines.jobs import embedding, judging
    from newsloom.ranking.stages.encoders import VECTOR_BATCH

    return {
        "embed": Computing(
            VECTOR_BATCH,
            lambda _context, job: embedding.key_of(str(job.wish["encoder"])),
            embedding.read,
            embedding.compute,
            embedding.keep,
        ),
        "judge": Computing(
            judging.BATCH, judging.key_of, judging.read, judging.compute, judging.keep
        ),
    }


def work(app: App, job: HistoryJob, tell: Callable[[str], None]) -> int:
    """Do what there is of a job on Ray: how many units were kept. What is left over, and the end,
    is for a worker in this process. Raises UserError where Ray is not there."""
    if job.kind not in kinds():
        return 0
    extras.require("ray", "--engine ray")
    import ray
    import ray.data

    from newsloom.engines.jobs.kinds import kind_of
    from newsloom.engines.jobs.wiring import context

    total = kind_of(job.kind).total(context(app), job)
    app.store.jobs.count_job(job.id, total)
    rows = -(-(total - job.done) // kinds()[job.kind].size)
    if rows <= 0:
        return 0
    started = not ray.is_initialized()
    if started:
        _begin(ray, app.settings)
    try:
        tell(f"{rows} ranges on Ray, {int(ray.cluster_resources().get('CPU', 1))} processors.")
        return _run(ray, _public(app.settings), job.id, rows)
    finally:
        if started:
            ray.shutdown()


def _begin(ray: Any, settings: Settings) -> None:
    """Ray of RAY_ADDRESS, else one on this machine, whose actors have this process's environment:
    secrets are given in no other way."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Newsloom reports to nobody
    for name in SECRETS:
        group, one = name.split(".")
        if value := getattr(getattr(settings, group), one):
            os.environ.setdefault(f"{ENV_PREFIX}{group}_{one}".upper(), str(value))
    address = os.environ.get("RAY_ADDRESS") or "local"
    try:
        ray.init(address=address, include_dashboard=False, log_to_driver=False)
    except (OSError, RuntimeError, ValueError) as error:
        raise UserError(f"No Ray answers at {address}: {error}") from error


def _run(ray: Any, settings: Settings, number: JobId, rows: int) -> int:
    given = {"fn_constructor_args": (settings, number), "zero_copy_batch": False}
    pool = max(1, int(ray.cluster_resources().get("CPU", 1)))
    data = ray.data.range(rows, override_num_blocks=rows)
    data = data.map_batches(Taking, batch_size=1, concurrency=1, num_cpus=0, **given)
    data = data.map_batches(Making, batch_size=1, concurrency=(1, pool), num_cpus=0.5, **given)
    data = data.map_batches(Keeping, batch_size=1, concurrency=1, num_cpus=0, **given)
    ray.data.DataContext.get_current().enable_progress_bars = False
    done = 0
    for rows_done in data.iter_batches(batch_size=None):
        done += int(sum(rows_done["kept"]))
    return done


def _public(settings: Settings) -> Settings:
    """Without secrets: what is sent can be read by whoever reads the cluster."""
    for name in SECRETS:
        group, one = name.split(".")
        settings = replace(settings, **{group: replace(getattr(settings, group), **{one: ""})})
    return settings


def _with_secrets(settings: Settings) -> Settings:
    """With what this machine's environment says."""
    for name in SECRETS:
        group, one = name.split(".")
        if value := os.environ.get(f"{ENV_PREFIX}{group}_{one}".upper()):
            settings = replace(
                settings, **{group: replace(getattr(settings, group), **{one: value})}
            )
    return settings


class _Actor:
    """An opened Newsloom in a process of Ray's."""

    def __init__(self, settings: Settings, number: JobId) -> None:
        from newsloom.app import open_app
        from newsloom.engines.jobs.wiring import context

        settings = replace(
            _with_secrets(settings), models=replace(settings.models, threads=1)
        )  # actors share the processors out, not threads
        self.app = open_app(settings)
        self.context = context(self.app)
        self.number = number
        self.kind = kinds()[self.job().kind]

    def job(self) -> HistoryJob:
        found = self.app.store.jobs.job(self.number)
        assert found is not None
        return found


@dataclass(frozen=True, slots=True)
class Ranged:
    """What goes from actor to actor: a leased range, and what was read or made of it."""

    batch: Batch | None = None  # None: nothing was left to take
    found: Any = None


def _row(value: Ranged) -> dict[str, Any]:
    import numpy as np

    made = np.empty(1, dtype=object)
    made[0] = value
    return {COLUMN: made}


class Taking(_Actor):
    """Takes the next range, reads it, and holds its lease until it is kept or takes too long."""

    def __init__(self, settings: Settings, number: JobId) -> None:
        super().__init__(settings, number)
        self.held: dict[Lease, float] = {}
        threading.Thread(target=self._beat, daemon=True).start()

    def __call__(self, _rows: Rows) -> dict[str, Any]:
        from newsloom.engines.jobs.throttle import rest
        from newsloom.work.service import LEASE

        job = self.job()
        if job.state is not JobState.RUNNING:
            return _row(Ranged())
        now = self.context.now()
        lease = self.app.store.work.claim_work(
            self.kind.key(self.context, job), limit=self.kind.size, now=now, until=now + LEASE
        )
        if lease is None:
            return _row(Ranged())
        self.held[lease] = time.monotonic()
        batch, read = self.kind.read(self.context, lease)
        if not batch.versions:
            self.app.store.work.release_work([lease])
            return _row(Ranged())
        pace = self.app.settings.jobs.pace if job.pace is None else job.pace
        time.sleep(rest(len(lease.ids), 0.0, pace=pace, share=1.0))
        return _row(Ranged(batch, read))

    def _beat(self) -> None:
        from newsloom.work.service import LEASE

        while True:
            time.sleep(LEASE.total_seconds() / 3)
            ends = time.monotonic() - LONGEST_HELD
            self.held = {one: since for one, since in self.held.copy().items() if since > ends}
            try:
                until = self.context.now() + LEASE
                self.app.store.work.renew_work(list(self.held), until)
            except NewsloomError:
                continue  # tried again; else they end, and others do it


class Making(_Actor):
    """Computes; its model is loaded once."""

    def __call__(self, rows: Rows) -> dict[str, Any]:
        one: Ranged = rows[COLUMN][0]
        if one.batch is None:
            return _row(one)
        made = self.kind.compute(self.context, self.job(), one.found)
        return _row(Ranged(one.batch, made))


class Keeping(_Actor):
    """Stores, in the transaction that ends the lease; nothing where it was lost."""

    def __call__(self, rows: Rows) -> dict[str, Any]:
        import numpy as np

        one: Ranged = rows[COLUMN][0]
        kept = 0
        if one.batch is not None:
            kept = self.kind.keep(self.context, self.job(), one.batch, one.found).kept
        return {"kept": np.array([kept])}
