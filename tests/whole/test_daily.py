"""The daily training beside the passes: once a day, in nobody's way, and no reason not to stop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from conftest import Whole

from newsloom.app import passes
from newsloom.cli.running import STAGE_WORDS
from newsloom.engines.pipeline import STAGES, Stage, StageContext
from newsloom.kernel.errors import StoreBusy
from newsloom.work.service import Leases

LONG = 60.0  # seconds a test waits before it fails


async def until(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110 - what it waits for has no event
        await asyncio.sleep(0.005)


def test_passes_go_on_while_it_trains_and_one_follows_a_new_model(whole: Whole) -> None:
    runner = whole.app.runner()
    passed = threading.Event()
    runner.train_due = lambda: passed.wait(LONG)

    async def serve() -> None:
        serving = asyncio.create_task(runner.forever())
        await asyncio.wait_for(until(lambda: runner.last is not None), LONG)
        first = runner.last
        passed.set()
        await asyncio.wait_for(until(lambda: runner.last is not first), LONG)
        runner.stop()
        await asyncio.wait_for(serving, LONG)

    asyncio.run(serve())


def test_stopping_does_not_wait_for_a_long_training(whole: Whole) -> None:
    runner = whole.app.runner()
    runner.grace = timedelta(milliseconds=10)
    begun, never = threading.Event(), threading.Event()

    def train() -> bool:
        begun.set()
        return never.wait(LONG)

    runner.train_due = train

    async def serve() -> None:
        serving = asyncio.create_task(runner.forever())
        await asyncio.wait_for(until(begun.is_set), LONG)
        runner.stop()
        await asyncio.wait_for(serving, LONG)

    asyncio.run(serve())
    never.set()


def test_a_failure_ends_neither_passes_nor_training(
    whole: Whole, caplog: pytest.LogCaptureFixture
) -> None:
    failing = threading.Event()

    def work(_shop: StageContext, _leases: Leases) -> int:
        if not failing.is_set():
            failing.set()
            raise ZeroDivisionError("a bug")
        return 0

    def due() -> datetime | None:
        raise StoreBusy

    def train() -> bool:
        raise ZeroDivisionError("another bug")

    runner = whole.app.runner((Stage("text", work),))
    runner.next_due, runner.train_due = due, train

    async def serve() -> None:
        serving = asyncio.create_task(runner.forever())
        await asyncio.wait_for(until(failing.is_set), LONG)
        while runner.last is None:
            runner.nudge()
            await asyncio.sleep(0.01)
        assert not serving.done()
        runner.stop()
        await asyncio.wait_for(serving, LONG)

    asyncio.run(serve())
    assert "this pass failed" in caplog.text
    assert "the daily training failed" in caplog.text


def test_it_comes_once_a_day_also_after_days_asleep(open_whole: Callable[..., Whole]) -> None:
    whole = open_whole()
    moments = []
    for days in (0, 0, 1, 1, 6, 6):
        whole.clock.ahead = timedelta(days=days)
        whole.app.train_due()
        moments.append(whole.app.services.training.last_training(whole.app.user)[0])
    assert moments[0] is not None
    assert moments[0::2] == moments[1::2]
    assert moments[0] < moments[2] < moments[4]
    words = whole.app.services.training.last_training(whole.app.user)[1]
    assert words == "", "how many labels there were then would soon contradict how many there are"


def test_with_no_time_set_nothing_is_trained(open_whole: Callable[..., Whole]) -> None:
    app = open_whole().app
    training = replace(app.settings.training, at="")
    app = replace(app, settings=replace(app.settings, training=training))
    assert app.train_due() is False
    assert app.services.training.last_training(app.user) == (None, "")


def test_what_a_pass_may_report_has_words(whole: Whole) -> None:
    """`run` says by them which part of a pass stopped."""
    names = {one.name for one in (*STAGES, *passes.side_tasks(whole.app))}
    assert names <= STAGE_WORDS.keys()
