"""Workers that do what the hostile task says."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from newsloom.kernel.settings import ReadingSettings
from newsloom.kernel.workers.pool import Workers
from newsloom.kernel.workers.tasks import Task

Start = Callable[..., Workers]


HERE = Path(__file__).parent


def importable(folder: Path) -> str:
    """A PYTHONPATH with which workers find the modules of a folder, and the Newsloom tested."""
    return os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH", ""))))


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    monkeypatch.setenv("PYTHONPATH", importable(HERE))
    started: list[Workers] = []

    def _start(*tasks: Task, **settings: float) -> Workers:
        tasks = tasks or (Task("hostile", "hostile"),)
        workers = Workers(ReadingSettings(**({"workers": 1} | settings)), tasks)
        started.append(workers)
        return workers

    yield _start
    for workers in started:
        workers.close()
