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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

from newsloom.engines.child import Say
from newsloom.engines.children import ANSWER, PASSED, STATE, STEP, WORDS, Task
from newsloom.engines.port import Job, ProgressListener
from newsloom.engines.worker import Worker
from newsloom.kernel.errors import NewsloomError, SettingsError, UserError, WorkError
from newsloom.kernel.settings import SECRETS, Settings, WorkSettings, load, settings_file
from newsloom.ranking.stages.encoders import ACTIVE, HEADS, LANGUAGES, REEMBED

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.engines.pipeline import Stage, StageContext
    from newsloom.engines.pipeline.backlog import Backlog


# Settings as they travel to workers on other machines: without secrets.
#
# What Ray is given lies in the memory of its head for as long as the cluster lives, where everyone
# who may use the cluster can read it. So each machine has the secrets itself, in its environment or
# its settings file, as it would for `newsloom work`; the address of the database is one of them.


@dataclass(frozen=True, slots=True)
class SentSettings:
    """Everything that is no secret, and which secrets have to be there."""

    settings: Settings
    secrets: tuple[str, ...]  # the settings that are set and not sent
    file: str  # where the sender's settings were read, if a file
    host: str  # the sender's machine, where a SQLite file is


def send(settings: Settings, file: str) -> SentSettings:
    """Settings without what nobody should see."""
    present = tuple(sorted(one for one in SECRETS if _get(settings, one)))
    bare = reduce(lambda tree, one: _put(tree, one, ""), present, settings)
    return SentSettings(bare, present, file, socket.gethostname())


def receive(sent: SentSettings, environment: Mapping[str, str]) -> Settings:
    """With this machine's secrets. Raises SettingsError when one is missing or another's."""
    there = Path(sent.file) if sent.file and Path(sent.file).is_file() else None
    own = load(settings_file(there, environment), environment)
    missing = [one for one in sent.secrets if not _get(own, one)]
    if missing:
        raise SettingsError(
            f"Missing on this machine: {', '.join(missing)}. Set it in the environment or the "
            f"settings file."
        )
    found = reduce(lambda tree, one: _put(tree, one, _get(own, one)), sent.secrets, sent.settings)
    if not found.store.url and sent.host != socket.gethostname():
        raise SettingsError(f"The store is a SQLite file of {sent.host}: set store.url.")
    return found


def _get(tree: Any, path: str) -> Any:
    return reduce(getattr, path.split("."), tree)


def _put(tree: Any, path: str, value: Any) -> Any:
    return _replaced(tree, path.split("."), value)


def _replaced(tree: Any, path: Iterable[str], value: Any) -> Any:
    name, *rest = path
    changed = _replaced(getattr(tree, name), rest, value) if rest else value
    return replace(tree, **{name: changed})


# A worker on Ray: an actor whose process has an opened Newsloom, and its models, for all its life.
#
# It is given settings without secrets and the names of stages, and gives back counts. Articles go
# between it and the database alone.


@dataclass(frozen=True, slots=True)
class WorkReport:
    """What an actor did in the seconds it was given."""

    done: Mapping[str, int] = field(default_factory=dict)  # articles by stage
    problems: Mapping[str, str] = field(default_factory=dict)  # what stopped a stage
    others: int = 0  # batches that other processes hold
    trouble: str = ""  # why it did less than it could: the store does not answer
    refusal: str = ""  # why it cannot work where it is, whatever time passes


class RayWorker:
    """The loop of worker.py, a few seconds at a time, so that its driver hears of it."""

    def __init__(self, sent: SentSettings, job: Job, threads: int) -> None:
        self._sent, self._job, self._threads = sent, job, threads
        self._worker: Worker | None = None
        self._ends = 0.0

    def work(self, seconds: float) -> WorkReport:
        """Until nothing is left, or so long; then to the end of the batch under way.

        May be called twice for one answer, when the first was lost: what was stored is not done
        again.
        """
        self._ends = time.monotonic() + seconds
        try:
            if self._worker is None:
                self._worker = self._opened()
            done = self._worker.once(ProgressListener())
        except UserError as error:
            return WorkReport(refusal=str(error))
        except NewsloomError as error:
            return WorkReport(trouble=str(error))
        return WorkReport(done.done, done.problems, done.others)

    def _opened(self) -> Worker:
        from newsloom.app import open_app

        settings = receive(self._sent, os.environ)
        if not settings.models.threads:
            models = replace(settings.models, threads=self._threads)
            settings = replace(settings, models=models)
        return Worker(open_app(settings), self._job, lambda: time.monotonic() >= self._ends)


# How many workers of which kind there should be, by what is left to do. Decides; starts none.

# Where an encoder computes.
EMBEDDING = (ACTIVE, HEADS, REEMBED, LANGUAGES)


