"""Pictures kept on disk: up to a size, whole or not at all, and never in the way."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from newsloom.feeds.service.pictures import CachedPicture, PictureCache

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def get(cache: PictureCache, name: str, at: datetime = NOW) -> CachedPicture | None:
    return cache.get(name, at, 30 * DAY, DAY)


def test_what_is_kept_comes_back_until_it_is_old(tmp_path: Path) -> None:
    cache = PictureCache(tmp_path / "made", 1_000)
    picture, none = (
        CachedPicture("image/png", b"\x89PNG\n\n"),
        CachedPicture("", b"", "gone: “404”"),
    )
    cache.put("a", picture, NOW)
    cache.put("b", none, NOW)
    assert get(cache, "a") == picture
    assert get(cache, "b") == none
    assert get(cache, "c") is None
    assert get(cache, "b", NOW + 2 * DAY) is None
    assert get(cache, "a", NOW + 29 * DAY) == picture
    assert get(cache, "a", NOW + 31 * DAY) is None


def test_those_not_asked_for_the_longest_go_first(tmp_path: Path) -> None:
    cache = PictureCache(tmp_path, 5_000)
    for number in range(10):
        cache.put(f"{number}", CachedPicture("image/png", b"x" * 900), NOW + number * DAY)
        get(cache, "0", NOW + number * DAY)
    held = [path.stat().st_size for path in tmp_path.glob("*/*")]
    assert sum(held) <= 5_000
    last = NOW + 9 * DAY
    assert get(cache, "0", last) is not None
    assert get(cache, "9", last) is not None
    assert get(cache, "1", last) is None


def test_what_another_process_kept_counts(tmp_path: Path) -> None:
    for number in range(5):
        PictureCache(tmp_path, 10_000).put(
            f"{number}", CachedPicture("image/png", b"x" * 1_900), NOW
        )
    PictureCache(tmp_path, 10_000).put("last", CachedPicture("image/png", b"x" * 1_900), NOW + DAY)
    assert sum(path.stat().st_size for path in tmp_path.glob("*/*")) <= 10_000


def test_one_larger_than_all_is_not_kept(tmp_path: Path) -> None:
    cache = PictureCache(tmp_path, 1_000)
    cache.put("a", CachedPicture("image/png", b"x" * 2_000), NOW)
    assert [*tmp_path.rglob("*")] == []


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]\nx", b'{"at": "x"}\n', b'{"at": 1, "type": 2}\n']
)
def test_a_damaged_file_is_none(tmp_path: Path, content: bytes) -> None:
    cache = PictureCache(tmp_path, 1_000)
    cache.put("a", CachedPicture("image/png", b"x"), NOW)
    [file] = tmp_path.glob("*/*")
    file.write_bytes(content)
    assert get(cache, "a") is None


def test_a_folder_that_cannot_be_written_breaks_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = PictureCache(tmp_path / "file", 1_000)
    cache.put("a", CachedPicture("image/png", b"x"), NOW)
    assert get(cache, "a") is None
