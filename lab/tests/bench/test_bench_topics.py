"""The benchmark of topics measures what it says. How fast it was is for no test."""

from __future__ import annotations

import json
from importlib.util import find_spec

import pytest

from newsloom.topics.tfidf import matrix
from newsloom_lab.bench import topics


def test_made_up_articles_are_the_same_every_time():
    first, again = (list(topics.made_up(40)) for _ in range(2))
    assert first == again
    assert len(first) == 40
    assert first != list(topics.made_up(40, seed=2))


def test_both_ways_group_the_same_articles(newsloom):
    found = json.loads(newsloom("bench", "topics", "--articles", "60,300", "--json"))
    assert [one["articles"] for one in found["times"]] == [60, 300]
    for one in found["times"]:
        assert one["newsloom"]["seconds"] > 0
        assert one["newsloom"]["peak_mb"] >= 0
        if find_spec("sklearn") is None:
            assert "is not installed" in one["problem"]
            continue
        assert one["same_labels"] is True
        assert one["ratios"].keys() == {"seconds", "cpu_seconds", "peak_mb"}
        assert one["peers"]["scikit-learn"]["topics"] == one["newsloom"]["topics"]


def test_what_does_not_fit_into_memory_is_not_measured(monkeypatch):
    monkeypatch.setattr(topics, "COPIES", 10**9)
    found = topics.measure(matrix(topics.made_up(30)), rounds=1)
    assert "not measured: scikit-learn" in found.problem
    assert (found.peers, found.ratios, found.same_labels) == ({}, {}, None)
    assert found.comparison() == [f"30 articles: {found.problem}."]


def test_texts_of_a_file(tmp_path, newsloom):
    file = tmp_path / "articles.jsonl"
    file.write_text("\n".join(json.dumps({"id": str(n), "text": "harbour"}) for n in range(9)))
    arguments = ("bench", "topics", "--file", str(file), "--json")
    found = json.loads(newsloom(*arguments))
    assert (found["source"], found["times"][0]["newsloom"]["topics"]) == ("articles.jsonl", 1)
    file.write_text("")
    assert "no articles" in newsloom(*arguments, status=2)


@pytest.mark.parametrize("told", ["many", "0", "10,", ""])
def test_numbers_that_are_none_are_refused(newsloom, told):
    assert "numbers of articles" in newsloom("bench", "topics", "--articles", told, status=2)
