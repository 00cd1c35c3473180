"""Whose turn it is: how many at once, how long between, who waits and who does not."""

from __future__ import annotations

import asyncio
import time
from itertools import pairwise

import pytest

from newsloom.kernel.http.client import Alone, HostSlots
from newsloom.kernel.http.values import Reply, Request

from .servers import LOCAL, LONG, Exchange, crowd, fetcher, serving

PAUSE = 0.1


async def _visits(turns: HostSlots, hosts: list[str], *, lasting: float = 0.01) -> list[tuple]:
    spans: list[tuple[str, float, float]] = []

    async def visit(host: str) -> None:
        async with turns.slot(host):
            began = time.monotonic()
            await asyncio.sleep(lasting)
            spans.append((host, began, time.monotonic()))

    await asyncio.gather(*map(visit, hosts))
    return spans


def test_a_host_is_left_alone_between_two_turns():
    async def main() -> list[tuple]:
        return await _visits(
            HostSlots(at_once=9, hosts=Alone(1, PAUSE), seconds=PAUSE), ["a", "a", "a"]
        )

    spans = asyncio.run(main())
    assert all(later[1] - earlier[2] >= PAUSE for earlier, later in pairwise(spans))


def test_who_waits_for_a_host_holds_no_place():
    """Five wait for one host; with two places in all, the others go on."""

    async def main() -> list[tuple]:
        turns = HostSlots(at_once=2, hosts=Alone(1, 2 * LONG), seconds=2 * LONG)
        busy = asyncio.create_task(_visits(turns, ["busy"] * 5))
        try:
            return await asyncio.wait_for(_visits(turns, [f"h{n}" for n in range(20)]), LONG)
        finally:
            busy.cancel()

    assert len(asyncio.run(main())) == 20


def test_who_stalls_gives_its_place_back_and_keeps_its_host():
    async def main() -> list[tuple]:
        turns = HostSlots(at_once=2, hosts=Alone(1, 0.0), seconds=0.0, stalled=0.05)
        slow = asyncio.create_task(_visits(turns, ["s1", "s2", "s3"], lasting=2 * LONG))
        try:
            async with asyncio.timeout(LONG):
                return await _visits(turns, ["a", "b"])
        finally:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1):
                    await _visits(turns, ["s1"])
            slow.cancel()

    assert len(asyncio.run(main())) == 2


def test_the_pause_of_a_host_outlives_who_asked_it():
    hosts = Alone(1, PAUSE)

    async def main() -> list[tuple]:
        turns = HostSlots(at_once=1, hosts=hosts, seconds=PAUSE)
        return await _visits(turns, ["a"])

    (first,), (second,) = asyncio.run(main()), asyncio.run(main())
    assert second[1] - first[2] >= PAUSE


def test_a_visit_goes_on_without_a_pause():
    async def main() -> None:
        turns = HostSlots(at_once=1, hosts=Alone(1, 2 * LONG), seconds=2 * LONG)
        async with turns.slot("a"):
            pass
        async with turns.slot("b"):
            pass
        async with asyncio.timeout(LONG), turns.slot("a", again=True):
            pass

    asyncio.run(main())


def test_nothing_is_kept_of_hosts_once_their_pause_is_over():
    async def main() -> int:
        hosts = Alone(1, 0.01)
        turns = HostSlots(at_once=50, hosts=hosts, seconds=0.01)
        await _visits(turns, [f"h{n}" for n in range(50)])
        await asyncio.sleep(0.02)
        await _visits(turns, ["last"])
        return len(hosts._ended) + len(hosts._gates)

    assert asyncio.run(main()) == 1


def test_a_cancelled_wait_gives_its_turn_on():
    async def main() -> None:
        turns = HostSlots(at_once=1, hosts=Alone(1, 0.0), seconds=0.0)
        async with turns.slot("a"):
            waiting = asyncio.create_task(_visits(turns, ["a"]))
            await asyncio.sleep(0)
            waiting.cancel()
        async with asyncio.timeout(LONG), turns.slot("a"):
            pass

    asyncio.run(main())


# --- through the client ---


