"""A whole walk with a real FreshRSS, where the environment names a copy of its source."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bridge.fresh_rss import API_PASSWORD, USER, FreshRss, fresh_rss, missing
from publisher import publishing, rss

Newsloom = Callable[..., str]

LIKE, DISLIKE = "newsloom-like", "newsloom-dislike"
READING_LIST = "user/-/state/com.google/reading-list"

pytestmark = [pytest.mark.freshrss, pytest.mark.skipif(bool(missing()), reason=missing() or "-")]


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FreshRss]:
    things = ("harbour", "budget", "planet", "recipe", "league", "museum", "bridge", "winter")
    texts = [
        (f"{place} {thing}", f"http://example.org/{place}-{thing}", f"The {thing} of {place}")
        for place in ("Bremen", "Cadiz", "Oslo", "Porto", "Riga")
        for thing in things
    ]
    with publishing() as publisher, fresh_rss(tmp_path) as made:
        feed = rss("Paper", *texts)
        made.follow(publisher.puts("/feed", feed, Content_Type="application/rss+xml"))
        monkeypatch.setenv("NEWSLOOM_GREADER_URL", made.url)
        monkeypatch.setenv("NEWSLOOM_GREADER_USER", USER)
        monkeypatch.setenv("NEWSLOOM_GREADER_PASSWORD", API_PASSWORD)
        monkeypatch.setenv("NEWSLOOM_GREADER_TOP", "5")
        monkeypatch.setenv("NEWSLOOM_GREADER_WRITE_MARKS", "true")
        yield made


def keys(host: FreshRss, stream: str) -> list[str]:
    found = json.loads(host.get("stream/items/ids", s=stream, n="1000"))
    return [one["id"] for one in found["itemRefs"]]


def labelled(host: FreshRss, label: str) -> set[str]:
    return set(keys(host, f"user/-/label/{label}"))


def marks(newsloom: Newsloom) -> tuple[dict[str, int], int]:
    (account,) = json.loads(newsloom("greader", "sync", "--json"))["accounts"]
    assert account["problem"] == ""
    return account["marks"], account["written"]


def test_both_labels_both_ways(
    newsloom: Newsloom, host: FreshRss, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nothing is labelled, and FreshRSS answers the question for an unknown label with everything.
    assert len(labelled(host, LIKE)) == len(keys(host, READING_LIST)) == 40
    assert marks(newsloom) == ({}, 5)
    newsloom("greader", "labels")
    assert labelled(host, LIKE) == labelled(host, DISLIKE) == set()
    tags = json.loads(host.get("tag/list"))["tags"]
    assert {f"user/-/label/{one}" for one in (LIKE, DISLIKE)} <= {one["id"] for one in tags}
    # There to here, and taken back.
    first, second, third = keys(host, READING_LIST)[:3]
    host.tag([first, second], a=f"user/-/label/{LIKE}")
    host.tag([third], a=f"user/-/label/{DISLIKE}")
    assert marks(newsloom) == ({"like": 2, "dislike": 1}, 0)
    assert marks(newsloom) == ({}, 0)
    host.tag([second], r=f"user/-/label/{LIKE}")
    assert marks(newsloom) == ({"unrate": 1}, 0)
    # Here to there, once.
    monkeypatch.setenv("NEWSLOOM_USER", f"greader/{USER}")
    listed = [one["id"] for one in json.loads(newsloom("list", "--json", "--limit", "40"))]
    newsloom("dislike", str(listed[-1]))
    assert marks(newsloom)[0] == {}
    assert len(labelled(host, DISLIKE)) == 2
    assert marks(newsloom) == ({}, 0)
    newsloom("unrate", str(listed[-1]))
    marks(newsloom)
    assert labelled(host, DISLIKE) == {third}
    assert labelled(host, LIKE) == {first}
