"""The process that has workers on Ray: starts as many as there is work for, hears them, ends them.

A process of its own, because Ray ends a driver whose cluster is gone, with whatever else it does.
on_ray.py starts it again. Only this module and ray_actor.py know Ray.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from newsloom.engines.child import Say
from newsloom.engines.children import ANSWER, PASSED, STATE, STEP, WORDS, Task
from newsloom.engines.placing import Kind, kinds, wanted
from newsloom.engines.ray_actor import RayWorker, Slice
from newsloom.engines.sent import SentSettings, send
from newsloom.kernel.errors import NewsloomError, UserError, WorkError
from newsloom.kernel.settings import Settings

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.engines.pipeline import Stage, StageContext

NAMESPACE = "newsloom"

# Seconds that a worker works before it says what it did. The end of a job waits for them.
SLICE = 4.0

# Seconds between two looks at what is left, and at what was said.
LOOK = 1.0

# Seconds that the head of a cluster may take to accept a connection.
REACH = 10.0

# So many seconds without the store, and a job that does not watch ends.
PATIENCE = 60.0


@dataclass(slots=True, eq=False)
class _Actor:
    """A worker, and what it was asked last."""

    kind: Kind
    handle: Any
    answer: Any = None  # a reference; None: it waits for work
    since: float = 0.0  # when it began to wait
    last: Slice | None = None

    @property
    def stuck(self) -> bool:
        """Whether what is left cannot be done, such as by a model that cannot be loaded."""
        return (
            self.last is not None and bool(self.last.problems) and not any(self.last.done.values())
        )


@contextmanager
def _connected(settings: Settings) -> Iterator[tuple[Any, str]]:
    """Ray, connected, and the address of its dashboard; without an address, one of our own.

    Raises WorkError when the one named does not answer.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Newsloom reports to nobody
    import ray

    quiet = {"namespace": NAMESPACE, "log_to_driver": False, "logging_level": logging.CRITICAL}
    address = settings.work.ray_address
    try:
        if address:
            _reach(address)
            there = ray.init(address=address, **quiet)
        else:
            there = ray.init(address="local", num_cpus=settings.work.workers or None, **quiet)
    except (OSError, RuntimeError, ValueError) as error:
        raise WorkError(f"No Ray answers at {address or 'this machine'}: {error}") from error
    try:
        yield ray, f"http://{there.dashboard_url}" if there.dashboard_url else ""
    finally:
        ray.shutdown()


def _reach(address: str) -> None:
    """Raises OSError when nothing listens there: Ray itself tries for minutes."""
    host, _, port = address.rpartition(":")
    if port.isdecimal():
        socket.create_connection((host, int(port)), timeout=REACH).close()


def drive(task: Task, over: threading.Event, say: Say) -> None:
    """Have the job done by actors, until nothing is left or it is over."""
    from newsloom.app import open_app
    from newsloom.engines.pipeline import BACKGROUND, STAGES

    names = task.job.stages
    stages = tuple(one for one in (*STAGES, *BACKGROUND) if not names or one.name in names)
    with (
        _connected(task.settings) as (ray, dashboard),
        closing(open_app(task.settings)) as app,
    ):
        _one_machine(ray, task.settings)
        say(WORDS, words=f"Ray's dashboard: {dashboard}." if dashboard else "Ray answers.")
        crew = _Crew(ray, app, app.runner().context, task, stages, say)
        try:
            crew.work(over)
        finally:
            crew.close()


def answer_status(task: Task, over: threading.Event, say: Say) -> None:
    """The nodes and workers of the cluster, for `newsloom cluster status`."""
    del over
    with _connected(task.settings) as (ray, dashboard):
        nodes = [
            {
                "host": one["NodeManagerHostname"],
                "alive": one["Alive"],
                "cpus": one["Resources"].get("CPU", 0.0),
                "gpus": one["Resources"].get("GPU", 0.0),
            }
            for one in ray.nodes()
        ]
        answer = {
            "words": "",
            "address": ray.get_runtime_context().gcs_address,
            "dashboard": dashboard,
            "nodes": nodes,
            "workers": len(ray.util.list_named_actors()),
        }
    say(ANSWER, answer=answer)


def _one_machine(ray: Any, settings: Settings) -> None:
    """A file of SQLite is on one machine. Raises UserError where the cluster has others."""
    if settings.store.url:
        return
    hosts = {one["NodeManagerHostname"] for one in ray.nodes() if one["Alive"]}
    others = sorted(hosts - {socket.gethostname()})
    if others:
        raise UserError(
            f"The store is a SQLite file of this machine, and Ray has others: {', '.join(others)}. "
            "Set store.url to a PostgreSQL database; `newsloom store copy` fills it."
        )


