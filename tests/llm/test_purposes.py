"""One runner for every purpose: sensitivity and a judge of the tests, with a server that answers
both, by the whole path to the database.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from llm.judge import (
    JUDGE,
    SHARE,
    both,
    choices,
    chosen,
    is_choosing,
    prepare,
    put,
)
from llm.server import Asked, Server, serving
from llm.world import KEY, World
from newsloom.llm.budget import LENT_FROM
from newsloom.ranking.purposes import SENSITIVITY

BOTH = (JUDGE, SENSITIVITY)
TESTS = Path(__file__).resolve().parents[1]


@pytest.fixture
def judging(world: World) -> World:
    prepare(world)
    return world


def verdicts(world: World, purpose: str = "judge") -> list[str]:
    rows = world.rows(f"SELECT verdict FROM model_calls WHERE purpose = '{purpose}' ORDER BY id")
    return [row[0] for row in rows]


def spent(world: World) -> dict[str, int]:
    return dict(world.rows("SELECT purpose, tokens FROM spending"))


def total(world: World) -> int:
    return int(world.rows("SELECT tokens FROM services")[0][0])


def of_judge(server: Server) -> list[Asked]:
    return [one for one in server.asked if is_choosing(one)]


def test_both_are_asked_by_one_runner_and_each_answer_has_its_audit_row(judging: World) -> None:
    world = judging
    world.publish("News")
    put(world, "a river", "a dam")

    async def main() -> None:
        async with serving(both()) as server:
            report = await world.ask(server.url, purposes=BOTH, concurrency=1)
            assert (report.asked, report.stored) == (3, 3)
            assert report.stored_by_purpose == {"judge": 2, "sensitivity": 1}
            assert [is_choosing(one) for one in server.asked] == [True, True, False], "by priority"
            schemas = [one.body["response_format"]["json_schema"] for one in server.asked]
            assert [one["schema"] for one in schemas] == [
                JUDGE.schema,
                JUDGE.schema,
                SENSITIVITY.schema,
            ]
            assert [one.body["max_tokens"] for one in server.asked] == [60, 60, 200]
            assert (await world.ask(server.url, purposes=BOTH)).asked == 0, "all is answered"

    asyncio.run(main())
    assert choices(world) == [(1, 2), (2, 2)]
    assert len(world.ratings()) == 1
    rows = world.rows(
        "SELECT purpose, prompt_version, maker, subject_kind, subject_id, tokens_in, tokens_out,"
        " verdict, answer, service LIKE 'judge at 127.0.0.1:%', at FROM model_calls ORDER BY id"
    )
    at = int(world.now.timestamp()) * 1_000_000
    last = (300, 30, "ok")
    assert rows == [
        ("judge", "judge@1", "chat/judge/judge@1", "choosing", "1", *last, chosen(), 1, at),
        ("judge", "judge@1", "chat/judge/judge@1", "choosing", "2", *last, chosen(), 1, at),
        (
            *("sensitivity", "rubric@1", "chat/judge/rubric@1", "article", str(world.ids[0])),
            *(*last, rows[2][8], 1, at),
        ),
    ]
    hashes = world.rows("SELECT DISTINCT question_hash FROM model_calls WHERE question_hash <> ''")
    assert len(hashes) == 3
    assert all(row[0] > 0 for row in world.rows("SELECT seconds FROM model_calls"))
    assert KEY not in str(world.rows("SELECT * FROM model_calls"))
    assert spent(world) == {"judge": 660, "sensitivity": 330}
    assert total(world) == 990


def test_the_same_question_is_asked_once(judging: World) -> None:
    world = judging
    put(world, "a river", "a river", "a dam", "a river")

    async def main() -> None:
        async with serving(both()) as server:
            report = await world.ask(server.url, purposes=BOTH)
            assert (report.asked, report.stored) == (2, 4)
            put(world, "a dam", "a river")
            report = await world.ask(server.url, purposes=BOTH)
            assert (report.asked, report.stored) == (0, 2), "what was answered lately is known"
            assert len(server.asked) == 2
            assert spent(world) == {"judge": 660}, "what is known costs nothing"
            put(world, "a river", offered=(2, 9))
            await world.ask(server.url, purposes=BOTH)
            assert len(server.asked) == 3, "another offer is another question"
            changed = replace(JUDGE, version="judge@2")
            await world.ask(server.url, purposes=(changed,))
            assert len(server.asked) == 6, "a new version asks all three anew"

    asyncio.run(main())
    assert Counter(verdicts(world)) == {"ok": 6, "reused": 8}
    subjects = world.rows(
        "SELECT subject_id FROM model_calls WHERE maker LIKE '%judge@1' AND verdict <> 'x'"
    )
    assert sorted(subjects) == [(str(number),) for number in range(1, 8)], "each has its audit row"


UNUSABLE = {
    "prose": "I think the second.",
    "fenced": f"```json\n{chosen()}\n```",
    "not offered": chosen(7),
    "an order": chosen("1; DROP TABLE choices"),
    "more": chosen()[:-1] + ', "delete": "all"}',
    "too deep": chosen(others=[[[1]]]),
    "what breaks its reading": chosen(others=3),
    "what no comparison takes": chosen([1]),
    "too long": chosen(reason="so " * 2_000),
}


@pytest.mark.parametrize("said", UNUSABLE.values(), ids=UNUSABLE)
def test_an_unusable_answer_counts_twice_and_then_the_question_waits(
    judging: World, said: str
) -> None:
    world = judging
    world.publish("News", "Other news", "More news")
    put(world, "a river", "a dam")

    async def script(request: Asked) -> None:
        await request.say(said if "river" in request.user else chosen())

    async def main() -> None:
        async with serving(both(script)) as server:
            for _ in range(4):
                await world.ask(server.url, purposes=BOTH, concurrency=1)
            rivers = [one for one in of_judge(server) if "river" in one.user]
            assert len(rivers) == 2, "once more, and then not for a day"
            assert [one.body["temperature"] for one in rivers] == [0, 0.5], "or it says the same"
            assert choices(world) == [(2, 2)], "the others went on"
            assert len(world.ratings()) == 3
            server.script = both()
            world.now += timedelta(hours=25)
            await world.ask(server.url, purposes=BOTH)
            assert choices(world) == [(1, 2), (2, 2)]

    asyncio.run(main())
    assert Counter(one.partition(":")[0] for one in verdicts(world)) == {"unusable": 2, "ok": 2}


def test_a_share_is_there_whatever_others_asked_for_before(judging: World) -> None:
    world, limit = judging, 8_000
    world.publish(*(f"News {number}" for number in range(40)))

    async def main() -> None:
        async with serving(both()) as server:
            how: dict[str, Any] = {"purposes": BOTH, "daily_tokens": limit}
            report = await world.ask(server.url, rounds=3, **how)
            assert "tokens per day is used up" in report.problem
            assert limit * (1 - SHARE) - 700 < spent(world)["sensitivity"] <= limit * (1 - SHARE)
            put(world, *(f"thing {number}" for number in range(20)))
            report = await world.ask(server.url, rounds=3, **how)
            assert "tokens per day is used up" in report.problem
            assert limit * SHARE - 700 < spent(world)["judge"], "all that is its own"
            assert total(world) == sum(spent(world).values()) <= limit
            before = len(server.asked)
            await world.ask(server.url, **how)
            assert len(server.asked) == before, "nothing is left for anyone"
            world.now += timedelta(days=1)
            await world.ask(server.url, **how)
            assert len(server.asked) > before
            assert total(world) == sum(spent(world).values())

    asyncio.run(main())


def test_an_idle_purpose_lends_its_share_late_in_the_day(judging: World) -> None:
    world, limit = judging, 6_000
    world.publish(*(f"News {number}" for number in range(30)))

    async def main() -> None:
        async with serving(both()) as server:
            how: dict[str, Any] = {"purposes": BOTH, "daily_tokens": limit}
            await world.ask(server.url, rounds=2, **how)
            assert spent(world)["sensitivity"] <= limit * (1 - SHARE)
            world.now = world.now.replace(hour=LENT_FROM)
            await world.ask(server.url, rounds=2, **how)
            assert limit * (1 - SHARE) < spent(world)["sensitivity"] <= limit

    asyncio.run(main())


def test_a_backlog_of_one_keeps_no_other_waiting(judging: World) -> None:
    world = judging
    world.publish(*(f"News {number}" for number in range(8)))
    put(world, *(f"thing {number}" for number in range(60)))

    async def main() -> None:
        async with serving(both()) as server, world.runner(server.url, BOTH) as runner:
            report = await runner.round(limit=12)
            assert report.stored_by_purpose == {"judge": 9, "sensitivity": 3}
            assert report.more

    asyncio.run(main())


def test_a_failing_call_is_made_again_within_the_deadline(judging: World) -> None:
    world = judging
    put(world, "a river")
    lines = iter(["429 Slow down", "503 Busy", ""])

    async def script(request: Asked) -> None:
        if line := next(lines):
            await request.answer(b"{}", line, more="Retry-After: 0\r\n")
        else:
            await request.say(chosen())

    async def main() -> None:
        async with serving(both(script)) as server:
            report = await world.ask(server.url, purposes=BOTH)
            assert (report.asked, report.stored, len(server.asked)) == (1, 1, 3)

    asyncio.run(main())
    kinds = [one.partition(":")[0] for one in verdicts(world)]
    assert kinds == ["no answer", "no answer", "ok"]
    assert spent(world) == {"judge": 330}, "calls that were not answered cost nothing"


def test_a_server_that_asks_for_a_pause_is_left_alone_by_every_purpose(judging: World) -> None:
    world = judging
    world.publish("News")
    put(world, "a river")

    async def script(request: Asked) -> None:
        await request.answer(b"{}", "429 Slow down", more="Retry-After: 3600\r\n")

    async def main() -> None:
        async with serving(both(script)) as server:
            report = await world.ask(server.url, purposes=BOTH, concurrency=1)
            assert len(server.asked) == 1, "no retry that would come before the pause is over"
            assert "paused" in report.problem
            world.now += timedelta(minutes=59)
            await world.ask(server.url, purposes=BOTH)
            assert len(server.asked) == 1
            assert not world.status(server.url).well
            world.now += timedelta(minutes=2)
            server.script = both()
            await world.ask(server.url, purposes=BOTH)
            assert choices(world) == [(1, 2)]
            assert len(world.ratings()) == 1
            assert world.status(server.url).well

    asyncio.run(main())


def test_failures_of_one_purpose_open_the_breaker_for_all_and_one_answer_closes_it(
    judging: World,
) -> None:
    world = judging
    world.publish("News", "Other news")
    put(world, *(f"thing {number}" for number in range(9)))

    async def fails(request: Asked) -> None:
        await request.answer(b"{}", "401 Unauthorized")

    async def main() -> None:
        async with serving(both(fails)) as server:
            await world.ask(server.url, purposes=BOTH, concurrency=1)
            assert len(server.asked) == 5
            assert not world.ratings()
            assert "retry in 5 min" in world.status(server.url).words
            world.now += timedelta(minutes=5)
            await world.ask(server.url, purposes=BOTH, concurrency=2)
            assert len(server.asked) == 6, "one question tells whether it is back"
            server.script = both()
            world.now += timedelta(minutes=5)
            await world.ask(server.url, purposes=BOTH)
            assert len(choices(world)) == 9
            assert len(world.ratings()) == 2
            name = f"judge at 127.0.0.1:{server.port}"
            assert world.store.models.service(name).failures == 0
            assert world.store.models.service(name).open_until is None

    asyncio.run(main())


def test_what_is_known_does_not_tell_whether_a_server_is_back(judging: World) -> None:
    world = judging
    world.publish(*(f"News {number}" for number in range(6)))
    put(world, "a river")

    async def fails(request: Asked) -> None:
        await request.answer(b"{}", "401 Unauthorized")

    async def main() -> None:
        async with serving(both()) as server:
            await world.ask(server.url, purposes=(JUDGE,))
            server.script = fails
            await world.ask(server.url, purposes=BOTH, concurrency=1)
            assert len(server.asked) == 1 + 5
            put(world, "a river")
            world.now += timedelta(minutes=5)
            await world.ask(server.url, purposes=BOTH, concurrency=4)
            assert len(choices(world)) == 2
            assert len(server.asked) == 1 + 5 + 1, "one question, of the other purpose"

    asyncio.run(main())


def test_a_purpose_that_fails_to_keep_its_answers_ends_nothing(
    judging: World, caplog: pytest.LogCaptureFixture
) -> None:
    world = judging
    world.publish("News")
    put(world, "a river")

    def fails(*_values: Any) -> bool:
        raise KeyError("our own fault")

    async def main() -> None:
        broken = (replace(JUDGE, save=fails), SENSITIVITY)
        async with serving(both()) as server:
            for _ in range(4):
                await world.ask(server.url, purposes=broken, concurrency=1)
            assert len(of_judge(server)) == 2, "it is not asked for ever"
            assert len(world.ratings()) == 1

    asyncio.run(main())
    assert verdicts(world) == ["unusable: storing the answer failed (KeyError)"] * 2
    assert not choices(world)
    assert spent(world)["judge"] == 660
    assert "keeping an answer about judge failed" in caplog.text


def test_what_changed_while_it_was_asked_about_keeps_no_answer(judging: World) -> None:
    world = judging
    put(world, "a river")

    async def script(request: Asked) -> None:
        with world.store.database.write() as connection:
            connection.exec_driver_sql("UPDATE choosings SET text = 'a lake'")
        await request.say(chosen())

    async def main() -> None:
        async with serving(both(script)) as server:
            report = await world.ask(server.url, purposes=BOTH)
            assert (report.asked, report.stored) == (1, 0)
            assert not choices(world)
            await world.ask(server.url, purposes=BOTH)
            assert choices(world) == [(1, 2)]
            assert "a lake" in server.asked[-1].user

    asyncio.run(main())


async def program(path: Path, url: str) -> asyncio.subprocess.Process:
    """Asks for both purposes until nothing is left."""
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "llm.program", str(path), url, "judge"),
        cwd=TESTS,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])},
    )


@pytest.mark.parametrize("last", [1, 3], ids=lambda number: f"question {number}")
def test_a_kill_between_call_and_keep_costs_tokens_and_doubles_nothing(
    judging: World, last: int
) -> None:
    world = judging
    world.publish("News", "Other news")
    put(world, "a river", "a dam", "a mill")

    async def main() -> None:
        started: list[asyncio.subprocess.Process] = []

        async def kill(request: Asked) -> None:
            if len(server.asked) == last:
                started[0].kill()
            await request.say(chosen())

        async with serving(both(kill)) as server:
            started.append(await program(world.path, server.url))
            assert await started[0].wait() == -signal.SIGKILL
            kept = len(choices(world))
            assert kept == last - 1
            assert verdicts(world) == ["ok"] * kept
            reserved = spent(world)["judge"] - 330 * kept
            assert reserved > 0, "the call under way may have cost that"
            assert total(world) == sum(spent(world).values())
            server.script = both()
            started[0] = await program(world.path, server.url)
            assert await started[0].wait() == 0
            assert len(of_judge(server)) == 3 + 1, "what was kept is not asked again"
            assert spent(world)["judge"] == 330 * 3 + reserved

    asyncio.run(main())
    assert choices(world) == [(1, 2), (2, 2), (3, 2)]
    assert len(world.ratings()) == 2
    assert verdicts(world) == ["ok"] * 3
