"""`newsloom eval judge`: what models of every kind make of stories."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from newsloom.ranking.encoders.registry import embedder
from newsloom_lab.evaluate import judges, streams
from newsloom_lab.evaluate.judges import HOSTILE, JUDGES, SLY

# From the begin of the file. A model is believed after more controls than these bring: that a good
# one then makes stories better is tested by the program as it is wired
# (tests/whole/test_story_judge.py), and measured on all 731 in docs/work/quality.md.
ARTICLES = 120
EVENTS = {
    "quake": ["Earthquake strikes Lima", "Strong earthquake hits Lima", "Lima shaken by quake"],
    "rates": ["Bank of England raises rates", "Rates raised by the Bank of England"],
    "strike": ["Rail strike halts trains in Lima", "Train drivers strike over pay in Lima"],
}


@pytest.fixture
def small(tmp_path: Path) -> Path:
    file = tmp_path / "articles.jsonl"
    rows = [
        {"id": f"{event} {place}", "title": title, "story": event, "published": "2026-11-01"}
        for event, titles in EVENTS.items()
        for place, title in enumerate(titles)
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def report(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> judges.JudgesReport:
    source = shared / "data" / "stories" / "roundups_dated.jsonl"
    if not source.is_file():
        pytest.skip("needs the labelled roundups of news")
    lines = source.read_text(encoding="utf-8").splitlines()
    lines.sort(key=lambda one: datetime.fromisoformat(json.loads(one)["published"]))
    file = tmp_path_factory.mktemp("judges") / "articles.jsonl"
    file.write_text("\n".join(lines[:ARTICLES]), encoding="utf-8")
    return judges.run(streams.load(file), embedder("minilm-int8", 1))


def test_a_good_model_agrees_with_the_labels(report: judges.JudgesReport) -> None:
    good, lying = report.judges["good"], report.judges["lying"]
    assert (good.agreement, lying.agreement) == (1.0, 0.0)
    assert good.asked > 50
    assert good.unusable == lying.unusable == 0


@pytest.mark.parametrize(
    "name", ["good", "lying", "guessing", "the same for all", "slow", "refusing", "hostile"]
)
def test_before_it_is_believed_none_changes_anything(
    report: judges.JudgesReport, name: str
) -> None:
    found = report.judges[name]
    assert not found.believed
    assert found.taken == 0
    assert found.measures == report.without


def test_who_does_not_answer_or_talks_nonsense_is_unusable(report: judges.JudgesReport) -> None:
    slow, hostile = report.judges["slow"], report.judges["hostile"]
    assert slow.unusable >= slow.asked > 0
    assert slow.agreement is None
    assert hostile.unusable > 0.9 * hostile.asked
    assert report.judges["refusing"].unusable == 0


def test_what_a_model_said_can_be_replayed(report: judges.JudgesReport) -> None:
    assert report.judges["recorded"] == report.judges["fallible"]


def test_every_kind_is_there(report: judges.JudgesReport) -> None:
    assert set(report.judges) == {*JUDGES, SLY, "recorded"}
    assert report.articles == ARTICLES
    assert len(HOSTILE) >= 15


def test_the_command_prints_a_table_and_json(small: Path, newsloom: Callable[..., str]) -> None:
    table = newsloom("eval", "judge", "--articles", str(small))
    assert "7 articles in the order of their dates." in table
    first = table.splitlines()[1].split("\t")
    assert first[0] == "none"
    assert all(float(one) <= 1 for one in first[1:4])
    told = json.loads(newsloom("eval", "judge", "--articles", str(small), "--json"))
    assert told["articles"] == 7
    assert set(told["judges"]) == {*JUDGES, SLY, "recorded"}
    assert not any(one["believed"] for one in told["judges"].values()), "after so few"


def test_recorded_answers_are_read_or_refused(
    small: Path, tmp_path: Path, newsloom: Callable[..., str]
) -> None:
    recorded = tmp_path / "said.jsonl"
    recorded.write_text('{"article": "quake 1", "answer": "I cannot"}\n\n', encoding="utf-8")
    said = ("eval", "judge", "--articles", str(small), "--recorded", str(recorded), "--json")
    found = json.loads(newsloom(*said))["judges"]["recorded"]
    assert found["taken"] == 0
    recorded.write_text("no JSON\n", encoding="utf-8")
    assert "line 1 is not" in newsloom(*said, status=2)
