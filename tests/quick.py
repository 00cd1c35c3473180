"""Folders for databases that need not outlive their test."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def quick_folder() -> Iterator[Path]:
    """In memory where the system has such a disk: only the crash tests need another."""
    memory = Path("/dev/shm")
    place = memory if memory.is_dir() else None
    with tempfile.TemporaryDirectory(dir=place, prefix="newsloom-test-") as made:
        yield Path(made)
