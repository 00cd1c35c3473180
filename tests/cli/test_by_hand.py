"""Asking for feeds by hand on the command line: one, all, and again after a wrong setting."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from publisher import Publisher, rss

Newsloom = Callable[..., str]


@pytest.fixture(autouse=True)
def _a_quarter_of_an_hour(newsloom: Newsloom, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two requests by hand, as shipped."""
    monkeypatch.setenv("NEWSLOOM_SCHEDULE_BY_HAND_MINUTES", "15")


def follow(newsloom: Newsloom, publisher: Publisher, *names: str) -> list[str]:
    for name in names:
        item = (name, f"https://{name}.example/1", f"News of {name}")
        newsloom("add", publisher.puts(f"/{name}", rss(name.title(), item), ETag=f'"{name}"'))
    return [str(one["feed_id"]) for one in json.loads(newsloom("feeds", "--json"))]


def paths(publisher: Publisher) -> list[str]:
    return [path for path, _headers in publisher.asked]


WRONG = {
    "a host that may not be asked": (
        "FETCH_PRIVATE_HOSTS",
        "a.test",
        "to allow it, add its host to fetch.private_hosts",
    ),
    "the largest body": ("FETCH_MAX_MEGABYTES", "0.001", "larger than 0.001 MB"),
    "no redirects": ("FETCH_MAX_REDIRECTS", "0", "redirects more than 0 times"),
    "a proxy that is not there": ("FETCH_PROXY", "http://127.0.0.1:9", "the proxy failed"),
}


@pytest.mark.parametrize(("name", "value", "words"), WRONG.values(), ids=WRONG)
def test_after_a_wrong_setting_a_feed_is_asked_at_once(
    newsloom: Newsloom,
    publisher: Publisher,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    value: str,
    words: str,
) -> None:
    publisher.puts("/there", rss("There", ("1", "https://there.example/", "News " * 400)))
    listed = publisher.puts("/here", "", 302, Location="/there")
    opml = f'<opml><body><outline type="rss" xmlUrl="{listed}"/></body></opml>'
    newsloom("import", publisher.puts("/list.opml", opml))
    with monkeypatch.context() as wrong:
        wrong.setenv(f"NEWSLOOM_{name}", value)
        assert words in newsloom("run", status=1)
    publisher.asked.clear()
    assert "No feed is due" in newsloom("run")
    newsloom("run", "--feed", "1")
    assert paths(publisher) == ["/here", "/there"]
    newsloom("run", "--feed", "1")
    assert len(publisher.asked) == 2, "it was fetched a moment ago"


def test_under_the_same_settings_what_failed_waits(
    newsloom: Newsloom, publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    (feed,) = follow(newsloom, publisher, "one")
    publisher.pages.clear()
    monkeypatch.setenv("NEWSLOOM_SCHEDULE_BY_HAND_MINUTES", "0")
    newsloom("run", "--feed", feed, status=1)
    monkeypatch.setenv("NEWSLOOM_SCHEDULE_BY_HAND_MINUTES", "15")
    publisher.asked.clear()
    newsloom("run", "--feed", feed)
    newsloom("run", "--all")
    assert publisher.asked == []


def test_what_reaches_no_server_burdens_none(newsloom: Newsloom, publisher: Publisher) -> None:
    """Names that cannot be looked up: the line was down, and may be back."""
    opml = '<opml><body><outline type="rss" xmlUrl="http://nobody.invalid/feed"/></body></opml>'
    newsloom("import", publisher.puts("/list.opml", opml))
    for arguments in (["run"], ["run", "--feed", "1"], ["run", "--all"]):
        assert "host not found" in newsloom(*arguments, status=1)


def test_the_pause_of_a_host_holds_after_a_wrong_setting_too(
    newsloom: Newsloom, publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And so it does for other feeds of a host that is written as a number."""
    first, second = follow(newsloom, publisher, "one", "two")
    monkeypatch.setenv("NEWSLOOM_SCHEDULE_BY_HAND_MINUTES", "0")
    publisher.puts("/one", "", 429, Retry_After="7200")
    newsloom("run", "--feed", first, status=1)
    publisher.asked.clear()
    monkeypatch.setenv("NEWSLOOM_FETCH_MAX_MEGABYTES", "3")
    newsloom("run", "--feed", second)
    newsloom("run", "--all")
    assert publisher.asked == []


def test_all_are_asked(
    newsloom: Newsloom, publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    feeds = follow(newsloom, publisher, "one", "two", "three")
    publisher.asked.clear()
    newsloom("run", "--all")
    assert publisher.asked == [], "each was asked a moment ago"
    monkeypatch.setenv("NEWSLOOM_SCHEDULE_BY_HAND_MINUTES", "0")
    report = json.loads(newsloom("run", "--all", "--json"))
    assert report["polls"]["feeds"] == len(feeds)
    assert sorted(paths(publisher)) == ["/one", "/three", "/two"]
    assert all(headers["if-none-match"] for _path, headers in publisher.asked)


def test_it_is_told_why_some_wait(
    newsloom: Newsloom, publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    follow(newsloom, publisher, "one", "two", "three")
    assert "Use --feed or --all, not both." in newsloom("run", "--all", "--feed", "1", status=2)
    publisher.puts("/two", "", 503, Retry_After="86400")
    monkeypatch.setenv("NEWSLOOM_SCHEDULE_BY_HAND_MINUTES", "0")
    newsloom("run", "--feed", "2", status=1)
    monkeypatch.setenv("NEWSLOOM_SCHEDULE_BY_HAND_MINUTES", "15")
    publisher.puts("/one", "", 500)
    monkeypatch.setenv("NEWSLOOM_FETCH_MAX_MEGABYTES", "3")
    opml = '<opml><body><outline type="rss" xmlUrl="http://nobody.invalid/feed"/></body></opml>'
    newsloom("import", publisher.puts("/list.opml", opml))
    text = newsloom("run", "--all", status=1)
    assert re.search(r"2 feeds wait, the first until \d\d:\d\d: it was fetched a moment ago", text)
    assert re.search(r"One feed waits until \d\d:\d\d: its server asked to wait", text)
