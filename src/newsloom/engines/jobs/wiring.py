"""Wires whole-history jobs: what they work with, who works on them. No logic."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from newsloom.engines.jobs.values import HistoryJob, JobState
from newsloom.kernel.errors import SettingsError, UserError
from newsloom.kernel.ids import UserId

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.engines.jobs.context import JobContext
    from newsloom.engines.jobs.running import JobRunner


def context(app: App) -> JobContext:
    """What the kinds work with, as the settings are."""
    from newsloom.app.passes import assembler
    from newsloom.engines.jobs.context import JobContext
    from newsloom.ranking.measure.articles import line_as_copy

    def train(user: UserId) -> bool:
        return app.services.training.train(user).promoted

    return JobContext(
        store=app.store,
        now=app.now,
        following=app.services.encoders.following,
        switch=app.services.encoders.switch,
        heads=lambda: app.services.sensitivity.vector_model,
        head=lambda model: app.services.sensitivity.named(model),
        put_in_force=lambda model: app.services.sensitivity.put_in_force(model),
        train=train,
        line=line_as_copy,
        stories=assembler(app),
    )


def work(app: App, over: threading.Event) -> int:
    """All that runs now, until nothing is left or the event is set: units done."""
    if not any(one.state is JobState.RUNNING for one in app.store.jobs.open_jobs()):
        return 0  # most of the time: nothing is imported for it
    return runner(app, over).run()


def runner(
    app: App,
    over: threading.Event,
    on_step: Callable[[HistoryJob, int], None] = lambda _job, _done: None,
) -> JobRunner:
    """A worker in this process, until `over` is set."""
    from newsloom.engines.jobs.running import JobRunner

    return JobRunner(
        context=lambda: context(app),
        clock=time.perf_counter,
        sleep=over.wait,
        stop=over.is_set,
        pace=app.settings.jobs.pace,
        share=app.settings.jobs.share,
        on_step=on_step,
    )


def wish(app: App, kind: str, *, model: str, file: Path | None) -> Mapping[str, Any]:
    """What a new job of a kind needs to know. Raises UserError, ModelError."""
    if bool(model) is not (kind == "judge"):
        raise UserError(
            "--model names the head of `judge`: one of `newsloom train --sensitivity`, or shipped."
        )
    if (file is not None) is not (kind == "import"):
        raise UserError("Only `import` takes a file.")
    if kind == "embed":
        following = app.services.encoders.following()
        if following is None:
            raise SettingsError(
                f"{app.services.encoders.active().model_id} is already in use. Set models.embedder "
                f"to another encoder first; see `newsloom models list`."
            )
        return {"encoder": following.model_id}
    if kind == "judge":
        return {"model": app.services.sensitivity.named(model).model_id}
    if file is not None:
        from newsloom.engines.jobs.importing import wish_of

        return wish_of(file)
    return {}
