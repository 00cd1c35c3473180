"""Relevance before there are enough labels: named interests, feeds, categories, and the difference
between what was liked and what was disliked.

Not personal yet, and says so: with nothing known every article is worth the same 50, and newness
alone orders the list.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from newsloom.kernel.ids import FeedId
from newsloom.ranking.learning.logistic import probability, sigmoid
from newsloom.ranking.ports import Vectors
from newsloom.ranking.values.models import (
    MINILM_SCALE,
    ArticleText,
    CosineScale,
    Interest,
    Label,
    Reason,
    scale_of,
)

Key = TypeVar("Key")

# The median article of other categories (cosine 0.044) has log odds -1, and none gets less: being
# far from what was named is no dislike. At most 3 (95 points): a phrase is no proof either.
LEAST, MOST = -1.0, 3.0

# Imagined likes and dislikes a feed or category starts with, half each: the first like moves a
# feed without a category from 50 to 60 points, the fifth to 78.
IMAGINED = 4.0

# The log odds of a text are so many times its products with the difference of the mean like and the
# mean dislike; so many labels have half of it. Of 4, 8 and 16 the most was best on one real and ten
# simulated readers (`newsloom eval cold-start`).
TASTE, HALF_TASTE = 16.0, 10.0


@dataclass(frozen=True, slots=True, eq=False)
class PriorModel:
    """Implements ports.RelevanceModel from interests and counts."""

    model_id: str
    interests: tuple[str, ...]
    vectors: Vectors = field(repr=False)  # of the interests
    feeds: Mapping[FeedId, float]  # log odds, its category's included
    categories: Mapping[str, float]  # log odds
    taste: NDArray[np.float64] | None = field(
        default=None, repr=False
    )  # what was liked less what was disliked
    even: float = 0.0  # the product with it of a text between the two
    personal: bool = False
    scale: CosineScale = MINILM_SCALE

    def score(
        self, articles: Sequence[ArticleText], vectors: Vectors, categories: Sequence[str]
    ) -> NDArray[np.float64]:
        """100 * sigmoid of the closest interest, the text by the labels, and the feed, or the
        category of a new feed."""
        feeds = np.array(
            [self._feed(one.feed_id, name) for one, name in zip(articles, categories, strict=True)]
        )
        return 100.0 * sigmoid(self._closeness(vectors)[1] + self._by_taste(vectors) + feeds)

    def parts(self, article: ArticleText, vector: Vectors, category: str) -> tuple[Reason, ...]:
        """What moved the score away from 50, in points, largest first."""
        rows = vector.reshape(1, -1)
        [nearest], [interest] = self._closeness(rows)
        group = self.categories.get(category, 0.0)
        feed = self._feed(article.feed_id, category) - group
        named = (
            ("interest", self.interests[nearest] if self.interests else "", float(interest)),
            ("text", "its text, by your likes and dislikes", float(self._by_taste(rows)[0])),
            ("feed", "your likes and dislikes in this feed", feed),
            ("category", f"your likes and dislikes in {category}", group),
        )
        return points(named)

    def _feed(self, feed: FeedId, category: str) -> float:
        return self.feeds.get(feed, self.categories.get(category, 0.0))

    def _by_taste(self, vectors: Vectors) -> NDArray[np.float64]:
        if self.taste is None:
            return np.zeros(len(vectors))
        rows = np.nan_to_num(np.asarray(vectors, np.float64))
        return np.asarray(np.einsum("ij,j->i", rows, self.taste, optimize=False) - self.even)

    def _closeness(self, vectors: Vectors) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """For each row the closest interest and its log odds; zeros when none is named."""
        rows = np.nan_to_num(np.asarray(vectors, np.float64))
        if not self.interests:
            return np.zeros(len(rows), np.intp), np.zeros(len(rows))
        cosines = np.einsum("ij,kj->ik", rows, self.vectors.astype(np.float64), optimize=False)
        odds = self.scale.interest_slope * (cosines.max(1) - self.scale.interest_even)
        return cosines.argmax(1), np.clip(odds, LEAST, MOST)


def build(
    interests: Sequence[Interest],
    vectors: Vectors,
    labels: Sequence[Label] = (),
    vector_model: str = "",
    label_vectors: Vectors | None = None,
) -> PriorModel:
    """The prior of one reader. `vectors` are the interests' embeddings by `vector_model`, in the
    same order, and `label_vectors` those of the labels; None: not known."""
    categories = _log_odds(((one.category, one) for one in labels if one.category), {})
    homes = {one.article.feed_id: categories.get(one.category, 0.0) for one in labels}
    feeds = _log_odds(((one.article.feed_id, one) for one in labels), homes)
    texts = tuple(one.text for one in interests)
    made_of = json.dumps([texts, sorted(feeds.items()), sorted(categories.items())])
    taste, even = _taste(labels, label_vectors)
    digest = hashlib.sha256(made_of.encode() + np.ascontiguousarray(vectors).tobytes())
    if taste is not None:
        digest.update(taste.tobytes())
    return PriorModel(
        f"prior@1/{digest.hexdigest()[:12]}",
        texts,
        vectors,
        feeds,
        categories,
        taste,
        even,
        scale=scale_of(vector_model),
    )


def _taste(
    labels: Sequence[Label], vectors: Vectors | None
) -> tuple[NDArray[np.float64] | None, float]:
    """None without both likes and dislikes: one kind alone says what a reader sees."""
    if vectors is None:
        return None, 0.0
    positive = np.array([one.positive for one in labels], bool)
    if positive.all() or not positive.any():
        return None, 0.0
    rows = np.nan_to_num(np.asarray(vectors, np.float64))
    weights = np.array([one.weight for one in labels], np.float64)
    likes, dislikes = (
        np.average(rows[kind], axis=0, weights=weights[kind]) for kind in (positive, ~positive)
    )
    sure = TASTE * len(labels) / (len(labels) + HALF_TASTE)
    taste = sure * (likes - dislikes)
    return taste, float(0.5 * (likes + dislikes) @ taste)


def points(named: Iterable[tuple[str, str, float]]) -> tuple[Reason, ...]:
    """(kind, text, log odds) to reasons in points, which add up to the score less 50.

    Each gets its share of the log odds (Aumann and Shapley's rule: its mean slope on the way from
    50 to the score). What taking a thing away would cost, as was told before, does not add up.
    """
    rows = tuple(named)
    total = sum(odds for _, _, odds in rows)
    # The limit of the quotient at even odds, where it is 0 by 0.
    share = 25.0 if abs(total) < 1e-6 else 100.0 * (probability(total) - 0.5) / total
    reasons = [Reason(kind, text, share * odds) for kind, text, odds in rows]
    shown = sorted(
        (one for one in reasons if round(one.effect, 1)), key=lambda one: -abs(one.effect)
    )
    rest = sum(one.effect for one in reasons if not round(one.effect, 1))
    return (*shown, Reason("rest", "everything else", rest)) if rest else tuple(shown)


def _log_odds(labels: Iterable[tuple[Key, Label]], start: Mapping[Key, float]) -> dict[Key, float]:
    """Smoothed log odds of a like per key, each shrunk towards where it starts."""
    counts: dict[Key, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for key, label in labels:
        counts[key][label.positive] += label.weight
    result = {}
    for key, (dislikes, likes) in counts.items():
        share = probability(start.get(key, 0.0))
        result[key] = float(
            np.log((likes + IMAGINED * share) / (dislikes + IMAGINED * (1.0 - share)))
        )
    return result
