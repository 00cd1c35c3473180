"""Every way in by every target: no byte reaches a server on loopback, each refusal has its words.

The ways in are the real code that makes the requests, over a store of its own.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from html import escape
from pathlib import Path

import pytest

from documents import IN_PROCESS
from newsloom.app import App, open_app, passes, polling
from newsloom.feeds.service.addresses import find
from newsloom.feeds.service.resolving import Resolver
from newsloom.feeds.service.robots import Robots
from newsloom.feeds.service.subscribing import import_opml
from newsloom.kernel.errors import UserError
from newsloom.kernel.http.api import HttpApi
from newsloom.kernel.http.client import HttpFetcher
from newsloom.kernel.http.values import ApiRequest, Failure, Reply, Request
from newsloom.kernel.settings import Settings

from .servers import LOCAL, NOW, Exchange, Names, Server, fetcher, serving

# What to reach, by kind; {port} is the canary's, which listens on all of 127.0.0.0/8 and on ::1.
TARGETS = {
    "127/8": "http://127.0.0.1:{port}/",
    "127/8, its end": "http://127.255.255.254:{port}/",
    "0.0.0.0": "http://0.0.0.0:{port}/",
    "0": "http://0:{port}/",
    "10/8": "http://10.0.0.1:{port}/",
    "172.16/12": "http://172.31.255.1:{port}/",
    "192.168/16": "http://192.168.1.1:{port}/",
    "100.64/10": "http://100.64.0.1:{port}/",
    "metadata": "http://169.254.169.254/latest/meta-data/",
    "metadata of Azure": "http://168.63.129.16/",
    "metadata of Alibaba": "http://100.100.100.200/",
    "metadata, IPv6": "http://[fd00:ec2::254]/latest/meta-data/",
    "::1": "http://[::1]:{port}/",
    "::": "http://[::]:{port}/",
    "mapped": "http://[::ffff:127.0.0.1]:{port}/",
    "mapped, hex": "http://[::ffff:7f00:1]:{port}/",
    "compatible": "http://[::127.0.0.1]:{port}/",
    "translated": "http://[::ffff:0:127.0.0.1]:{port}/",
    "NAT64": "http://[64:ff9b::7f00:1]:{port}/",
    "NAT64, metadata": "http://[64:ff9b::a9fe:a9fe]/",
    "6to4": "http://[2002:7f00:1::]:{port}/",
    "Teredo": "http://[2001:0:7f00:1::1]:{port}/",
    "ISATAP": "http://[2600::5efe:127.0.0.1]:{port}/",
    "fe80::1": "http://[fe80::1]:{port}/",
    "fec0::1": "http://[fec0::1]:{port}/",
    "fc00::/7": "http://[fd12:3456::1]:{port}/",
    "ff02::1": "http://[ff02::1]:{port}/",
    "224/4": "http://224.0.0.1:{port}/",
    "240/4": "http://255.255.255.255:{port}/",
    "192.0.0.8": "http://192.0.0.8:{port}/",
    "198.18/15": "http://198.19.0.1:{port}/",
    "for documentation": "http://198.51.100.7:{port}/",
    "decimal": "http://2130706433:{port}/",
    "octal": "http://0177.0.0.1:{port}/",
    "octal, one number": "http://017700000001:{port}/",
    "hex": "http://0x7f.0.0.1:{port}/",
    "hex, one number": "http://0x7f000001:{port}/",
    "short": "http://127.1:{port}/",
    "mixed": "http://0177.0x0.1:{port}/",
    "a dot at the end": "http://127.0.0.1.:{port}/",
    "escaped": "http://%31%32%37.0.0.1:{port}/",
    "full width": "http://１２７.0.0.1:{port}/",
    "circled": "http://①②⑦.0.0.1:{port}/",
    "IDNA dots": "http://127。0。0。1:{port}/",
    "localhost": "http://localhost:{port}/",
    "localhost.": "http://localhost.:{port}/",
    "localhost, circled": "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:{port}/",
    "a name below localhost": "http://news.localhost:{port}/",
    "a name of 127.0.0.1": "http://a.test:{port}/",
    "a name of ::1": "http://aaaa.test:{port}/",
    "a name of a mapped address": "http://mapped.test:{port}/",
    "a name of many": "http://many.test:{port}/",
    "a name of a network": "http://lan.test:{port}/",
    "a name that turns": "http://turn.test:{port}/",
    "secure": "https://a.test:{port}/",
    "userinfo": "http://public.test@127.0.0.1:{port}/",
    "userinfo with a port": "http://public.test:80@127.0.0.1:{port}/",
    "userinfo of a granted host": "http://door.test@127.0.0.1:{port}/",
    "backslash": "http://127.0.0.1:{port}\\@public.test/",
    "a fragment": "http://127.0.0.1:{port}#@public.test/",
    "a port of mail": "http://public.test:25/",
    "a port of logins": "http://public.test:22/",
}

NAMES = {
    "door.test": [LOCAL],
    "a.test": [LOCAL],
    "localhost": [LOCAL, "::1"],
    "localhost.": [LOCAL, "::1"],
    "news.localhost": [LOCAL],
    "aaaa.test": ["::1"],
    "mapped.test": ["::ffff:127.0.0.1"],
    "many.test": ["10.0.0.1", LOCAL, "::1", "169.254.169.254"],
    "lan.test": ["192.168.7.7"],
    "t.co": [LOCAL],
    "bit.ly": ["::1"],
}

# How the words of a refusal begin: it is not reached, its port is none, it is no address.
SAYS = re.compile(
    r"it is not on the public network \(.*address|port \d+ is not allowed"
    r"|the address |it redirects to an|host not found"
)

# Of DNS: "127.0.0.1." is a name that nobody has, to most systems.
REFUSED = frozenset({Failure.BLOCKED, Failure.URL, Failure.REDIRECTS, Failure.DNS})


class Turning(Names):
    """Gives a name an address of the network outside, and the next time one of this machine."""

    async def resolve(self, host: str, port: int) -> tuple[str, ...]:
        if host == "turn.test":
            self.names = {**self.names, host: ["198.51.100.7" if not self.asked else LOCAL]}
        return await super().resolve(host, port)


@dataclass
class World:
    """A Newsloom whose network is recorded, a canary, and a door: a host that may be asked."""

    app: App
    client: HttpFetcher
    canary: Server
    door: Server
    pages: dict[str, tuple[bytes, dict[str, str]]] = field(default_factory=dict)
    replies: list[Reply] = field(default_factory=list)
    ahead: timedelta = timedelta(0)

    def now(self) -> datetime:
        return NOW + self.ahead

    async def get(self, request: Request) -> Reply:
        """As ports.Fetcher; what came is kept."""
        reply = await self.client.get(request)
        self.replies.append(reply)
        return reply

    @property
    def urls(self) -> list[str]:
        return [target.format(port=self.canary.port) for target in TARGETS.values()]

    def behind_the_door(self, make: Callable[[str], bytes], **headers: str) -> list[str]:
        """A page at the door for each target."""
        for number, url in enumerate(self.urls):
            filled = {name: value.format(url=url) for name, value in headers.items()}
            self.pages[f"/{number}"] = make(url), filled
        return [self.door.url(f"/{number}", host="door.test") for number in range(len(TARGETS))]

    async def poll(self, urls: list[str]) -> None:
        self.app.store.reading.subscribe_all(
            self.app.user, [(url, "", "") for url in urls], self.app.now()
        )
        await self.pass_()

    async def pass_(self) -> None:
        """All that is due in a day, however it is spread."""
        self.ahead += timedelta(days=1)
        await polling.poller(self.app, self, lambda _counts: None).due()


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[World]:
    """A world; its clock is the world's own."""
    made: list[World] = []
    settings = Settings()
    settings = replace(
        settings,
        store=replace(settings.store, path=path / "news.db"),
        reading=replace(settings.reading, workers=0),
        push=replace(settings.push, url="https://reader.example"),
        pages=replace(settings.pages, full_text_per_host=len(TARGETS)),
    )
    app = open_app(settings, lambda: made[0].now() if made else NOW)

    async def canary(exchange: Exchange) -> None:
        await exchange.answer(b"secret")

    async def door(exchange: Exchange) -> None:
        body, headers = made[0].pages.get(exchange.path, (b"", {}))
        status = "302 Found" if "Location" in headers else "200 OK"
        lines = {"Content-Length": str(len(body))} | headers
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        await exchange.send(f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body)

    client = fetcher(private_hosts=("door.test",))
    client._resolver = Turning(NAMES)
    try:
        async with serving(canary, host="0.0.0.0") as singing, serving(door) as doors, client:
            other = await asyncio.start_server(_reached(singing), "::1", singing.port)
            async with other:
                made.append(World(app, client, singing, doors))
                yield made[0]
    finally:
        app.close()


