"""What `newsloom serve` runs: pages, scheduler, bridges. Imported when it is asked for."""

from __future__ import annotations

import asyncio
import logging
import signal
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from urllib.parse import urlsplit

from newsloom.app import App, bridging, members, open_app
from newsloom.app.digesting import digesting
from newsloom.cli.bridges import end_bridges, tell_synced
from newsloom.cli.common import note, say
from newsloom.cli.sync_apis import with_sync_apis
from newsloom.errors import NewsloomError
from newsloom.pipeline import Runner
from newsloom.pipeline.run import apart
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
from newsloom.web import reach
from newsloom.web.app import create_app
from newsloom.web.push import HubDoor
from newsloom.web.server import serve as serve_pages
from newsloom.web.visiting import Members, Proxies, address_of, networks

log = logging.getLogger(__name__)

# How long `serve --starter` waits for any of a few well-known feeds before it takes the sample.
PROBE_SECONDS = 6.0

SAMPLE_FILE = "sample.db"


async def serve_until_ended(settings: Settings, starter: bool) -> None:
    """The pages, the scheduler and the bridges, until a signal ends them."""
    web = settings.web
    proxies = Proxies(networks(web.trusted_proxies), web.proxy_user_header, web.proxy_makes_users)
    by_proxy = bool(proxies.networks and proxies.user_header)
    # Of a store that is not there yet it is known that nobody has an account: it is not begun.
    new = not settings.store.url and not settings.store.path.exists()
    reach.admit(web.host, without_login=web.without_login, signing_in=by_proxy or not new)
    async with AsyncExitStack() as stack:
        sample = False
        if starter:
            settings, sample = await _begin(settings, stack)
        app = await asyncio.to_thread(open_app, settings)
        stack.callback(app.close)
        signing_in = by_proxy or app.store.accounts.any_account()
        reach.admit(web.host, without_login=web.without_login, signing_in=signing_in)
        here = reach.only_this_machine(reach.resolved(web.host))
        fetcher = await stack.enter_async_context(app.fetching())
        runner = app.runner()
        reader_of = partial(
            members.reader_of,
            app,
            fetcher=fetcher,
            activity=lambda: Activity(runner.running, runner.last, sample, runner.behind),
            on_change=runner.nudge,
        )
        stopping = asyncio.Event()
        for name in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(name, stopping.set)
        # Where others reach the pages, to remove the last account must not open them.
        always = (signing_in and not here) or bool(proxies.networks and proxies.user_header)
        known = Members(
            members.desk(app, always=always), reader_of, proxies, web.url, first_here=here
        )
        pages = create_app(
            reader_of(app.user),
            hosts=(web.host, *web.names, *_named(web.url)),
            hubs=_hub_door(app, fetcher, runner),
            members=known,
        )
        served = with_sync_apis(pages, app, reader_of, partial(address_of, known))
        scheduler = asyncio.create_task(runner.forever())
        bridges = [
            asyncio.create_task(one.keep(stopping, apart, tell_synced))
            for one in bridging.bridges(app, runner.rank)
        ]
        digests = asyncio.create_task(digesting(app).keep(stopping, fetcher))
        try:
            await serve_pages(
                served,
                web.host,
                web.port,
                until=stopping,
                on_ready=partial(_say_ready, web.host, signing_in),
            )
        finally:
            runner.stop()
            stopping.set()
            await scheduler
            await end_bridges([*bridges, digests])
        say("Stopped.")


def _named(url: str) -> tuple[str, ...]:
    """The host of an address; none where there is no address."""
    host = urlsplit(url).hostname
    return (host,) if host else ()


def _say_ready(host: str, signing_in: bool, url: str) -> None:
    say(f"Newsloom is ready: {url}  (Ctrl-C ends it)")
    if not signing_in and not reach.only_this_machine(reach.resolved(host)):
        note("Nobody has to log in: who reaches this address reads and changes everything.")


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


async def _begin(settings: Settings, stack: AsyncExitStack) -> tuple[Settings, bool]:
    """With no feeds yet: the starter set, or without a network the sample in a file of its own."""
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
        store=replace(settings.store, path=place, url=""),
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
