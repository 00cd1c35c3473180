"""What networks, publishers and disks do wrong: a clear message each time, and nothing lost."""

from __future__ import annotations

import gzip
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import Whole

import commands
from newsloom.feeds.values.polling import PollCounts
from newsloom.reading.values.reading import ListQuery
from publisher import Publisher, rss

GOOD = rss("Fine", ("1", "https://fine.test/1", "A fine article"))

ENTITY_BOMB = """<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "aaaaaaaaaaaaaaaaaaaa">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
<!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;"><!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;">
<!ENTITY f "&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;"><!ENTITY g "&f;&f;&f;&f;&f;&f;&f;&f;&f;&f;">]>
<rss version="2.0"><channel><title>&g;</title><item><title>&g;</title></item></channel></rss>"""

# What the publisher sends after one good poll, and a word the reader must be told.
FAULTS = {
    "an HTML page instead of a feed": (lambda: {"body": "<!doctype html><p>Please log in"}, "HTML"),
    "nothing at all": (lambda: {"body": ""}, "empty"),
    "XML cut in the middle": (lambda: {"body": GOOD[: len(GOOD) // 2]}, ""),
    "100 MB": (lambda: {"body": b"<rss>" + b" " * 100_000_000}, "MB"),
    "a gzip bomb": (
        lambda: {"body": gzip.compress(b"\0" * 80_000_000), "Content_Encoding": "gzip"},
        "",
    ),
    "an entity bomb": (lambda: {"body": ENTITY_BOMB}, ""),
    "a redirect to this machine": (
        lambda: {"body": "", "status": 302, "Location": "http://127.0.0.1/feed"},
        "private",
    ),
    "a redirect to itself": (
        lambda: {"body": "", "status": 302, "Location": "/feed.xml"},
        "redirect",
    ),
    "an unknown coding": (
        lambda: {"body": b"\x28\xb5\x2f\xfd" * 20, "Content_Encoding": "zstd"},
        "zstd",
    ),
    "404": (lambda: {"body": "gone fishing", "status": 404}, "404"),
    "500": (lambda: {"body": "oh no", "status": 500}, "500"),
}


@pytest.fixture
def whole(open_whole: Callable[..., Whole], publisher: Publisher) -> Whole:
    """With the process that reads documents: some of these are hostile."""
    return open_whole(publisher.host, workers=1)


@pytest.mark.parametrize(("page", "word"), FAULTS.values(), ids=FAULTS)
def test_a_feed_gone_bad_is_named_and_keeps_what_it_brought(
    whole: Whole, publisher: Publisher, page: Callable[[], dict], word: str
) -> None:
    url = publisher.puts("/feed.xml", GOOD)
    other = publisher.puts("/other.xml", rss("Other", ("1", "https://other.test/1", "Other")))
    feeds = whole.follow(url, other)
    whole.run(feeds)
    publisher.puts("/feed.xml", **page())
    publisher.puts("/other.xml", rss("Other", ("2", "https://other.test/2", "Another")))
    report = whole.run(feeds)
    assert report.polls.new == 1, "the good feed brings its article"
    titles = {row.title for row in whole.app.reader().page(ListQuery())}
    assert titles == {"A fine article", "Other", "Another"}
    subscription = next(one for one in whole.app.reader().subscriptions() if one.url == url)
    if report.polls.failed:
        (problem,) = report.polls.problems
        assert problem[0] == url
        assert word in problem[1]
        assert subscription.failures == 1
        publisher.puts("/feed.xml", GOOD.replace(">1<", ">3<").replace("/1", "/3"))
        assert whole.run(feeds).polls.new == 1, "and it recovers"
    else:
        assert word == "", "read in part: no half article"


def test_a_host_that_is_not_there_is_named(whole: Whole) -> None:
    feeds = whole.follow("http://127.0.0.1:9/feed", "https://nowhere.invalid/feed")
    report = whole.run(feeds)
    words = dict(report.polls.problems)
    assert report.polls.failed == 2
    assert words["http://127.0.0.1:9/feed"]
    assert words["https://nowhere.invalid/feed"]


def test_a_failing_feed_is_asked_less_often(whole: Whole, publisher: Publisher) -> None:
    url = publisher.puts("/feed.xml", "oh no", 500)
    whole.follow(url)
    assert whole.run().polls == PollCounts(
        feeds=1, failed=1, problems=((url, "the server returned 500 Internal Server Error"),)
    )
    assert whole.run().polls == PollCounts()
    assert len(publisher.asked) == 1


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 3 MB."""
    path = tmp_path / "disk"
    path.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(path)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("mounting a small disk needs root")
    yield path
    subprocess.run(["umount", str(path)], check=True)


def test_a_full_disk_is_named_and_loses_nothing(
    small_disk: Path, publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEWSLOOM_STORE_PATH", str(small_disk / "news.db"))
    monkeypatch.setenv("NEWSLOOM_FETCH_PRIVATE_HOSTS", publisher.host)
    monkeypatch.setenv("NEWSLOOM_FETCH_PER_HOST", "1")
    monkeypatch.setenv("NEWSLOOM_SCHEDULE_BY_HAND_MINUTES", "0")

    def newsloom(*line: str) -> subprocess.CompletedProcess[str]:
        return commands.run(*line)

    first = publisher.puts("/a.xml", GOOD)
    assert newsloom("add", first).returncode == 0
    ballast = small_disk / "ballast"
    large = rss("Large", ("9", "https://large.test/9", "A long report"))
    publisher.puts("/a.xml", large.replace("in a sentence", "at length " * 300_000))
    ballast.write_bytes(b"\0" * 1_200_000)
    full = newsloom("run", "--feed", "1")
    assert full.returncode == 1, full
    assert "full" in full.stderr
    assert "Nothing was changed" not in full.stderr, "a pass is many steps, and some were taken"
    assert "A fine article" in newsloom("list").stdout, "reading goes on"
    ballast.unlink()
    publisher.puts("/a.xml", rss("Fine", ("2", "https://fine.test/2", "Room again")))
    assert newsloom("run", "--feed", "1").returncode == 0
    listed = newsloom("list", "--newest").stdout
    assert "A fine article" in listed
    assert "Room again" in listed