def _reached(canary: Server) -> Callable[..., Awaitable[None]]:
    async def reached(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        canary.connections += 1
        writer.close()

    return reached


def _rss(*lines: str) -> bytes:
    article = "<item><title>News</title><guid>1</guid></item>"
    return (
        "<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom'><channel><title>Feed</title>"
        f"{''.join(lines)}{article}</channel></rss>"
    ).encode()


# --- the ways in ---


async def feed_poll(world: World) -> None:
    await world.poll(world.urls)


async def imported(world: World) -> None:
    outlines = "".join(f'<outline type="rss" xmlUrl="{escape(url)}"/>' for url in world.urls)
    document = f"<opml version='2.0'><body>{outlines}</body></opml>"
    import_opml(world.app.reader(), document.encode())
    await world.pass_()


async def subscribing(world: World) -> None:
    for url in world.urls:
        with suppress(UserError):
            await find(world, url, IN_PROCESS)


async def page_discovery(world: World) -> None:
    def page(url: str) -> bytes:
        return (
            "<html><head><link rel='alternate' type='application/rss+xml' "
            f"href='{escape(url)}'></head></html>"
        ).encode()

    for url in world.behind_the_door(page, **{"Content-Type": "text/html"}):
        with suppress(UserError):
            await find(world, url, IN_PROCESS)


async def redirect_hop(world: World) -> None:
    await world.poll(world.behind_the_door(lambda _url: b"", Location="{url}"))


async def redirect_chain(world: World) -> None:
    """Two hops on a granted host, then out of it."""
    last = world.behind_the_door(lambda _url: b"", Location="{url}")
    for number, url in enumerate(last):
        world.pages[f"/first{number}"] = b"", {"Location": url}
    firsts = range(len(last))
    await world.poll([world.door.url(f"/first{one}", host="door.test") for one in firsts])


async def favicon(world: World) -> None:
    await world.poll(
        world.behind_the_door(
            lambda url: _rss(
                f"<link>{escape(url)}</link><image><url>{escape(url)}icon.png</url></image>"
            )
        )
    )
    await _errand(world, "icons")


async def hub(world: World) -> None:
    await world.poll(
        world.behind_the_door(
            lambda url: _rss(f"<atom:link rel='hub' href='{escape(url)}'/>"),
            Link='<{url}>; rel="hub"',
        )
    )
    await _errand(world, "hubs")


async def _errand(world: World, name: str) -> None:
    """Until it asks nobody more: it asks few at a time."""
    (side_task,) = (one for one in passes.side_tasks(world.app) if one.name == name)
    for _round in range(20):
        before = len(world.replies)
        await side_task.run(world)
        if len(world.replies) == before:
            return


async def full_text(world: World) -> None:
    """Pages of a host whose robots.txt allows them, which lead elsewhere."""
    pages = world.behind_the_door(lambda _url: b"", Location="{url}")
    articles = "".join(
        f"<item><title>News {place}</title><link>{url}</link><guid>{url}</guid></item>"
        for place, url in enumerate(pages)
    )
    world.pages["/feed"] = _rss(articles), {}
    world.pages["/robots.txt"] = b"User-agent: *\nAllow: /\n", {"Content-Type": "text/plain"}
    await world.poll([world.door.url("/feed", host="door.test")])
    (feed,) = world.app.store.lists.subscriptions(world.app.user)
    world.app.store.sites.set_full_text(feed.feed_id, True)
    await _errand(world, "full texts")


async def robots(world: World) -> None:
    asked = Robots(world.app.store, world, world.now)
    for url in world.urls:
        rules = await asked.rules(url)
        assert not rules.allow(url)


async def forwarding_link(world: World) -> None:
    for url in world.urls:
        await world.get(Request(url, method="HEAD", follow=False))
    resolver = Resolver(world.app.store, world, world.now, per_host=5)
    port = world.canary.port
    known = await resolver.targets([f"http://{host}:{port}/x" for host in ("t.co", "bit.ly")])
    assert not any(known.values())


WAYS = {
    "feed poll": feed_poll,
    "feed of an OPML file": imported,
    "subscribing": subscribing,
    "feed that a page names": page_discovery,
    "redirect": redirect_hop,
    "chain of redirects": redirect_chain,
    "icon of a site": favicon,
    "page of an article": full_text,
    "robots.txt": robots,
    "hub of a feed": hub,
    "forwarding link": forwarding_link,
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_nothing_reaches_loopback(way: Callable[[World], Awaitable[None]], tmp_path: Path):
    async def main() -> tuple[list[Reply], int]:
        async with opened(tmp_path) as world:
            await way(world)
            return world.replies, world.canary.connections

    replies, connections = asyncio.run(main())
    assert connections == 0
    refused = [reply for reply in replies if reply.failure is not None]
    assert len(refused) >= 40
    for reply in refused:
        asked = (reply.request.url, reply.url, reply.problem)
        assert reply.failure in REFUSED, asked
        assert SAYS.search(reply.problem), asked
        assert (reply.body, reply.wire_bytes) == (b"", 0), asked
    for reply in replies:
        assert reply.body != b"secret"
        assert reply.failure or "door.test" in reply.url


def test_a_service_of_the_settings_leads_nowhere_else():
    """Its own address is the owner's choice; where it redirects to is not followed."""

    async def main() -> tuple[set[int], int]:
        async def canary(exchange: Exchange) -> None:
            await exchange.answer(b"secret")

        async def service(exchange: Exchange) -> None:
            target = list(TARGETS.values())[int(exchange.path[1:])].format(port=singing.port)
            await exchange.send(
                b"HTTP/1.1 307 X\r\nContent-Length: 0\r\nLocation: " + target.encode() + b"\r\n\r\n"
            )

        resolver = Names(NAMES)
        async with serving(canary) as singing, serving(service) as named:
            async with HttpApi(version="1", resolver=resolver) as api:
                calls = [ApiRequest("POST", named.url(f"/{at}")) for at in range(len(TARGETS))]
                replies = [await api.call(call) for call in calls]
            return {reply.status for reply in replies}, singing.connections

    assert asyncio.run(main()) == ({307}, 0)


def test_a_name_that_turns_within_a_chain_of_redirects():
    """Asked again at each visit, the name is of this machine the second time."""

    async def main() -> tuple[list[Reply], int]:
        async def script(exchange: Exchange) -> None:
            await exchange.answer(b"secret")

        client = fetcher(private_hosts=())
        client._resolver = Turning({})
        async with serving(script) as canary, client:
            url = canary.url(host="turn.test")
            return [await client.get(Request(url)) for _ in range(3)], canary.connections

    replies, connections = asyncio.run(main())
    assert connections == 0
    assert [reply.failure for reply in replies] == [Failure.BLOCKED] * 3
    assert ["198.51.100.7" in reply.problem for reply in replies] == [True, False, False]


def test_the_canary_can_sing(tmp_path: Path):
    """The matrix proves something only if the same server answers when it may be asked."""

    async def main() -> tuple[list[bytes], int]:
        async with opened(tmp_path) as world:
            client = fetcher(private_hosts=("127.0.0.9", "::1"))
            async with client:
                port = world.canary.port
                urls = f"http://127.0.0.9:{port}/", f"http://[::1]:{port}/"
                bodies = [(await client.get(Request(url))).body for url in urls]
            return bodies, world.canary.connections

    assert asyncio.run(main()) == ([b"secret", b""], 2)


def test_the_matrix_is_large_enough():
    assert len(WAYS) >= 10
    assert len(TARGETS) >= 40
