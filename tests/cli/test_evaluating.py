"""`newsloom eval relevance` as typed: on a file, on one's own labels, and what it keeps."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from publisher import Publisher, rss

Newsloom = Callable[..., str]

SEA = ["ferry", "harbour", "island", "coast", "lighthouse", "sailor", "tide"]
LAW = ["senate", "vote", "budget", "minister", "court", "treaty", "tax"]


def title(number: int) -> str:
    words = SEA if number % 2 else LAW
    return f"{words[number % 7]} {words[number // 7 % 7]} {number}"


@pytest.fixture
def articles(tmp_path: Path) -> Path:
    """Two readers' labels: one likes the sea, the other the law."""
    lines = [
        {
            "id": f"{reader} {number}",
            "reader": reader,
            "title": title(number),
            "label": "like" if (number % 2 == 1) == (reader == "sea") else "dislike",
            "labelled_at": f"2026-01-{number // 4 + 1:02d}",
        }
        for reader in ("sea", "law")
        for number in range(60)
    ]
    file = tmp_path / "labels.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return file


def test_a_file_of_two_readers(newsloom: Newsloom, articles: Path) -> None:
    told = json.loads(newsloom("eval", "relevance", "--articles", str(articles), "--json"))
    assert told["readers"] == 2
    assert told["roc_auc"] > 0.95
    assert {one["reader"] for one in told["per_reader"]} == {"law", "sea"}
    low, high = told["average_precision_interval"]
    assert low <= told["average_precision"] <= high
    words = newsloom("eval", "relevance", "--articles", str(articles), "--protocol", "time")
    assert "roc_auc" in words
    assert "sea" in words


def test_a_curve_by_another_trainer(newsloom: Newsloom, articles: Path) -> None:
    options = ("--trainer", "tfidf-svm", "--curve", "20,40", "--json")
    told = json.loads(newsloom("eval", "relevance", "--articles", str(articles), *options))
    assert told["trainer"] == "tfidf-svm"
    assert [one["labels"] for one in told["curve"]] == [20, 40]
    assert "20" in newsloom(
        "eval", "relevance", "--articles", str(articles), "--curve", "20", "--fit", "cv"
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        pytest.param(["--fit", "all"], "--fit is one of cv, time, seed", id="fit"),
        pytest.param(["--trainer", "haed"], "Did you mean head?", id="trainer"),
        pytest.param(["--curve", "ten"], "such as 100,300,1000", id="curve"),
    ],
)
def test_what_cannot_be_done_is_said(
    newsloom: Newsloom, articles: Path, options: list[str], words: str
) -> None:
    text = newsloom("eval", "relevance", "--articles", str(articles), *options, status=2)
    assert words in " ".join(text.split())


def test_ones_own_labels_are_measured_and_kept(newsloom: Newsloom, publisher: Publisher) -> None:
    assert "no likes or dislikes" in newsloom("eval", "relevance", status=2)
    feed = rss("The Gazette", *((f"{n}", f"https://gazette.test/{n}", title(n)) for n in range(60)))
    newsloom("add", publisher.puts("/feed.xml", feed))
    newsloom("run")
    listed = json.loads(newsloom("list", "--json", "--limit", "100"))
    places = {int(one["title"].rsplit(" ", 1)[1]): str(one["id"]) for one in listed}
    newsloom("like", *(places[n] for n in range(1, 60, 2)))
    newsloom("dislike", *(places[n] for n in range(0, 60, 2)))
    told = json.loads(newsloom("eval", "relevance", "--json"))
    assert told["judged"] == 60
    assert told["roc_auc"] > 0.9
    assert told["roc"][-1] == [1.0, 1.0]
    sizes = [
        line.split("\t")[0]
        for line in newsloom("eval", "relevance", "--curve", "20,40").splitlines()
    ]
    assert sizes == ["20", "40"]
    # The newest labels are all dislikes, of which no curve can be drawn: null, as JSON has no nan.
    told = json.loads(newsloom("eval", "relevance", "--curve", "40", "--json"), parse_constant=int)
    assert told["curve"][0]["roc_auc"] is None
