"""`newsloom eval topics`, `eval summaries` and `eval sources` on small files of our own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from newsloom.kernel.errors import UserError
from newsloom_lab.evaluate import summaries, topics

STORIES = {
    "ferry": ["Ferry strike halts harbour crossings", "Harbour crossings stop in ferry strike"],
    "chess": ["Chess champion retires after final", "Retires: the chess champion, after the final"],
    "alone": ["Quiet day at the library of Ghent"],
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    lines = [
        {"id": f"{story}{place}", "title": title, "text": title, "story": story, "language": "en"}
        for story, titles in STORIES.items()
        for place, title in enumerate(titles)
    ]
    path = tmp_path / "articles.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in lines))
    return path


def test_clear_stories_are_found_and_the_peer_agrees(file: Path) -> None:
    found = topics.run(topics.load(file))
    ours, peer = found["dbscan"], found["scikit-learn DBSCAN"]
    assert (ours.topics, ours.b_cubed_f1, ours.adjusted_rand) == (2, 1.0, 1.0)
    assert ours.noise == pytest.approx(0.2)
    assert (peer.topics, peer.b_cubed_f1) == (ours.topics, ours.b_cubed_f1)
    assert found["ward"].adjusted_rand == 1.0


def test_a_file_without_stories_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "none.jsonl"
    path.write_text('{"id": "1", "title": "x", "text": "y"}\n')
    with pytest.raises(UserError, match="has a `story`"):
        topics.load(path)


def test_summaries_are_measured_beside_their_peers(tmp_path: Path) -> None:
    text = (
        "The harbour of Rotterdam was closed on Friday by a strike of the ferry crews. "
        "Passengers waited at the quay through the night. "
        "The ferry crews of Rotterdam ask for higher wages after the strike in the harbour. "
        "It rained a little in the evening of that day."
    )
    one = {"title": "Ferry strike closes harbour", "text": text, "summary_gold": text[:78]}
    path = tmp_path / "gold.jsonl"
    path.write_text(f"{json.dumps(one)}\n{json.dumps(one)}\n")
    found = summaries.run(summaries.load(path))
    told = found.other_half["as_reference"]
    assert set(told) == {
        "newsloom",
        "as_told",
        "lead_3",
        "lead",
        "text_rank",
        "text_rank_as_written",
    }
    assert 0 < told["newsloom"].rouge_1 <= 1
    assert told["lead"].rouge_1 == pytest.approx(1, abs=0.05)
