"""How it stands with the work on a store: who holds what, what is left, and the Ray cluster."""

from __future__ import annotations

import queue
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from newsloom.app import open_app
from newsloom.engines.children import ANSWER, Child, Ended, Said, Task
from newsloom.engines.port import Job
from newsloom.kernel.extras import EXTRAS, install
from newsloom.kernel.settings import Settings
from newsloom.work.values import HeldBatch

# Seconds that a Ray cluster may take to answer: one that is not there lets its callers wait.
PATIENCE = 30.0


@dataclass(frozen=True, slots=True)
class Holding:
    """A batch in work."""

    stage: str
    articles: int
    until: datetime


@dataclass(frozen=True, slots=True)
class WorkingProcess:
    """A process that holds work by lease."""

    host: str
    process: int
    holds: tuple[Holding, ...]


@dataclass(frozen=True, slots=True)
class Left:
    """What nobody holds yet of a stage; `more` than was counted."""

    stage: str
    articles: int
    more: bool


@dataclass(frozen=True, slots=True)
class Status:
    """All of it; `ray` has words where there is no cluster to tell of."""

    engine: str
    workers: tuple[WorkingProcess, ...]
    pending: tuple[Left, ...]
    ray: dict[str, Any]


def status(settings: Settings) -> Status:
    """Asked of the store, and of Ray where the settings use it."""
    from newsloom.engines.pipeline import BACKGROUND, STAGES
    from newsloom.engines.pipeline.backlog import backlog

    with closing(open_app(settings)) as app:
        left = backlog(app.runner().context, (*STAGES, *BACKGROUND))
        return Status(
            settings.work.engine,
            _workers(app.store.work.held_work(app.now())),
            tuple(Left(one.stage, one.articles, one.more) for one in left if one.articles),
            _ray(settings),
        )


def _workers(held: Sequence[HeldBatch]) -> tuple[WorkingProcess, ...]:
    by_owner: dict[tuple[str, int], list[Holding]] = {}
    for one in held:
        host, process = one.owner.split(":")[:2]
        owner = host.rpartition("/")[0] or host, int(process)
        by_owner.setdefault(owner, []).append(Holding(one.stage, one.articles, one.until))
    return tuple(WorkingProcess(*owner, tuple(each)) for owner, each in sorted(by_owner.items()))


def _ray(settings: Settings) -> dict[str, Any]:
    """Of a process of its own, which may wait for the cluster, and be killed."""
    if not settings.work.ray_address:
        return {"words": "No Ray cluster is configured (work.ray_address)."}
    from importlib.util import find_spec

    if any(find_spec(name) is None for name in EXTRAS["ray"]):
        return {"words": f"Ray is not installed here: {install('ray')}"}
    said: queue.Queue[tuple[Child, Said]] = queue.Queue()
    child = Child(Task("ray status", settings, Job()), said)
    ends = time.monotonic() + PATIENCE
    words = f"Ray did not respond within {PATIENCE:g} s."
    try:
        while (left := ends - time.monotonic()) > 0:
            _, one = said.get(timeout=left)
            if isinstance(one, Ended):
                failure = child.failure
                words = failure["words"] if failure else "The process that queried Ray stopped."
                break
            if one["what"] == ANSWER:
                answer: dict[str, Any] = one["answer"]
                return answer
    except queue.Empty:
        pass
    finally:
        child.kill()
    return {"words": words}
