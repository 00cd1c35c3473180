"""Secure connections: who is trusted, and what happens when one cannot be."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import pytest
import trustme

import loopback
from newsloom.kernel.http.authorities import Authorities
from newsloom.kernel.http.values import Failure, Reply, Request

from .servers import LOCAL, Exchange, Server, fetcher, serving

FEED = b"<rss version='2.0'><channel><title>A</title></channel></rss>"

AUTHORITY = trustme.CA()


@pytest.fixture(scope="module")
def trusting(tmp_path_factory: pytest.TempPathFactory) -> Authorities:
    path = tmp_path_factory.mktemp("authorities") / "own.pem"
    AUTHORITY.cert_pem.write_to_path(str(path))
    return Authorities(str(path))


def _certified(certificate: trustme.LeafCert) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    return context


def _fetch_tls(certificate: trustme.LeafCert, authorities: Authorities | None) -> Reply:
    async def main() -> Reply:
        names = {"feed.test": [LOCAL]}
        client = fetcher(names=names, private_hosts=("feed.test",), authorities=authorities)
        async with serving(_feed, tls=_certified(certificate)) as server, client:
            return await client.get(Request(server.url(host="feed.test", scheme="https")))

    return asyncio.run(main())


async def _feed(exchange: Exchange) -> None:
    await exchange.answer(FEED)


PAST = datetime(2020, 1, 1, tzinfo=UTC)


def test_tls(trusting):
    reply = _fetch_tls(AUTHORITY.issue_cert("feed.test"), trusting)
    assert (reply.failure, reply.body) == (None, FEED)


@pytest.mark.parametrize(
    ("certificate", "trusted", "words"),
    [
        (
            AUTHORITY.issue_cert("feed.test", not_after=PAST + timedelta(days=1)),
            True,
            "the certificate has expired",
        ),
        (AUTHORITY.issue_cert("other.test"), True, "the certificate is for another host"),
        (
            AUTHORITY.issue_cert("feed.test"),
            False,
            "the certificate is signed by an unknown authority",
        ),
    ],
    ids=["expired", "other host", "unknown authority"],
)
def test_tls_that_cannot_be_trusted(certificate, trusted, words, trusting):
    reply = _fetch_tls(certificate, trusting if trusted else None)
    assert (reply.failure, reply.problem) == (Failure.TLS, words)


@pytest.mark.parametrize(
    ("said", "seconds", "failure", "words"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", 5, Failure.TLS, "TLS connection failed"),
        (b"", 0.3, Failure.TIMEOUT, "no response within 0.3 seconds"),
    ],
    ids=["speaks plainly", "stalls"],
)
def test_tls_with_a_server_that_has_none(said, seconds, failure, words):
    async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(said)
        await reader.read()

    async def main() -> Reply:
        async with loopback.streaming(plain) as server, fetcher(timeout_seconds=seconds) as client:
            port = server.sockets[0].getsockname()[1]
            return await client.get(Request(f"https://{LOCAL}:{port}/"))

    reply = asyncio.run(main())
    assert reply.failure is failure
    assert words in reply.problem


def test_a_secure_feed_through_a_proxy(trusting):
    """The proxy only carries it: its own headers are none of the answer's."""

    async def main() -> tuple[Reply, list[str]]:
        asked: list[str] = []

        async def proxy(exchange: Exchange) -> None:
            asked.append(exchange.head.split("\r\n")[0])
            far, far_writer = await asyncio.open_connection(LOCAL, secure.port)
            await exchange.send(b'HTTP/1.1 200 Connected\r\nETag: "proxy"\r\n\r\n')
            carried = [
                asyncio.create_task(_carry(exchange.take, far_writer)),
                asyncio.create_task(_carry(far.read, exchange.writer)),
            ]
            try:
                await asyncio.gather(*carried)
            finally:
                far_writer.close()

        context = _certified(AUTHORITY.issue_cert("feed.example"))
        async with serving(_feed, tls=context) as secure, serving(proxy) as through:
            client = fetcher(names={}, proxy=through.url(""), authorities=trusting)
            async with client:
                return await client.get(Request("https://feed.example/feed")), asked

    reply, requests = asyncio.run(main())
    assert (reply.body, reply.failure, reply.header("etag")) == (FEED, None, "")
    assert requests == ["CONNECT feed.example:443 HTTP/1.1"]


async def _carry(take: Callable[[int], Awaitable[bytes]], writer: asyncio.StreamWriter) -> None:
    while data := await take(65_536):
        writer.write(data)
        await writer.drain()


def test_no_redirect_from_https_to_http(trusting):
    async def main() -> tuple[Reply, Server]:
        async def script(exchange: Exchange) -> None:
            await exchange.answer(status="301 X", headers={"Location": plain.url(host="feed.test")})

        names = {"feed.test": [LOCAL]}
        client = fetcher(names=names, private_hosts=("feed.test",), authorities=trusting)
        context = _certified(AUTHORITY.issue_cert("feed.test"))
        async with serving(_feed) as plain, serving(script, tls=context) as secure, client:
            url = secure.url(host="feed.test", scheme="https")
            return await client.get(Request(url)), plain

    reply, plain = asyncio.run(main())
    assert reply.failure is Failure.REDIRECTS
    assert reply.problem == "it redirects from https to http"
    assert plain.connections == 0
