"""Rows of several articles on the command line: what they are, separating them, marking them."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from publisher import Publisher

Newsloom = Callable[..., str]

WIRE = (
    "Divers of the harbour office found a bronze bell on Thursday that the storm of last month had "
    "washed free. It weighs four hundred kilograms and bears the name of a ship lost in 1803. The "
    "museum will keep it in fresh water for two years before anybody may ring it again. Fishermen "
    "had reported an echo on their sounders since the middle of October."
)


def item(number: str, url: str, title: str, text: str) -> str:
    return (
        f"<item><guid>{number}</guid><link>{url}</link><title>{title}</title>"
        f"<description>{text}</description></item>"
    )


def feed(title: str, *items: str) -> str:
    return f'<rss version="2.0"><channel><title>{title}</title>{"".join(items)}</channel></rss>'


@pytest.fixture
def two(newsloom: Newsloom, publisher: Publisher) -> list[dict]:
    """One wire text in two feeds under two headlines, and something else."""
    one = item("a", "https://gazette.test/bell", "Bell of a lost ship found", WIRE)
    bread = item("b", "https://gazette.test/bread", "How to bake", "Flour, water, salt and time.")
    again = WIRE.replace("on Thursday", "this week").replace("in 1803", "two centuries ago")
    other = item("x", "https://courier.test/9", "Divers raise ancient bell", again)
    for name, document in (
        ("/one.xml", feed("The Harbour Gazette", one, bread)),
        ("/two.xml", feed("Courier", other)),
    ):
        newsloom("add", publisher.puts(name, document))
    newsloom("run")
    return json.loads(newsloom("list", "--json"))


def test_one_row_tells_of_both(newsloom: Newsloom, two: list[dict]) -> None:
    assert len(two) == 2
    (row,) = [one for one in two if one["cluster"]]
    (other,) = row["cluster"]["others"]
    assert (row["cluster"]["articles"], row["cluster"]["texts"]) == (2, 1)
    assert "same text in 2 places" in newsloom("list")
    shown = newsloom("show", str(row["id"]))
    assert "same text (fingerprint" in shown
    assert f"{other['id']} {other['title']}" in shown
    (report,) = json.loads(newsloom("api", "GET", f"/articles/{other['id']}"))["reports"]
    assert (report["relation"], report["evidence"][0]["layer"]) == ("same text", "fingerprint")
    with_it = json.loads(newsloom("list", "--json", "--with", str(row["id"])))
    assert {one["id"] for one in with_it} == {row["id"], other["id"]}


def test_split_lasts_and_is_taken_back(newsloom: Newsloom, two: list[dict]) -> None:
    (row,) = [one for one in two if one["cluster"]]
    number = str(row["id"])
    split = ("api", "POST", f"/articles/{number}/split")
    assert json.loads(newsloom(*split)) == {"parted": 1}
    newsloom("run")
    assert len(json.loads(newsloom("list", "--json"))) == 3
    assert "separated by you on" in newsloom("show", number)
    (report,) = json.loads(newsloom("api", "GET", f"/articles/{number}"))["reports"]
    assert report["parted_at"]
    assert json.loads(newsloom(*split)) == {"parted": 0}
    newsloom("api", "DELETE", f"/articles/{number}/split")
    assert len(json.loads(newsloom("list", "--json"))) == 2
    newsloom("api", "DELETE", f"/articles/{number}/split")
    assert "no article 999" in newsloom("api", "POST", "/articles/999/split", status=1)


def test_reading_one_reads_both_and_undo_brings_both_back(
    newsloom: Newsloom, two: list[dict]
) -> None:
    (row,) = [one for one in two if one["cluster"]]
    assert "(same row)" in newsloom("read", str(row["id"]))
    assert len(json.loads(newsloom("list", "--json"))) == 1
    newsloom("undo")
    assert len(json.loads(newsloom("list", "--json"))) == 2


@pytest.mark.parametrize(
    ("setting", "value", "rows", "left"),
    [("ROWS", "article", 3, 2), ("ROWS", "text", 2, 1), ("READ_TOGETHER", "false", 2, 2)],
)
def test_settings_say_what_a_row_is(
    newsloom: Newsloom,
    two: list[dict],
    monkeypatch: pytest.MonkeyPatch,
    setting: str,
    value: str,
    rows: int,
    left: int,
) -> None:
    monkeypatch.setenv(f"NEWSLOOM_DUPLICATES_{setting}", value)
    listed = json.loads(newsloom("list", "--json"))
    assert len(listed) == rows
    newsloom("read", str(next(one["id"] for one in two if one["cluster"])))
    assert len(json.loads(newsloom("list", "--json"))) == left


def test_feeds_tell_what_is_elsewhere(newsloom: Newsloom, two: list[dict]) -> None:
    feeds = {one["title"]: one["elsewhere"] for one in json.loads(newsloom("feeds", "--json"))}
    assert feeds["Courier"] == {"same_text": 1, "shared": 1}
    shares = [line.split("\t")[-1] for line in newsloom("feeds").splitlines()]
    assert sorted(shares) == ["100%", "50%"]
