"""The fuzz targets on the saved corpus, and on what hypothesis makes of it, for a bounded time.

Guided by coverage and for longer: `make fuzz` (run.py).
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .run import CORPUS, folder
from .targets import TARGETS, Target

SAVED = [(row, file) for row in TARGETS for file in sorted((CORPUS / folder(row.name)).iterdir())]


@pytest.mark.parametrize(
    ("row", "file"), SAVED, ids=[f"{row.name}: {file.name}" for row, file in SAVED]
)
def test_saved_input(row: Target, file: Path) -> None:
    row.run(file.read_bytes())


@pytest.mark.parametrize("row", TARGETS, ids=lambda row: row.name)
def test_any_input(row: Target) -> None:
    seeds = [file.read_bytes() for file in (CORPUS / folder(row.name)).iterdir()]
    words = [word.encode("utf-8", "replace") for word in row.words]
    pieces = st.one_of(st.sampled_from(words), st.sampled_from(seeds), st.binary(max_size=12))

    @settings(max_examples=60, suppress_health_check=list(HealthCheck), database=None)
    @given(st.lists(pieces, max_size=8).map(b"".join))
    def holds(data: bytes) -> None:
        row.run(data[: row.longest])

    holds()


def test_every_target_has_seeds_of_its_own() -> None:
    named = {folder(row.name) for row in TARGETS}
    assert {path.name for path in CORPUS.iterdir()} == named
    assert len(TARGETS) >= 8
    assert all(file.stat().st_size <= 20_000 for _, file in SAVED)
