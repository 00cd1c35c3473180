"""`newsloom greader sync` as typed, against a server on loopback."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from bridge.greader_server import PASSWORD, USER, GreaderServer, greader_server

Newsloom = Callable[..., str]

LATE_2025 = 1_765_000_000


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[GreaderServer]:
    with greader_server() as made:
        for key in range(1, 8):
            made.put(key, f"The harbour opens for the {key}th ferry", LATE_2025 + key)
        monkeypatch.setenv("NEWSLOOM_GREADER_URL", made.url)
        monkeypatch.setenv("NEWSLOOM_GREADER_USER", USER)
        monkeypatch.setenv("NEWSLOOM_GREADER_PASSWORD", PASSWORD)
        monkeypatch.setenv("NEWSLOOM_GREADER_TOP", "3")
        yield made


def test_a_look_changes_nothing(newsloom: Newsloom, server: GreaderServer) -> None:
    told = newsloom("greader", "sync", "--dry-run")
    assert "7 new articles" in told
    assert server.labelled("newsloom-top") == set()


def test_sync_ranks_and_labels_the_best(
    newsloom: Newsloom, server: GreaderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    (account,) = json.loads(newsloom("greader", "sync", "--json"))["accounts"]
    assert (account["new"], account["unread"], account["written"]) == (7, 7, 3)
    monkeypatch.setenv("NEWSLOOM_USER", f"greader/{USER}")
    best = json.loads(newsloom("list", "--json", "--limit", "3"))
    labelled = {server.items[key].title for key in server.labelled("newsloom-top")}
    assert {one["title"] for one in best} == labelled


def test_a_server_that_is_away_is_said(
    newsloom: Newsloom, server: GreaderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEWSLOOM_GREADER_URL", "http://127.0.0.1:9")
    told = newsloom("greader", "sync", status=1)
    assert "the server gives no answer" in told
    assert PASSWORD not in told


def test_no_server_is_named(newsloom: Newsloom) -> None:
    assert "set greader.url" in newsloom("greader", "sync", status=2)
