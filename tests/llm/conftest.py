"""Worlds on a quick disk."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from llm.world import World
from quick import quick_folder


@pytest.fixture(scope="session")
def files() -> Iterator[dict[str, Path]]:
    """Stores made once and copied often: without articles, and with six."""
    with quick_folder() as folder:
        made = {"empty": folder / "empty.db", "six": folder / "six.db"}
        World(made["empty"]).store.close()
        six = World(made["six"])
        six.publish(*(f"News {number}" for number in range(6)))
        six.store.close()
        yield made


@pytest.fixture
def world(files: dict[str, Path]) -> Iterator[World]:
    yield from _copied(files["empty"])


@pytest.fixture
def six(files: dict[str, Path]) -> Iterator[World]:
    yield from _copied(files["six"])


def _copied(file: Path) -> Iterator[World]:
    with quick_folder() as folder:
        made = World(Path(shutil.copy(file, folder / "news.db")))
        yield made
        made.store.close()