async def _redirecting(exchange: Exchange) -> None:
    hop = int(exchange.path[1:] or 0)
    if hop < 3:
        await exchange.answer(status="302 X", headers={"Location": f"/{hop + 1}"})
    else:
        await exchange.answer(b"feed")


def test_the_hops_of_a_chain_on_one_host_do_not_wait():
    async def main() -> Reply:
        async with serving(_redirecting) as server, fetcher(host_seconds=2 * LONG) as client:
            async with asyncio.timeout(LONG):
                return await client.get(Request(server.url("/0")))

    reply = asyncio.run(main())
    assert (reply.body, len(reply.redirects)) == (b"feed", 3)


@pytest.mark.parametrize(
    ("hosts", "together"),
    [
        (["news.example", "www.news.example", "blog.news.example"], True),
        (["ann.blogspot.com", "bob.blogspot.com"], False),
        (["one.example", "two.example"], False),
    ],
)
def test_what_counts_as_one_host(hosts, together):
    """Names of one owner are one host; customers of a host of many are not."""

    async def main() -> int:
        client = fetcher(
            names={host: [LOCAL] for host in hosts}, private_hosts=tuple(hosts), host_seconds=0.01
        )
        async with serving(crowd(expected)) as server, client:
            replies = await asyncio.gather(
                *(client.get(Request(server.url(host=host))) for host in hosts)
            )
            assert [reply.status for reply in replies] == [200] * len(hosts)
            return server.most_under_way

    expected = 1 if together else len(hosts)
    assert asyncio.run(main()) == expected


# --- sending ---


def test_a_form_is_posted_once_with_its_type():
    async def main() -> tuple[Reply, Exchange, bytes]:
        bodies: list[bytes] = []

        async def script(exchange: Exchange) -> None:
            bodies.append(await exchange.read(int(exchange.headers["content-length"])))
            await exchange.answer(status="202 Accepted")

        async with serving(script) as server, fetcher() as client:
            request = Request(
                server.url("/hub"),
                method="POST",
                body=b"a=1&b=%20",
                content_type="application/x-www-form-urlencoded",
                etag='"1"',
            )
            return await client.get(request), server.exchanges[0], bodies[0]

    reply, exchange, body = asyncio.run(main())
    assert (reply.status, reply.failure, body) == (202, None, b"a=1&b=%20")
    assert exchange.head.startswith("POST /hub ")
    assert exchange.headers["content-type"] == "application/x-www-form-urlencoded"
    assert "expect" not in exchange.headers


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_what_is_posted_is_not_sent_on(status):
    async def main() -> tuple[Reply, int]:
        async def script(exchange: Exchange) -> None:
            await exchange.answer(status=f"{status} X", headers={"Location": "/elsewhere"})
            exchange.writer.close()

        async with serving(script) as server, fetcher() as client:
            request = Request(server.url("/hub"), method="POST", body=b"secret=1")
            return await client.get(request), len(server.exchanges)

    reply, requests = asyncio.run(main())
    assert (reply.status, reply.failure, requests) == (status, None, 1)


def test_a_form_is_not_posted_again_when_a_kept_connection_breaks():
    async def main() -> tuple[Reply, int]:
        async def script(exchange: Exchange) -> None:
            if exchange.head.startswith("GET"):
                await exchange.answer(b"feed")
            else:
                exchange.reset()

        async with serving(script) as server, fetcher() as client:
            await client.get(Request(server.url()))
            reply = await client.get(Request(server.url(), method="POST", body=b"a=1"))
            return reply, len(server.exchanges)

    reply, requests = asyncio.run(main())
    assert (reply.problem, requests) == ("the server closed the connection without a response", 2)


def test_a_smaller_limit_of_one_request():
    async def script(exchange: Exchange) -> None:
        await exchange.answer(b"x" * 60_000)

    async def main() -> list[Reply]:
        async with serving(script) as server, fetcher() as client:
            requests = [Request(server.url(), max_megabytes=most) for most in (0.05, 0.1, 0.0)]
            return [await client.get(request) for request in requests]

    small, *others = asyncio.run(main())
    assert small.problem == "it is larger than 0.05 MB"
    assert [len(reply.body) for reply in others] == [60_000, 60_000]
