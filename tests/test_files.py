"""Files that a person names are written whole or not at all."""

from __future__ import annotations

import multiprocessing
import resource
import stat
from pathlib import Path

import pytest

from newsloom.kernel import files
from newsloom.kernel.errors import UserError

BEFORE, AFTER = b"what was there", b"what is there now" * 100_000


def test_a_file_is_made_and_read(tmp_path: Path) -> None:
    files.write(tmp_path / "new", AFTER)
    assert files.read_bytes(tmp_path / "new") == AFTER
    assert [one.name for one in tmp_path.iterdir()] == ["new"]


def test_a_file_is_replaced_and_keeps_who_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.write_bytes(BEFORE)
    path.chmod(0o640)
    files.write(path, AFTER)
    assert path.read_bytes() == AFTER
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "target")
    for content in (BEFORE, AFTER):
        files.write(tmp_path / "link", content)
        assert (tmp_path / "target").read_bytes() == content
    assert (tmp_path / "link").is_symlink()


def test_a_device_is_written_as_it_is() -> None:
    files.write(Path("/dev/null"), AFTER)
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("name", ["absent/file", "folder"])
def test_what_cannot_be_is_said(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    for step in (
        lambda: files.read_bytes(tmp_path / name),
        lambda: files.write(tmp_path / name, AFTER),
    ):
        with pytest.raises(UserError, match=name):
            step()


def write_with_little_room(path: Path) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000))
    with pytest.raises(UserError, match="cannot be written"):
        files.write(path, AFTER)


def test_without_room_the_old_one_stays(tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.write_bytes(BEFORE)
    process = multiprocessing.get_context("spawn").Process(
        target=write_with_little_room, args=(path,)
    )
    process.start()
    process.join(60)
    assert process.exitcode == 0
    assert path.read_bytes() == BEFORE
    assert [one.name for one in tmp_path.iterdir()] == ["old"]
