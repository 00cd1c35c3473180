"""`newsloom work`: the stages alone, beside whatever else runs on the same store."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from newsloom.cli.common import Json, note, plain, say, session, show_json, show_table
from newsloom.cli.running import STAGE_WORDS, progress
from newsloom.kernel.errors import UserError

if TYPE_CHECKING:
    from newsloom.engines.status import Status


def work(
    context: typer.Context,
    watch: Annotated[
        bool, typer.Option("--watch", help="Wait for more work until interrupted.")
    ] = False,
    poll: Annotated[
        bool, typer.Option("--poll", help="Also poll feeds that are due (not with Ray).")
    ] = False,
    engine: Annotated[
        str | None,
        typer.Option(help="local, processes or ray. Default: the setting work.engine."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="Maximum workers. Default: the setting work.workers."),
    ] = None,
    stages: Annotated[
        str | None,
        typer.Option(
            help="Only these stages, such as text,embed. Default: the setting work.stages."
        ),
    ] = None,
    status: Annotated[
        bool,
        typer.Option("--status", help="Show workers and remaining work; change nothing."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Read, compare, embed, rate and rank what is stored, until nothing is left. Serves no pages.
    Any number of these share the work with each other, `run` and `serve`.
    """
    from newsloom import engines
    from newsloom.engines.port import Job, ProgressListener

    opened = session(context)
    settings = opened.settings
    if status:
        from newsloom.engines.status import status as look

        found = look(settings)
        if as_json:
            show_json(plain(found))
        else:
            _show_status(found)
        return
    name = engine or settings.work.engine
    if name not in {one.name for one in engines.ENGINES}:
        known = ", ".join(one.name for one in engines.ENGINES)
        raise UserError(f"There is no engine {name!r}. Use one of {known}.")
    if poll and name == "ray":
        raise UserError("Ray's workers poll no feeds. Run `newsloom work --poll` beside them.")
    named = settings.work.stages if stages is None else stages.split(",")
    job = Job(
        stages=tuple(one.strip() for one in named if one.strip()),
        watch=watch,
        poll=poll,
        workers=settings.work.workers if workers is None else workers,
        config=opened.config,
    )
    with interrupted() as over, progress(quiet=as_json) as listener:
        heard = ProgressListener(listener.on_step, note)
        done = engines.engine(name).work(settings, job, over, heard)
    if as_json:
        show_json({"engine": name, **plain(done)})
        return
    for stage, problem in done.problems.items():
        note(f"{STAGE_WORDS[stage]} stopped: {problem}")
    counts = ", ".join(f"{STAGE_WORDS[one]} {count}" for one, count in done.done.items() if count)
    say(f"{counts}." if counts else "Nothing to do.")


@contextmanager
def interrupted() -> Iterator[threading.Event]:
    """Set when a signal asks for an end, which comes after the batches under way."""
    over = threading.Event()

    names = signal.SIGINT, signal.SIGTERM
    before = {name: signal.signal(name, lambda _number, _frame: over.set()) for name in names}
    try:
        yield over
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)


def _show_status(found: Status) -> None:
    say(f"Engine: {found.engine}.")
    if found.workers:
        rows = [
            [one.host, str(one.process), held.stage, str(held.articles), f"{held.until:%H:%M:%S}"]
            for one in found.workers
            for held in one.holds
        ]
        show_table(["host", "process", "stage", "articles", "until"], rows, stretch="stage")
    else:
        say("No worker is active.")
    left = ", ".join(f"{one.stage} {one.articles:,}{'+' * one.more}" for one in found.pending)
    say(f"Left to do: {left}." if left else "Nothing is left to do.")
    for line in _of_ray(found.ray):
        say(line)


def _of_ray(ray: dict[str, Any]) -> list[str]:
    if ray["words"]:
        return [ray["words"]]
    alive = [one for one in ray["nodes"] if one["alive"]]
    lines = [f"Ray at {ray['address']}: {len(alive)} nodes, {ray['workers']} workers."]
    lines += [
        f"  {one['host']}: {'alive' if one['alive'] else 'gone'}, {one['cpus']:g} processors, "
        f"{one['gpus']:g} graphics processors"
        for one in ray["nodes"]
    ]
    board = ray["dashboard"] or "none; `pip install 'ray[default]'` brings one"
    return [*lines, f"Dashboard: {board}."]
