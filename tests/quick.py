"""Folders for databases that need not outlive their test."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def quick_folder() -> Iterator[Path]:
    """Where the folders of tests are: in memory where it has room, see conftest.py."""
    place = os.environ.get("PYTEST_DEBUG_TEMPROOT")
    with tempfile.TemporaryDirectory(dir=place, prefix="newsloom-test-") as made:
        yield Path(made)
