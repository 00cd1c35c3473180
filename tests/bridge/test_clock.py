"""A bridge kept in step by the clock, and ended."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from bridge.conftest import World
from newsloom.bridges.service.sync import Bridge, SyncReport
from newsloom.kernel.errors import StoreBusy


def kept(world: World, looks: int, every: timedelta, **changes: object) -> list[SyncReport]:
    """What a bridge reported until its clock had been looked at so often."""
    reports: list[SyncReport] = []
    bridge = Bridge(replace(world.synchroniser(), **changes), every, look=timedelta(0))

    async def run() -> None:
        ended = asyncio.Event()
        left = looks

        async def apart(work: Callable[[], SyncReport]) -> SyncReport:
            nonlocal left
            left -= 1
            if left == 0:
                ended.set()
            try:
                return work()
            finally:
                world.later(minutes=10)

        await bridge.run(ended, apart, reports.append)

    asyncio.run(run())
    return reports


def test_it_synchronises_when_it_is_due(world: World) -> None:
    world.program.publish("ann", 1, "Story 40")
    reports = kept(world, 7, timedelta(minutes=30))
    assert [len(one.accounts) for one in reports] == [1, 1, 1]  # at 0, 30 and 60 minutes
    assert world.program.readers["ann"].scores == {1: "1"}


def test_trouble_ends_nothing_and_is_told_once(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.program.fails["accounts"] = "it is not there"
    with caplog.at_level(logging.WARNING):
        assert kept(world, 5, timedelta(minutes=30)) == []
    assert caplog.text.count("it is not there") == 1
    world.program.fails.clear()
    world.program.publish("ann", 1, "Story 40")
    busy = iter([True, False, False])

    def rank() -> None:
        if next(busy):
            raise StoreBusy
        world.rank()

    (report,) = kept(world, 2, timedelta(minutes=30), rank=rank)
    assert report.accounts[0].written == 1
