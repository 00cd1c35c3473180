"""Articles, labels and random unit vectors to judge with."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np

from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.ranking.values.models import ArticleText, Interest, Label

NOW = datetime(2026, 11, 21, tzinfo=UTC)
DIMENSIONS = 24


def article(title="A title", text="", number=1, feed=1):
    return ArticleText(ArticleId(number), title, text, "a.test", "en", NOW, FeedId(feed))


def label(positive, number=1, feed=1, category="", weight=1.0, title="A title"):
    return Label(article(title, number=number, feed=feed), category, positive, NOW, weight)


def interest(text, number=1):
    return Interest(number, text, NOW)


def unit_rows(count, dimensions=DIMENSIONS, seed=0):
    rows = np.random.default_rng(seed).standard_normal((count, dimensions)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def tasteful(count, noise=0.3, seed=0):
    """Vectors, and whether a reader with one linear taste likes each."""
    rows = unit_rows(count, seed=seed)
    draw = np.random.default_rng(seed + 1)
    taste = rows[:, 0] + rows[:, 1] + noise * draw.standard_normal(count) / np.sqrt(DIMENSIONS)
    return rows, taste > 0
