"""The signature benchmark measures what it says. How fast it was is for no test."""

from __future__ import annotations

import json
from importlib.util import find_spec

import pytest

from newsloom_lab.bench import signatures


def test_every_way_signs_the_same_made_up_texts():
    found = signatures.run("made up", signatures.made_up(60), rounds=1)
    assert (found.source, found.articles, found.rounds) == ("made up", 60, 1)
    assert 1_500 < found.characters < 3_000
    assert found.whole.microseconds == pytest.approx(1e6 / found.whole.articles_per_second)
    assert found.alike.without_shingling is None
    there = {name for name, (module, _) in signatures.PEERS.items() if find_spec(module)}
    assert set(found.peers) == set(found.ratios) == there
    assert bool(found.problem) == (len(there) < len(signatures.PEERS))
    for name, speed in found.peers.items():
        assert speed.without_shingling > speed.articles_per_second > 0
        assert found.ratios[name] == pytest.approx(
            found.alike.articles_per_second / speed.articles_per_second
        )


def test_texts_of_a_file(tmp_path, newsloom):
    file = tmp_path / "articles.jsonl"
    file.write_text("\n".join(json.dumps({"id": str(n), "text": "a b c d e f"}) for n in range(19)))
    arguments = ("bench", "signatures", "--file", str(file), "--rounds", "1", "--json")
    found = json.loads(newsloom(*arguments, "--articles", "12"))
    assert (found["source"], found["articles"], found["characters"]) == ("articles.jsonl", 12, 11)
    file.write_text("")
    assert "no articles" in newsloom(*arguments, status=2)


def test_copies_meet_by_their_keys():
    assert signatures._met([(1, 2), (2, 3), (4,), (3, 1)]) == 1 + 2
