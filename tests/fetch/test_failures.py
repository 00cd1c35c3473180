"""libcurl's codes as kinds of failure and words; connections that break as libcurl meets them."""

from __future__ import annotations

import asyncio
import errno
import socket
from dataclasses import replace

import pycurl
import pytest

from newsloom.kernel.http.authorities import Authorities
from newsloom.kernel.http.problems import Broken, described
from newsloom.kernel.http.values import Failure, Reply, Request

from .servers import LOCAL, Exchange, fetcher, serving

BROKEN = Broken(code=0, words="", answered=False)
CODES = sorted(
    {getattr(pycurl, name) for name in dir(pycurl) if name.startswith("E_")} - {-1, 99999}
)


@pytest.mark.parametrize(
    ("changes", "failure", "words"),
    [
        ({"code": pycurl.E_COULDNT_RESOLVE_HOST}, Failure.DNS, "host not found"),
        (
            {"code": pycurl.E_COULDNT_CONNECT, "errno": errno.ECONNREFUSED},
            Failure.CONNECT,
            "the server refused the connection",
        ),
        (
            {"code": pycurl.E_COULDNT_CONNECT, "errno": errno.ENETUNREACH},
            Failure.CONNECT,
            "the server's network cannot be reached",
        ),
        (
            {"code": pycurl.E_COULDNT_CONNECT, "errno": errno.EPERM},
            Failure.CONNECT,
            "the server cannot be reached (Operation not permitted)",
        ),
        ({"code": pycurl.E_COULDNT_CONNECT}, Failure.CONNECT, "the server cannot be reached"),
        (
            {"code": pycurl.E_COULDNT_CONNECT, "errno": errno.ECONNREFUSED, "proxy": True},
            Failure.CONNECT,
            "the proxy failed: the server refused the connection",
        ),
        (
            {"code": pycurl.E_RECV_ERROR, "proxy": True, "proxy_status": 403},
            Failure.CONNECT,
            "the proxy returned 403",
        ),
        (
            {"code": pycurl.E_PEER_FAILED_VERIFICATION, "verified": 18},
            Failure.TLS,
            "the certificate is self-signed",
        ),
        (
            {"code": pycurl.E_PEER_FAILED_VERIFICATION, "verified": 999, "words": "odd"},
            Failure.TLS,
            "the certificate is not valid (odd)",
        ),
        (
            {"code": pycurl.E_SSL_CACERT_BADFILE},
            Failure.TLS,
            "the certificate authorities of this machine cannot be read",
        ),
        (
            {"code": pycurl.E_SSL_CONNECT_ERROR, "words": "TLS\r\n\x1b[31mbroke"},
            Failure.TLS,
            "TLS connection failed (TLS [31mbroke)",
        ),
        ({"code": pycurl.E_RECV_ERROR}, Failure.CONNECT, "the server closed the connection"),
        ({"code": pycurl.E_RECV_ERROR, "answered": True}, Failure.PROTOCOL, "cut off"),
        ({"code": pycurl.E_OPERATION_TIMEDOUT}, Failure.TIMEOUT, "the server timed out"),
        (
            {"code": 8, "words": "Nul byte in header"},
            Failure.PROTOCOL,
            "the response is not valid HTTP (Nul byte in header)",
        ),
    ],
)
def test_words(changes, failure, words):
    kind, said = described(replace(BROKEN, **changes))
    assert kind is failure
    assert words in said


@pytest.mark.parametrize("answered", [False, True])
@pytest.mark.parametrize("code", CODES)
def test_every_code_is_told(code, answered):
    _failure, words = described(
        Broken(code=code, words="http\x00\n\u202e " + "x" * 5000, answered=answered)
    )
    assert words.isprintable()
    assert 10 < len(words) < 200


def test_a_list_of_authorities_that_is_broken(tmp_path):
    place = tmp_path / "own.pem"
    place.write_text("no certificate")

    async def main() -> Reply:
        async def never(exchange: Exchange) -> None:
            await asyncio.sleep(60)

        client = fetcher(authorities=Authorities(str(place)))
        async with serving(never) as server, client:
            return await client.get(Request(server.url(scheme="https")))

    reply = asyncio.run(main())
    assert (reply.failure, reply.problem) == (
        Failure.TLS,
        "the certificate authorities of this machine cannot be read",
    )


def test_too_many_open_files():
    """The machine's fault, said as such; the client goes on when there is room again."""
    resource = pytest.importorskip("resource")

    async def main() -> tuple[Reply, Reply]:
        async def answering(exchange: Exchange) -> None:
            await exchange.answer(b"feed")

        async with serving(answering) as server, fetcher() as client:
            limits = resource.getrlimit(resource.RLIMIT_NOFILE)
            with socket.socket() as highest:
                resource.setrlimit(resource.RLIMIT_NOFILE, (highest.fileno(), limits[1]))
                try:
                    crowded = await client.get(Request(server.url(host=LOCAL)))
                finally:
                    resource.setrlimit(resource.RLIMIT_NOFILE, limits)
            return crowded, await client.get(Request(server.url(host=LOCAL)))

    crowded, then = asyncio.run(main())
    assert (crowded.failure, then.body) == (Failure.CONNECT, b"feed")
    assert "too many open files in this process" in crowded.problem
