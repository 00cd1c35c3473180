"""SQLite to PostgreSQL and back, and a backup of either in the other, as a user types it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from publisher import Publisher, rss
from store.conftest import started

Newsloom = Callable[..., str]


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A database without a table."""
    return started("embedded").address(tmp_path / "news", template="template1")


@pytest.fixture
def followed(newsloom: Newsloom, publisher: Publisher) -> str:
    feed = publisher.puts("/feed.xml", rss("Gazette", ("1", "https://gazette.test/1", "One")))
    newsloom("add", feed)
    newsloom("like", "1")
    return feed


@pytest.fixture
def file(newsloom: Newsloom) -> str:
    """The database that all commands use unless a URL is set."""
    return str(json.loads(newsloom("settings", "--json"))["store.path"])


def test_there_and_back(
    newsloom: Newsloom, followed: str, file: str, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels, shown = newsloom("export", "--labels", "-"), listed(newsloom)
    assert "copied and compared" in newsloom("store", "copy", file, url)
    newsloom("store", "copy", url, "back.db")
    for name, value in (("STORE_URL", url), ("STORE_URL", ""), ("STORE_PATH", "back.db")):
        monkeypatch.setenv(f"NEWSLOOM_{name}", value)
        assert newsloom("export", "--labels", "-") == labels
        assert listed(newsloom) == shown
        assert followed in newsloom("export", "-")


def listed(newsloom: Newsloom) -> list[int]:
    return [one["id"] for one in json.loads(newsloom("list", "--all", "--json"))]


def test_what_is_there_is_kept(newsloom: Newsloom, followed: str, file: str, url: str) -> None:
    newsloom("store", "copy", file, url)
    assert "is not empty" in newsloom("store", "copy", file, url, status=1)
    assert "There is no file none.db" in newsloom("store", "copy", "none.db", url, status=2)
    assert "are the same" in newsloom("store", "copy", url, url, status=2)


def test_a_backup_of_either_is_restored_into_the_other(
    newsloom: Newsloom, followed: str, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels = newsloom("export", "--labels", "-")
    newsloom("backup", "kept.tar")
    monkeypatch.setenv("NEWSLOOM_STORE_URL", url)
    newsloom("restore", "kept.tar")
    assert newsloom("export", "--labels", "-") == labels
    newsloom("backup", "again.tar")
    newsloom("remove", "1")
    monkeypatch.setenv("NEWSLOOM_STORE_URL", "")
    newsloom("restore", "again.tar", "--replace")
    assert newsloom("export", "--labels", "-") == labels


def test_doctor_shows_the_server_and_not_the_password(
    newsloom: Newsloom, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEWSLOOM_STORE_URL", url.replace("newsloom@", "newsloom:hunter2@"))
    text = newsloom("doctor", status=1) + newsloom("settings")  # there is no network
    assert "postgresql 1" in text
    assert "hunter2" not in text


def test_a_server_that_is_away_is_told(newsloom: Newsloom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEWSLOOM_STORE_URL", "postgresql://ann:hunter2@127.0.0.1:1/news")
    text = newsloom("list", status=1)
    assert "cannot be reached" in text
    assert "hunter2" not in text


def test_another_kind_of_database_is_no_setting(
    newsloom: Newsloom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEWSLOOM_STORE_URL", "mysql://ann:hunter2@127.0.0.1/news")
    text = newsloom("list", status=2)
    assert "must start with postgresql://" in text
    assert "hunter2" not in text
