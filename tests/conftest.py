"""Fixtures every ring uses."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from publisher import Publisher, publishing


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real feeds and labelled news; tests that use it skip where it is absent."""
    root = Path(__file__).resolve().parents[2]
    folder = Path(os.environ.get("NEWSLOOM_SHARED", root / "shared"))
    if not (folder / "data").is_dir():
        pytest.skip("needs the real feeds and labelled news: set NEWSLOOM_SHARED to their folder")
    return folder


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    """A server on loopback that publishes what the test sets."""
    with publishing() as one:
        yield one
