"""Every way a network can fail has a kind and words; no server makes the client raise."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import ssl
from types import SimpleNamespace

import aiohttp
import pytest
from aiohttp.client_reqrep import ConnectionKey
from hypothesis import example, given, settings
from hypothesis import strategies as st

from newsloom.fetch.problems import NETWORK_ERRORS, Dropped, Stopped, described
from newsloom.types import Failure, Reply, Request

from .servers import Exchange, fetcher, serving

KEY = ConnectionKey("h.test", 443, True, True, None, None, None)
REQUEST: object = SimpleNamespace(real_url="http://h.test/")


def _connecting(kind: type[aiohttp.ClientConnectorError], error: OSError) -> Exception:
    return kind(KEY, error)


@pytest.mark.parametrize(
    ("error", "failure", "words"),
    [
        (Stopped(Failure.TOO_LARGE, "words"), Failure.TOO_LARGE, "words"),
        (Dropped(), Failure.CONNECT, "the server closed the connection without an answer"),
        (
            _connecting(
                aiohttp.ClientConnectorDNSError, socket.gaierror(socket.EAI_NONAME, "unknown")
            ),
            Failure.DNS,
            "there is no such host",
        ),
        (
            _connecting(
                aiohttp.ClientConnectorDNSError, socket.gaierror(socket.EAI_AGAIN, "later")
            ),
            Failure.DNS,
            "the host's name cannot be looked up right now",
        ),
        (
            _connecting(
                aiohttp.ClientConnectorDNSError, socket.gaierror(socket.EAI_FAIL, "no way")
            ),
            Failure.DNS,
            "the host's name cannot be looked up (no way)",
        ),
        (
            _connecting(aiohttp.ClientConnectorError, OSError(errno.ECONNREFUSED, "x")),
            Failure.CONNECT,
            "the server refused the connection",
        ),
        (
            _connecting(aiohttp.ClientConnectorError, OSError(errno.EHOSTUNREACH, "x")),
            Failure.CONNECT,
            "the server cannot be reached",
        ),
        (
            _connecting(aiohttp.ClientConnectorError, OSError(errno.EMFILE, "x")),
            Failure.CONNECT,
            "this process has too many files and connections open",
        ),
        (
            _connecting(aiohttp.ClientConnectorError, OSError("Multiple exceptions: a, b")),
            Failure.CONNECT,
            "the server cannot be reached (Multiple exceptions: a, b)",
        ),
        (
            _connecting(aiohttp.ClientProxyConnectionError, OSError(errno.ECONNREFUSED, "x")),
            Failure.CONNECT,
            "the proxy cannot be used: the server refused the connection",
        ),
        (
            aiohttp.ClientOSError(errno.ECONNRESET, "x"),
            Failure.CONNECT,
            "the server broke the connection off",
        ),
        (
            OSError(errno.EPERM, os.strerror(errno.EPERM)),
            Failure.CONNECT,
            "Operation not permitted",
        ),
        (ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER] wrong"), Failure.TLS, "no secure connection"),
        (aiohttp.ClientPayloadError("x"), Failure.PROTOCOL, "cut off"),
        (aiohttp.ConnectionTimeoutError(), Failure.TIMEOUT, "the server did not answer in time"),
        (aiohttp.ServerDisconnectedError(), Failure.CONNECT, "without an answer"),
        (
            aiohttp.ClientResponseError(REQUEST, (), message="Bad\nLine\n  ^"),  # type: ignore[arg-type]
            Failure.PROTOCOL,
            "the answer is not proper HTTP (Bad)",
        ),
        (aiohttp.InvalidURL("http://x", "odd"), Failure.URL, "the address is not valid (odd)"),
        (aiohttp.InvalidURL("http://x"), Failure.URL, "the address is not valid"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_words(error, failure, words):
    kind, said = described(error)
    assert kind is failure
    assert words in said
    assert said.isprintable()


def test_what_is_no_network_error_is_raised():
    with pytest.raises(KeyError):
        described(KeyError("a mistake"))


def test_every_error_of_the_library_is_an_expected_one():
    kinds = [getattr(aiohttp.client_exceptions, name) for name in aiohttp.client_exceptions.__all__]
    assert len(kinds) > 20
    # The one that is about WebSocket frames is no ClientError, and never met by a GET.
    odd = {kind for kind in kinds if not issubclass(kind, NETWORK_ERRORS)}
    assert odd <= {aiohttp.WSMessageTypeError}


FRAGMENTS = st.sampled_from(
    [
        b"HTTP/1.1 200 OK\r\n",
        b"HTTP/1.0 200\r\n",
        b"HTTP/1.1 302 Found\r\nLocation: ",
        b"HTTP/1.1 100 Continue\r\n\r\n",
        b"HTTP/2 200\r\n",
        b"Content-Length: 5\r\n",
        b"Content-Length: -1\r\n",
        b"Transfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: gzip, chunked\r\n",
        b"Content-Encoding: gzip\r\n",
        b"Content-Encoding: br\r\n",
        b"Connection: close\r\n",
        b"Connection: upgrade\r\nUpgrade: h2c\r\n",
        b"Set-Cookie: a=\xff; Domain=\x01\r\n",
        b"Content-Type: text/html; charset=\xff\r\n",
        b"ETag: \xff\r\n",
        b": x\r\n",
        b" folded\r\n",
        b"\r\n",
        b"\n",
        b"5\r\nhello\r\n0\r\n\r\n",
        b"ffffffffffffffffff\r\n",
        b"hello",
        b"\x1f\x8b\x08",
        b"\x00" * 10,
        b"http://[::1",
        b"/x\r\n",
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(FRAGMENTS, st.binary(max_size=20)), max_size=10).map(b"".join))
def test_no_answer_makes_the_client_raise(answer):
    async def script(exchange: Exchange) -> None:
        await exchange.send(answer)
        exchange.writer.close()
        await asyncio.sleep(5)

    async def main() -> Reply:
        async with serving(script) as server, fetcher(timeout_seconds=1) as client:
            return await client.get(Request(server.url()))

    reply = asyncio.run(main())
    assert reply.failure is None or reply.problem
    assert reply.failure is not None or reply.status


@settings(max_examples=120, deadline=None)
@given(
    st.one_of(
        st.text(max_size=40),
        st.tuples(
            st.sampled_from(["http://", "https://", "HTTP:", "http:/", "//", "http://u:p@"]),
            st.text(max_size=30),
        ).map("".join),
    )
)
@example("http://Ā:b@example.org/")
def test_no_url_makes_the_client_raise(url):
    async def main() -> Reply:
        client = fetcher(names={}, private_hosts=())

        async def lookup(host: str, *_args: object, **_named: object) -> list[object]:
            raise socket.gaierror(socket.EAI_NONAME, host)

        client._resolver.resolve = lookup  # type: ignore[union-attr, method-assign]
        async with client:
            return await client.get(Request(url))

    reply = asyncio.run(main())
    assert reply.failure in {Failure.URL, Failure.DNS, Failure.BLOCKED}
    assert reply.problem
