"""`newsloom work`: the stages alone, beside whatever else runs on the same store."""

from __future__ import annotations

import signal
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.common import Json, note, say, session, show_json
from newsloom.cli.running import STAGE_WORDS, progress

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.pipeline import ProgressListener, Runner

# Between two looks for work: while others still hold batches that they may leave behind, and with
# --watch while there is none.
BETWEEN_LOOKS = 1.0
WATCHING = 5.0


def work(
    context: typer.Context,
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on until interrupted: wait for more work.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Read, compare, embed, rate and rank what is stored, until nothing is left. Polls nothing and
    serves no pages. Any number of these share the work with each other, `run` and `serve`.
    """
    with session(context).open() as app:
        runner = app.runner()
        with interrupted(runner) as over, progress(quiet=as_json) as listener:
            done, problems = _work(app, runner, listener, over, watch=watch)
    if as_json:
        show_json({"done": done, "problems": problems})
        return
    for stage, problem in problems.items():
        note(f"{STAGE_WORDS[stage]} stopped: {problem}")
    counts = ", ".join(f"{STAGE_WORDS[stage]} {count}" for stage, count in done.items() if count)
    say(f"{counts}." if counts else "Nothing was left to do.")


def _work(
    app: App, runner: Runner, listener: ProgressListener, over: threading.Event, *, watch: bool
) -> tuple[dict[str, int], dict[str, str]]:
    """Pass after pass over the stages: articles by stage, and what stopped one in the last pass."""
    done = Counter[str]()
    while True:
        reports = runner.rank(listener)
        if not any(one.done for one in reports):
            reports += runner.catch_up(listener)
        problems = {one.stage: one.problem for one in reports if one.problem}
        done.update({one.stage: one.done for one in reports})
        if over.is_set():
            break
        if any(one.done for one in reports):
            continue  # a batch of one stage makes work for the next
        others = app.store.work.work_elsewhere(app.now())
        if not (watch or (others and not problems)):
            break
        over.wait(BETWEEN_LOOKS if others else WATCHING)
    return dict(done), problems


@contextmanager
def interrupted(runner: Runner) -> Iterator[threading.Event]:
    """Ends the work after the batch under way when a signal asks for it."""
    over = threading.Event()

    def end(_number: int, _frame: object) -> None:
        over.set()
        runner.stop()

    before = {name: signal.signal(name, end) for name in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield over
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)
