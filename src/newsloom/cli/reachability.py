"""What `newsloom doctor` finds out about reaching the network, and being reached from it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING

from newsloom.feeds.values.health import PushState
from newsloom.kernel.errors import UserError

if TYPE_CHECKING:
    from newsloom.app import App

MOST_COUNTED = 10_000
PROBE_SECONDS = 6.0


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: how it is, and what mends it when it is not well."""

    what: str
    well: bool
    how: str
    mend: str = ""


def hubs(app: App) -> Iterator[Finding]:
    """Whether hubs may push news, and how many feeds name one. Makes no request."""
    from newsloom.feeds import websub

    push, web = app.settings.push, app.settings.web
    if not push.url:
        named = len(app.store.feeds.announced("", MOST_COUNTED))
        if named:
            feeds = "1 followed feed names" if named == 1 else f"{named} followed feeds name"
            words = f"{feeds} a hub: docs/run/websub.md"
            yield Finding("hubs", True, words)
        return
    if why := websub.unusable(push.url, plain=push.plain_http):
        yield Finding("hubs", False, f"push.url is not usable: {why}", "Set another.")
        return
    if _out_of_reach(websub.callback_host(push.url)):
        words = f"{push.url} is in a local network"
        yield Finding("hubs", False, words, "Hubs on the internet need a public address.")
    known = app.store.feeds.pushes().values()
    telling = sum(one.state is PushState.ACTIVE for one in known)
    yield Finding("hubs", True, f"{telling} of {len(known)} push updates, to {push.url}")
    if websub.callback_host(push.url) in web.names:
        words = "the pages are reachable at this name too (web.names)"
        yield Finding("hubs", True, f"{words}: forward only {websub.PATH}, or protect the rest")
    if _only_this_machine(web.host):
        here = f"http://{web.host}:{web.port}{websub.PATH}"
        words = f"`serve` listens on this machine only: {push.url.rstrip('/')}{websub.PATH}"
        yield Finding("hubs", True, f"{words} must be forwarded to {here}")


def pages(app: App) -> Iterator[Finding]:
    """Whether `serve` would serve the pages to other machines, or refuse to."""
    from newsloom.app import account_wiring
    from newsloom.web import reach

    web, signing_in = app.settings.web, account_wiring.signing_in(app)
    try:
        reach.admit(web.host, without_login=web.without_login, signing_in=signing_in)
    except UserError as error:
        yield Finding("pages", False, str(error), "See web.host.")
    else:
        if not _only_this_machine(web.host):
            to = "everyone who can reach it, because sign-in is off"
            words = f"served at {web.host} to {'those who sign in' if signing_in else to}"
            yield Finding("pages", True, words)


def _only_this_machine(host: str) -> bool:
    from newsloom.web import reach

    try:
        return reach.only_this_machine(reach.resolved(host))
    except UserError:
        return False


def _out_of_reach(host: str) -> bool:
    """Whether a host is a number or a name that only a local network gives."""
    from newsloom.kernel.http.guard import refusal
    from newsloom.web.security import LOCAL_ENDINGS

    try:
        ip_address(host)
    except ValueError:
        return "." not in host or host.endswith(LOCAL_ENDINGS)
    return refusal(host) is not None


def network(app: App) -> Iterator[Finding]:
    from newsloom.sample import online, starter_urls

    async def probe() -> bool:
        async with app.fetching() as fetcher:
            return await online(starter_urls(), fetcher, PROBE_SECONDS)

    reached = asyncio.run(probe())
    yield Finding(
        "network",
        reached,
        "well-known feeds respond" if reached else "no well-known feed responds",
        "Check the connection, the firewall and the fetch.proxy setting.",
    )
