"""Hubs, and who poses as one: what was not asked for is not stored, what was taken is not lost."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from conftest import Whole
from hub_scene import DAY, FIRST, HOUR, NO_STAGES, SECOND, Scene, agreed, play, stage

from hub import Asked, Hub, request
from newsloom.app import polling
from newsloom.feeds.values.health import PushState
from publisher import Publisher, rss

FORGED = ("9", "https://forger.example/9", "Sell your boat before it is too late")
ATOM = "xmlns:atom='http://www.w3.org/2005/Atom' "


def rows(scene: Scene, table: str) -> int:
    with scene.app.store.database.read() as connection:  # type: ignore[attr-defined]
        return int(connection.exec_driver_sql(f"SELECT COUNT(*) FROM {table}").scalar_one())


@pytest.mark.parametrize(
    "query",
    [
        {"hub.topic": "https://other.example/feed"},
        {"hub.mode": "unsubscribe"},
        {"hub.challenge": "a\r\nSet-Cookie: b"},
        {"hub.lease_seconds": "9" * 5_000},
    ],
    ids=lambda query: ascii(query)[:50],
)
def test_a_call_about_something_else_is_refused(scene: Scene, query: dict[str, str]) -> None:
    async def act() -> None:
        scene.hub.query = query
        await scene.pass_()
        assert scene.hub.asked[0].verified == 404
        assert "pVj" not in scene.hub.asked[0].echoed
        assert scene.push.state is PushState.ASKED

    play(scene, act)


def test_a_lease_that_is_not_worth_it_is_refused(scene: Scene) -> None:
    async def act() -> None:
        scene.hub.lease = "1"
        await scene.pass_()
        assert scene.hub.asked[0].verified == 404
        assert scene.push.state is PushState.DENIED
        for _half in range(4):
            await scene.pass_(after=DAY / 2)
        assert len(scene.hub.asked) == 1

    play(scene, act)


@pytest.mark.parametrize(
    ("lease", "believed"),
    [(str(100 * 365 * 86_400), 30 * DAY), (None, DAY)],
    ids=["a hundred years", "nothing said"],
)
def test_no_lease_is_believed_for_ever(
    scene: Scene, lease: str | None, believed: timedelta
) -> None:
    async def act() -> None:
        scene.hub.lease = lease
        await scene.pass_()
        until = scene.push.until
        assert until is not None
        assert abs(until - scene.whole.clock() - believed) < timedelta(minutes=1)

    play(scene, act)


def test_nobody_can_agree_or_end_for_us(scene: Scene) -> None:
    async def act() -> None:
        one = await agreed(scene)
        before = scene.push
        query = {"hub.topic": scene.topic, "hub.challenge": "abc", "hub.lease_seconds": "9999999"}
        status, said, headers = await scene.told(
            request, "GET", scene.hub_call(one.callback, query | {"hub.mode": "subscribe"})
        )
        # What a hub does that makes sure: nothing changes, its lease neither.
        assert (status, said) == (200, "abc")
        assert headers["content-type"].startswith("text/plain")
        assert headers["x-content-type-options"] == "nosniff"
        ends = scene.hub_call(one.callback, query | {"hub.mode": "unsubscribe"})
        assert (await scene.told(request, "GET", ends))[0] == 404
        other = one.callback[:-4] + "AAAA"
        strange = scene.hub_call(other, query | {"hub.mode": "subscribe"})
        assert (await scene.told(request, "GET", strange))[0] == 404
        assert scene.push == before

    play(scene, act)


def signatures(one: Asked) -> dict[str, dict[str, str]]:
    return {
        "no signature": {"signature": ""},
        "another secret": {"secret": "guess"},
        "an empty secret": {"secret": ""},
        "zeros": {"signature": "sha256=" + "0" * 64},
        "md5": {"signature": "md5=" + "0" * 32},
        "no method": {"signature": "0" * 64},
        "none": {"signature": "none="},
        "half": {"signature": "sha1=ab"},
        "no hexadecimal": {"signature": "sha1=" + "z" * 40},
        "the token": {"secret": one.callback.rpartition("/")[2]},
    }


def test_what_is_not_signed_is_not_stored_and_at_most_one_poll_follows(scene: Scene) -> None:
    async def act() -> None:
        one = await agreed(scene)
        await scene.pass_(after=2 * HOUR)
        polls = scene.polls
        for name, how in signatures(one).items():
            sent = await scene.told(scene.hub.distribute, one, scene.document(FORGED, FIRST), **how)
            assert sent == 202, name
        assert scene.push.refused == len(signatures(one))
        assert (rows(scene, "deliveries"), rows(scene, "articles")) == (0, 1)
        await scene.pass_()
        assert scene.polls == polls  # not within the hour
        await scene.pass_(after=1.2 * HOUR)
        assert scene.polls == polls + 1
        await scene.pass_(after=1.2 * HOUR)
        assert scene.polls == polls + 1
        assert scene.titles == [FIRST[2]]

    play(scene, act)


@pytest.mark.parametrize("algorithm", ["sha1", "sha512"])
def test_methods_of_the_recommendation_are_good(scene: Scene, algorithm: str) -> None:
    async def act() -> None:
        one = await agreed(scene)
        scene.hub.algorithm = algorithm
        await scene.told(scene.hub.distribute, one, scene.document(SECOND))
        await scene.settled()
        assert scene.titles == [FIRST[2], SECOND[2]]

    play(scene, act)


def test_what_comes_again_is_nothing_new(scene: Scene) -> None:
    async def act() -> None:
        one = await agreed(scene)
        for _time in range(3):
            await scene.told(scene.hub.distribute, one, scene.document(SECOND, FIRST))
            await scene.settled()
        assert (rows(scene, "articles"), rows(scene, "revisions")) == (2, 0)

    play(scene, act)


def foreign(scene: Scene) -> dict[str, str]:
    plain = rss("Forgers' Weekly", FORGED)
    return {
        "by its own address": scene.document(FORGED, topic="https://forger.example/feed"),
        "by site and title": plain.replace("<item>", "<link>https://forger.example/</link><item>"),
    }


@pytest.mark.parametrize("how", ["by its own address", "by site and title"])
def test_another_feed_is_not_taken_for_this_one(scene: Scene, how: str) -> None:
    async def act() -> None:
        site = "<link>https://news.example/</link><item>"
        document = scene.document(FIRST).replace("<item>", site, 1)
        scene.publisher.puts("/feed", document, ETag='"1"')
        one = await agreed(scene)
        await scene.pass_(after=2 * HOUR)
        assert await scene.told(scene.hub.distribute, one, foreign(scene)[how]) == 202
        await scene.settled()
        assert rows(scene, "articles") == 1
        assert (scene.push.received, scene.push.ignored) == (1, 1)
        assert scene.row.next_poll_at - scene.whole.clock() <= HOUR

    play(scene, act)


def test_a_feed_that_changed_hands_is_kept_apart_also_when_a_hub_tells(scene: Scene) -> None:
    """All of it is another's but its address: nothing is shown of it until a reader says so."""

    def document(kind: str) -> str:
        site = f"<link>https://{kind}.example/</link><language>{kind[:2]}</language><item>"
        news = [
            (f"{kind}-{n}", f"https://{kind}.example/{n}", f"{kind} of the day {n}")
            for n in range(12)
        ]
        document = scene.document(*news).replace("<item>", site, 1)
        return document.replace("The Tamar Gazette", kind.title())

    async def act() -> None:
        scene.publisher.puts("/feed", document("engineering"), ETag='"1"')
        one = await agreed(scene)
        await scene.pass_(after=2 * HOUR)
        assert await scene.told(scene.hub.distribute, one, document("debts")) == 202
        await scene.settled()
        assert scene.row.state == "quarantined"
        assert (rows(scene, "holds"), rows(scene, "articles")) == (1, 12)
        assert scene.push.ignored == 0

    play(scene, act)


