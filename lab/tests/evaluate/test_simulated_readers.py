"""The script that makes readers up, on a small file of categories made here."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from newsloom.ranking.measure.articles import read_articles

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "simulate_readers.py"

CATEGORIES = [f"category {number}" for number in range(12)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("readers")
    start = datetime(2025, 1, 1, tzinfo=UTC)
    lines = [
        {
            "id": f"a{number}",
            "title": f"About {number}",
            "published": f"{start + timedelta(hours=8 * number):%Y-%m-%d}",
            "category": CATEGORIES[number % len(CATEGORIES)],
        }
        for number in reversed(range(1_200))
    ]
    text = "\n".join(map(json.dumps, lines))
    (place / "categories.jsonl").write_text(text, encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("simulate_readers", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def simulated(folder, script, monkeypatch):
    def run(*arguments):
        out = folder / "readers.jsonl"
        command = [str(SCRIPT), str(folder / "categories.jsonl"), str(out), *arguments]
        monkeypatch.setattr(sys, "argv", command)
        script.main()
        return out

    return run


def categories(folder):
    lines = (folder / "categories.jsonl").read_text(encoding="utf-8").splitlines()
    return {one["id"]: one["category"] for one in map(json.loads, lines)}


def by_reader(articles):
    found = defaultdict(list)
    for one in articles:
        found[one.reader].append(one)
    return found


def test_readers_of_every_kind_label_in_the_order_of_time(simulated):
    found = by_reader(read_articles(simulated("--readers", "12", "--labels", "900")))
    assert len(found) == 12
    assert {name.split("-")[1] for name in found} == {"steady", "turning", "drifting", "narrow"}
    for labels in found.values():
        times = [one.labelled_at for one in labels]
        assert len(labels) == 900
        assert times == sorted(times)
        assert all(one.labelled_at >= one.published for one in labels)
        assert 0.1 < sum(one.label == "like" for one in labels) / 900 < 0.9


def test_the_same_seed_makes_the_same_readers_and_another_others(simulated):
    first = simulated("--readers", "2", "--seed", "1").read_bytes()
    assert simulated("--readers", "2", "--seed", "1").read_bytes() == first
    assert simulated("--readers", "2", "--seed", "2").read_bytes() != first


def test_what_decides_the_labels_is_not_in_the_file(simulated):
    for line in simulated("--readers", "1").read_text(encoding="utf-8").splitlines():
        assert "category" not in json.loads(line)


def test_clear_readers_never_differ_from_their_categories(simulated, folder):
    homes = categories(folder)
    for labels in by_reader(read_articles(simulated("--readers", "3", "--clear"))).values():
        likes = defaultdict(list)
        for one in labels:
            likes[homes[one.id]].append(one.label == "like")
        wrong = sum(min(sum(each), len(each) - sum(each)) for each in likes.values())
        assert wrong / len(labels) == 0.0


def test_drifting_readers_change_their_mind(simulated, folder):
    homes = categories(folder)
    labels = by_reader(read_articles(simulated("--readers", "3")))["03-drifting"]
    half = len(labels) // 2
    moved = 0
    for name in CATEGORIES:
        shares = []
        for part in (labels[: half // 2], labels[-half // 2 :]):
            those = [one.label == "like" for one in part if homes[one.id] == name]
            shares.append(sum(those) / len(those))
        moved += abs(shares[0] - shares[1]) > 0.4
    assert moved >= 1


def test_named_loves_and_a_span_of_days(simulated, folder):
    love = f"{CATEGORIES[0]},{CATEGORIES[1]};{CATEGORIES[2]}"
    homes = categories(folder)
    found = by_reader(read_articles(simulated("--love", love, "--days", "30")))
    assert list(found) == ["01-clear", "02-clear"]
    for labels in found.values():
        assert labels[-1].labelled_at - labels[0].labelled_at < timedelta(days=30)
    liked = {homes[one.id] for one in found["02-clear"] if one.label == "like"}
    assert CATEGORIES[2] in liked
