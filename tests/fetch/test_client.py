"""The client against real servers on loopback: what it sends, what it makes of answers."""

from __future__ import annotations

import asyncio
import gzip
from dataclasses import replace

import pytest

from newsloom.kernel.http.values import Failure, Reply, Request

from .servers import FEED, LOCAL, NOW, Exchange, crowd, feed, fetch_from, fetcher, serving


def test_answer():
    reply = fetch_from(feed)
    assert reply.failure is None
    assert (reply.status, reply.body, reply.received) == (200, FEED, NOW)
    assert reply.header("etag") == '"1"'
    assert reply.wire_bytes == len(FEED)
    assert reply.url == reply.request.url
    assert reply.seconds > 0


def test_what_is_sent():
    sent: list[Exchange] = []

    async def script(exchange: Exchange) -> None:
        sent.append(exchange)
        await exchange.answer(FEED, headers={"Set-Cookie": "id=1; Path=/"})

    async def main() -> None:
        async with serving(script) as server:
            client = fetcher(contact="https://reader.example/(bot)\r\n", subscribers=lambda _u: 3)
            async with client:
                await client.get(Request(server.url("/feed?a=%7Eb&c=%2B")))
                await client.get(Request(server.url("/feed?a=%7Eb&c=%2B")))

    asyncio.run(main())
    for exchange in sent:
        assert exchange.path == "/feed?a=%7Eb&c=%2B"
        assert exchange.headers.keys() == {"host", "user-agent", "accept", "accept-encoding"}
        agent = "Newsloom/1.2.3 (+https://reader.example/bot; 3 subscribers)"
        assert exchange.headers["user-agent"] == agent
        assert "application/rss+xml" in exchange.headers["accept"]
        assert "gzip" in exchange.headers["accept-encoding"]


@pytest.mark.parametrize(
    ("etag", "last_modified"),
    [
        ('"abc"', "Wed, 21 Oct 2015 07:28:00 GMT"),
        ('W/"a b;c, d"', "banana"),
        ("no-quotes", "wed, 21 oct 2015 07:28:00 gmt"),
        ('"é ü"', "1445412480"),
        ('"a\tb"', "-1"),
        ('"' + "x" * 4000 + '"', ""),
        ("", "Wed, 21 Oct 2015 07:28:00 GMT"),
        ('"only"', ""),
        ("", ""),
    ],
)
def test_validators_are_echoed_byte_for_byte(etag, last_modified):
    seen: list[Exchange] = []

    async def script(exchange: Exchange) -> None:
        seen.append(exchange)
        given = {"ETag": etag, "Last-Modified": last_modified}
        lines = "".join(f"{name}: {value}\r\n" for name, value in given.items() if value)
        head = f"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n{lines}\r\n"
        await exchange.send(head.encode())

    async def main() -> Reply:
        async with serving(script) as server, fetcher() as client:
            first = await client.get(Request(server.url()))
            again = Request(
                server.url(),
                etag=first.header("etag"),
                last_modified=first.header("last-modified"),
            )
            return await client.get(again)

    asyncio.run(main())
    second = seen[1].head.encode("latin-1").decode("utf-8").split("\r\n")
    for name, value in {"If-None-Match": etag, "If-Modified-Since": last_modified}.items():
        sent = [line for line in second if line.startswith(f"{name}:")]
        assert sent == ([f"{name}: {value}"] if value else [])


def test_a_validator_that_cannot_be_echoed_is_not_kept():
    async def script(exchange: Exchange) -> None:
        await exchange.send(
            b'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nETag: "\xe9"\r\nX-Name: \xe9\r\n\r\n'
        )

    reply = fetch_from(script)
    assert reply.header("etag") == ""
    assert reply.header("x-name") == "é"


@pytest.mark.parametrize("stored", ['"a"\r\nX: 1', '"\x00"', '"\x7f"'])
def test_a_validator_that_is_no_header_text_is_not_sent(stored):
    seen: list[Exchange] = []

    async def script(exchange: Exchange) -> None:
        seen.append(exchange)
        await exchange.answer()

    async def main() -> Reply:
        async with serving(script) as server, fetcher() as client:
            return await client.get(Request(server.url(), etag=stored, last_modified=stored))

    assert asyncio.run(main()).status == 200
    assert seen[0].headers.keys() == {"host", "user-agent", "accept", "accept-encoding"}


