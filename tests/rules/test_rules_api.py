"""Rules through the JSON API: made, tried out, changed, carried elsewhere, and what they do."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from publisher import Publisher, rss

Newsloom = Callable[..., str]
Api = Callable[..., Any]
QUIZ = {"conditions": [{"kind": "title", "value": "quiz"}], "actions": [{"kind": "mute"}]}
TITLES = ("Quiz of the week", "Ferry timetable changes", "How to bake bread")


@pytest.fixture
def api(newsloom: Newsloom, publisher: Publisher) -> Api:
    feed = rss("The Gazette", *((str(n), f"https://g.test/{n}", t) for n, t in enumerate(TITLES)))
    newsloom("add", publisher.puts("/feed.xml", feed))
    newsloom("run")

    def call(method: str, path: str, status: int = 0, **fields: object) -> Any:
        typed = [f"{name}:={json.dumps(value)}" for name, value in fields.items()]
        printed = newsloom("api", method, path, *typed, status=status)
        return json.loads(printed or "null") if status == 0 else printed

    return call


def names(api: Api) -> list[str]:
    return [one["name"] for one in api("GET", "/rules")["items"]]


def test_a_rule_is_tried_out_made_changed_and_removed(api: Api) -> None:
    tried = api("POST", "/rules/preview", name="tried", **QUIZ)
    assert (tried["looked"], tried["matched"]) == (3, 1)
    assert [one["title"] for one in tried["articles"]] == ["Quiz of the week"]
    assert names(api) == []
    made = api("POST", "/rules", name="No quizzes", **QUIZ)
    assert api("GET", f"/rules/{made['id']}") == made
    (muted,) = api("GET", "/rules/muted")["items"]
    assert (muted["title"], muted["rule_name"]) == ("Quiz of the week", "No quizzes")
    path = f"/rules/{made['id']}"
    assert api("PATCH", path, enabled=False)["enabled"] is False
    assert api("GET", "/rules/muted")["items"] == []
    bread = [{"kind": "title", "value": "bread", "negated": True}]
    changed = api("PUT", path, name="Only bread", conditions=bread, actions=[{"kind": "mute"}])
    assert (changed["id"], changed["conditions"]) == (made["id"], bread)
    assert len(api("GET", "/rules/muted")["items"]) == 2
    back = muted["id"]
    api("DELETE", f"/rules/muted/{back}")
    assert [one["id"] for one in api("GET", "/rules/muted")["items"]] != [back]
    assert api("GET", "/rules/muted")["items"][0]["title"] == "Ferry timetable changes"
    api("DELETE", path)
    assert (names(api), api("GET", "/rules/muted")["items"]) == ([], [])


def test_rules_have_an_order_and_go_elsewhere(api: Api) -> None:
    numbers = [api("POST", "/rules", name=name, **QUIZ)["id"] for name in "abc"]
    api("PATCH", f"/rules/{numbers[2]}", place=1)
    assert names(api) == ["c", "a", "b"]
    exported = api("GET", "/rules/export")
    for number in numbers:
        api("DELETE", f"/rules/{number}")
    assert api("POST", "/rules/import", **exported) == {"count": 3}
    assert names(api) == ["c", "a", "b"]


def test_what_cannot_be_changes_nothing(api: Api) -> None:
    odd = [{"kind": "weather", "value": "rain"}]
    mute = [{"kind": "mute"}]
    assert "weather" in api("POST", "/rules", 1, name="odd", conditions=odd, actions=mute)
    assert "name" in api("POST", "/rules", 1, name=" ", **QUIZ)
    assert api("POST", "/rules/import", 1, rules=odd)
    assert names(api) == []
    assert "no such rule" in api("PATCH", "/rules/7", 1, place=1)
    assert "no such rule" in api("PUT", "/rules/7", 1, name="gone", **QUIZ)


def test_notifications_go_where_one_says(api: Api) -> None:
    path = "/rules/notifications"
    assert api("GET", path)["targets"] == []
    hook = {"way": "webhook", "to": "https://hook.example/rules"}
    assert api("PUT", path, targets=[hook], zone="Europe/Berlin")["targets"] == [hook]
    mail = {"way": "mail", "to": "nobody"}
    assert "is not an email address" in api("PUT", path, 1, targets=[mail])
    assert "no time zone" in api("PUT", path, 1, targets=[], zone="Europe/Atlantis")
    assert api("GET", path) == {"targets": [hook], "zone": "Europe/Berlin"}
    assert api("PUT", path, targets=[])["targets"] == []
