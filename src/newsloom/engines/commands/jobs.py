"""`newsloom jobs`: everything stored computed anew, or a large file taken in, beside all else."""

from __future__ import annotations

import time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from newsloom.cli.common import Json, note, plain, say, session, show_json, show_table
from newsloom.cli.group import Commands
from newsloom.engines.commands.working import interrupted
from newsloom.engines.jobs.values import HistoryJob, JobId, JobState, left_words, progress_words
from newsloom.kernel.errors import NotFound, StoreBusy, UserError

if TYPE_CHECKING:
    from newsloom.app import App

app = Commands()


class EngineName(StrEnum):
    """What computes."""

    LOCAL = "local"
    RAY = "ray"


LISTED = 50
# Between two looks for jobs, and between two words of how far one is.
LOOKS = 5.0
TOLD = 10.0

Number = Annotated[int, typer.Argument(metavar="JOB", help="Job id from `newsloom jobs list`.")]
Pace = Annotated[
    float | None, typer.Option(min=0, help="Maximum articles per second and worker; 0: no limit.")
]
Engine = Annotated[
    EngineName,
    typer.Option(help="Where embed and judge run: this process, or Ray (extra ray)."),
]
Share = Annotated[
    float | None,
    typer.Option(min=0.01, max=1, help="Share of its time that a worker spends on the job."),
]


@app.command("kinds", help="List kinds of jobs.")
def kinds(as_json: Json = False) -> None:
    """What `start` takes."""
    from newsloom.engines.jobs.kinds import KINDS

    if as_json:
        show_json([{"kind": one.name, "words": one.words, "unit": one.unit} for one in KINDS])
        return
    show_table(("kind", "what it does"), [(one.name, one.words) for one in KINDS])


@app.command("start", help="Start a job. `serve` and `newsloom jobs work` run it.")
def start(
    context: typer.Context,
    kind: Annotated[str, typer.Argument(help="embed, judge, stories, train or import.")],
    file: Annotated[
        Path | None, typer.Argument(help="import: JSON lines; see docs/use/articles-file.md.")
    ] = None,
    model: Annotated[str, typer.Option(help="judge: the head, or shipped.")] = "",
    pace: Pace = None,
    share: Share = None,
    wait: Annotated[bool, typer.Option("--wait", help="Run it here until it is done.")] = False,
    engine: Engine = EngineName.LOCAL,
    as_json: Json = False,
) -> None:
    """What it makes takes the place of what was there when all of it is made."""
    from newsloom.engines.jobs import wiring as jobs
    from newsloom.engines.jobs.kinds import kind_of

    kind_of(kind)
    given = session(context)
    with given.open() as opened:
        wished = jobs.wish(opened, kind, model=model, file=file)
        user = opened.user if kind == "import" else None
        number = opened.store.jobs.start_job(
            kind, opened.now(), user=user, wish=wished, pace=pace, share=share
        )
        if number is None:
            raise UserError(
                f"A job of this kind is already open: {kind}. See `newsloom jobs list`."
            )
        if wait:
            _work(opened, given.config, {number}, engine, watch=False, quiet=as_json)
        _show(opened, number, as_json)


@app.command("list", help="List open and recent jobs.")
def list_(context: typer.Context, as_json: Json = False) -> None:
    """The newest first."""
    with session(context).open() as opened:
        found = opened.store.jobs.jobs(LISTED)
    if as_json:
        show_json([_as_dict(one) for one in found])
        return
    if not found:
        note("None yet. Start one with `newsloom jobs start`; see `newsloom jobs kinds`.")
        return
    show_table(
        ("job", "kind", "state", "done", "of", "a second", "left", "words"),
        [
            (
                str(one.id),
                one.kind,
                str(one.state),
                f"{one.done + one.refused:,}",
                f"{one.total:,}" if one.total else "",
                f"{one.rate:,.1f}" if one.rate else "",
                left_words(one),
                one.words,
            )
            for one in found
        ],
        right="job done of a second",
        stretch="words",
    )


@app.command("show", help="Show the progress and errors of a job.")
def show(context: typer.Context, number: Number, as_json: Json = False) -> None:
    """As JSON with everything that is kept of it."""
    with session(context).open() as opened:
        _show(opened, JobId(number), as_json)


@app.command("pause", help="Pause a job after the current batch.")
def pause(context: typer.Context, number: Number, as_json: Json = False) -> None:
    """Every worker of it, wherever it runs."""
    _set_state(context, number, JobState.PAUSED, as_json)