def asked_from(script, **request: str) -> Reply:
    """The reply to one request, with validators."""

    async def main() -> Reply:
        async with serving(script) as server, fetcher(timeout_seconds=2) as client:
            return await client.get(Request(server.url(), **request))

    return asyncio.run(main())


@pytest.mark.parametrize("more", [b"", b"Content-Length: 500\r\n", b"Content-Encoding: gzip\r\n"])
def test_not_modified(more):
    """Headers of what was not sent: servers may name its length and coding."""

    async def script(exchange: Exchange) -> None:
        await exchange.send(b"HTTP/1.1 304 Not Modified\r\n" + more + b'ETag: "2"\r\n\r\n')

    reply = asked_from(script, etag='"1"')
    assert (reply.status, reply.failure, reply.body) == (304, None, b"")
    assert reply.header("etag") == '"2"'


@pytest.mark.parametrize(
    ("stored", "conditional"),
    [
        pytest.param({"etag": '"1"'}, True, id="a tag"),
        pytest.param({"last_modified": "yesterday"}, True, id="a date"),
        pytest.param({}, False, id="nothing"),
        pytest.param({"etag": "\x00"}, False, id="what cannot be sent"),
        pytest.param({"etag": '"1"', "validated_url": "http://else.test/"}, False, id="another's"),
    ],
)
def test_not_modified_is_no_answer_to_an_unconditional_request(stored, conditional):
    async def script(exchange: Exchange) -> None:
        await exchange.send(b'HTTP/1.1 304 Not Modified\r\nETag: "2"\r\n\r\n')

    reply = asked_from(script, **stored)
    assert reply.status == 304
    assert reply.failure == (None if conditional else Failure.PROTOCOL)
    assert conditional or "unconditional request" in reply.problem


def test_where_a_redirect_leads_cannot_say_not_modified():
    """It is shown no validators: they are another address's."""

    async def script(exchange: Exchange) -> None:
        if exchange.path == "/feed":
            await exchange.answer(status="302 X", headers={"Location": "/there"})
        else:
            await exchange.send(b"HTTP/1.1 304 Not Modified\r\n\r\n")

    reply = asked_from(script, etag='"1"')
    assert (reply.status, reply.failure) == (304, Failure.PROTOCOL)


@pytest.mark.parametrize("status", [201, 400, 401, 403, 404, 410, 429, 500, 503])
def test_a_status_is_an_answer(status):
    async def script(exchange: Exchange) -> None:
        await exchange.answer(b"words", status=f"{status} X", headers={"Retry-After": "120"})

    reply = fetch_from(script)
    assert (reply.status, reply.failure) == (status, None)
    assert reply.header("retry-after") == "120"
    assert reply.body == (b"words" if status == 201 else b"")


def test_an_error_page_is_not_read():
    async def script(exchange: Exchange) -> None:
        await exchange.send(b"HTTP/1.1 404 Not Found\r\nContent-Encoding: br\r\n\r\nnot brotli")
        await asyncio.sleep(60)

    reply = fetch_from(script)
    assert (reply.status, reply.failure) == (404, None)
    assert reply.seconds < 5


# --- what is no URL ---


@pytest.mark.parametrize(
    "url",
    [
        "",
        "feed",
        "/feed",
        "//host/feed",
        "ftp://host/feed",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "http://",
        "http:///feed",
        "http://:80/",
        "http://[::1",
        "http://[::1%25eth0]/",
        "http://[zz]/",
        "http://host:abc/",
        "http://host:99999/",
        "http://host:0/",
        "http://a b/",
        "http://a..b/",
        "http://.a/",
        "http://a%2eb/",
        "http://a\\@b/",
        "http://" + "a" * 64 + ".example/",
        "http://" + "a." * 130 + "example/",
        "http://xn--/",
        "http://h\x00/",
        "http://host/" + "x" * 8000,
    ],
    ids=lambda url: repr(url[:30]),
)
def test_what_is_no_url_asks_nobody(url):
    async def main() -> Reply:
        async with fetcher(names={}) as client:
            reply = await client.get(Request(url))
            assert client._resolver.asked == []
            return reply

    reply = asyncio.run(main())
    assert (reply.failure, reply.status, reply.url) == (Failure.URL, 0, url)
    assert reply.problem.startswith("the address ")


def test_a_url_cannot_smuggle_a_header():
    seen: list[Exchange] = []

    async def script(exchange: Exchange) -> None:
        seen.append(exchange)
        await exchange.answer()

    async def main() -> Reply:
        async with serving(script) as server, fetcher() as client:
            return await client.get(
                Request(server.url("/a b\r\nX-Injected: 1\r\n\r\nGET / HTTP/1.1"))
            )

    asyncio.run(main())
    assert len(seen) == 1
    assert "x-injected" not in seen[0].headers


