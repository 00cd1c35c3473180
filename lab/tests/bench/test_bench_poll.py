"""What `bench poll` measures with: made-up feeds, a server of many hosts, a watched process."""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from newsloom.feeds.parse import parse_feed
from newsloom.kernel.errors import UserError
from newsloom.kernel.http.client import HttpFetcher
from newsloom.kernel.http.values import Reply, Request
from newsloom.kernel.settings import FetchSettings
from newsloom_lab.bench.made_feeds import ARTICLES, FeedFiles
from newsloom_lab.bench.many_hosts import serving
from newsloom_lab.bench.watched import watched

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def _titles(folder: Path) -> list[str]:
    feeds = [parse_feed(one.read_bytes(), "https://x.example/") for one in folder.iterdir()]
    assert [len(feed.articles) for feed in feeds] == [ARTICLES] * 3
    return [article.title for feed in feeds for article in feed.articles]


def test_made_up_feeds_share_no_article(tmp_path: Path):
    files = FeedFiles(tmp_path / "feeds", 3)
    files.write(0, NOON)
    first = _titles(files.folder)
    files.write(1, NOON)
    both = first + _titles(files.folder)
    assert len(set(both)) == len(both) == 6 * ARTICLES
    again = FeedFiles(tmp_path / "again", 3)
    again.write(0, NOON)
    assert sorted(_titles(again.folder)) == sorted(first)


def test_each_feed_has_a_host_that_answers_conditionally(tmp_path: Path):
    files = FeedFiles(tmp_path / "feeds", 3)
    files.write(0, NOON)
    (tmp_path / "server").mkdir()

    async def twice(urls: tuple[str, ...]) -> list[Reply]:
        hosts = tuple({urlsplit(url).hostname or "" for url in urls})
        settings = FetchSettings(private_hosts=hosts, host_seconds=0)
        replies = []
        async with HttpFetcher(settings, version="1", now=lambda: NOON) as client:
            for url in urls:
                first = await client.get(Request(url))
                replies += [first, await client.get(Request(url, etag=first.header("etag")))]
        return replies

    with serving(files.folder, tmp_path / "server", 3) as served:
        replies = asyncio.run(twice(served.urls))
    assert [reply.status for reply in replies] == [200, 304] * 3
    assert served.log is None or len(served.log.read_text().split()) == 6


def test_a_watched_process_counts_with_its_children():
    work = "b = bytearray(50_000_000); import time; time.sleep(0.4)"
    parent = (
        f"import subprocess, sys; print('done'); subprocess.run([sys.executable, '-c', {work!r}])"
    )
    usage = watched([sys.executable, "-c", parent], {})
    assert usage.said == "done\n"
    assert usage.seconds > 0.4
    assert usage.cpu_seconds > 0
    assert usage.peak_mb > (50 if Path("/proc").is_dir() else -1)


def test_a_watched_process_that_fails_says_why():
    with pytest.raises(UserError, match=r"ended with 3: .*out of luck"):
        watched([sys.executable, "-c", "print('out of luck'); raise SystemExit(3)"], {})
