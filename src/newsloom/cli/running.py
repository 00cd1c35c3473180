"""Commands that do the work: run, serve."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.common import (
    Json,
    console,
    note,
    on_terminal,
    plain,
    say,
    session,
    show_json,
)
from newsloom.feeds.values.polling import PollCounts
from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import FeedId

if TYPE_CHECKING:
    from rich.progress import TaskID

    from newsloom.app import App
    from newsloom.engines.pipeline import ProgressListener, Runner
    from newsloom.feeds.values.polling import PassReport
    from newsloom.llm.values import AskReport

STAGE_WORDS = {
    "polls": "polling feeds",
    "text": "reading texts",
    "rules": "applying rules",
    "duplicates": "finding duplicates",
    "importance": "computing importance",
    "interest": "updating topics",
    "embed": "computing vectors",
    "same event": "finding reports of the same event",
    "embed for heads": "computing vectors for time sensitivity",
    "embed anew": "computing vectors with the new encoder",
    "embed languages": "computing vectors of other languages",
    "stories": "grouping into stories",
    "sensitivity": "rating time sensitivity",
    "relevance": "ranking",
    "language model": "querying the language model",
    "icons": "fetching icons",
    "hubs": "subscribing to hubs",
    "full texts": "fetching full texts",
    "coverage": "finding other coverage",
    "sources": "measuring sources",
    "terms": "counting terms",
    "pruning": "deleting old data",
}

# What the stages say that join articles, behind how many.
FOUND = {"duplicates": "of the same text", "same event": "report another one's event"}


def run(
    context: typer.Context,
    feed: Annotated[
        list[int] | None, typer.Option(help="Fetch this feed even if not due. Repeatable.")
    ] = None,
    all_: Annotated[
        bool, typer.Option("--all", help="Fetch all feeds that may be fetched, even if not due.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Fetch due feeds, find duplicates and rank, once. For cron; also safe beside `serve`."""
    if feed and all_:
        raise UserError("Use --feed or --all, not both.")
    with session(context).open() as app:
        runner = app.runner()
        if all_:
            _hasten_all(app)
        named = None if feed is None else _allowed(app, _known(app, feed))
        with progress(quiet=as_json) as listener:
            report, asked = asyncio.run(_pass(app, runner, named, listener))
        status = app.language_model_status()
        if as_json:
            show_json({**plain(report), "language_model": status and status.words})
        else:
            elsewhere = app.polled_elsewhere(named)
            say_report(report, unread=app.reader().unread(), elsewhere=elsewhere)
            if rated := asked.stored_by_purpose.get("sensitivity", 0):
                say(f"{rated} of them rated by the language model. {asked.seconds:.1f} s.")
            if status and (not status.well or status.spent):
                note(status.words)
        if app.store.briefs.briefs_wait(app.now()):
            from newsloom.briefs.commands.briefs import make_due

            make_due(app)
    if report.polls.feeds and report.polls.failed == report.polls.feeds:
        raise typer.Exit(1)


async def _pass(
    app: App, runner: Runner, feeds: list[FeedId] | None, listener: ProgressListener
) -> tuple[PassReport, AskReport]:
    """One pass, and then what there is time for of the language model's questions."""
    report = await runner.once(feeds, listener)
    span = timedelta(seconds=app.settings.language_model.run_seconds)
    return report, await runner.ask_for(span, listener)


def _known(app: App, feeds: list[int]) -> list[FeedId]:
    mine = {one.feed_id for one in app.reader().subscriptions()}
    for one in feeds:
        if one not in mine:
            raise UserError(f"You do not follow feed {one}. See `newsloom feeds`.")
    return [FeedId(one) for one in feeds]


def _allowed(app: App, feeds: list[FeedId]) -> list[FeedId]:
    """Those that may be asked now; of the others it is told until when they wait."""
    from newsloom.app import polling

    held = polling.refresh(app, feeds)
    for feed, why in held.items():
        if why is not None:
            note(
                f"Feed {feed} is not fetched before {why.until.astimezone():%H:%M}: {why.because}."
            )
    return [one for one, why in held.items() if why is None]