@dataclass(slots=True)
class _Crew:
    """The actors there are, and what they did."""

    ray: Any
    app: App
    context: StageContext
    task: Task
    stages: tuple[Stage, ...]
    say: Say
    _actors: list[_Actor] = field(default_factory=list)
    _well: float = 0.0  # when the store answered last

    def work(self, over: threading.Event) -> None:
        settings = self.task.settings.work
        each = kinds([one.name for one in self.stages], settings)
        sent = send(self.task.settings, self.task.job.config)
        self._well = time.monotonic()
        while not over.is_set():
            try:
                done = self._place(each, sent)
            except NewsloomError as error:  # the store is away for a moment
                self._trouble(str(error))
                done = False
            if done and not self.task.job.watch:
                return
            self._hear(LOOK)
        self._finish()

    def close(self) -> None:
        for one in self._actors:
            self.ray.kill(one.handle)

    def _place(self, each: tuple[Kind, ...], sent: SentSettings) -> bool:
        """Give work to as many as there is work for; whether nothing is left and nobody works."""
        from newsloom.engines.pipeline.backlog import backlog

        most = self._most()
        if self._busy() >= most * len(each):
            return False
        left = backlog(self.context, self.stages, enough=2 * most * len(each))
        self._well = time.monotonic()
        if not self._busy() and not self._others() and self._in_vain():
            return True
        for kind in each:
            self._ask(kind, wanted(kind, left, most), sent)
        self.say(STATE, workers=len(self._actors), busy=self._busy())
        return not self._busy() and not any(one.batches for one in left) and not self._others()

    def _busy(self) -> int:
        return sum(one.answer is not None for one in self._actors)

    def _others(self) -> int:
        return self.app.store.work.work_elsewhere(self.app.now())

    def _in_vain(self) -> bool:
        return bool(self._actors) and all(one.stuck for one in self._actors)

    def _most(self) -> int:
        settings = self.task.settings.work
        there = self.ray.cluster_resources().get("CPU", 1.0)
        return self.task.job.workers or max(int(there // (settings.ray_cpus or 1.0)), 1)

    def _ask(self, kind: Kind, number: int, sent: SentSettings) -> None:
        """So many of a kind at work; those that waited for long go, and their models with them."""
        mine = [one for one in self._actors if one.kind == kind]
        waiting = [one for one in mine if one.answer is None]
        more = number - (len(mine) - len(waiting))
        waiting += [self._started(kind, sent) for _ in range(more - len(waiting))]
        for one in waiting[: max(more, 0)]:
            one.answer = one.handle.work.remote(SLICE)
        now = time.monotonic()
        for one in waiting[max(more, 0) :]:
            if now - one.since > self.task.settings.work.idle_seconds:
                self.ray.kill(one.handle)
                self._actors.remove(one)

    def _started(self, kind: Kind, sent: SentSettings) -> _Actor:
        """An actor that Ray starts again wherever there is room, as often as it dies."""
        job = replace(self.task.job, stages=kind.stages, watch=False, config="")
        remote = self.ray.remote(RayWorker).options(
            name=f"{kind.name}-{secrets.token_hex(4)}",
            num_cpus=kind.cpus,
            num_gpus=kind.gpus,
            max_restarts=-1,
            max_task_retries=-1,
        )
        actor = _Actor(kind, remote.remote(sent, job, max(int(kind.cpus), 1)))
        self._actors.append(actor)
        return actor

    def _hear(self, seconds: float) -> None:
        """What was said within so many seconds."""
        asked = {one.answer: one for one in self._actors if one.answer is not None}
        if not asked:
            time.sleep(seconds)
            return
        self.ray.wait(list(asked), num_returns=1, timeout=seconds)
        ready, _ = self.ray.wait(list(asked), num_returns=len(asked), timeout=0)
        for reference in ready:
            actor = asked[reference]
            actor.answer, actor.since = None, time.monotonic()
            try:
                actor.last = self.ray.get(reference)
            except self.ray.exceptions.RayError as error:  # it can never be started again
                self._actors.remove(actor)
                self._trouble(f"a worker on Ray is lost: {str(error).splitlines()[0]}")
            else:
                self._take(actor.last)

    def _take(self, one: Slice) -> None:
        if one.refusal:
            raise UserError(f"A worker on Ray cannot work: {one.refusal}")
        if one.trouble:
            self._trouble(one.trouble)
            return
        for stage, done in one.done.items():
            if done:
                self.say(STEP, stage=stage, done=done)
        self.say(PASSED, problems=dict(one.problems))

    def _trouble(self, words: str) -> None:
        if not self.task.job.watch and time.monotonic() - self._well > PATIENCE:
            raise WorkError(words)
        self.say(WORDS, words=words)

    def _finish(self) -> None:
        """Hear those at work to the end of their batches."""
        ends = time.monotonic() + PATIENCE
        while any(one.answer is not None for one in self._actors) and time.monotonic() < ends:
            self._hear(LOOK)
