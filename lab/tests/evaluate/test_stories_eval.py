"""`newsloom eval stories` on a small made-up stream: its figures and peers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from newsloom.kernel.errors import UserError
from newsloom.ranking.encoders.registry import embedder
from newsloom_lab.evaluate import stories, streams

EVENTS = {
    "quake": ["Earthquake strikes Lima", "Strong earthquake hits Lima", "Lima shaken by quake"],
    "rates": ["Bank of England raises rates", "Rates raised by the Bank of England"],
}


def written(folder: Path, **more: str) -> Path:
    file = folder / "articles.jsonl"
    rows = [
        {"id": f"{event} {place}", "title": title, "story": event, **more}
        for event, titles in EVENTS.items()
        for place, title in enumerate(titles)
    ]
    rows.append({"id": "other", "title": "Ferry timetable changes in spring"})
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


@pytest.mark.parametrize("more", [{}, {"summary": "It was said."}, {"published": "2026-11-01"}])
def test_stories_are_found_and_measured(tmp_path, more):
    result = stories.run(streams.load(written(tmp_path, **more)), embedder("minilm-int8", 1))
    assert (result.articles, result.unjudged, result.gold_stories) == (5, 1, 2)
    assert result.b_cubed_precision == 1.0
    assert result.contamination == 0.0
    assert {"online k-means", "greedy"} <= set(result.peers)


def test_contamination_and_fragmentation_are_what_the_facts_say():
    found = stories.measures(["a", "a", "a", "b"], [1, 1, 2, 1])
    assert found.contamination == 0.25  # b is among two of a
    assert found.fragmentation == 0.75  # a lies in two stories


def test_a_file_without_stories_is_refused(tmp_path):
    file = tmp_path / "none.jsonl"
    file.write_text('{"id": "1", "title": "One"}\n', encoding="utf-8")
    with pytest.raises(UserError, match="story"):
        streams.load(file)
