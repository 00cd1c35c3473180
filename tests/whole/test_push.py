"""The life of what is agreed with a hub: asked for, called back about, told by, renewed, ended."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from conftest import Whole
from hub_scene import DAY, FIRST, HOUR, NO_STAGES, SECOND, Scene, agreed, play, stage

from hub import DAY as DAY_SECONDS
from hub import Hub, hubbing, request
from newsloom.app import polling
from newsloom.feeds import websub
from newsloom.feeds.values.health import PushState
from publisher import Publisher

THIRD = ("3", "https://news.example/3", "Salmon are seen above the weir again")


def test_a_feed_with_a_hub_is_agreed_on_and_told_of(scene: Scene) -> None:
    async def act() -> None:
        one = await agreed(scene)
        assert one.mode == "subscribe"
        assert one.form["hub.topic"] == scene.topic
        assert one.form["hub.lease_seconds"] == str(10 * DAY_SECONDS)
        assert len(one.form["hub.secret"]) < 200
        assert one.headers["content-type"] == "application/x-www-form-urlencoded"
        assert (one.verified, one.echoed) == (200, "pVj-17+/= ü")
        assert await scene.told(scene.hub.distribute, one, scene.document(SECOND, FIRST)) == 202
        await scene.pass_()
        assert scene.titles == [FIRST[2], SECOND[2]]
        assert scene.polls == 1
        page = f"http://127.0.0.1:{scene.port}/feeds/{scene.feed}"
        assert "pushed by 127.0.0.1 until" in (await scene.told(request, "GET", page))[1]

    play(scene, act)


def test_what_a_hub_sends_is_no_poll(scene: Scene) -> None:
    async def act() -> None:
        one = await agreed(scene)
        before = scene.row
        await scene.told(scene.hub.distribute, one, scene.document(SECOND))
        await scene.settled()
        after = scene.row
        assert scene.titles == [FIRST[2], SECOND[2]]
        changed = {
            name for name, was, now in zip(before._fields, before, after, strict=True) if was != now
        }
        assert changed == {"changed_at", "pace"}
        with scene.app.store.database.read() as connection:  # type: ignore[attr-defined]
            assert connection.exec_driver_sql("SELECT COUNT(*) FROM polls").scalar_one() == 1

    play(scene, act)


def test_while_a_hub_tells_a_feed_is_polled_once_a_day(scene: Scene) -> None:
    async def act() -> None:
        await agreed(scene)
        await scene.pass_(after=2 * HOUR)  # what came before the hub told of it
        assert scene.polls == 2
        for _hours in range(4):
            await scene.pass_(after=5.7 * HOUR)
        assert scene.polls == 2
        await scene.pass_(after=2 * HOUR)
        assert scene.polls == 3

    play(scene, act)


def test_a_lease_is_renewed_before_it_ends(scene: Scene) -> None:
    async def act() -> None:
        first = await agreed(scene)
        until = scene.push.until
        await scene.pass_(after=timedelta(days=6))
        assert len(scene.hub.asked) == 1
        await scene.pass_(after=DAY)
        assert [one.callback for one in scene.hub.asked] == [first.callback] * 2
        assert scene.push.until is not None
        assert until is not None
        assert scene.push.until - until > timedelta(days=6)
        assert scene.push.state is PushState.ACTIVE

    play(scene, act)


def test_a_lease_that_ends_leaves_the_feed_to_its_polls(scene: Scene) -> None:
    async def act() -> None:
        await agreed(scene)
        scene.hub.status = 503
        for _day in range(10):
            await scene.pass_(after=DAY)
        assert len(scene.hub.asked) > 2
        assert scene.push.state is not PushState.ACTIVE
        polls = scene.polls
        scene.publish(SECOND, FIRST)
        await scene.pass_(after=HOUR)
        assert scene.polls == polls + 1
        assert scene.titles == [FIRST[2], SECOND[2]]

    play(scene, act)


def test_a_feed_that_nobody_follows_is_told_no_more(scene: Scene) -> None:
    async def act() -> None:
        one = await agreed(scene)
        scene.app.store.reading.unsubscribe(scene.app.user, scene.feed)
        await scene.pass_()
        last = scene.hub.asked[-1]
        assert (last.mode, last.callback, last.verified) == ("unsubscribe", one.callback, 200)
        assert "hub.secret" not in last.form
        assert scene.app.store.feeds.pushes() == {}
        assert await scene.told(scene.hub.distribute, one, scene.document(SECOND)) == 410

    play(scene, act)


def test_a_farewell_that_a_hub_does_not_hear_is_not_said_for_ever(scene: Scene) -> None:
    async def act() -> None:
        await agreed(scene)
        scene.hub.verifies = False
        scene.app.store.reading.unsubscribe(scene.app.user, scene.feed)
        for _day in range(6):
            await scene.pass_(after=DAY)
        assert [one.mode for one in scene.hub.asked[1:]] == ["unsubscribe"] * 3
        assert scene.app.store.feeds.pushes() == {}

    play(scene, act)


def test_one_who_comes_back_gets_a_new_address(scene: Scene) -> None:
    async def act() -> None:
        one = await agreed(scene)
        scene.hub.verifies = False
        scene.app.store.reading.unsubscribe(scene.app.user, scene.feed)
        await scene.pass_()
        scene.hub.verifies = True
        scene.whole.follow(scene.topic)
        await scene.pass_()
        assert scene.push.state is PushState.ACTIVE
        assert scene.hub.asked[-1].callback != one.callback
        assert scene.hub.asked[-1].form["hub.secret"] != one.form["hub.secret"]
        assert await scene.told(scene.hub.distribute, one, scene.document(SECOND)) == 410

    play(scene, act)


def test_a_hub_that_does_not_call_back_is_asked_later_and_the_feed_polled(scene: Scene) -> None:
    async def act() -> None:
        scene.hub.verifies = False
        await scene.pass_()
        assert scene.push.state is PushState.ASKED
        for hours in (0.9, 0.2, 3.8, 0.3, 20, 3.7, 0.3):
            await scene.pass_(after=hours * HOUR)
        # After 1 hour, 4 more, then 24.
        assert len(scene.hub.asked) == 4
        assert scene.polls >= 4
        scene.hub.verifies = True
        await scene.pass_(after=DAY)
        assert scene.push.state is PushState.ACTIVE
        assert scene.push.problem == ""

    play(scene, act)


def test_a_hub_that_refuses_is_asked_again_in_days(scene: Scene) -> None:
    async def act() -> None:
        scene.hub.status = 404
        await scene.pass_()
        assert scene.push.state is PushState.DENIED
        assert "returned 404" in websub.describe(scene.push, scene.whole.clock())
        await scene.pass_(after=2 * DAY)
        assert len(scene.hub.asked) == 1
        await scene.pass_(after=2 * DAY)
        assert len(scene.hub.asked) == 2

    play(scene, act)


def test_a_hub_that_is_down_is_asked_again_and_not_before_it_said(scene: Scene) -> None:
    async def act() -> None:
        scene.hub.status, scene.hub.headers = 503, {"Retry-After": str(2 * 3600)}
        await scene.pass_()
        assert scene.push.state is PushState.WANTED
        await scene.pass_(after=1.9 * HOUR)
        assert len(scene.hub.asked) == 1
        scene.hub.status = 204
        await scene.pass_(after=0.2 * HOUR)
        assert scene.push.state is PushState.ACTIVE

    play(scene, act)


def test_a_hub_may_say_no_at_any_time(scene: Scene) -> None:
    async def act() -> None:
        one = await agreed(scene)
        await scene.pass_(after=2 * HOUR)
        assert scene.row.next_poll_at - scene.whole.clock() > 20 * HOUR
        assert await scene.told(scene.hub.deny, one, "not for\nreaders") == 200
        assert scene.push.state is PushState.DENIED
        assert scene.push.problem == "127.0.0.1 said no (not for readers)"
        assert scene.row.next_poll_at - scene.whole.clock() <= HOUR
        assert await scene.told(scene.hub.distribute, one, scene.document(SECOND)) == 410

    play(scene, act)


def test_a_hub_that_is_silent_about_news_is_not_trusted(scene: Scene) -> None:
    async def act() -> None:
        await agreed(scene)
        await scene.pass_(after=2 * HOUR)
        scene.publish(SECOND, FIRST)
        await scene.pass_(after=25 * HOUR)
        assert scene.titles == [FIRST[2], SECOND[2]]
        assert scene.push.missed_at is not None
        assert scene.push.state is PushState.ACTIVE
        await scene.pass_(after=1.1 * HOUR)
        assert scene.push.state is PushState.WANTED
        assert "missed new articles" in scene.push.problem
        assert scene.row.next_poll_at - scene.whole.clock() <= HOUR

    play(scene, act)


def test_a_hub_that_is_only_late_is_trusted(scene: Scene) -> None:
    async def act() -> None:
        one = await agreed(scene)
        await scene.pass_(after=2 * HOUR)
        scene.publish(SECOND, FIRST)
        await scene.pass_(after=25 * HOUR)
        await scene.told(scene.hub.distribute, one, scene.document(SECOND, FIRST))
        await scene.pass_(after=2 * HOUR)
        assert scene.push.state is PushState.ACTIVE

    play(scene, act)


def test_news_from_before_the_hub_told_is_no_silence(scene: Scene) -> None:
    async def act() -> None:
        await agreed(scene)
        scene.publish(SECOND, FIRST)  # published before, seen at the next poll only
        await scene.pass_(after=2 * HOUR)
        assert scene.push.missed_at is None

    play(scene, act)


def test_another_hub_is_asked_when_the_feed_names_another(scene: Scene) -> None:
    async def act() -> None:
        one = await agreed(scene)
        with hubbing() as other:
            scene.publish(SECOND, FIRST, hub=other.url)
            fetch = replace(
                scene.app.settings.fetch,
                private_hosts=(*scene.app.settings.fetch.private_hosts, other.host),
            )
            settings = replace(scene.app.settings, fetch=fetch)
            scene.runner = replace(scene.app, settings=settings).runner(NO_STAGES)
            await scene.pass_(after=2 * HOUR)
            assert len(other.asked) == 1
            assert other.asked[0].callback != one.callback
            assert other.asked[0].form["hub.secret"] != one.form["hub.secret"]
        assert await scene.told(scene.hub.distribute, one, scene.document(THIRD)) == 410

    play(scene, act)


def test_a_hub_may_send_us_elsewhere(scene: Scene) -> None:
    async def act() -> None:
        old = f"{scene.hub.url}old"
        scene.publisher.puts("/feed", scene.document(FIRST, hub=old))
        await scene.pass_()
        assert [one.path for one in scene.hub.asked] == ["/old", "/new"]
        assert scene.hub.asked[0].form == scene.hub.asked[1].form
        assert scene.push.state is PushState.ACTIVE

    play(scene, act)


def test_link_headers_go_before_the_document(scene: Scene) -> None:
    async def act() -> None:
        scene.publisher.puts(
            "/feed",
            scene.document(FIRST, hub="https://nobody.invalid/", topic="https://nobody.invalid/f"),
            Link=f'<{scene.hub.url}>; rel="hub", </feed>; rel="self"; type="a,b"',
        )
        await agreed(scene)
        assert scene.hub.asked[0].form["hub.topic"] == scene.topic

    play(scene, act)


def test_without_an_address_for_hubs_nothing_is_agreed_any_more(scene: Scene) -> None:
    async def act() -> None:
        await agreed(scene)
        await scene.pass_(after=2 * HOUR)

    play(scene, act)
    push = replace(scene.app.settings.push, url="")
    app = replace(scene.app, settings=replace(scene.app.settings, push=push))
    asked = len(scene.hub.asked)
    asyncio.run(app.runner(NO_STAGES).once())
    assert app.store.feeds.pushes() == {}
    assert scene.row.next_poll_at - scene.whole.clock() <= HOUR
    assert len(scene.hub.asked) == asked


def test_two_processes_ask_a_hub_once_and_store_once(
    scene: Scene, open_whole: Callable[..., Whole]
) -> None:
    """`serve` and `run` side by side, each with connections of its own to the store."""
    other = replace(open_whole().app, settings=scene.app.settings, now=scene.whole.clock)

    async def both(step: str) -> None:
        async with scene.app.fetching() as one, other.fetching() as two:
            side_tasks = [polling.pushing(app) for app in (scene.app, other) * 2]
            ways = zip(side_tasks, (one, two) * 2, strict=True)
            await asyncio.gather(*(getattr(side_task, step)(way) for side_task, way in ways))

    async def act() -> None:
        scene.hub.verifies = False
        await scene.pass_()
        scene.whole.clock.ahead += 2 * HOUR
        scene.hub.verifies = True
        await both("run")
        assert len(scene.hub.asked) == 2
        one = scene.hub.asked[-1]
        for article in (SECOND, THIRD):
            assert await scene.told(scene.hub.distribute, one, scene.document(article)) == 202
        await both("take_in")
        await both("take_in")
        assert scene.app.store.feeds.waiting_deliveries(1) == ()
        assert scene.titles == sorted((FIRST[2], SECOND[2], THIRD[2]))

    play(scene, act, after=False)


def test_the_guard_stands_before_hubs_too(
    open_whole: Callable[..., Whole], hub: Hub, publisher: Publisher, port: int
) -> None:
    scene = stage(open_whole, hub, publisher, port, publisher.host)
    asyncio.run(scene.pass_())
    assert hub.asked == []
    assert scene.push.state is PushState.WANTED
    assert "does not respond" in scene.push.problem
