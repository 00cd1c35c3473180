"""The real Tiny Tiny RSS of Debian, with its updater and its API, over a real PostgreSQL."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import tiny
from newsloom.cli import app
from publisher import Publisher, publishing, rss
from tiny import Cluster, Tiny

pytestmark = pytest.mark.ttrss

# Of the network set aside for examples: reached through the test's publisher, as a proxy, alone.
SITE = "http://192.0.2.1"

TITLES = {"NEWSLOOM_TTRSS_MARK_TITLES": "true"}
SENSITIVITIES = {"NEWSLOOM_TTRSS_SENSITIVITY_TABLE": "true"}

TOPICS = {
    "bikes": ("cycle lane", "bicycle parking", "cargo bike", "bike sharing", "traffic calming"),
    "stocks": ("share price", "quarterly earnings", "bond yields", "central bank", "hedge fund"),
    "space": ("moon lander", "rocket engine", "space telescope", "orbit debris", "mars rover"),
}


def titles(topic: str, count: int) -> list[str]:
    words = TOPICS[topic]
    places = ("Utrecht", "Lyon", "Osaka", "Quito", "Perth", "Oslo", "Accra", "Turin")
    return [
        f"{places[n % 8]} reports on {words[n % 5]} and {words[(n + 1 + n // 5) % 5]}, part {n}"
        for n in range(count)
    ]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    if tiny.missing():
        pytest.skip(tiny.missing())
    with tiny.postgres() as one:
        yield one


@dataclass
class World:
    """Both programs, and what their feeds publish."""

    tiny: Tiny
    publisher: Publisher
    folder: Path
    settings: dict[str, str]

    def publish(self, feed: str, titles: list[str], *, changed: str = "") -> str:
        """A feed of articles, newest first; returns its address."""
        url = f"{SITE}/{feed}.xml"
        articles = [
            (f"{feed}-{n}", f"{SITE}/{feed}/{n}", title + changed) for n, title in enumerate(titles)
        ]
        self.publisher.puts(url, rss(f"The {feed} paper", *articles))
        return url

    def newsloom(self, *words: str, user: str = "", fails: bool = False) -> Any:
        """A command; its JSON."""
        arguments = [*(("--user", user) if user else ()), *words, "--json"]
        done = CliRunner().invoke(app, arguments, env=self.settings)
        assert (done.exit_code != 0) == fails, done.output
        return json.loads(done.stdout)

    def listed(self, login: str) -> list[str]:
        found = self.newsloom("list", "--limit", "500", user=f"ttrss/{login}")
        return [one["title"] for one in found]

    def shown(self, login: str) -> list[str]:
        return [one["title"] for one in self.tiny.headlines(login)]

    def ids(self, login: str) -> dict[str, int]:
        return {one["title"]: one["id"] for one in self.tiny.headlines(login)}


@pytest.fixture
def world(cluster: Cluster, tmp_path: Path) -> Iterator[World]:
    name = f"tiny_{tmp_path.name}"
    cluster.make(name, "empty")
    with publishing() as publisher, tiny.tiny_tiny_rss(cluster, name, publisher.host) as running:
        role = CliRunner().invoke(app, ["ttrss", "role"], env={**TITLES, **SENSITIVITIES}).stdout
        for _ in range(2):  # running it again changes nothing
            running.sql(role)
        settings = {
            "NEWSLOOM_STORE_PATH": str(tmp_path / "newsloom.db"),
            "NEWSLOOM_TTRSS_DATABASE": cluster.address(name, "newsloom"),
            # Their titles are alike but for two words; they are not to share rows here.
            "NEWSLOOM_DUPLICATES_EVENT_PROBABILITY": "1",
            "NEWSLOOM_DUPLICATES_EVENT_WITH_NAMES": "1",
            "NEWSLOOM_RANKING_MIN_LIKES": "5",
            "NEWSLOOM_RANKING_MIN_DISLIKES": "5",
        }
        yield World(running, publisher, tmp_path, settings)
    cluster.drop(name)


def test_two_users_read_their_articles_in_newslooms_order(world: World) -> None:
    tiny = world.tiny
    bikes, stocks, space = (titles(topic, 24) for topic in TOPICS)
    ann, bob = tiny.user("ann"), tiny.user("bob")
    for login in ("ann", "bob"):
        tiny.subscribe(login, world.publish("bikes", bikes), "City")
        tiny.subscribe(login, world.publish("stocks", stocks), "Money")
    tiny.subscribe("bob", world.publish("space", space), "Sky")
    tiny.update()
    assert len(world.shown("ann")) == 48
    assert len(world.shown("bob")) == 72

    # Ann likes bikes, Bob likes stocks; each of them reads, publishes and stars one by one.
    for login, liked, disliked in (("ann", bikes, stocks), ("bob", stocks, bikes)):
        ids = world.ids(login)
        for title in liked[:8]:
            tiny.mark(login, [ids[title]], "unread", on=False)
        for title in disliked[:8]:
            tiny.mark(login, [ids[title]], "published", on=True)
        tiny.mark(login, [ids[liked[8]]], "marked", on=True)
    # All of space at one click: it says nothing.
    feed = tiny.sql("SELECT id FROM ttrss_feeds WHERE title LIKE 'The space%%'")[0][0]
    tiny.api("bob", "catchupFeed", feed_id=feed, is_cat=False)

    report = world.newsloom("ttrss", "sync")
    first, second = report["accounts"][1:]
    assert [first["login"], second["login"]] == ["ann", "bob"]
    assert first["marks"] == {"dislike": 8, "finished": 8, "star": 1}
    assert second["marks"] == {"bulk read": 24, "dislike": 8, "finished": 8, "star": 1}
    assert [one["waiting"] for one in (first, second)] == [0, 0]

    for login, liked in (("ann", bikes), ("bob", stocks)):
        listed, shown = world.listed(login), world.shown(login)
        assert shown == listed
        assert len(listed) == 40
        unread = [one for one in listed if one in liked]
        above = sum(one in liked for one in listed[: len(unread)])
        assert above / len(unread) > 0.8, "what they like stands above"
        scores = [one["score"] for one in tiny.headlines(login)]
        assert scores == sorted(set(scores), reverse=True)
        assert scores[-1] > 0
    assert world.shown("ann")[:10] != world.shown("bob")[:10]
    # The labels of each are their own, and their categories came along.
    assert tiny.sql("SELECT count(*) FROM ttrss_user_entries WHERE NOT unread AND score <> 0") == [
        (0,)
    ]
    feeds = world.newsloom("feeds", user="ttrss/bob")
    assert {one["category"] for one in feeds} == {"City", "Money", "Sky"}
    assert {ann, bob} == {2, 3}

    # A second run changes nothing, and what comes new finds its place.
    again = world.newsloom("ttrss", "sync")
    assert [(one["entries"], one["marks"]) for one in again["accounts"]] == [(0, {})] * 3
    world.publish("bikes", titles("bikes", 30))
    tiny.update()
    assert world.shown("ann") != world.listed("ann")
    world.newsloom("ttrss", "sync")
    for login in ("ann", "bob"):
        assert world.shown(login) == world.listed(login)
    assert len(world.listed("ann")) == 46


def test_its_updater_resets_scores_and_titles_and_loses_nothing(world: World) -> None:
    """An article that its publisher changed gets score 0 there, for all users."""
    tiny = world.tiny
    tiny.user("ann")
    names = [*titles("space", 6), "A look back at [2024] (TS: 3)", "[85] ways to save"]
    tiny.subscribe("ann", world.publish("space", names))
    tiny.update()
    world.settings |= {**TITLES, **SENSITIVITIES}
    world.newsloom("ttrss", "sync")

    shown = world.shown("ann")
    assert all(one.startswith("[") and "(TS: " in one for one in shown)
    assert world.listed("ann") == [original(one) for one in shown]
    rows = tiny.sql(
        "SELECT e.title, t.score, t.confidence, t.explanation FROM time_sensitivity t"
        " JOIN ttrss_entries e ON e.id = t.article_id"
    )
    assert len(rows) == 8
    assert all(title.endswith(f" (TS: {score})") for title, score, *_rest in rows)

    world.publish("space", names, changed=" (updated)")
    tiny.update()
    assert {one["score"] for one in tiny.headlines("ann")} == {0}
    report = world.newsloom("ttrss", "sync")
    (ann,) = (one for one in report["accounts"] if one["login"] == "ann")
    assert (ann["entries"], ann["new"], ann["revised"]) == (8, 0, 8)
    shown = world.shown("ann")
    assert world.listed("ann") == [original(one) for one in shown]
    assert all(" (updated)\u2063 (TS: " in one for one in shown)

    assert world.newsloom("ttrss", "restore-titles") == {"restored": 8}
    assert sorted(world.shown("ann")) == sorted(f"{one} (updated)" for one in names)
    assert world.newsloom("ttrss", "restore-titles") == {"restored": 0}


def original(title: str) -> str:
    return title.partition("\u2063 ")[2].rpartition("\u2063 (TS: ")[0]


def test_check_says_what_is_there_and_what_is_missing(world: World) -> None:
    world.tiny.user("ann")
    found = world.newsloom("ttrss", "check")
    assert found["good"] is True
    assert (found["schema"], found["users"], found["role"]) == (140, ["admin", "ann"], "newsloom")
    assert (found["superuser"], found["missing"]) == (False, [])
    world.tiny.sql("REVOKE UPDATE (score) ON ttrss_user_entries FROM newsloom")
    found = world.newsloom("ttrss", "check", fails=True)
    assert found["missing"] == ["no right to UPDATE ttrss_user_entries.score"]
    world.tiny.sql("ALTER TABLE ttrss_user_entries RENAME last_read TO read_last")
    found = world.newsloom("ttrss", "check", fails=True)
    assert "no column ttrss_user_entries.last_read" in found["missing"]
    world.settings["NEWSLOOM_TTRSS_USERS"] = "ann,zoe"
    found = world.newsloom("ttrss", "check", fails=True)
    assert found["unknown_users"] == ["zoe"]
    world.settings["NEWSLOOM_TTRSS_DATABASE"] += "_not"
    found = world.newsloom("ttrss", "check", fails=True)
    assert found["answers"] is False
    assert "does not exist" in str(found["problem"])


def test_only_the_users_named_are_ranked(world: World) -> None:
    for login in ("ann", "bob"):
        world.tiny.user(login)
        world.tiny.subscribe(login, world.publish("space", titles("space", 6)))
    world.tiny.update()
    world.settings["NEWSLOOM_TTRSS_USERS"] = "bob"
    report = world.newsloom("ttrss", "sync", "--dry-run")
    assert [(one["login"], one["new"]) for one in report["accounts"]] == [("bob", 6)]
    assert {one["score"] for one in world.tiny.headlines("bob")} == {0}
    world.newsloom("ttrss", "sync")
    assert {one["score"] for one in world.tiny.headlines("ann")} == {0}
    assert world.shown("bob") == world.listed("bob")
