"""Commands that do the work: run, serve."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.bridges import end_bridges, tell_synced
from newsloom.cli.common import (
    Command,
    Json,
    console,
    note,
    on_terminal,
    plain,
    say,
    session,
    show_json,
)
from newsloom.errors import NewsloomError, UserError
from newsloom.pipeline import Hearing, Runner
from newsloom.pipeline.run import ASKING, apart
from newsloom.ports import Fetcher
from newsloom.reader import Activity
from newsloom.sample import (
    LAST_GENERATION,
    SAMPLE_PORT,
    SampleServer,
    online,
    starter_opml,
    starter_urls,
)
from newsloom.settings import Settings
from newsloom.types import AskReport, FeedId, PassReport, PollCounts, Told
from newsloom.web.app import create_app
from newsloom.web.push import HubDoor
from newsloom.web.server import serve as serve_pages

log = logging.getLogger(__name__)

# How long `serve --starter` waits for any of a few well-known feeds before it takes the sample.
PROBE_SECONDS = 6.0

SAMPLE_FILE = "sample.db"

STAGE_WORDS = {
    "text": "reading texts",
    "duplicates": "finding the same elsewhere",
    "embed": "understanding articles",
    "sensitivity": "judging how fast they expire",
    "relevance": "ranking for you",
    "language model": "asking the language model",
    "hubs": "listening to hubs",
}


def run(
    context: typer.Context,
    feed: Annotated[
        list[int] | None, typer.Option(help="Poll this feed now, due or not; repeatable.")
    ] = None,
    as_json: Json = False,
) -> None:
    """One pass over everything that is due. Safe from cron, and beside `serve`."""
    with session(context).open() as app:
        runner = app.runner()
        named = None if feed is None else _known(app, feed)
        with progress(quiet=as_json) as hearing:
            report, asked = asyncio.run(_pass(app, runner, named, hearing))
        told = app.told()
        if as_json:
            show_json({**plain(report), "language_model": told and told.words})
        else:
            say_report(report, unread=app.reader().unread())
            say_asked(asked, told)
    if report.polls.feeds and report.polls.failed == report.polls.feeds:
        raise typer.Exit(1)


async def _pass(
    app: App, runner: Runner, feeds: list[FeedId] | None, hearing: Hearing
) -> tuple[PassReport, AskReport]:
    """One pass, and then what there is time for of the language model's questions."""
    report = await runner.once(feeds, hearing)
    span = timedelta(seconds=app.settings.language_model.run_seconds)
    return report, await runner.ask_for(span, hearing)


def say_asked(asked: AskReport, told: Told | None) -> None:
    """What the language model did, when one is named."""
    if asked.rated:
        say(f"{asked.rated} of them judged by the language model. {asked.seconds:.1f} s.")
    if told and not told.well:
        note(told.words)


def _known(app: App, feeds: list[int]) -> list[FeedId]:
    mine = {one.feed_id for one in app.reader().subscriptions()}
    for one in feeds:
        if one not in mine:
            raise UserError(f"You have no feed {one}; `newsloom feeds` lists them.")
    return [FeedId(one) for one in feeds]


def say_report(report: PassReport, unread: int) -> None:
    """A pass in words."""
    polls = report.polls
    for url, problem in polls.problems:
        note(f"{url}: {problem}")
    if polls.feeds:
        say(
            f"{polls.feeds} feeds polled: {polls.changed} changed, {polls.unchanged} unchanged, "
            f"{polls.failed} failed."
        )
        say(
            f"{polls.new} new articles, {polls.revised} revised, "
            f"{polls.duplicates} duplicates merged."
        )
    else:
        say("No feed is due.")
    for stage in report.stages:
        if stage.problem:
            note(f"{STAGE_WORDS[stage.stage]} stopped: {stage.problem}")
        if stage.stage == "duplicates" and stage.done:
            say(f"{stage.done} compared with others, {stage.joined} of the same text or event.")
    say(f"{unread} unread. {report.seconds:.1f} s.")


@contextmanager
def progress(*, quiet: bool = False) -> Iterator[Hearing]:
    """Progress bars on a terminal, nothing into a pipe."""
    from newsloom.pipeline import Hearing

    if quiet or not on_terminal():
        yield Hearing()
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

        yield Hearing(on_poll, on_step)


def serve(
    context: typer.Context,
    host: Annotated[str | None, typer.Option(help="Address; else the web.host setting.")] = None,
    port: Annotated[int | None, typer.Option(help="Port; else the web.port setting.")] = None,
    starter: Annotated[
        bool,
        typer.Option(
            "--starter",
            help="With no feeds yet, begin with a starter set; without a network, with the "
            "built-in sample.",
        ),
    ] = False,
) -> None:
    """The pages and the scheduler, in one process, until interrupted."""
    settings = session(context).settings
    web = replace(
        settings.web,
        host=settings.web.host if host is None else host,
        port=settings.web.port if port is None else port,
    )
    asyncio.run(_serve(replace(settings, web=web), starter))


