"""`newsloom greader sync` as typed, against a server on loopback."""

from __future__ import annotations

import json
import random
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
    text = newsloom("greader", "sync", "--dry-run")
    assert "7 new articles" in text
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
    text = newsloom("greader", "sync", status=1)
    assert "the server does not respond" in text
    assert PASSWORD not in text


def test_no_server_is_named(newsloom: Newsloom) -> None:
    assert "No server is configured" in newsloom("greader", "sync", status=2)


WANTED = (
    "ferry harbour sailor tide pilot lighthouse anchor crew deck captain mast rope hull keel buoy "
    "reef gale dock cargo whale net trawler yacht canal rudder shipyard"
)
OTHER = (
    "budget senate tax minister election coalition bill deficit vote treaty court judge law mayor "
    "party poll union strike pension tariff embassy summit veto reform cabinet ballot"
)


def headline(topic: str, number: int) -> str:
    """Five words of it."""
    return " ".join(random.Random(number).sample(topic.split(), 5)).title()


def test_labels_there_make_a_personal_list_without_a_dislike_and_with_some(
    newsloom: Newsloom, server: GreaderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From labels at the host to the ranked list, and back to the labels there."""
    server.items.clear()
    day = 86_400
    for number in range(60):
        for place, words in enumerate((WANTED, OTHER)):
            key = 100 + number * 2 + place
            title = f"{headline(words, number)} {number}"
            came = LATE_2025 - 30 * day + number * day // 2
            server.put(key, title, came, feed=f"feed/{number % 6}")
    wanted = [key for key in server.items if key % 2 == 0]
    liked = [key for place, key in enumerate(wanted[:56]) if place % 3]
    for key in liked:
        server.items[key].labels.add("newsloom-like")
        server.items[key].read = True
    (account,) = json.loads(newsloom("greader", "sync", "--json"))["accounts"]
    assert account["marks"] == {"bulk read": 37, "like": 37}  # when they were read is not known
    monkeypatch.setenv("NEWSLOOM_USER", f"greader/{USER}")
    text = newsloom("train", "--anyway")
    assert "Trained on 37 likes and 75 skipped articles; no dislikes" in text
    assert "is active from now on" in text
    newsloom("greader", "sync")
    best = [one["title"] for one in json.loads(newsloom("list", "--json", "--limit", "10"))]
    assert sum(one.split()[0].lower() in WANTED.split() for one in best) >= 9
    words = newsloom("doctor", status=1)  # there is no network
    assert "personalised, trained on 37 likes and 75 skipped articles; no dislikes" in words
    why = newsloom("why", str(json.loads(newsloom("list", "--json", "--limit", "1"))[0]["id"]))
    assert "your own model, trained on 37 likes and 75 skipped articles" in why
    # Twenty dislikes there, and likes and dislikes alone are learned from.
    for key in [key for key in server.items if key % 2][:20]:
        server.items[key].labels.add("newsloom-dislike")
    newsloom("greader", "sync")
    assert "37 likes and 20 dislikes" in newsloom("train", "--anyway")


def test_the_two_labels_are_made_on_demand(newsloom: Newsloom, server: GreaderServer) -> None:
    assert "newsloom-like exists." in newsloom("greader", "labels")
    assert server.labelled("newsloom-like") == set()
    server.flavour = "miniflux"
    assert "newsloom-dislike was not created" in newsloom("greader", "labels", status=1)
