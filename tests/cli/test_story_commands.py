"""Stories on the command line: the list, one of them, the audit, and what a reader says."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from publisher import Publisher, rss

Newsloom = Callable[..., str]
TITLES = (
    "Ferry sinks off Port Lorne, dozens missing",
    "Dozens missing after ferry sinks near Port Lorne",
    "Rescuers search for missing after Port Lorne ferry sinks",
)


@pytest.fixture
def told(newsloom: Newsloom, publisher: Publisher) -> int:
    """The number of a story of three articles."""
    articles = [(str(at), f"https://paper{at}.test/{at}", title) for at, title in enumerate(TITLES)]
    newsloom("add", publisher.puts("/feed.xml", rss("Mixed", *articles)))
    newsloom("run")
    (one,) = json.loads(newsloom("stories", "--json"))
    return int(one["head"]["id"])


def test_a_story_is_listed_and_shown(newsloom: Newsloom, told: int) -> None:
    (line,) = newsloom("stories").splitlines()
    assert line.split("\t")[:4] == [str(told), "developing", "3", "3"]
    assert newsloom("stories", "--state", "archived") == ""
    page = newsloom("stories", str(told))
    assert all(title in page for title in TITLES)
    shown = json.loads(newsloom("stories", str(told), "--json"))
    assert len(shown["members"]) == 3


def test_the_audit_is_of_an_article_a_story_or_all(newsloom: Newsloom, told: int) -> None:
    def audit(*words: str) -> list[dict]:
        return json.loads(newsloom("api", "GET", "/stories/decisions", *words))["items"]

    assert len(audit()) == 3
    (one,) = audit("article=1")
    assert (one["article"], one["story"], one["judge"]) == (1, told, "calibrated")
    assert len(audit(f"story={told}")) == 3


def test_what_a_reader_says_is_done(newsloom: Newsloom, told: int) -> None:
    def api(method: str, path: str, *words: str) -> dict:
        return json.loads(newsloom("api", method, path, *words) or "null")

    def members() -> int:
        return len(api("GET", f"/stories/{told}")["members"])

    api("PUT", f"/stories/{told}/subscription", "subscription=follow")
    assert "followed" in newsloom("stories")
    api("PUT", f"/stories/{told}/subscription", "subscription=mute")
    assert newsloom("stories") == ""
    assert str(told) in newsloom("stories", "--muted")
    api("PUT", f"/stories/{told}/subscription", "subscription=none")
    assert api("POST", f"/stories/{told}/split", "articles:=[1]")["story"] != told
    assert members() == 2
    api("PUT", "/articles/1/story", f"story:={told}")
    assert members() == 3
    new = api("POST", f"/stories/{told}/split", "articles:=[1, 2]")["story"]
    assert api("POST", f"/stories/{new}/merge", f"story:={told}") == {"story": told}
    assert members() == 3
    refused = newsloom("api", "POST", f"/stories/{told}/merge", f"story:={told}", status=1)
    assert "Choose another story to merge with" in refused


def test_a_list_has_one_row_for_the_story(newsloom: Newsloom, told: int) -> None:
    alone = newsloom("list", "--rows", "article").splitlines()
    (row,) = newsloom("list", "--rows", "story").splitlines()
    assert len(alone) == 3
    assert f"(story {told}: 3 articles from 3 sources)" in row
    (one,) = json.loads(newsloom("list", "--rows", "story", "--json"))
    assert (one["story"]["id"], one["story"]["unread"]) == (told, 3)
    (found,) = newsloom("search", "ferry", "--rows", "story").splitlines()
    assert f"story {told}" in found
    assert len(newsloom("search", f"story:{told}", "--rows", "story").splitlines()) == 3


def test_the_setting_makes_the_rows(
    newsloom: Newsloom, told: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEWSLOOM_DUPLICATES_ROWS", "story")
    (one,) = json.loads(newsloom("list", "--json"))
    newsloom("read", str(one["id"]))
    (other,) = json.loads(newsloom("list", "--json"))
    assert (other["id"] != one["id"], other["story"]["unread"]) == (True, 2)
    read = ("api", "POST", f"/stories/{told}/read")
    assert json.loads(newsloom(*read))["changed"] == 2
    assert newsloom("list") == ""
    assert json.loads(newsloom(*read))["changed"] == 0
    newsloom("undo")
    assert len(json.loads(newsloom("list", "--rows", "article", "--json"))) == 2


def test_why_says_what_following_does(newsloom: Newsloom, told: int) -> None:
    assert "its story" not in newsloom("why", "1")
    newsloom("api", "PUT", f"/stories/{told}/subscription", "subscription=follow")
    assert "the next pass adds 10 points for it" in newsloom("why", "1")
    newsloom("run")
    said = newsloom("why", "1")
    (line,) = [one for one in said.splitlines() if "story: you follow its story" in one]
    assert line.split()[0] == "+10.0"
    assert "+10.0  importance in digests" in said
    assert f"newsloom stories {told}" in said
    found = json.loads(newsloom("why", "1", "--json"))
    assert (found["story"]["story"], found["story"]["points"]) == (told, 10.0)
    newsloom("api", "PUT", f"/stories/{told}/subscription", "subscription=mute")
    assert "you muted its story" in newsloom("why", "1")


def test_news_is_sent_where_one_says(newsloom: Newsloom, told: int) -> None:
    def send(*addresses: str, status: int = 0) -> str:
        targets = json.dumps([{"way": "mail", "to": one} for one in addresses])
        path = "/stories/notifications"
        return newsloom("api", "PUT", path, f"targets:={targets}", status=status)

    def sent() -> list[str]:
        told = json.loads(newsloom("api", "GET", "/stories/notifications"))
        return [one["to"] for one in told["targets"]]

    assert sent() == []
    send("ann@example.org")
    assert sent() == ["ann@example.org"]
    assert "is not an email address" in send("bob@example.org", "nobody", status=1)
    assert sent() == ["ann@example.org"]  # as it was
    send("bob@example.org")
    assert sent() == ["bob@example.org"]
    planned = json.loads(newsloom("api", "GET", "/digests/schedules"))["items"]
    assert [one["kind"] for one in planned] == ["stories"]
    newsloom("api", "PUT", f"/stories/{told}/subscription", "subscription=follow")
    assert newsloom("digest", "--due") == "0 made, 0 sent.\n"
    send()
    assert sent() == []