@pytest.mark.parametrize(
    "body",
    [b"", b"<html><body>Log in</body></html>", b"\xed\xa0\x80" * 9],
    ids=["nothing", "a page", "no text"],
)
def test_what_is_no_feed_is_counted_and_makes_a_poll_due(scene: Scene, body: bytes) -> None:
    async def act() -> None:
        one = await agreed(scene)
        await scene.pass_(after=2 * HOUR)
        assert await scene.told(scene.hub.distribute, one, body) == 202
        await scene.settled()
        assert scene.push.ignored == 1
        assert scene.row.next_poll_at - scene.whole.clock() <= HOUR
        assert scene.row.failures == 0
        assert scene.titles == [FIRST[2]]

    play(scene, act)


def raw(callback: str, head: str, body: bytes = b"", pause: float = 0.0, times: int = 1) -> str:
    """The first line of the answer to bytes as given, the body sent so many times."""
    place, _, path = callback.removeprefix("http://").partition("/")
    host, _, port = place.partition(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(f"POST /{path} HTTP/1.1\r\nHost: {place}\r\n{head}\r\n\r\n".encode())
        try:
            for _time in range(times):
                connection.sendall(body)
                time.sleep(pause)
        except OSError:
            pass  # it has heard enough
        return connection.recv(200).decode().partition("\r\n")[0]


def test_a_body_is_not_read_beyond_what_a_feed_may_have(scene: Scene) -> None:
    async def act() -> None:
        one = await agreed(scene)
        said = await scene.told(raw, one.callback, "Content-Length: 100000000")
        assert " 413 " in said
        megabyte = b"f4240\r\n" + b"x" * 1_000_000 + b"\r\n"
        said = await scene.told(
            raw, one.callback, "Transfer-Encoding: chunked", megabyte, times=100
        )
        assert " 413 " in said
        packed = await scene.told(
            raw, one.callback, "Content-Encoding: gzip\r\nContent-Length: 3", b"abc"
        )
        assert " 415 " in packed
        assert rows(scene, "deliveries") == 0

    play(scene, act)


def test_who_does_not_know_a_token_sends_nothing(scene: Scene) -> None:
    async def act() -> None:
        one = await agreed(scene)
        for token in ("x", "A" * 43, "..%2f..%2ffeeds", one.callback.rpartition("/")[2].lower()):
            callback = one.callback.rpartition("/")[0] + "/" + token
            said = await scene.told(raw, callback, "Content-Length: 100000000")
            assert " 410 " in said or " 404 " in said, said

    play(scene, act)


def test_a_slow_body_is_given_up(scene: Scene) -> None:
    fetch = replace(scene.app.settings.fetch, timeout_seconds=1)
    scene.app = replace(scene.app, settings=replace(scene.app.settings, fetch=fetch))

    async def act() -> None:
        one = await agreed(scene)
        said = await scene.told(
            raw, one.callback, "Content-Length: 1000", b"x", pause=0.2, times=15
        )
        assert " 408 " in said

    play(scene, act)


def test_a_hub_that_floods_is_told_to_wait(scene: Scene) -> None:
    async def act() -> None:
        one = await agreed(scene)
        answers = [
            await scene.told(
                scene.hub.distribute, one, scene.document((f"flood-{n}", "", f"Flood {n}"))
            )
            for n in range(10)
        ]
        assert answers == [202] * 8 + [429] * 2
        assert rows(scene, "deliveries") == 8
        await scene.pass_()
        assert rows(scene, "deliveries") == 0
        assert rows(scene, "articles") == 9

    play(scene, act, after=False)


def test_what_was_acknowledged_outlives_the_process(
    scene: Scene, open_whole: Callable[..., Whole]
) -> None:
    async def act() -> None:
        one = await agreed(scene)
        assert await scene.told(scene.hub.distribute, one, scene.document(SECOND)) == 202

    play(scene, act, after=False)
    scene.app.close()
    scene.app = replace(open_whole().app, settings=scene.app.settings)
    asyncio.run(scene.app.runner(NO_STAGES).once())
    assert scene.titles == [FIRST[2], SECOND[2]]
    assert rows(scene, "deliveries") == 0


def test_the_name_for_hubs_leads_to_nothing_else(scene: Scene) -> None:
    push = replace(scene.app.settings.push, url="https://reader.example/below")
    app = replace(scene.app, settings=replace(scene.app.settings, push=push))

    async def act() -> None:
        for path, status in (("/push/x", 404), ("/", 421), ("/feeds", 421), ("/pushy", 421)):
            for host, known in (("reader.example", status), ("evil.example", 421)):
                url = f"http://127.0.0.1:{scene.port}{path}"
                got = (await scene.told(request, "GET", url, None, {"Host": host}))[0]
                assert got == known, (host, path)

    scene.app = app
    play(scene, act)


def test_tokens_and_secrets_are_never_told(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    async def act() -> None:
        one = await agreed(scene)
        await scene.told(scene.hub.distribute, one, scene.document(SECOND))
        await scene.told(scene.hub.distribute, one, scene.document(FORGED), secret="guess")
        scene.hub.status = 500
        await scene.pass_(after=8 * DAY)
        token, secret = one.callback.rpartition("/")[2], one.form["hub.secret"]
        assert len(token) >= 43
        ours = [line for line in caplog.messages if not line.startswith("HTTP Request")]
        assert not [line for line in ours if token in line or secret in line]
        assert token not in repr(scene.push)
        assert secret not in repr(scene.push)
        for path in ("/feeds", "/api/feeds", "/"):
            page = (await scene.told(request, "GET", f"http://127.0.0.1:{scene.port}{path}"))[1]
            assert token not in page
            assert secret not in page

    play(scene, act)


def test_a_hub_that_keeps_us_waiting_keeps_no_pass(
    open_whole: Callable[..., Whole], hub: Hub, publisher: Publisher, port: int
) -> None:
    """A listening socket that never answers is the hub; the task ends, and it is asked later."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        name = f"127.0.0.1:{silent.getsockname()[1]}"
        scene = stage(open_whole, hub, publisher, port, publisher.host, name)
        scene.publish(FIRST, hub=f"http://{name}/")

        async def act() -> None:
            pushing = replace(polling.pushing(scene.app), seconds=0.1)
            await scene.pass_()
            scene.whole.clock.ahead += 2 * HOUR
            async with scene.app.fetching() as fetcher:
                assert await pushing.run(fetcher) == 0

        fetch = replace(scene.app.settings.fetch, timeout_seconds=1)
        scene.app = replace(scene.app, settings=replace(scene.app.settings, fetch=fetch))
        scene.runner = scene.app.runner(NO_STAGES)
        play(scene, act)
        assert scene.push.state is PushState.WANTED
        assert scene.push.tries == 2
        assert scene.push.next_at is not None
