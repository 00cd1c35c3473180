"""Redirects: which are followed, what is kept of them, and what they must not carry."""

from __future__ import annotations

import asyncio
import base64

import pytest

from newsloom.kernel.http.values import Failure, Redirect, Reply, Request

from .servers import FEED, LOCAL, Exchange, feed, fetch_from, fetcher, serving


def _redirecting(routes: dict[str, str], status: int = 301) -> tuple[list[Exchange], object]:
    seen: list[Exchange] = []

    async def script(exchange: Exchange) -> None:
        seen.append(exchange)
        if exchange.path in routes:
            await exchange.answer(
                status=f"{status} Moved", headers={"Location": routes[exchange.path]}
            )
        else:
            await feed(exchange)

    return seen, script


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed_and_recorded(status):
    seen, script = _redirecting({"/feed": "/b?x=1#part", "/b?x=1": "c"}, status)

    async def main() -> tuple[Reply, str]:
        async with serving(script) as server, fetcher() as client:
            request = Request(server.url(), etag='"1"', last_modified="x")
            return await client.get(request), server.url("")

    reply, root = asyncio.run(main())
    assert reply.redirects == (Redirect(status, f"{root}/b?x=1"), Redirect(status, f"{root}/c"))
    assert (reply.status, reply.url, reply.body) == (200, f"{root}/c", FEED)
    # Validators are the first URL's; no other is shown them.
    assert ["if-none-match" in one.headers for one in seen] == [True, False, False]
    assert ["if-modified-since" in one.headers for one in seen] == [True, False, False]
    assert not any("referer" in one.headers for one in seen)


def test_validators_go_to_the_url_that_gave_them():
    seen, script = _redirecting({"/feed": "/b"})

    async def main() -> Reply:
        async with serving(script) as server, fetcher() as client:
            first = await client.get(Request(server.url()))
            again = Request(server.url(), etag=first.header("etag"), validated_url=first.url)
            return await client.get(again)

    asyncio.run(main())
    assert ["if-none-match" in one.headers for one in seen] == [False, False, False, True]


@pytest.mark.parametrize(
    ("routes", "words", "asked"),
    [
        ({"/feed": "/feed"}, "it redirects in a circle", 1),
        ({"/feed": "/b", "/b": "/feed#x"}, "it redirects in a circle", 2),
        (
            {"/feed": "/0"} | {f"/{n}": f"/{n + 1}" for n in range(20)},
            "it redirects more than 5 times",
            6,
        ),
        ({"/feed": "ftp://127.0.0.1/x"}, "does not begin with http:// or https://", 1),
        ({"/feed": "file:///etc/passwd"}, "does not begin with http:// or https://", 1),
        ({"/feed": "javascript:alert(1)"}, "does not begin with http:// or https://", 1),
        ({"/feed": "http://"}, "has no valid host", 1),
        ({"/feed": "http://[::1"}, "invalid address", 1),
        ({"/feed": "http://127.0.0.1:99999/"}, "invalid address", 1),
        ({"/feed": "http://a..b/"}, "has no valid host", 1),
        ({"/feed": "http://127.0.0.1:0/"}, "has no valid host", 1),
        ({"/feed": "/" + "x" * 9000}, "it redirects to an overlong address", 1),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_redirects_that_are_not_followed(routes, words, asked):
    seen, script = _redirecting(routes, 302)
    reply = fetch_from(script)
    assert reply.failure is Failure.REDIRECTS
    assert words in reply.problem
    assert len(seen) == asked
    assert reply.status == 302


def test_redirect_without_a_target():
    async def script(exchange: Exchange) -> None:
        await exchange.answer(status="302 Found")

    reply = fetch_from(script)
    assert reply.failure is Failure.REDIRECTS
    assert reply.problem == "the server returned 302 without a location"


def test_credentials_stay_with_their_origin():
    seen: list[Exchange] = []

    async def script(exchange: Exchange) -> None:
        seen.append(exchange)
        here = f"http://{exchange.headers['host']}"
        target = {
            "/feed": "/relative",
            "/relative": f"{here}/absolute",
            "/absolute": f"{here.replace('127.0.0.1', 'other.test')}/elsewhere",
            "/elsewhere": f"{here.replace('://', '://thief:x@').replace('other', 'third')}/end",
        }.get(exchange.path)
        if target:
            await exchange.answer(status="302 Found", headers={"Location": target})
        else:
            await exchange.answer()

    async def main() -> Reply:
        names = {"other.test": [LOCAL], "third.test": [LOCAL]}
        allowed = (LOCAL, "other.test", "third.test")
        async with serving(script) as server, fetcher(names=names, private_hosts=allowed) as client:
            return await client.get(Request(server.url(host=f"me:secret@{LOCAL}")))

    reply = asyncio.run(main())
    assert reply.status == 200
    assert [one.headers.get("authorization") for one in seen] == [
        "Basic bWU6c2VjcmV0",
        "Basic bWU6c2VjcmV0",
        "Basic bWU6c2VjcmV0",
        None,
        None,
    ]


def test_names_and_passwords_are_sent_in_utf_8():
    written = {
        "ann:groß": "ann:groß",
        "ann:gro%C3%9F": "ann:groß",
        "анна:пароль": "анна:пароль",
        "名前:パス": "名前:パス",
        "ann%40host.test:p%23ss%3Aw%2Frd": "ann@host.test:p#ss:w/rd",
        "ann:€%20uro": "ann:€ uro",
    }
    seen: list[str] = []

    async def script(exchange: Exchange) -> None:
        seen.append(exchange.headers.get("authorization", ""))
        await exchange.answer()

    async def main() -> None:
        async with serving(script) as server, fetcher() as client:
            for one in written:
                await client.get(Request(server.url(host=f"{one}@{LOCAL}")))

    asyncio.run(main())
    sent = [base64.b64decode(one.removeprefix("Basic ")).decode() for one in seen]
    assert sent == list(written.values())
