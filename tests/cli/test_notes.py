"""Reading later, tags and notes as a person types them, and the file of notes."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from newsloom.reading import quotes
from newsloom.store import open_store
from publisher import Publisher, rss

Newsloom = Callable[..., str]
NOW = datetime(2026, 11, 20, tzinfo=UTC)


def test_putting_aside_lists_and_files(newsloom: Newsloom, publisher: Publisher) -> None:
    titles = ("Ferry *timetable* changes", "How to bake bread")
    feed = rss("The Gazette", *((str(n), f"https://g.test/{n}", t) for n, t in enumerate(titles)))
    newsloom("add", publisher.puts("/feed.xml", feed))
    newsloom("run")
    listed = json.loads(newsloom("list", "--json"))
    article = next(one["id"] for one in listed if "Ferry" in one["title"])
    newsloom("later", str(article))
    newsloom("read", str(article))
    assert [one["id"] for one in json.loads(newsloom("list", "--later", "--json"))] == [article]
    newsloom("not-later", str(article))
    assert json.loads(newsloom("list", "--later", "--json")) == []
    newsloom("undo")
    assert len(json.loads(newsloom("list", "--later", "--json"))) == 1
    path = Path(next(Path.cwd().rglob("*.db")))
    store = open_store(path, now=lambda: NOW)
    user = store.users.users()[0][0]
    store.annotations.add_tags(user, [article], ["sea"], NOW)
    store.annotations.put_note(user, article, "Ask at the pier.", NOW)
    words = quotes.selector("The ferry leaves at nine.", 4, 9)
    store.annotations.add_highlight(user, article, words, "When?", NOW)
    store.close()
    assert [one["id"] for one in json.loads(newsloom("list", "--tag", "SEA", "--json"))] == [
        article
    ]
    assert newsloom("api", "GET", "/notes.md") == (
        "## [Ferry \\*timetable\\* changes](<https://g.test/0>)\n\nThe Gazette\n\nTags: sea\n\n"
        "Ask at the pier.\n\n> ferry\n\nWhen?\n"
    )
    (one,) = json.loads(newsloom("api", "GET", "/notes"))["items"]
    assert (one["id"], one["highlights"][0]["prefix"]) == (article, "The ")
    assert (one["tags"], one["note"]["text"]) == (["sea"], "Ask at the pier.")
    newsloom("api", "PUT", f"/articles/{article}/note", "text=Tomorrow.")
    newsloom("api", "POST", f"/articles/{article}/tags", 'tags:=["Land", "air"]')
    newsloom("api", "DELETE", f"/articles/{article}/tags/sea")
    (one,) = json.loads(newsloom("api", "GET", "/notes"))["items"]
    assert (one["tags"], one["note"]["text"]) == (["air", "Land"], "Tomorrow.")
    tags = json.loads(newsloom("api", "GET", "/tags"))["items"]
    assert tags == [{"name": "air", "articles": 1}, {"name": "Land", "articles": 1}]
    assert "no article 999" in newsloom("api", "PUT", "/articles/999/note", "text=x", status=1)