async def _serve(settings: Settings, starter: bool) -> None:
    from newsloom.app import open_app
    from newsloom.pipeline.run import apart
    from newsloom.reader import Activity
    from newsloom.web.app import create_app
    from newsloom.web.server import serve as serve_pages

    async with AsyncExitStack() as stack:
        sample = False
        if starter:
            settings, sample = await _begin(settings, stack)
        app = await asyncio.to_thread(open_app, settings)
        stack.callback(app.close)
        fetcher = await stack.enter_async_context(app.fetching())
        runner = app.runner()
        reader = app.reader(
            fetcher,
            activity=lambda: Activity(runner.running, runner.last, sample),
            on_change=runner.nudge,
        )
        reader = replace(reader, desk=replace(reader.desk, measure=partial(_measure, app)))
        stopping = asyncio.Event()
        for name in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(name, stopping.set)
        pages = create_app(
            reader,
            hosts=(settings.web.host, *settings.web.names),
            hubs=_hub_door(app, fetcher, runner),
        )
        scheduler = asyncio.create_task(runner.forever())
        bridges = [
            asyncio.create_task(one.keep(stopping, apart, tell_synced))
            for one in app.bridges(runner.rank)
        ]
        try:
            await serve_pages(
                pages,
                settings.web.host,
                settings.web.port,
                until=stopping,
                on_ready=lambda url: say(f"Newsloom is ready: {url}  (Ctrl-C ends it)"),
            )
        finally:
            runner.stop()
            stopping.set()
            await scheduler
            await end_bridges(bridges)
        say("Stopped; everything is kept.")


def _hub_door(app: App, fetcher: Fetcher, runner: Runner) -> HubDoor | None:
    """What hubs may reach. What they send is stored at once, and ranked by the pass after."""
    callback = app.callback()
    if callback is None:
        return None
    pushing = app.pushing()

    async def after() -> None:
        try:
            if await pushing.take_in(fetcher):
                runner.nudge()
        except NewsloomError as error:
            log.warning("what a hub sent waits for the next pass: %s", error)

    return HubDoor(callback, after)


def _measure(app: App) -> str:
    from newsloom.evaluate import own

    return own.measure(app, app.user)


async def _begin(settings: Settings, stack: AsyncExitStack) -> tuple[Settings, bool]:
    """With no feeds yet: the starter set, or without a network the sample in a file of its own."""
    from newsloom.app import open_app
    from newsloom.sample import (
        LAST_GENERATION,
        SAMPLE_PORT,
        SampleServer,
        online,
        starter_opml,
        starter_urls,
    )

    app = await asyncio.to_thread(open_app, settings)
    try:
        if app.reader().subscriptions():
            return settings, False
        say("No feeds yet: looking whether the network answers ...")
        async with app.fetching() as fetcher:
            reached = await online(starter_urls(), fetcher, PROBE_SECONDS)
        if reached:
            new = app.reader().import_opml(starter_opml())
            say(f"Following a starter set of {new} feeds of several fields.")
            return settings, False
    finally:
        app.close()
    # A second start goes on where an earlier one may have ended: revisions are never taken back.
    shown = settings.store.path.with_name(SAMPLE_FILE).exists()
    generation = LAST_GENERATION if shown else 0
    server = await stack.enter_async_context(SampleServer(now=app.now, generation=generation))
    # Another port makes other feeds: they must not stand beside the ones of last time.
    name = SAMPLE_FILE if server.port == SAMPLE_PORT else f"sample-{server.port}.db"
    place = settings.store.path.with_name(name)
    say(
        "No feed on the network answers, so these are the built-in sample's feeds, served from "
        f"this machine and kept apart in {place}."
    )
    settings = replace(
        settings,
        store=replace(settings.store, path=place),
        # The sample stands on this machine, where no proxy leads.
        fetch=replace(
            settings.fetch,
            private_hosts=(*settings.fetch.private_hosts, server.address),
            host_seconds=0.0,
            proxy="",
        ),
    )
    app = await asyncio.to_thread(open_app, settings)
    try:
        app.reader().import_opml(server.opml())
    finally:
        app.close()
    return settings, True


COMMANDS = (
    Command("run", run, "One pass: poll what is due, merge duplicates, rank. Safe from cron."),
    Command("serve", serve, "Serve the pages, and poll on schedule."),
)
