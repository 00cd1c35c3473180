"""What `newsloom serve` runs: pages, scheduler, bridges. Imported when it is asked for."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import logging
import os
import secrets
import signal
import socket
from collections.abc import Awaitable
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from urllib.parse import urlsplit

from newsloom.accounts.service.app_passwords import AppPasswords
from newsloom.app import App, account_wiring, bridging, open_app, polling
from newsloom.app.leading import Leading, Term
from newsloom.app.reader import Reader
from newsloom.bridges.commands import end_bridges, tell_synced
from newsloom.briefs.commands.brief_pages import brief_actions
from newsloom.briefs.service.briefing import briefing
from newsloom.cli.common import note, say
from newsloom.cli.page_processes import keep_running
from newsloom.digests.service.digesting import digesting
from newsloom.engines.pipeline.run import run_in_daemon_thread
from newsloom.feeds.pages.pictures import ShownPictures
from newsloom.feeds.pages.push import HubDoor
from newsloom.feeds.service import subscribing
from newsloom.kernel.db.listening import Listener
from newsloom.kernel.errors import NewsloomError
from newsloom.kernel.http.ports import ApiCaller, Fetcher
from newsloom.kernel.ids import UserId
from newsloom.kernel.settings import Settings
from newsloom.mcp.command import mcp_beside
from newsloom.reading.values.reading import EventKind, ListQuery, Subscription
from newsloom.sample import (
    LAST_GENERATION,
    SAMPLE_PORT,
    SampleServer,
    online,
    starter_opml,
    starter_urls,
)
from newsloom.sharing.service.sending import calling_services, sharing
from newsloom.store import Store
from newsloom.sync.commands import sync_apis
from newsloom.web import reach
from newsloom.web.app import create_app
from newsloom.web.auth import AuthServices
from newsloom.web.change_listener import NO_LISTENER, ChangeListener, Notices
from newsloom.web.metrics import Metrics
from newsloom.web.proxies import Proxies, checked_path, networks
from newsloom.web.server import bind
from newsloom.web.server import serve as serve_pages

# How many arenas the C library may take memory from, on Linux.

# glibc gives threads up to eight arenas for each core, and each keeps what it once had: a server
# whose pages come from forty threads grew by 42 MB in two and a half minutes, and with two arenas
# by nothing (docs/work/figures.md).
MOST = 2
_M_ARENA_MAX = -8  # malloc.h


def limit() -> None:
    """Before threads start. What the environment says goes first; other libraries than glibc have
    no such limit, and need none."""
    if "MALLOC_ARENA_MAX" in os.environ:
        return
    try:
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, MOST)
    except (AttributeError, OSError, TypeError):
        return


log = logging.getLogger(__name__)

# How long `serve --starter` waits for any of a few well-known feeds before it takes the sample.
PROBE_SECONDS = 6.0

SAMPLE_FILE = "sample-2.db"
# Feeds of the sample that its imagined reader likes, and does not.
LIKED = frozenset({"quadrant", "circuit", "stackframe"})
DISLIKED = frozenset({"touchline", "table", "lantern", "ledger"})

LOOKS, LOOK_SECONDS = 120, 1.0


async def serve_until_ended(
    settings: Settings,
    *,
    starter: bool,
    pages_only: bool = False,
    bound: socket.socket | None = None,
) -> None:
    """The pages, the scheduler and the bridges, until a signal ends them.

    `bound` is the socket to serve at where this process is one of several at one port.
    """
    limit()
    web = settings.web
    proxies = Proxies(
        checked_path(web.path),
        networks(web.proxies),
        web.proxy_user_header,
        web.proxy_makes_users,
    )
    # Of a store that is not there yet it is known that nobody has an account: it is not begun.
    new = not settings.store.url and not settings.store.path.exists()
    elsewhere = account_wiring.made_elsewhere(settings)
    reach.admit(web.host, without_login=web.without_login, signing_in=elsewhere or not new)
    async with AsyncExitStack() as stack:
        sample = False
        if starter:
            settings, sample = await _begin(settings, stack)
        app = await asyncio.to_thread(open_app, settings)
        stack.callback(app.close)
        signing_in = account_wiring.signing_in(app)
        reach.admit(web.host, without_login=web.without_login, signing_in=signing_in)
        here = reach.only_this_machine(reach.resolved(web.host))
        fetcher = await stack.enter_async_context(app.fetching())
        stopping = asyncio.Event()
        caller = await stack.enter_async_context(calling_services(app))
        leading = Leading(
            app.store,
            app.now,
            begin=lambda ended: _begin_term(app, fetcher, caller, ended),
            end=_end_term,
            may_lead=not pages_only,
            sample=sample,
        )

        def reader_of(user: UserId) -> Reader:
            of_user = replace(app, user=user)
            return of_user.reader(fetcher, activity=leading.activity, on_change=leading.nudge)

        for name in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(name, stopping.set)
        # Where others reach the pages, to remove the last account must not open them.
        always = (signing_in and not here) or elsewhere
        openid = await stack.enter_async_context(account_wiring.openid(app))
        briefs = briefing(app)
        stack.callback(briefs.speaking.close)
        changes = hear(app.store, stack)
        reader = reader_of(app.user)
        pages = create_app(
            reader,
            hosts=(web.host, *web.names, *_named(web.url)),
            hubs=_hub_door(app, fetcher, leading),
            auth=AuthServices(
                account_wiring.account_service(app, always=always),
                reader_of,
                web.url,
                first_here=here,
                openid=openid,
                password_sign_in=settings.openid.passwords or openid is None,
                passwords=AppPasswords(app.store, app.now),
            ),
            proxies=proxies,
            beside=(sync_apis(app, reader_of), *await mcp_beside(app, reader_of, stack)),
            metrics=_metrics(app, leading) if web.metrics else None,
            shown_pictures=await shown_pictures(app, proxies.path, stack),
            spoken=brief_actions(briefs),
            changes=changes,
            among=leading.together,
        )
        await leading.beat()
        keeping = asyncio.create_task(leading.run(stopping))
        keeping.add_done_callback(lambda _task: stopping.set())
        if sample:
            rating = asyncio.create_task(rate_sample(reader))
            stack.callback(rating.cancel)
        further: Awaitable[None] | None = None
        one_of_several = bound is not None
        if web.processes > 1 and not sample:
            address = reach.resolved(web.host)
            bind(address, web.port).close()  # raises where another server has the port
            bound = bind(address, web.port, shared=True)
            port = bound.getsockname()[1]
            further = asyncio.create_task(
                keep_running(
                    web.processes - 1, replace(settings, web=replace(web, port=port)), stopping
                )
            )
        try:
            await serve_pages(
                pages,
                web.host,
                web.port,
                until=stopping,
                on_ready=partial(_be_ready, web.host, signing_in, one_of_several),
                bound=bound,
            )
        finally:
            stopping.set()
            if further is not None:
                await further
            await keeping
        if not one_of_several:
            say("Stopped.")


def _begin_term(app: App, fetcher: Fetcher, caller: ApiCaller, ended: asyncio.Event) -> Term:
    """What one process does beside the pages, for all that serve them: the scheduler first, then
    bridges, digests, briefs and what is saved elsewhere."""
    runner = app.runner()
    work = (
        runner.forever(),
        *(
            one.run(ended, run_in_daemon_thread, tell_synced)
            for one in bridging.bridges(app, runner.rank)
        ),
        digesting(app).run(ended, fetcher),
        briefing(app).run(ended, fetcher),
        sharing(app).run(ended, caller),
    )
    return Term(runner, ended, [asyncio.create_task(one) for one in work])


async def _end_term(term: Term) -> None:
    term.runner.stop()
    term.ended.set()
    await term.tasks[0]
    await end_bridges(term.tasks[1:])


def hear(store: Store, stack: AsyncExitStack) -> ChangeListener:
    """Hears what other processes change, where the database tells; else one has to look."""
    listener: Listener | None = None
    notices = Notices(lambda: listener is not None and listener.listens)
    listener = store.database.listener(notices.note)
    if listener is None:
        return NO_LISTENER
    listener.start()
    stack.callback(listener.close)
    return notices


def _metrics(app: App, leading: Leading) -> Metrics:
    return Metrics(
        figures=app.store.feeds.figures,
        store_bytes=app.store.database.size,
        set_aside=lambda: len(app.store.work.set_aside()),
        activity=leading.activity,
        serving=lambda: (leading.together(), leading.leads()),
        now=app.now,
        token=app.settings.web.metrics_token,
        jobs=app.store.jobs.open_jobs,
    )


def _named(url: str) -> tuple[str, ...]:
    """The host of an address; none where there is no address."""
    host = urlsplit(url).hostname
    return (host,) if host else ()


def _be_ready(host: str, signing_in: bool, quiet: bool, url: str) -> None:
    # What is there by now stays: to look through all of it for garbage took 20 ms, in a page.
    gc.freeze()
    # By default each page of a list is looked through several times while it is made.
    gc.set_threshold(20_000, 20, 20)
    if quiet:
        return
    say(f"Newsloom is ready: {url}  (Ctrl-C ends it)")
    if not signing_in and not reach.only_this_machine(reach.resolved(host)):
        note("Sign-in is off: anyone who can reach this address can read and change everything.")


def _hub_door(app: App, fetcher: Fetcher, leading: Leading) -> HubDoor | None:
    """What hubs may reach. What they send is stored at once, and ranked by the pass after."""
    callback = polling.callback(app)
    if callback is None:
        return None
    pushing = polling.pushing(app)

    async def after() -> None:
        try:
            if await pushing.take_in(fetcher):
                leading.nudge()
        except NewsloomError as error:
            log.warning("what a hub sent waits for the next pass: %s", error)

    return HubDoor(callback, after)


async def _begin(settings: Settings, stack: AsyncExitStack) -> tuple[Settings, bool]:
    """With no feeds yet: the starter set, or without a network the sample in a file of its own."""
    app = await asyncio.to_thread(open_app, settings)
    try:
        if app.reader().subscriptions():
            return settings, False
        say("No feeds yet. Checking the network ...")
        async with app.fetching() as fetcher:
            reached = await online(starter_urls(), fetcher, PROBE_SECONDS)
        if reached:
            new = subscribing.import_opml(app.reader(), starter_opml())
            say(f"Following a starter set of {new} feeds of several fields.")
            return settings, False
    finally:
        app.close()
    # A second start goes on where an earlier one may have ended: revisions are never taken back.
    shown = settings.store.path.with_name(SAMPLE_FILE).exists()
    generation = LAST_GENERATION if shown else 0
    server = await stack.enter_async_context(SampleServer(now=app.now, generation=generation))
    # Another port makes other feeds: they must not stand beside the ones of last time.
    name = SAMPLE_FILE if server.port == SAMPLE_PORT else f"sample-2-{server.port}.db"
    path = settings.store.path.with_name(name)
    say(f"No feed can be reached, so Newsloom shows sample data, stored in {path}.")
    settings = replace(
        settings,
        store=replace(settings.store, path=path, url=""),
        models=replace(settings.models, multilingual=False),  # there is no network
        # The sample stands on this machine, where no proxy leads.
        fetch=replace(
            settings.fetch,
            private_hosts=(*settings.fetch.private_hosts, *server.hosts),
            host_seconds=0.0,
            proxy="",
        ),
    )
    app = await asyncio.to_thread(open_app, settings)
    try:
        subscribing.import_opml(app.reader(), server.opml())
    finally:
        app.close()
    return settings, True


async def rate_sample(reader: Reader) -> None:
    """The likes and dislikes of an imagined reader, so that the sample is ranked.

    Waits for its articles; then rates the oldest of some feeds, as many as a model needs, unless
    anything has been rated.
    """
    if await asyncio.to_thread(lambda: any(reader.judged())):
        return
    feeds: tuple[Subscription, ...] = ()
    for _look in range(LOOKS):
        feeds = await asyncio.to_thread(reader.subscriptions)
        if all(one.articles for one in feeds):
            break
        await asyncio.sleep(LOOK_SECONDS)
    publishers = {one.feed_id: one.url.partition("//")[2].partition(".")[0] for one in feeds}
    rows = await asyncio.to_thread(reader.page, ListQuery(limit=1_000))
    oldest = sorted(rows, key=lambda row: row.dated)
    for names, kind, most in zip(
        (LIKED, DISLIKED), (EventKind.LIKE, EventKind.DISLIKE), reader.needed(), strict=True
    ):
        chosen = [row.id for row in oldest if publishers[row.feed_id] in names][:most]
        await asyncio.to_thread(reader.mark, chosen, kind, "sample")
        await asyncio.to_thread(reader.mark, chosen, EventKind.READ, "sample")


async def shown_pictures(app: App, path: str, stack: AsyncExitStack) -> ShownPictures:
    """How pictures of articles are shown, as the settings say."""
    way = app.settings.pages.pictures
    if way != "proxy":
        return ShownPictures(links_only=way == "links")
    pictures = await stack.enter_async_context(app.fetching_pictures())
    key = await asyncio.to_thread(app.store.sites.picture_key, secrets.token_bytes(32))
    return ShownPictures(pictures, key, path)
