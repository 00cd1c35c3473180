"""Other coverage through the JSON API; what searches find is tested in tests/whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from publisher import Publisher, rss

Newsloom = Callable[..., str]


def test_it_is_off_until_one_switches_it_on(newsloom: Newsloom, publisher: Publisher) -> None:
    def api(*words: str) -> Any:
        return json.loads(newsloom("api", *words))

    newsloom("add", publisher.puts("/feed.xml", rss("G", ("1", "https://g.test/1", "Ferry"))))
    state = api("GET", "/coverage")
    assert (state["on"], state["since"]) == (False, None)
    assert "learns what you read" in state["notice"]
    assert "google.com" in state["services"]
    find = ("api", "POST", "/articles/1/coverage")
    assert "Off: nothing is sent." in newsloom(*find, status=1)
    assert "Off: nothing is sent." in newsloom("coverage", "1", status=2)
    assert api("GET", "/articles/1/coverage")["state"] is None
    assert api("PUT", "/coverage", "on:=true")["on"] is True
    assert json.loads(newsloom(*find))["hits"] == []
    (one,) = api("GET", "/coverage/articles")["items"]
    assert (one["id"], one["because"], one["hits"]) == (1, "by hand", 0)
    assert api("PUT", "/coverage", "on:=false")["on"] is False
    assert "no article 999" in newsloom("api", "GET", "/articles/999/coverage", status=1)
    assert newsloom("api", "DELETE", "/coverage/reports/7") == ""
