"""Folders of trained weights: whole or not there, checked, removed only when nobody has them."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta

import pytest

from newsloom.kernel.errors import ModelError
from newsloom.ranking.encoders import weights

NOW = datetime(2026, 11, 21, tzinfo=UTC)


def written(folder, name="version", content=b"numbers"):
    part = weights.begin(folder)
    (part / "model.safetensors").write_bytes(content)
    (part / "config.json").write_bytes(b"{}")
    files = weights.hashed(part)
    weights.finish(part, name, b"described")
    return files


def names(folder):
    return sorted(one.name for one in folder.iterdir())


def aged(path, days):
    moment = (NOW - timedelta(days=days)).timestamp()
    os.utime(path, (moment, moment))


def test_a_version_appears_whole(tmp_path):
    folder = tmp_path / "a" / "b"
    part = weights.begin(folder)
    assert names(folder) == [part.name]
    assert part.name.endswith(weights.PART)
    weights.finish(part, "version", b"described")
    assert names(folder) == ["version"]
    assert (folder / "version" / weights.DESCRIPTION).read_bytes() == b"described"


def test_what_was_written_is_what_is_checked(tmp_path):
    files = written(tmp_path)
    weights.check(tmp_path / "version", files)
    assert files["config.json"].bytes == 2


def test_damage_after_a_check_is_noticed_at_the_next(tmp_path):
    files = written(tmp_path)
    weights.check(tmp_path / "version", files)
    weights.check(tmp_path / "version", files)
    (tmp_path / "version" / "model.safetensors").write_bytes(b"Numbers")
    with pytest.raises(ModelError, match="damaged"):
        weights.check(tmp_path / "version", files)


def test_another_description_of_checked_files_is_checked(tmp_path):
    files = written(tmp_path)
    weights.check(tmp_path / "version", files)
    other = {**files, "config.json": weights.KeptFile("0" * 64, 2)}
    with pytest.raises(ModelError, match="damaged"):
        weights.check(tmp_path / "version", other)


def test_the_same_version_twice_stays_one(tmp_path):
    files = written(tmp_path)
    written(tmp_path)
    assert names(tmp_path) == ["version"]
    weights.check(tmp_path / "version", files)


def test_what_was_given_up_leaves_nothing(tmp_path):
    weights.abandon(weights.begin(tmp_path))
    assert names(tmp_path) == []


@pytest.mark.parametrize("name", ["x.bin", "x.pkl", "x.py", "x", "folder.json"])
def test_only_numbers_and_words_are_kept(name, tmp_path):
    part = weights.begin(tmp_path)
    if name == "folder.json":
        (part / name).mkdir()
    else:
        (part / name).write_bytes(b"")
    with pytest.raises(ModelError, match=name):
        weights.hashed(part)


def test_versions_nobody_keeps_go_once_old(tmp_path):
    for name, days in [("kept", 9), ("old", 2), ("new", 0.5)]:
        written(tmp_path, name)
        aged(tmp_path / name, days)
    left_over = weights.begin(tmp_path)
    aged(left_over, 2)
    under_way = weights.begin(tmp_path)
    aged(under_way, 0.1)
    (tmp_path / "a file").write_bytes(b"not ours")
    aged(tmp_path / "a file", 9)
    removed = weights.tidy(tmp_path, {"kept"}, NOW)
    assert sorted(removed) == sorted(["old", left_over.name])
    assert names(tmp_path) == sorted(["kept", "new", "a file", under_way.name])


def test_nothing_to_tidy_is_no_problem(tmp_path):
    assert weights.tidy(tmp_path / "never made", set(), NOW) == ()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(ModelError, match="cannot be written"):
        weights.begin(tmp_path / "inside")


def test_a_file_in_the_place_of_the_folder_is_said(tmp_path):
    (tmp_path / "taken").write_bytes(b"")
    with pytest.raises(ModelError, match="cannot be written"):
        weights.begin(tmp_path / "taken")


def test_a_version_that_is_gone_is_said(tmp_path):
    with pytest.raises(ModelError, match="cannot be read"):
        weights.check(tmp_path / "gone", {})
