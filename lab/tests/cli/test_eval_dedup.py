"""`newsloom eval dedup` as typed: gold made of any file, measured in words and as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

Newsloom = Callable[..., str]

SYLLABLES = [a + b for a in "bdfgklmnprst" for b in "aeiou"]


def words(count: int, name: str) -> str:
    draw = Random(name)
    return " ".join("".join(draw.choices(SYLLABLES, k=3)) for _ in range(count))


@pytest.fixture
def originals(tmp_path: Path) -> Path:
    lines = [
        {
            "id": number,
            "title": words(6, f"title {number}"),
            "text": words(150, f"text {number}"),
            "url": f"https://house.example/{number}",
            "published": "2026-01-31",
        }
        for number in range(24)
    ]
    file = tmp_path / "articles.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return file


@pytest.fixture
def gold(newsloom: Newsloom, originals: Path, tmp_path: Path) -> Path:
    out = tmp_path / "gold.jsonl"
    newsloom("eval", "dedup", "--make-from", str(originals), "--out", str(out), "--seed", "5")
    written = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert sum("edit" in one for one in written) == 18
    assert len(written) == 24 + 18
    return out


def test_plain_names_as_json(newsloom: Newsloom, gold: Path) -> None:
    told = json.loads(
        newsloom("eval", "dedup", "--articles", str(gold), "--json"), parse_constant=int
    )
    assert told["articles"] == 42
    together = told["together"]["same_text"]
    assert together["pairwise_precision"] == 1.0
    assert together["pairwise_recall"] > 0.9
    assert together["b_cubed_f1"] > 0.95
    assert together["adjusted_rand"] > 0.9
    assert told["layers"]["guid"]["same_text"]["pairwise_precision"] is None
    assert set(told["layers"]["minhash"]) == {"same_text", "clusters"}
    assert sum(one["copies"] for one in told["recall_by_edit"].values()) == 18
    assert told["peers"] == {}


def test_words_for_people(newsloom: Newsloom, gold: Path) -> None:
    words = newsloom("eval", "dedup", "--articles", str(gold), "--profile", "measured")
    assert "42 articles, 18 texts that stand in several places" in words
    assert "thresholds: measured" in words
    for name in ("together", "containment", "entities", "words-20", "false joins"):
        assert name in words


def test_one_kind_of_edit_and_its_worst_errors(
    newsloom: Newsloom, originals: Path, tmp_path: Path
) -> None:
    out = tmp_path / "anew.jsonl"
    options = ("--make-from", str(originals), "--out", str(out), "--edit", "words-30")
    newsloom("eval", "dedup", *options)
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    for line in lines:
        if "edit" in line:  # as if somebody had written it anew
            line["title"] = line["text"] = words(150, line["id"])
    out.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    text = newsloom("eval", "dedup", "--articles", str(out), "--worst", "2")
    assert "0 false joins, 18 missed." in text
    assert text.count("missed, same text [words-30]") == 2
    assert "no key in common" in text


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        pytest.param(['{"title": "x"}'], 'line 1: there is no "id"', id="no id"),
        pytest.param(['{"id": 1}', "{"], "line 2 is not JSON", id="no JSON"),
        pytest.param(['{"id": 1, "duplicate": []}'], '"duplicate" must be text', id="a list"),
        pytest.param(['{"id": 1}', '{"id": 2}'], "there is nothing to find", id="no gold"),
        pytest.param([], "there is nothing to find", id="an empty file"),
    ],
)
def test_bad_files_are_told_of(
    newsloom: Newsloom, tmp_path: Path, lines: list[str], said: str
) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text("\n".join(lines), "utf-8")
    assert said in " ".join(newsloom("eval", "dedup", "--articles", str(file), status=2).split())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        pytest.param([], "Name --articles FILE.jsonl, or --make-from", id="nothing"),
        pytest.param(["--make-from", "x.jsonl"], "and --out", id="nowhere to write"),
        pytest.param(["--articles", "none.jsonl"], "cannot be read", id="no file"),
        pytest.param(["--articles", "{gold}", "--profile", "best"], "seed, measured", id="profile"),
        pytest.param(["--articles", "{gold}", "--peer", "simhash"], "datasketch", id="peer"),
        pytest.param(
            ["--make-from", "{gold}", "--out", "{gold}", "--edit", "worse"], "words-1", id="edit"
        ),
        pytest.param(
            ["--make-from", "{gold}", "--out", "{gold}/no/x"], "cannot be written", id="out"
        ),
    ],
)
def test_what_cannot_be_done_is_said(
    newsloom: Newsloom, gold: Path, options: list[str], said: str
) -> None:
    typed = [option.format(gold=gold) for option in options]
    assert said in " ".join(newsloom("eval", "dedup", *typed, status=2).split())
