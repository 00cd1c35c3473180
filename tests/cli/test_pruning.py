"""`newsloom prune`, passes that prune, and what doctor tells of growth, as they are run."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from newsloom.store import open_store
from publisher import Publisher, rss

Newsloom = Callable[..., str]
NOW = datetime(2026, 11, 20, tzinfo=UTC)
TITLES = ("Ferry timetable changes", "How to bake bread", "A new bridge", "Rain again")


def test_old_articles_go_by_setting_and_stay_away(
    newsloom: Newsloom, publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = [(str(n), f"https://g.test/{n}", title) for n, title in enumerate(TITLES)]
    newsloom("add", publisher.puts("/feed.xml", rss("The Gazette", *told)))
    newsloom("run")
    by_title = {one["title"]: one["id"] for one in json.loads(newsloom("list", "--json"))}
    ferry, bread, bridge, _rain = (by_title[one] for one in TITLES)
    newsloom("read", str(ferry), str(bread), str(bridge))
    newsloom("star", str(bridge))
    age()
    assert "Nothing to delete" in newsloom("prune")

    monkeypatch.setenv("NEWSLOOM_KEEP_ARTICLES_DAYS", "90")
    monkeypatch.setenv("NEWSLOOM_KEEP_VECTORS_DAYS", "120")
    found = json.loads(newsloom("prune", "--dry-run", "--json"))["pruned"]
    assert {one["what"]: one["rows"] for one in found} == {"articles": 2, "vectors": 3}
    assert "articles deleted" in newsloom("prune", "--dry-run")
    report = json.loads(newsloom("run", "--json"))
    (pruned,) = (one for one in report["stages"] if one["stage"] == "pruning")
    assert pruned["done"] == 3, "two articles, and the vectors of the one that is unread"

    # Its feed still lists all of it, with something new.
    told.append(("new", "https://g.test/new", "What is new"))
    publisher.puts("/feed.xml", rss("The Gazette", *told))
    newsloom("run", "--all")
    left = {one["title"] for one in json.loads(newsloom("list", "--json", "--all"))}
    assert left == {"A new bridge", "Rain again", "What is new"}
    assert "in your feeds" in newsloom("show", str(ferry), status=2)
    newsloom("undo")
    assert "Nothing to delete" in newsloom("prune")
    sizes = {one["name"] for one in json.loads(newsloom("doctor", "--sizes", "--json"))}
    assert not sizes or {"articles", "states"} <= sizes


def age() -> None:
    """What there is came 200 days ago."""
    store = open_store(Path(next(Path.cwd().rglob("*.db"))), now=lambda: NOW)
    days = timedelta(days=200) // timedelta(microseconds=1)
    with store.database.write() as connection:
        connection.execute(text(f"UPDATE articles SET first_seen_at = first_seen_at - {days}"))
        connection.execute(text(f"UPDATE events SET at = at - {days}"))
        connection.execute(text("UPDATE stories SET state = 'archived'"))
        connection.execute(text("UPDATE feeds SET next_poll_at = 0, not_before = NULL"))
    store.close()
