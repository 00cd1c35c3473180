"""Headers that are wrong in every way: what is kept of them, and what ends the answer."""

from __future__ import annotations

import asyncio

import pytest

from newsloom.kernel.http.values import Failure, Reply, Request

from .servers import Exchange, fetch_from, fetcher, serving

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n"


def _sends(answer: bytes):
    async def script(exchange: Exchange) -> None:
        await exchange.send(answer)
        exchange.writer.close()
        await asyncio.sleep(5)

    return script


@pytest.mark.parametrize(
    ("lines", "name", "value"),
    [
        ("X-Name: größe\r\n".encode(), "x-name", "größe"),
        (b"X-Name: gr\xf6\xdfe\r\n", "x-name", "größe"),
        (b'ETag: "\xff\xfe"\r\n', "etag", ""),
        (b"X-Name:   a  b \t\r\n", "x-name", "a  b"),
        (b"X-NAME: a\r\nx-name: b\r\n", "x-name", "a"),
        (b"X-Name:\r\n", "x-name", ""),
        (b"X-Name: a\r\n  b\r\n", "x-name", "a b"),
        (b"X-Name: \x01\x02\r\n", "x-name", "\x01\x02"),
        (b'ETag: "a"\r\nETag: "b"\r\n', "etag", '"a"'),
        ("X-Näme: a\r\n".encode(), "x-nã\xa4me", "a"),
        (b"X-Name: a\n", "x-name", "a"),
    ],
    ids=range(11),
)
def test_what_is_kept(lines, name, value):
    reply = fetch_from(_sends(OK + lines + b"\r\nbody"))
    assert (reply.failure, reply.body) == (None, b"body")
    assert reply.header(name) == value


@pytest.mark.parametrize(
    "lines",
    [
        b"X-Name: a\x00b\r\n",
        b"no colon at all\r\n",
        b"Content-Length: 5\r\n",
        b"Content-Length: +4\r\n",
        b"Content-Length: 99999999999999999999999\r\n",
        b"Content-Length: " + b"9" * 9_000 + b"\r\n",
        b"X-Name: " + b"a" * 65_536 + b"\r\n",
        b"X: 1\r\n" * 200,
        b"Set-Cookie: a=" + b"b" * 300_000 + b"\r\n",
    ],
    ids=[
        "NUL",
        "no colon",
        "two lengths",
        "a sign",
        "a length beyond numbers",
        "a length of 9 KB",
        "64 KB",
        "200",
        "300 KB",
    ],
)
def test_what_ends_the_answer(lines):
    reply = fetch_from(_sends(OK + lines + b"\r\nbody"))
    assert reply.failure in {Failure.PROTOCOL, Failure.TOO_LARGE}
    assert reply.problem.startswith(("the response is not valid HTTP (", "it is larger than "))
    assert reply.problem.isprintable()
    assert reply.body == b""


def test_what_follows_the_body_is_no_header():
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: ETag\r\n\r\n"
    reply = fetch_from(_sends(chunked + b'4\r\nbody\r\n0\r\nETag: "late"\r\n\r\n'))
    assert (reply.body, reply.header("etag"), reply.failure) == (b"body", "", None)


def test_headers_of_interim_answers_are_not_the_answers():
    hint = b'HTTP/1.1 103 Early Hints\r\nETag: "early"\r\nLink: </a>\r\n\r\n'
    reply = fetch_from(_sends(hint * 3 + OK + b"\r\nbody"))
    assert (reply.status, reply.body, reply.failure) == (200, b"body", None)
    assert (reply.header("etag"), reply.header("link")) == ("", "")


def test_a_length_and_chunks():
    """RFC 9112: the chunks count, and such an answer is not to be trusted with a connection."""
    both = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n"
    reply = fetch_from(_sends(both + b"4\r\nbody\r\n0\r\n\r\n"))
    assert (reply.body, reply.failure) == (b"body", None) or reply.failure is Failure.PROTOCOL


@pytest.mark.parametrize("coding", ["gzip, chunked", "gzip", "deflate, gzip, chunked", "x"])
def test_codings_of_the_transfer_are_not_undone(coding):
    """Another way to nest compression; none was asked for."""
    lines = f"HTTP/1.1 200 OK\r\nTransfer-Encoding: {coding}\r\n\r\n".encode()
    reply = fetch_from(_sends(lines + b"4\r\nbody\r\n0\r\n\r\n"))
    assert reply.failure is not None or b"body" in reply.body


@pytest.mark.parametrize(
    ("location", "asked"),
    [
        ("/größe".encode(), "/gr%C3%B6%C3%9Fe"),
        (b"/gr\xf6\xdfe", "/gr%C3%B6%C3%9Fe"),
        (b"/a b", "/a%20b"),
        (b"/a\tb", None),
        (b"/%zz", "/%25zz"),
        (b"?x=1", "/feed?x=1"),
    ],
)
def test_where_a_redirect_leads_in_any_letters(location, asked):
    async def script(exchange: Exchange) -> None:
        if len(paths) < 1:
            paths.append(exchange.path)
            await exchange.send(
                b"HTTP/1.1 302 X\r\nContent-Length: 0\r\nLocation: " + location + b"\r\n\r\n"
            )
        else:
            paths.append(exchange.path)
            await exchange.answer(b"body")

    paths: list[str] = []

    async def main() -> Reply:
        async with serving(script) as server, fetcher() as client:
            return await client.get(Request(server.url()))

    reply = asyncio.run(main())
    if asked is not None:
        assert (paths[1:], reply.body) == ([asked], b"body")
    assert reply.failure is None or reply.problem
