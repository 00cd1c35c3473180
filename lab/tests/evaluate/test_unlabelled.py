"""Likes without dislikes, measured with the dislikes hidden: who learns from what."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from measure.made_up import head, liked, readers
from newsloom.kernel.errors import UserError
from newsloom.ranking.ports import Trainer
from newsloom_lab.evaluate import unlabelled
from newsloom_lab.evaluate.unlabelled import Silence


class Watching:
    """The head, which keeps what it was given."""

    def __init__(self) -> None:
        self.given: list[tuple[int, int, float]] = []
        self.name = "head"

    def train(self, labels, vectors, now):  # type: ignore[no-untyped-def]
        likes = sum(one.positive for one in labels)
        lightest = min(one.weight for one in labels)
        self.given.append((likes, len(labels) - likes, lightest))
        return head().train(labels, vectors, now)

    def load(self, stored):  # type: ignore[no-untyped-def]
        return head().load(stored)


def measured(
    sizes: list[int], silence: Silence, trainer: Trainer | None = None, few: float = 0.0
) -> unlabelled.UnlabelledReport:
    people = readers(liked(400, wrong=range(0, 400, 9)))
    return unlabelled.run(people, trainer or head(), sizes, silence, few)


def test_every_model_gets_the_same_likes_and_is_judged_on_the_same() -> None:
    watching = Watching()
    report = measured([20], Silence(0.5, 0.5), watching, few=0.25)
    assert (report.readers, report.judged) == (1, 100)
    names = [name for name, _ in unlabelled.MODELS]
    assert [one.model for one in report.points][: len(names)] == names
    assert len(report.points) == len(names) + 2
    assert {likes for likes, _others, _lightest in watching.given} == {20}
    disliked, passed, shown, alike, few, beside = watching.given
    assert disliked[1] < shown[1] < passed[1] == alike[1]
    assert (few[1], beside[1]) == (5, passed[1])
    assert (passed[2], shown[2], alike[2]) == (0.3, 1.0, 1.0)
    for point in report.points:
        for figure in point.figures[:3]:
            assert figure.interval[0] <= figure.value <= figure.interval[1]
    first = report.points[0].figures[0]
    assert (first.difference, first.difference_interval) == (0.0, (0.0, 0.0))


def test_where_all_is_said_and_shown_what_is_passed_over_is_disliked() -> None:
    report = measured([20], Silence(1.0, 1.0))
    with_dislikes, passed, *_rest = report.points
    assert passed.figures == replace(with_dislikes, model=passed.model).figures


def test_sizes_that_nobody_reaches_are_left_out_or_refused() -> None:
    report = measured([20, 5_000], Silence(0.5, 0.5))
    assert {one.likes for one in report.points} == {20}
    with pytest.raises(UserError, match="No reader said 5000 likes"):
        measured([5_000], Silence(0.5, 0.5))


def test_it_is_a_command(newsloom: Callable[..., str], tmp_path: Path) -> None:
    sea = ["ferry", "harbour", "island", "coast", "lighthouse", "sailor", "tide"]
    law = ["senate", "vote", "budget", "minister", "court", "treaty", "tax"]
    lines = [
        {
            "id": f"{reader} {at}",
            "reader": reader,
            "title": f"{words[at % 7]} {words[at // 7 % 7]} {at}",
            "label": "like" if (at % 2 == 1) == (reader == "sea") else "dislike",
            "labelled_at": f"2026-01-{at // 4 + 1:02d}",
        }
        for reader in ("sea", "law")
        for at in range(60)
        for words in [sea if at % 2 else law]
    ]
    (tmp_path / "labels.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    line = ("eval", "passed-over", "--articles", str(tmp_path / "labels.jsonl"))
    options = ("--likes", "10", "--said", "1")
    assert "likes and what was passed over" in newsloom(*line, *options)
    report = json.loads(newsloom(*line, *options, "--json"))
    assert report["silence"] == {"said": 1.0, "shown": 0.5}
    assert report["points"][1]["figures"][0]["value"] > 0.9
    first = ("eval", "first-labels", *line[2:], "--labels", "5,500", "--seeds", "2")
    assert "5+5" in newsloom(*first)
    [point] = json.loads(newsloom(*first, "--json"))["points"]
    assert (point["labels"], point["draws"]) == (5, 4)
    assert point["difference"] == pytest.approx(point["ours"] - point["logistic_regression"])


def test_cold_start_is_a_command(newsloom: Callable[..., str], tmp_path: Path) -> None:
    lines = [
        {
            "id": str(at),
            "title": ("ferry harbour tide" if at % 2 else "senate budget tax") + f" {at}",
            "label": "like" if at % 2 else "dislike",
            "labelled_at": f"2026-01-{at // 12 + 1:02d}T{at % 12:02d}:00:00Z",
        }
        for at in range(300)
    ]
    (tmp_path / "labels.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    line = ("eval", "cold-start", "--articles", str(tmp_path / "labels.jsonl"))
    assert "newest first" in newsloom(*line)
    points = json.loads(newsloom(*line, "--json"))["points"]
    assert [one["labels"] for one in points] == [0, 3, 10, 20]
    assert points[2]["orders"]["newest first"]["ahead"] > 0.2
