"""`newsloom bench train` and `bench score` on a file of labels, by the command's own door."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Newsloom = Callable[..., str]


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    """Sixty labels of one reader, and six of another, who has too few to train on."""
    lines = [
        {
            "id": str(number),
            "title": f"{'Harbour' if number % 2 else 'Oven'} news {number}",
            "label": "like" if number % 2 else "dislike",
            "reader": "few" if number < 6 else "many",
        }
        for number in range(66)
    ]
    file = tmp_path / "labels.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    return file


def test_training_is_measured_on_the_reader_who_has_most(newsloom: Newsloom, labels: Path) -> None:
    text = newsloom(
        "bench", "train", "--articles", str(labels), "--labels", "40", "--rounds", "1", "--json"
    )
    bench = json.loads(text)
    assert bench["articles"] == "60 labels, labels.jsonl of many"
    (times,) = bench["times"]
    assert times["labels"] == 40
    assert times["trainers"].keys() == {"head", "tfidf-svm"}
    assert "promotion" in bench


def test_scoring_is_measured_on_the_same_file(newsloom: Newsloom, labels: Path) -> None:
    text = newsloom("bench", "score", "--articles", str(labels), "--rounds", "1", "--json")
    bench = json.loads(text)
    assert bench["articles"] == 60
    assert bench["trainers"]["tfidf-svm"]["articles_per_second"] > 0
    assert bench["seed_articles_per_second"] == pytest.approx(20.83, abs=0.01)


def test_scoring_is_measured_for_many_readers(newsloom: Newsloom) -> None:
    text = newsloom("bench", "score", "--readers", "2", "--count", "1000", "--json")
    bench = json.loads(text)
    assert bench["scores"] == 2_000
    assert bench["new_articles_per_reader"] == 50


def test_a_brief_is_measured_by_stage_with_its_memory(newsloom: Newsloom) -> None:
    text = newsloom("bench", "brief", "--minutes", "0.5", "--voice", "espeak", "--json")
    bench = json.loads(text)
    stages = ("select", "words", "speakable", "voice", "mp3", "opus")
    assert min(bench[f"{stage}_seconds"] for stage in stages) > 0
    assert min(bench["megabytes"], bench["voice_megabytes"], bench["minutes"]) > 0
    assert bench["sentences"] > 3
    assert abs(bench["loudness"] + 16) <= 0.3
