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
    page = newsloom("stories", "show", str(told))
    assert all(title in page for title in TITLES)
    shown = json.loads(newsloom("stories", "show", str(told), "--json"))
    assert len(shown["members"]) == 3


def test_the_audit_is_of_an_article_a_story_or_all(newsloom: Newsloom, told: int) -> None:
    found = json.loads(newsloom("stories", "--audit", "all", "--json"))
    assert len(found) == 3
    (one,) = json.loads(newsloom("stories", "--audit", "article:1", "--json"))
    assert (one["article"], one["story"], one["judge"]) == (1, told, "calibrated")
    assert len(newsloom("stories", "--audit", f"story:{told}").splitlines()) == 3
    assert len(newsloom("stories", "show", str(told), "--audit").splitlines()) == 3


def test_what_a_reader_says_is_done(newsloom: Newsloom, told: int) -> None:
    newsloom("stories", "follow", str(told))
    assert "followed" in newsloom("stories")
    newsloom("stories", "mute", str(told))
    assert newsloom("stories") == ""
    assert str(told) in newsloom("stories", "--muted")
    newsloom("stories", "unfollow", str(told))
    said = newsloom("stories", "split", str(told), "1")
    new = said.split()[3]
    assert len(json.loads(newsloom("stories", "show", str(told), "--json"))["members"]) == 2
    newsloom("stories", "put", "1", str(told))
    assert len(json.loads(newsloom("stories", "show", str(told), "--json"))["members"]) == 3
    newsloom("stories", "split", str(told), "1", "2")
    assert f"story {told}" in newsloom("stories", "merge", str(int(new) + 1), str(told))


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
    assert "2 marked read" in newsloom("stories", "read", str(told))
    assert newsloom("list") == ""
    assert "Nothing of it was unread" in newsloom("stories", "read", str(told))
    newsloom("undo")
    assert len(json.loads(newsloom("list", "--rows", "article", "--json"))) == 2


def test_why_says_what_following_does(newsloom: Newsloom, told: int) -> None:
    assert "its story" not in newsloom("why", "1")
    newsloom("stories", "follow", str(told))
    assert "the next pass adds 10 points for it" in newsloom("why", "1")
    newsloom("run")
    said = newsloom("why", "1")
    (line,) = [one for one in said.splitlines() if "story: you follow its story" in one]
    assert line.split()[0] == "+10.0"
    assert "+10.0  of importance in digests" in said
    assert f"newsloom stories show {told}" in said
    found = json.loads(newsloom("why", "1", "--json"))
    assert (found["story"]["story"], found["story"]["points"]) == (told, 10.0)
    newsloom("stories", "mute", str(told))
    assert "you muted its story" in newsloom("why", "1")


def test_news_is_sent_where_one_says(newsloom: Newsloom, told: int) -> None:
    assert newsloom("stories", "tell") == "No news of stories is sent.\n"
    assert "no mail address" in newsloom("stories", "tell", "--mail", "nobody", status=2)
    said = newsloom("stories", "tell", "--mail", "ann@example.org")
    assert said.startswith("Sent from now on: news of stories you follow, to mail ann@example.org")
    assert "ann@example.org" in newsloom("stories", "tell")
    assert "ann@example.org" in newsloom("digests", "schedules")
    assert "sent already" in newsloom("stories", "tell", "--mail", "bob@example.org", status=2)
    newsloom("stories", "follow", str(told))
    assert newsloom("digests", "due") == "0 made, 0 sent.\n"
    assert newsloom("stories", "tell", "--end") == "No more news of stories is sent.\n"
    assert "one of morning" in newsloom("digests", "add", "stories", status=2)
