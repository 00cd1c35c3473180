"""Worlds on a quick disk."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from quick import quick_folder
from training.world import World

LABELS = 200


@pytest.fixture
def folder() -> Iterator[Path]:
    with quick_folder() as made:
        yield made


@pytest.fixture(scope="session")
def labelled_file() -> Iterator[Path]:
    """A store with 300 articles, 200 of them labelled by one taste: made once, copied often."""
    with quick_folder() as place:
        made = World(place / "news.db")
        made.publish(300)
        made.label(LABELS)
        made.store.close()
        yield made.path


@pytest.fixture
def world(folder: Path) -> Iterator[World]:
    """A reader of nothing yet."""
    made = World(folder / "news.db")
    yield made
    made.store.close()


@pytest.fixture
def labelled(labelled_file: Path, folder: Path) -> Iterator[World]:
    """A reader with 200 labels and 100 articles more."""
    made = World(Path(shutil.copy(labelled_file, folder / "labelled.db")))
    with made.store.database.read() as connection:
        rows = connection.exec_driver_sql("SELECT id FROM articles ORDER BY id").all()
    made.ids = [row[0] for row in rows]
    made.marked = LABELS
    made.now = made.store.models.labels(made.user)[-1].at
    yield made
    made.store.close()
