"""One reader's labels made ready to be measured on: from an articles file, or from the store.

Reads neither: the caller has read them. Vectors come from the encoder, each text once however many
readers labelled it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np

from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.kernel.text.urls import canonical, host
from newsloom.ranking.encoder_text import embedding_text
from newsloom.ranking.measure.articles import LabelledArticle, as_text
from newsloom.ranking.measure.splits import Facts, Known, Rows, sides
from newsloom.ranking.ports import Embedder, Vectors
from newsloom.ranking.values.models import Label

# Reading on is a like and passing over a dislike, as in the seed; both are weaker evidence than
# the explicit words, and a file that has both should say so by leaving the weak ones out.
POSITIVE = frozenset({"like", "read"})
NEGATIVE = frozenset({"dislike", "skip"})

EARLY = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """One reader's labels, their articles' vectors, and what a split may see of them."""

    reader: str
    labels: Sequence[Label]
    vectors: Vectors
    known: Known

    def only(self, rows: Rows) -> tuple[list[Label], Vectors]:
        return [self.labels[row] for row in rows], self.vectors[rows]


def of_file(articles: Sequence[LabelledArticle], embedder: Embedder) -> list[Labelled]:
    """Each reader's labels, in the order of the file. Raises UserError when there are none."""
    by_reader: dict[str, list[LabelledArticle]] = {}
    for one in articles:
        if _label(one) in POSITIVE | NEGATIVE:
            by_reader.setdefault(one.reader, []).append(one)
    if not by_reader:
        raise UserError('No article has a "label" of like, read, skip or dislike.')
    texts = {_text(one): None for those in by_reader.values() for one in those}
    vectors = dict(zip(texts, embedder.embed(list(texts)), strict=True))
    return [_of_file(name, those, vectors) for name, those in sorted(by_reader.items())]


def of_store(labels: Sequence[Label], vectors: Vectors) -> Labelled:
    """A reader's own labels: duplicates were merged when they came in, and have one label."""
    positive = np.array([one.positive for one in labels], bool)
    times = np.array([one.at.timestamp() for one in labels], np.float64)
    facts = [Facts(one.article.title, (f"id {one.article.id}",)) for one in labels]
    return Labelled("", labels, vectors, Known(positive, times, sides(facts)))


def as_labels(articles: Sequence[LabelledArticle]) -> list[Label]:
    """Labelled articles as a reader's labels; each source counts as a feed."""
    feeds = {source: number for number, source in enumerate(sorted({a.source for a in articles}))}
    return [
        Label(
            article=replace(
                as_text(one),
                id=ArticleId(number),
                feed_id=FeedId(feeds[one.source]),
                source=host(one.url) or one.source,
            ),
            category="",
            positive=_label(one) in POSITIVE,
            at=one.labelled_at or one.starred_at or one.published or EARLY,
        )
        for number, one in enumerate(articles)
    ]


def _of_file(
    reader: str, articles: Sequence[LabelledArticle], vectors: Mapping[str, np.ndarray]
) -> Labelled:
    labels = as_labels(articles)
    dated = all(one.labelled_at or one.starred_at or one.published for one in articles)
    times = np.array([one.at.timestamp() for one in labels], np.float64) if dated else None
    positive = np.array([one.positive for one in labels], bool)
    rows = np.array([vectors[_text(one)] for one in articles], np.float32)
    return Labelled(
        reader, labels, rows, Known(positive, times, sides([_facts(one) for one in articles]))
    )


def _facts(one: LabelledArticle) -> Facts:
    address = canonical(one.url) if one.url else ""
    named = {
        "id": one.id,
        "duplicate": one.duplicate,
        "story": one.story,
        "address": address,
    }
    return Facts(one.title, tuple(f"{name} {value}" for name, value in named.items() if value))


def _label(one: LabelledArticle) -> str:
    """A star alone is a like."""
    return one.label or ("like" if one.starred_at else "")


def _text(one: LabelledArticle) -> str:
    return embedding_text(one.title, one.body)