# --- turns ---


async def _all(client, urls: list[str]) -> list[Reply]:
    return await asyncio.gather(*(client.get(Request(url)) for url in urls))


@pytest.mark.parametrize(("per_host", "expected"), [(1, 1), (3, 3)])
def test_one_host_is_not_crowded(per_host, expected):
    async def main() -> int:
        async with serving(crowd(expected)) as server, fetcher(per_host=per_host) as client:
            replies = await _all(client, [server.url(f"/{n}") for n in range(9)])
            assert all(reply.status == 200 for reply in replies)
            assert not client._slots._hosts._gates
            return server.most_under_way

    assert asyncio.run(main()) == expected


def test_no_more_than_the_limit_at_once():
    names = {f"h{n}.test": [LOCAL] for n in range(12)}

    async def main() -> int:
        client = fetcher(names=names, private_hosts=tuple(names), concurrency=4)
        async with serving(crowd(4)) as server, client:
            replies = await _all(client, [server.url(host=name) for name in names])
            assert all(reply.status == 200 for reply in replies)
            return server.most_under_way

    assert asyncio.run(main()) == 4


def test_waiting_for_a_turn_is_not_held_against_the_server():
    async def script(exchange: Exchange) -> None:
        await asyncio.sleep(0.1)
        await exchange.answer(FEED)

    async def main() -> list[Reply]:
        async with serving(script) as server, fetcher(timeout_seconds=2.0) as client:
            return await _all(client, [server.url(f"/{n}") for n in range(22)])

    assert [reply.failure for reply in asyncio.run(main())] == [None] * 22


def test_two_hosts_that_redirect_to_each_other_do_not_block():
    async def script(exchange: Exchange) -> None:
        await asyncio.sleep(0.01)
        host = exchange.headers["host"]
        other = host.replace("a.test", "x").replace("b.test", "a.test").replace("x", "b.test")
        if exchange.path == "/end":
            await exchange.answer(FEED)
        else:
            await exchange.answer(status="302 X", headers={"Location": f"http://{other}/end"})

    async def main() -> list[Reply]:
        names = {"a.test": [LOCAL], "b.test": [LOCAL]}
        client = fetcher(names=names, private_hosts=tuple(names))
        async with serving(script) as server, client:
            return await _all(client, [server.url(host=name) for name in names] * 3)

    assert [reply.status for reply in asyncio.run(main())] == [200] * 6


def test_a_kept_connection_that_went_stale_is_replaced():
    """A server may close an idle connection; the next request gets a new one, once."""

    async def script(exchange: Exchange) -> None:
        await exchange.answer(FEED)
        exchange.writer.close()

    async def main() -> tuple[Reply, Reply, int]:
        async with serving(script) as server, fetcher() as client:
            first = await client.get(Request(server.url()))
            second = await client.get(Request(server.url()))
            return first, second, len(server.exchanges)

    first, second, requests = asyncio.run(main())
    assert (first.body, second.body, requests) == (FEED, FEED, 2)


def test_a_host_with_a_dot_at_its_end():
    async def main() -> Reply:
        names = {"feed.test.": [LOCAL]}
        async with serving(feed) as server, fetcher(names=names, private_hosts=("feed.test",)) as c:
            return await c.get(Request(server.url(host="feed.test.")))

    assert asyncio.run(main()).body == FEED


def test_cancelling_is_not_an_answer():
    async def main() -> None:
        async def never(exchange: Exchange) -> None:
            await asyncio.sleep(60)

        async with serving(never) as server, fetcher() as client:
            task = asyncio.create_task(client.get(Request(server.url())))
            await asyncio.sleep(0.05)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert not client._slots._hosts._gates

    asyncio.run(main())


def test_a_mistake_of_ours_is_raised():
    def broken(_url: str) -> int:
        raise KeyError("a mistake")

    with pytest.raises(KeyError, match="a mistake"):
        fetch_from(feed, subscribers=broken)


def test_body_as_coded():
    async def script(exchange: Exchange) -> None:
        await exchange.answer(gzip.compress(FEED), headers={"Content-Encoding": "gzip"})

    reply = fetch_from(script)
    assert reply.body == FEED
    assert replace(reply, body=b"").wire_bytes == len(gzip.compress(FEED))
