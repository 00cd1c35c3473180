"""Every way a network can fail has a kind and words; no server makes the client raise."""

from __future__ import annotations

import asyncio
import errno
import socket

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from newsloom.kernel.http.problems import errno_words, name_words
from newsloom.kernel.http.values import Failure, Reply, Request

from .servers import Exchange, fetcher, serving


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (socket.EAI_NONAME, "host not found"),
        (socket.EAI_AGAIN, "DNS lookup failed temporarily"),
        (socket.EAI_FAIL, "DNS lookup failed (no way)"),
    ],
)
def test_words_for_a_name_that_is_not_found(code: int, words: str) -> None:
    assert name_words(socket.gaierror(code, "no way")) == words


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (errno.ECONNREFUSED, "the server refused the connection"),
        (errno.EHOSTUNREACH, "the server cannot be reached"),
        (errno.EMFILE, "too many open files in this process"),
        (errno.EPERM, "the server cannot be reached (Operation not permitted)"),
    ],
)
def test_words_for_what_the_system_says(code: int, words: str) -> None:
    assert errno_words(code) == words


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


@settings(max_examples=60)
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


@settings(max_examples=120)
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

        async def lookup(host: str, _port: int) -> tuple[str, ...]:
            raise socket.gaierror(socket.EAI_NONAME, host)

        client._resolver.resolve = lookup  # type: ignore[union-attr, method-assign]
        async with client:
            return await client.get(Request(url))

    reply = asyncio.run(main())
    assert reply.failure in {Failure.URL, Failure.DNS, Failure.BLOCKED}
    assert reply.problem
