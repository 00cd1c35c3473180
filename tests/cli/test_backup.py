"""Everything in one file and back, as a user types it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from publisher import Publisher, rss

Newsloom = Callable[..., str]


@pytest.fixture
def followed(newsloom: Newsloom, publisher: Publisher) -> str:
    url = publisher.puts("/feed.xml", rss("Gazette", ("1", "https://gazette.test/1", "One")))
    newsloom("add", url)
    return url


def test_there_and_back(
    newsloom: Newsloom, followed: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    newsloom("like", "1")
    labels = newsloom("export", "--labels", "-")
    assert json.loads(newsloom("backup", "kept.tar", "--json"))["articles"] == 1
    monkeypatch.setenv("NEWSLOOM_STORE_PATH", str(tmp_path / "elsewhere" / "news.db"))
    newsloom("restore", "kept.tar")
    assert newsloom("export", "--labels", "-") == labels
    assert followed in newsloom("export", "-")


def test_what_is_there_is_replaced_only_when_that_is_said(
    newsloom: Newsloom, followed: str
) -> None:
    newsloom("backup", "kept.tar")
    newsloom("remove", "1")
    newsloom("restore", "kept.tar")  # nothing is followed, so nothing is lost
    assert "--replace" in newsloom("restore", "kept.tar", status=2)
    newsloom("restore", "kept.tar", "--replace")
    assert followed in newsloom("export", "-")


def test_a_file_that_is_none(newsloom: Newsloom, tmp_path: Path) -> None:
    (tmp_path / "no.tar").write_text("no")
    assert "no.tar is not a complete backup" in newsloom("restore", "no.tar", status=2)
    assert "none.tar is not a complete backup" in newsloom("restore", "none.tar", status=2)


def test_through_a_pipe(newsloom: Newsloom, followed: str, tmp_path: Path) -> None:
    newsloom("list")
    command = [sys.executable, "-m", "newsloom"]
    out = subprocess.run([*command, "backup", "-"], capture_output=True, check=True)
    done = subprocess.run(
        [*command, "restore", "-", "--replace"], input=out.stdout, capture_output=True, check=True
    )
    assert b"1 feed with 1 article of " in done.stderr
    assert followed in newsloom("export", "-")
