"""`newsloom api`: operations of the JSON API on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from publisher import Publisher, rss

Newsloom = Callable[..., str]


def test_operations_run_as_typed(newsloom: Newsloom, publisher: Publisher) -> None:
    feed = rss("The Gazette", *((str(n), f"https://g.test/{n}", f"Ferry {n}") for n in range(3)))
    url = publisher.puts("/feed.xml", feed)

    def api(*words: str) -> dict[str, object]:
        return json.loads(newsloom("api", *words))

    added = api("POST", "/feeds", f"url={url}")  # asked over the network
    number = added["id"]
    newsloom("run")
    # Parameters of the address: text, and what is no text; of a path written in any form.
    assert len(api("GET", "/articles", "limit=2")["items"]) == 2
    assert len(api("get", "/api/v1/articles/?limit=2", "show=all")["items"]) == 2
    assert len(api("GET", "articles", "limit==2")["items"]) == 2
    # Fields of the body.
    assert api("PATCH", f"/feeds/{number}", "title=Sea = news")["title"] == "Sea = news"
    assert api("PATCH", f"/feeds/{number}", "full_text:=true")["full_text"] is True
    article = api("GET", "/articles")["items"][0]["id"]
    assert api("POST", f"/articles/{article}/marks", "mark=star")["changed"] == 1
    Path("marks.json").write_text(json.dumps({"articles": [article], "mark": "unstar"}))
    assert api("POST", "/marks", "--input", "marks.json")["changed"] == 1
    # What is no JSON, out and in.
    Path("feeds.opml").write_text(newsloom("api", "GET", "/opml"))
    assert api("POST", "/opml", "--input", "feeds.opml")["count"] == 0
    # An operation without a reply, and one that goes on in the background until it is done.
    assert newsloom("api", "DELETE", f"/feeds/{number}") == ""
    assert api("POST", "/briefs") == {"begun": True}
    # For the user that was named.
    assert json.loads(newsloom("--user", "bob", "api", "GET", "/feeds")) == {"items": []}


def test_what_is_wrong_is_said(newsloom: Newsloom) -> None:
    text = newsloom("api", "GET", "/articles", "limit=0", "nothing=1", status=1)
    assert "query.limit: " in text
    assert "query.nothing: " in text
    assert "no article" in newsloom("api", "GET", "/articles/999", status=1).lower()
    broken = "ferry \udcff"  # an argument that is no UTF-8
    assert json.loads(newsloom("api", "GET", "/search", f"q={broken}"))["items"] == []
    assert "ferry \ufffd" in newsloom("api", "GET", f"/sources/{broken}", status=1)
    # What cannot be, before anything is done.
    assert "/nothing" in newsloom("api", "GET", "/nothing", status=2)
    assert "GET, POST" in newsloom("api", "LOOK", "/feeds", status=2)
    assert "name=text" in newsloom("api", "GET", "/feeds", "limit", status=2)
    assert "not JSON" in newsloom("api", "PATCH", "/feeds/1", "full_text:=yes", status=2)
    twice = ("api", "POST", "/marks", "mark=star", "--input", "marks.json")
    assert "not both" in newsloom(*twice, status=2)
    missing = newsloom("api", "POST", "/marks", "--input", "marks.json", status=2)
    assert "marks.json cannot be read" in missing


def test_operations_are_listed(newsloom: Newsloom) -> None:
    lines = newsloom("api").splitlines()
    assert "GET\t/feeds\tYour feeds." in lines
    text = newsloom("api", "saved-lists")
    assert "POST /saved-lists" in text
    assert "    name (string) *: " in text
    assert "/feeds" not in text
    assert "No operation" in newsloom("api", "nonsense", status=2)