def _hasten_all(app: App) -> None:
    """Make everything due that may be asked now; of the rest it is told why it waits."""
    reasons: dict[str, list[datetime]] = {}
    for one in app.reader().feeds.refresh_all().held:
        reasons.setdefault(one.because, []).append(one.until)
    for because, times in reasons.items():
        first = f"{min(times).astimezone():%H:%M}"
        if len(times) == 1:
            note(f"One feed waits until {first}: {because}.")
        else:
            note(f"{len(times)} feeds wait, the first until {first}: {because}.")


def say_report(report: PassReport, unread: int, elsewhere: int) -> None:
    """A pass in words; `elsewhere` counts due feeds that another Newsloom is asking."""
    polls = report.polls
    for url, problem in polls.problems:
        note(f"{url}: {problem}")
    if polls.feeds:
        say(
            f"{polls.feeds} feed{'s' if polls.feeds != 1 else ''} polled: {polls.changed} changed, "
            f"{polls.unchanged} unchanged, {polls.failed} failed."
        )
        say(f"{polls.new} new articles, {polls.revised} revised, {polls.duplicates} duplicates.")
    elif not elsewhere:
        say("No feed is due.")
    if elsewhere:
        say(f"Fetched by another process: {elsewhere}.")
    for stage in report.stages:
        if stage.problem:
            note(f"{STAGE_WORDS[stage.stage]} stopped: {stage.problem}")
        if stage.stage in FOUND and stage.done:
            say(f"{stage.done} compared with others, {stage.joined} {FOUND[stage.stage]}.")
    say(f"{unread} unread. {report.seconds:.1f} s.")


@contextmanager
def progress(*, quiet: bool = False) -> Iterator[ProgressListener]:
    """Progress bars on a terminal, nothing into a pipe."""
    from newsloom.engines.pipeline import ProgressListener

    if quiet or not on_terminal():
        yield ProgressListener()
        return
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    bars = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        TextColumn("{task.fields[words]}"),
        TimeElapsedColumn(),
        console=console(stderr=True),
        transient=True,
    )
    with bars:
        polling = bars.add_task("polling feeds", total=None, words="")
        total = PollCounts()
        stages: dict[str, TaskID] = {}
        done: dict[str, int] = {}

        def on_poll(counts: PollCounts) -> None:
            nonlocal total
            total += counts
            words = f"{total.feeds} feeds, {total.new} new articles"
            bars.update(polling, words=words)

        def on_step(stage: str, number: int) -> None:
            bars.update(polling, total=1, completed=1)
            if stage not in stages:
                stages[stage] = bars.add_task(STAGE_WORDS[stage], total=None, words="")
            done[stage] = done.get(stage, 0) + number
            bars.update(stages[stage], words=f"{done[stage]} articles")

        yield ProgressListener(on_poll, on_step)


def serve(
    context: typer.Context,
    host: Annotated[
        str | None, typer.Option(help="Address. Default: the setting web.host.")
    ] = None,
    port: Annotated[int | None, typer.Option(help="Port. Default: the setting web.port.")] = None,
    without_login: Annotated[
        bool,
        typer.Option("--without-login", help="Serve other machines although sign-in is off."),
    ] = False,
    starter: Annotated[
        bool,
        typer.Option(
            "--starter",
            help="Without feeds, start with a starter set or, offline, with the built-in sample.",
        ),
    ] = False,
    pages_only: Annotated[
        bool,
        typer.Option(
            "--pages-only", help="Serve only the pages; another process fetches and ranks."
        ),
    ] = False,
) -> None:
    """Serve the pages and fetch feeds on schedule, until interrupted."""
    settings = session(context).settings
    web = replace(
        settings.web,
        host=settings.web.host if host is None else host,
        port=settings.web.port if port is None else port,
        without_login=settings.web.without_login or without_login,
    )
    from newsloom.cli.serving import serve_until_ended

    asyncio.run(
        serve_until_ended(replace(settings, web=web), starter=starter, pages_only=pages_only)
    )
