"""Labels from a file and to one, passing over, forgetting: as a person types it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

Newsloom = Callable[..., str]


def line(number: int, label: str = "like", **more: object) -> str:
    at = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=number)
    values = {
        "id": f"n{number}",
        "title": f"Tide table {number} redrawn",
        "text": f"Paragraph {number} & more.\nA second <one>.",
        "url": f"https://gazette.test/{number}",
        "source": "gazette.test",
        "published": "2025-12-31T00:00:00+00:00",
        "language": "en",
        "label": label,
        "labelled_at": at.isoformat(),
    }
    return json.dumps({**values, **more}, ensure_ascii=False)


def put(*lines: str) -> str:
    Path("labels.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return "labels.jsonl"


def exported(newsloom: Newsloom) -> list[dict]:
    return [json.loads(one) for one in newsloom("export", "--labels").splitlines()]


def test_what_comes_in_goes_out_the_same(newsloom: Newsloom) -> None:
    labels = ("like", "dislike", "read", "skip")
    lines = [line(number, labels[number % 4]) for number in range(8)]
    starred = "2026-02-01T00:00:00+00:00"
    lines.append(line(8, "dislike", starred_at=starred))
    lines.append(line(9, labelled_at=starred, starred_at=starred))
    said = newsloom("import", put(*lines))
    assert "11 labels and 10 articles" in said
    assert exported(newsloom) == [json.loads(one) for one in lines]
    newsloom("export", "--labels", "mine.jsonl")
    again = json.loads(newsloom("import", "mine.jsonl", "--json"))
    assert again == {"articles": 0, "labels": 0, "known": 11, "unlabelled": 0, "unreadable": 0}


def test_a_star_alone_is_a_like_to_others_and_a_star_here(newsloom: Newsloom) -> None:
    at = "2026-02-01T00:00:00+00:00"
    newsloom("import", put(line(1, labelled_at=at, starred_at=at)))
    (listed,) = json.loads(newsloom("list", "--all", "--json"))
    assert (listed["state"]["starred"], listed["state"]["rating"]) == (True, 0)


def test_six_hundred_lines_and_undo(newsloom: Newsloom) -> None:
    newsloom("import", put(*(line(number) for number in range(600))))
    assert len(exported(newsloom)) == 600
    said = newsloom("undo")
    assert said.count("undone: like") == 20
    assert "undone: 580 more" in said
    assert exported(newsloom) == []


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ("{", "line 2 is not JSON"),
        ("[1]", "line 2 must be one JSON object"),
        ('{"title": "x", "label": "like"}', 'line 2: there is no "id"'),
        (line(2, "love"), 'line 2: "label" must be one of like, read, skip, dislike'),
        (line(2, labelled_at="soon"), 'line 2: "labelled_at" must be a time'),
        (line(2, title=["x"]), 'line 2: "title" must be text'),
    ],
)
def test_a_bad_line_is_named_and_costs_no_other(newsloom: Newsloom, bad: str, words: str) -> None:
    said = newsloom("import", put(line(1), bad, line(3)), status=1)
    assert words in said
    assert "2 labels and" in said
    assert "1 of 3 lines were skipped" in said
    assert [one["id"] for one in exported(newsloom)] == ["n1", "n3"]


def test_many_bad_lines_are_counted(newsloom: Newsloom) -> None:
    said = newsloom("import", put(line(1), *(["{"] * 50)), status=1)
    assert said.count("is not JSON") == 10
    assert "and 40 more unreadable lines" in said


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["{"], "line 1 is not JSON"),
        (['{"id": 1, "title": "x"}'], "has no article with a `label`"),
    ],
)
def test_a_file_without_labels_is_refused(newsloom: Newsloom, lines: list, words: str) -> None:
    assert words in newsloom("import", put(*lines), status=2)
    assert newsloom("feeds") == ""


@pytest.mark.parametrize(
    "fields",
    [
        {"url": "javascript:alert(1)"},
        {"url": "", "source": ""},
        {"title": "", "text": ""},
        {"title": "\ud800 lone\x00", "text": "nul \x00 \ud800"},
        {"source": "x" * 5_000, "title": "y" * 100_000, "text": "z " * 600_000},
        {"published": "9999-12-31T23:59:59Z", "labelled_at": "9999-12-31T23:59:59Z"},
        {"published": "0001-01-01T00:00:00Z"},
        {"labelled_at": None, "published": None},
        {"id": 7, "language": "x" * 500},
    ],
    ids=["script", "nowhere", "nothing", "unstorable", "long", "future", "year 1", "when", "id"],
)
def test_a_hostile_line_is_taken_in_tamed_or_not_at_all(newsloom: Newsloom, fields: dict) -> None:
    text = json.dumps({**json.loads(line(1)), **fields})
    newsloom("import", put(text))
    (one,) = exported(newsloom)
    assert one["label"] == "like"
    assert not one.get("url", "").startswith("javascript")
    assert len(one.get("title", "")) <= 4_000
    assert datetime.fromisoformat(one["labelled_at"]) <= datetime.now(UTC)  # noqa: TID251


def test_opml_still_goes_both_ways_and_leaves_imports_out(newsloom: Newsloom) -> None:
    newsloom("import", put(line(1)))
    Path("feeds.opml").write_text(
        '<opml version="2.0"><body><outline type="rss" xmlUrl="https://a.test/f"/></body></opml>'
    )
    assert "1 feeds added" in newsloom("import", "feeds.opml")
    out = newsloom("export")
    assert "https://a.test/f" in out
    assert "import:" not in out


def test_forgetting_is_listed_and_lifted(newsloom: Newsloom) -> None:
    newsloom("import", put(line(0), line(24 * 40, "dislike")))
    period = ("since=2026-01-15T00:00:00Z", "until=2026-03-01T00:00:00Z")
    made = json.loads(newsloom("api", "POST", "/forgotten", *period))
    assert (made["id"], made["lifted"], made["events"]) == (1, None, 1)
    assert [one["label"] for one in exported(newsloom)] == ["like"]
    assert json.loads(newsloom("api", "GET", "/forgotten"))["items"] == [made]
    newsloom("api", "DELETE", "/forgotten/1")
    assert [one["label"] for one in exported(newsloom)] == ["like", "dislike"]
    (lifted,) = json.loads(newsloom("api", "GET", "/forgotten"))["items"]
    assert lifted["lifted"]


@pytest.mark.parametrize(
    "period",
    [
        (),
        ("until=2026-01-15T00:00:00Z",),
        ("since=2026-01-15T00:00:00Z", "until=2026-01-14T00:00:00Z"),
        ("since=3000-01-15T00:00:00Z",),
        ("since=soon",),
    ],
    ids=str,
)
def test_forgetting_unclearly_forgets_nothing(newsloom: Newsloom, period: tuple) -> None:
    newsloom("api", "POST", "/forgotten", *period, status=1)
    assert json.loads(newsloom("api", "GET", "/forgotten"))["items"] == []


def test_passing_over_and_clearing_away(newsloom: Newsloom) -> None:
    newsloom("import", put(line(0, "dislike"), line(1), line(2)))
    ids = [str(one["id"]) for one in json.loads(newsloom("list", "--all", "--json"))]
    newsloom("unrate", *ids)
    assert exported(newsloom) == []
    newsloom("unread", *ids)
    (event,) = json.loads(newsloom("read", ids[0], "--json"))
    assert event["kind"] == "read"
    assert {one["kind"] for one in json.loads(newsloom("read", *ids[1:], "--json"))} == {
        "bulk read"
    }
    newsloom("skip", ids[0])
    assert [one["label"] for one in exported(newsloom)] == ["skip"]
    newsloom("undo")
    assert exported(newsloom) == []