@dataclass(frozen=True, slots=True)
class Kind:
    """Workers that need the same of their machine."""

    name: str
    stages: tuple[str, ...]
    cpus: float
    gpus: float = 0.0


def kinds(stages: Sequence[str], settings: WorkSettings) -> tuple[Kind, ...]:
    """One kind for all stages; with graphics processors, another for those that embed."""
    if not settings.ray_gpus:
        return (Kind("cpu", tuple(stages), settings.ray_cpus),)
    rest = tuple(one for one in stages if one not in EMBEDDING)
    embedding = tuple(one for one in stages if one in EMBEDDING)
    both = (
        Kind("cpu", rest, settings.ray_cpus),
        Kind("gpu", embedding, settings.ray_cpus, settings.ray_gpus),
    )
    return tuple(one for one in both if one.stages)


def wanted(kind: Kind, left: Sequence[Backlog], most: int) -> int:
    """As many workers as there are batches for them, and no more than that."""
    return min(sum(one.batches for one in left if one.stage in kind.stages), most)


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
    last: WorkReport | None = None

    @property
    def stuck(self) -> bool:
        """Whether what is left cannot be done, such as by a model that cannot be loaded."""
        return (
            self.last is not None and bool(self.last.problems) and not any(self.last.done.values())
        )


@contextmanager
def connected(settings: Settings) -> Iterator[tuple[Any, str]]:
    """Ray, connected, and the address of its dashboard; without an address, one of our own.

    Raises WorkError when the one named does not answer.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Newsloom reports to nobody
    import ray

    quiet = {"namespace": NAMESPACE, "log_to_driver": False, "logging_level": logging.CRITICAL}
    address = settings.work.ray_address
    try:
        if address:
            # Raises OSError when nothing listens there: Ray itself tries for minutes.
            host, _, port = address.rpartition(":")
            if port.isdecimal():
                socket.create_connection((host, int(port)), timeout=REACH).close()
            there = ray.init(address=address, **quiet)
        else:
            there = ray.init(address="local", num_cpus=settings.work.workers or None, **quiet)
    except (OSError, RuntimeError, ValueError) as error:
        raise WorkError(f"Ray does not respond at {address or 'this machine'}: {error}") from error
    try:
        yield ray, f"http://{there.dashboard_url}" if there.dashboard_url else ""
    finally:
        ray.shutdown()


def drive(task: Task, over: threading.Event, say: Say) -> None:
    """Have the job done by actors, until nothing is left or it is over."""
    from newsloom.app import open_app
    from newsloom.engines.pipeline import BACKGROUND, STAGES

    names = task.job.stages
    stages = tuple(one for one in (*STAGES, *BACKGROUND) if not names or one.name in names)
    with (
        connected(task.settings) as (ray, dashboard),
        closing(open_app(task.settings)) as app,
    ):
        one_machine(ray, task.settings)
        say(WORDS, words=f"Ray's dashboard: {dashboard}." if dashboard else "Ray responds.")
        crew = _ActorPool(ray, app, app.runner().context, task, stages, say)
        try:
            crew.work(over)
        finally:
            crew.close()


def answer_status(task: Task, over: threading.Event, say: Say) -> None:
    """The nodes and workers of the cluster, for `newsloom work --status`."""
    del over
    with connected(task.settings) as (ray, dashboard):
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


def one_machine(ray: Any, settings: Settings) -> None:
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
class _ActorPool:
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
        ends = time.monotonic() + PATIENCE
        while any(one.answer is not None for one in self._actors) and time.monotonic() < ends:
            self._hear(LOOK)

    def close(self) -> None:
        for one in self._actors:
            self.ray.kill(one.handle)

    def _place(self, each: tuple[Kind, ...], sent: SentSettings) -> bool:
        """Give work to as many as there is work for; whether nothing is left and nobody works."""
        from newsloom.engines.pipeline.backlog import backlog

        settings = self.task.settings.work
        there = self.ray.cluster_resources().get("CPU", 1.0)
        most = self.task.job.workers or max(int(there // (settings.ray_cpus or 1.0)), 1)
        if self._busy() >= most * len(each):
            return False
        left = backlog(self.context, self.stages, enough=2 * most * len(each))
        self._well = time.monotonic()
        if (
            not self._busy()
            and not self._others()
            and bool(self._actors)
            and all(one.stuck for one in self._actors)
        ):
            return True
        for kind in each:
            self._ask(kind, wanted(kind, left, most), sent)
        self.say(STATE, workers=len(self._actors), busy=self._busy())
        return not self._busy() and not any(one.batches for one in left) and not self._others()

    def _busy(self) -> int:
        return sum(one.answer is not None for one in self._actors)

    def _others(self) -> int:
        return self.app.store.work.work_elsewhere(self.app.now())

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

    def _take(self, one: WorkReport) -> None:
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
