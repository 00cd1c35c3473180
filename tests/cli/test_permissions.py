"""What is stored is for its owner alone, whatever the umask."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

import commands
from cli import briefed
from newsloom.feeds.service.pictures import CachedPicture, PictureCache

NOW = datetime(2026, 11, 26, tzinfo=UTC)


@pytest.fixture
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def run(
    folder: Path, *arguments: str, store: str = "newsloom.db"
) -> subprocess.CompletedProcess[str]:
    environment = briefed.settings(folder / store) | {"NEWSLOOM_BRIEF_OPUS": "true"}
    return commands.run(*arguments, environment=environment, folder=folder)


@pytest.mark.usefixtures("open_umask")
def test_store_sound_pictures_and_copies_are_private(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    store = briefed.world_of_today(folder)
    briefed.plan(store)
    for line in (
        ("brief", "--due"),
        ("backup", "all.tar"),
        ("export", "feeds.opml"),
    ):
        run(folder, *line)
    run(folder, "restore", str(folder / "all.tar"), store="elsewhere/more/n.db")
    PictureCache(folder / "cache" / "pictures", 10_000).put(
        "one", CachedPicture("image/png", b"x"), NOW
    )
    made = [one for one in tmp_path.rglob("*") if one != folder and "sent" not in one.parts]
    names = {one.name for one in made}
    assert {"newsloom.db", "all.tar", "feeds.opml", "n.db"} <= names
    assert {one.suffix for one in made} >= {".mp3", ".db"}
    assert [(one, oct(one.stat().st_mode)) for one in made if one.stat().st_mode & 0o077] == []


def test_doctor_names_what_others_can_read() -> None:
    """In a folder that all can open; pytest's own folders are private."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        store = briefed.world_of_today(folder)
        assert "permissions\tonly yours" in run(folder, "doctor").stdout
        store.chmod(0o644)
        text = run(folder, "doctor").stdout
    assert f"!!\tpermissions\tothers can read {store}" in text
    assert f"chmod -R go= {store}" in text