@app.command("resume", help="Resume a job.")
def resume(context: typer.Context, number: Number, as_json: Json = False) -> None:
    """With the throttle that it had."""
    _set_state(context, number, JobState.RUNNING, as_json)


@app.command("cancel", help="Cancel a job. Its results so far are not used.")
def cancel(context: typer.Context, number: Number, as_json: Json = False) -> None:
    """Articles that were taken in and models that were trained stay in force."""
    _set_state(context, number, JobState.CANCELLED, as_json)
    if not as_json:
        with session(context).open() as opened:
            one = opened.store.jobs.job(JobId(number))
            if one is not None and one.kind == "embed":
                note("models.embedder still names the new encoder, so passes continue with it.")


@app.command("throttle", help="Change the speed of an open job.")
def throttle(
    context: typer.Context,
    number: Number,
    pace: Pace = None,
    share: Share = None,
    as_json: Json = False,
) -> None:
    """What is left out is as jobs.pace and jobs.share say."""
    with session(context).open() as opened:
        if not opened.store.jobs.throttle_job(JobId(number), pace=pace, share=share):
            raise NotFound(f"Job {number} is not open.")
        _show(opened, JobId(number), as_json)


@app.command("work", help="Run open jobs until none is left.")
def work(
    context: typer.Context,
    watch: Annotated[
        bool, typer.Option("--watch", help="Wait for more until interrupted.")
    ] = False,
    engine: Engine = EngineName.LOCAL,
    as_json: Json = False,
) -> None:
    """Any number of these share the jobs embed and judge; of the others one works on each.

    Ctrl-C ends it after the batch under way.
    """
    given = session(context)
    with given.open() as opened:
        done = _work(opened, given.config, None, engine, watch=watch, quiet=as_json)
    if as_json:
        show_json({"done": done})
    elif not done:
        say("No open jobs.")


def _work(
    opened: App,
    config: str,
    only: set[JobId] | None,
    engine: EngineName,
    *,
    watch: bool,
    quiet: bool,
) -> int:
    """Until nothing runs, or those named have ended; how many units were done here."""
    from newsloom.engines.jobs import wiring as jobs

    done, told = 0, time.monotonic()

    def on_step(job: HistoryJob, _units: int) -> None:
        nonlocal told
        if not quiet and time.monotonic() - told >= TOLD:
            told = time.monotonic()
            note(_line(job))

    with interrupted() as over:
        runner = jobs.runner(opened, over, on_step)
        while not over.is_set():
            try:
                here = _on_ray(opened, config) if engine is EngineName.RAY else 0
                here += runner.run()
            except StoreBusy as error:
                note(str(error))
                here = 0
            done += here
            if not here and not _goes_on(opened, only, watch):
                break
            if not here:
                over.wait(LOOKS)
    for one in opened.store.jobs.open_jobs():
        if one.words and not quiet:
            note(_line(one))
    return done


def _on_ray(opened: App, config: str) -> int:
    """What Ray can do of the jobs that run: units done."""
    from newsloom.engines.jobs import on_ray as jobs_on_ray

    running = [one for one in opened.store.jobs.open_jobs() if one.state is JobState.RUNNING]
    return sum(jobs_on_ray.work(opened, config, one, note) for one in running)


def _goes_on(opened: App, only: set[JobId] | None, watch: bool) -> bool:
    """Whether to look again: a job runs that nothing stops here, or one should be watched for."""
    running = [
        one
        for one in opened.store.jobs.open_jobs()
        if one.state is JobState.RUNNING and (only is None or one.id in only)
    ]
    return watch or any(not one.words for one in running)


def _set_state(context: typer.Context, number: int, to: JobState, as_json: bool) -> None:
    with session(context).open() as opened:
        if not opened.store.jobs.set_job_state(JobId(number), to, opened.now()):
            one = opened.store.jobs.job(JobId(number))
            raise UserError(
                f"Job {number} is {one.state}." if one else f"There is no job {number}."
            )
        _show(opened, JobId(number), as_json)


def _show(opened: App, number: JobId, as_json: bool) -> None:
    one = opened.store.jobs.job(number)
    if one is None:
        raise NotFound(f"There is no job {number}.")
    if as_json:
        show_json(_as_dict(one))
        return
    say(_line(one))
    for problem in one.position.get("problems", ()):
        say(f"  {problem}")


def _as_dict(one: HistoryJob) -> dict[str, Any]:
    return {**plain(one), "left_seconds": one.left.total_seconds() if one.left else None}


def _line(one: HistoryJob) -> str:
    words = f" {one.words}" if one.words else ""
    return f"Job {one.id}, {one.kind}, {one.state}: {progress_words(one)}.{words}"
