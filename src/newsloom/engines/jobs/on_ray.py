"""Jobs on Ray: actors on the machines of a cluster, each a worker of the job like this process.

Only kinds that share their work by leases; of the others one worker at a time does each.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from newsloom.engines.jobs.kinds import KINDS, kind_of
from newsloom.engines.jobs.values import HistoryJob
from newsloom.engines.ray_driver import SentSettings, connected, one_machine, receive, send
from newsloom.kernel import extras

if TYPE_CHECKING:
    from newsloom.app import App


def work(app: App, config: str, job: HistoryJob, tell: Callable[[str], None]) -> int:
    """Do what there is of a job on Ray: units done. What is left over is for this process.

    `config`: the settings file, if any. Raises UserError where Ray is not installed, and WorkError
    where no Ray answers.
    """
    from newsloom.engines.jobs.wiring import context

    if kind_of(job.kind).serial or kind_of(job.kind).total(context(app), job) <= job.done:
        return 0
    extras.require("ray", "--engine ray")
    with connected(app.settings) as (ray, _dashboard):
        one_machine(ray, app.settings)
        cpus = app.settings.work.ray_cpus
        there = int(ray.cluster_resources().get("CPU", 1.0) // (cpus or 1.0))
        workers = app.settings.work.workers or max(there, 1)
        tell(f"Job {job.id}: {workers} workers on Ray.")
        actor = ray.remote(JobWorker).options(num_cpus=cpus, max_restarts=-1, max_task_retries=-1)
        sent = send(app.settings, config)
        actors = [actor.remote(sent, job.kind, workers) for _ in range(workers)]
        return int(sum(ray.get([one.work.remote() for one in actors])))


class JobWorker:
    """An opened Newsloom in a process of Ray's."""

    def __init__(self, sent: SentSettings, kind: str, workers: int) -> None:
        from newsloom.app import open_app

        settings = receive(sent, os.environ)
        # Actors share the processors out, not threads.
        self._app = open_app(replace(settings, models=replace(settings.models, threads=1)))
        self._kind, self._workers = kind, workers

    def work(self) -> int:
        """Until nothing is left, or the job is paused: units done."""
        from newsloom.engines.jobs import wiring

        runner = wiring.runner(self._app, threading.Event())
        kinds = tuple(one for one in KINDS if one.name == self._kind)
        return replace(runner, workers=self._workers).run(kinds)
