"""`newsloom eval threads`: its measures, and its figures of a few made-up running stories."""

from __future__ import annotations

import json

import pytest

from newsloom.kernel.errors import UserError
from newsloom.ranking.encoders.registry import embedder
from newsloom.ranking.measure.articles import LabelledArticle
from newsloom.stories.values.pages import StoryId
from newsloom_lab.evaluate import narratives, threads


def test_measures_are_what_the_seed_says():
    articles = [LabelledArticle(str(at), story=story) for at, story in enumerate("aaab")]
    articles.append(LabelledArticle("other"))
    found = threads.measures(
        articles, [StoryId(one) for one in (1, 2, 3, 4, 5)], {1: 1, 2: 1, 4: 1, 5: 1}
    )
    assert (found.contamination, found.fragmentation, found.linked) == (0.25, 0.75, 0.5)
    assert found.composite == pytest.approx(0.3 * 0.75 + 0.3 * 0.25 + 0.4 * 0.5)
    assert found.contamination_two == 0.5, "of four together two are of another narrative"
    assert found.f1_all_low <= found.f1_all <= found.f1_all_high


def test_running_stories_are_threads(tmp_path):
    file = tmp_path / "running.json"
    events = [
        ("Pilots of Freedonia Air vote to strike", "strike"),
        ("Freedonia Air pilots begin their strike", "strike"),
        ("Strike of pilots at Freedonia Air ends", "strike"),
        ("A comet is discovered by amateurs", ""),
    ]
    file.write_text(
        json.dumps(
            [
                {"id": str(at), "date": f"2026-11-{at + 1:02}", "description": text}
                | ({"belongsToStory": {"name": story}} if story else {})
                for at, (text, story) in enumerate(events)
            ]
        )
    )
    result = threads.run(narratives.read(file), embedder("minilm-int8", 1), single=True)
    assert (result.events, result.narratives, result.unlabelled) == (4, 1, 1)
    assert result.ways["threads"].f1_all == 1.0
    assert result.ways["each event alone"].threads == 0


def test_another_file_is_refused(tmp_path):
    file = tmp_path / "none.json"
    file.write_text('[{"id": 1}]')
    with pytest.raises(UserError, match="holds no running stories"):
        narratives.read(file)
