"""M10 on real headlines: a thousand marks of one feed leave the feeds beside it where they were."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.ranking.encoder_text import embedding_text
from newsloom.ranking.encoders import registry
from newsloom.ranking.learning import head
from newsloom.ranking.learning.label_weights import weighted
from newsloom.ranking.values.models import ArticleText, Label
from newsloom.reading.values.reading import EventKind

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
FLOODED = "POLITICS"  # the largest of the 29 categories, each of which is a feed here
HONEST, ASKED = 300, 300


@pytest.fixture(scope="module")
def news(shared: Path) -> list[dict]:
    file = shared / "data" / "relevance" / "huffpost_categories.jsonl"
    if not file.is_file():
        pytest.skip("needs the categorised headlines")
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_m10_a_burst_moves_other_feeds_by_two_points_at_most(news: list[dict]):
    encoder = registry.embedder("minilm-int8", threads=0)
    draw = np.random.default_rng(8)
    names = sorted({one["category"] for one in news} - {FLOODED})
    liked = set(draw.choice(names, 10, replace=False).tolist())
    others = [place for place, one in enumerate(news) if one["category"] != FLOODED]
    chosen = draw.choice(others, HONEST + ASKED, replace=False).tolist()

    def text(place: int) -> ArticleText:
        one = news[place]
        feed = FeedId(names.index(one["category"]) + 1 if one["category"] in names else 99)
        body = one.get("summary", "")
        return ArticleText(ArticleId(place), one["title"], body, f"s{feed}", "en", NOW, feed)

    honest = []
    for place in chosen[:HONEST]:
        likes = (news[place]["category"] in liked) ^ (draw.random() < 0.1)
        at = NOW - timedelta(days=200 * draw.random())
        mark = EventKind.LIKE if likes else EventKind.DISLIKE
        honest.append(Label(text(place), "", likes, at, kind=mark))
    flooded = [place for place, one in enumerate(news) if one["category"] == FLOODED][:1_000]
    article_texts = [text(place) for place in chosen[HONEST:]]

    known: dict[ArticleId, np.ndarray] = {}

    def embedded(texts: list[ArticleText]) -> np.ndarray:
        new = [one for one in texts if one.id not in known]
        vectors = encoder.embed([embedding_text(one.title, one.text) for one in new])
        known.update({one.id: row for one, row in zip(new, vectors, strict=True)})
        return np.array([known[one.id] for one in texts])

    rows = embedded(article_texts)

    def scores(labels: list[Label]) -> np.ndarray:
        model = head.train(labels, embedded([one.article for one in labels]), now=NOW)
        return model.score(article_texts, rows, [""] * len(article_texts))

    before = scores(weighted(honest, NOW, 0))
    for kind in (EventKind.LIKE, EventKind.DISLIKE):
        flood = [Label(text(place), "", True, NOW, kind=kind) for place in flooded]
        after = scores(weighted([*honest, *flood], NOW, 0))
        assert np.abs(after - before).mean() <= 2.0, kind
