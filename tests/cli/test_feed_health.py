"""How feeds are, as a person asks on the command line, and what they do about it."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from newsloom.app import utc_now
from newsloom.feeds.store.tables import feeds
from newsloom.feeds.values.polling import PollOutcome, PollPlan, PollRecord
from newsloom.kernel.ids import FeedId
from newsloom.store import open_store
from publisher import Publisher, rss

Newsloom = Callable[..., str]

GARDEN = ("g", "https://garden.example/1", "Of roses")
CASINO = ("c", "https://casino.example/1", "Bonus of the day")


def document(name: str, site: str, language: str, article: tuple[str, str, str]) -> str:
    about = f"</title><link>{site}</link><language>{language}</language>"
    return rss(name, article).replace("</title>", about, 1)


@pytest.fixture
def followed(newsloom: Newsloom, publisher: Publisher) -> str:
    page = document("Garden Letter", "https://garden.example/", "en", GARDEN)
    url = publisher.puts("/feed.xml", page)
    newsloom("add", url)
    return url


@pytest.fixture
def hijacked(newsloom: Newsloom, publisher: Publisher, followed: str, tmp_path: Path) -> None:
    publisher.puts("/feed.xml", document("Spins", "https://casino.example/", "tr", CASINO))
    an_hour_ago(tmp_path / "news.db")
    newsloom("run")


def an_hour_ago(path: Path) -> None:
    """As if the feed had been asked an hour ago, and be due."""
    now, hour = utc_now(), timedelta(hours=1)
    with closing(open_store(path, now=lambda: now)) as store, store.database.write() as connection:
        connection.execute(update(feeds).values(polled_at=now - hour, next_poll_at=now))


def health(newsloom: Newsloom) -> dict:
    (found,) = json.loads(newsloom("feeds", "--health", "--json"))
    return found


def titles(newsloom: Newsloom) -> set[str]:
    return {one["title"] for one in json.loads(newsloom("list", "--json"))}


def test_a_healthy_feed(newsloom: Newsloom, followed: str) -> None:
    found = health(newsloom)
    assert (found["state"], found["alert"], found["advice"]) == ("healthy", False, "")
    assert found["reliability"]["score"] == 80, "its one article has no date"
    assert found["reliability"]["dated"] == 0.0
    assert found["next_poll_at"]
    assert found["reason"]
    line = newsloom("feeds", "--health")
    assert line.startswith("1\thealthy\t")
    assert "\tGarden Letter\t" in line
    assert line.split("\t")[3:7] == ["80", "100%", "100%", "0%"]


def api(newsloom: Newsloom, *words: str) -> dict:
    return json.loads(newsloom("api", *words))


def test_one_feed_has_its_polls_and_moves(newsloom: Newsloom, followed: str) -> None:
    found = api(newsloom, "GET", "/feeds/1/history")
    assert [one["outcome"] for one in found["polls"]] == ["changed"]
    assert (found["moves"], found["quarantined"]) == ([], [])
    one = api(newsloom, "GET", "/feeds/1")
    assert (one["reliability"], one["alert"], one["reason"] != "") == (80, False, True)
    assert api(newsloom, "GET", "/feeds/conditions") == {"items": [one]}


def test_a_feed_that_is_not_yours(newsloom: Newsloom, followed: str) -> None:
    for path in ("/feeds/7", "/feeds/7/history"):
        assert "You do not follow feed 7." in newsloom("api", "GET", path, status=1)
    assert "not follow feed 7" in newsloom("api", "POST", "/feeds/7/seen", status=1)


@pytest.mark.usefixtures("hijacked")
def test_quarantine_and_both_answers(newsloom: Newsloom) -> None:
    found = health(newsloom)
    assert (found["state"], found["alert"], found["held"]) == ("quarantined", True, 1)
    assert "title, site and language" in found["because"]
    assert titles(newsloom) == {"Of roses"}
    assert api(newsloom, "GET", "/feeds/1/history")["quarantined"] == ["Bonus of the day"]
    assert api(newsloom, "GET", "/feeds/1")["quarantined"] == 1

    judge = ("api", "POST", "/feeds/1/quarantine")
    newsloom(*judge, "verdict=let in")
    assert titles(newsloom) == {"Of roses", "Bonus of the day"}
    newsloom("api", "DELETE", "/feeds/1/quarantine")
    assert titles(newsloom) == {"Of roses"}
    newsloom(*judge, "verdict=keep out")
    found = health(newsloom)
    assert (found["next_poll_at"], found["alert"]) == (None, False)
    newsloom("api", "DELETE", "/feeds/1/quarantine")
    assert health(newsloom)["next_poll_at"]
    refused = newsloom("api", "DELETE", "/feeds/1/quarantine", status=1)
    assert "nothing to undo" in refused.lower()


@pytest.mark.usefixtures("followed")
def test_a_floor_of_its_own(newsloom: Newsloom) -> None:
    change = ("api", "PATCH", "/feeds/1")
    assert json.loads(newsloom(*change, "least_minutes:=15"))["least_minutes"] == 15
    assert health(newsloom)["floor"] == 900.0
    assert "The interval must be between 15 minutes and a week" in newsloom(
        *change, "least_minutes:=5", status=1
    )
    assert json.loads(newsloom(*change, "least_minutes:=0"))["least_minutes"] is None
    assert health(newsloom)["floor"] is None


@pytest.mark.usefixtures("followed")
def test_full_texts_are_turned_on_and_off(newsloom: Newsloom) -> None:
    for on in ("true", "false"):
        newsloom("api", "PATCH", "/feeds/1", f"full_text:={on}")
        assert health(newsloom)["full_text"] is (on == "true")


def test_a_move_is_shown_and_taken_back(newsloom: Newsloom, followed: str, tmp_path: Path) -> None:
    moved(tmp_path / "news.db", "https://new.example/feed")
    found = health(newsloom)
    assert (found["state"], found["url"]) == ("moved", "https://new.example/feed")
    (move,) = api(newsloom, "GET", "/feeds/1/history")["moves"]
    assert (move["from_url"], move["to_url"]) == (followed, "https://new.example/feed")
    newsloom("api", "POST", "/feeds/1/seen")
    assert health(newsloom)["alert"] is False
    undo = ("api", "POST", f"/feeds/moves/{move['id']}/undo")
    assert json.loads(newsloom(*undo))["from_url"] == followed
    assert health(newsloom)["url"] == followed
    assert "is already undone" in newsloom(*undo, status=1)
    assert "has a move 9" in newsloom("api", "POST", "/feeds/moves/9/undo", status=1)


def moved(path: Path, to: str) -> None:
    """As if the third poll had just said so."""
    now, hour = datetime(2026, 11, 21, 12, tzinfo=UTC), timedelta(hours=1)
    with closing(open_store(path, now=lambda: now)) as store:
        (due,) = store.feeds.claim_due(
            now, owner="test", lease_for=hour, limit=1, feeds=[FeedId(1)]
        )
        with store.feeds.ingest() as ingest:
            ingest.record(
                PollRecord(
                    due=due,
                    outcome=PollOutcome.UNCHANGED,
                    plan=PollPlan(now + hour, hour, "an hour"),
                    at=now,
                    seconds=0.1,
                    move_to=to,
                    move_because="It redirected there permanently (301).",
                )
            )
