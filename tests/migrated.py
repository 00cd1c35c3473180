"""A store without a row, as a copy: to migrate one takes longer than most tests."""

from __future__ import annotations

import atexit
import os
import shutil
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from newsloom.store import open_store
from quick import quick_folder

_folders = ExitStack()
atexit.register(_folders.close)


def migrated(path: Path) -> Path:
    """The path, where there is a migrated database now; one that is there already is left alone."""
    if not path.exists():
        shutil.copy(_made(), path)
    return path


def store_url(path: Path) -> str:
    """With TEST_STORE=postgres, the URL of a migrated database for this path; otherwise ""."""
    if os.environ.get("TEST_STORE") != "postgres":
        return ""
    from store.conftest import started

    return started().address(path)


def copied(folder: Path, to: Path) -> None:
    """Copy a folder. With TEST_STORE=postgres, copy the database of its closed newsloom.db too."""
    shutil.copytree(folder, to, dirs_exist_ok=True)
    if store_url(folder / "newsloom.db"):
        from store.conftest import started

        started().copied(folder / "newsloom.db", to / "newsloom.db")


@cache
def _made() -> Path:
    """Of this process."""
    path = _folders.enter_context(quick_folder()) / "news.db"
    open_store(path, now=lambda: datetime(2026, 1, 1, tzinfo=UTC)).close()
    return path
