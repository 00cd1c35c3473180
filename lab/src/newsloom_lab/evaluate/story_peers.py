"""What others do with the same vectors: DBSCAN of each day, online k-means, the greedy rule.

Their thresholds were set by hand on the same development sets as ours; none was fitted here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from newsloom.stories.prepared import Prepared, Rows

Batches = Sequence[Sequence[Prepared]]
Vectors = NDArray[np.float32]
Way = Callable[[Batches, Vectors], Sequence[Hashable]]

# Largest cosine distance of neighbours; least similarity to a centroid; least mean similarity.
DBSCAN_EPS, KMEANS_COSINE, GREEDY_MEAN = 0.35, 0.62, 0.42


def dbscan_by_day(batches: Batches, rows: Vectors, eps: float = DBSCAN_EPS) -> Sequence[Hashable]:
    """scikit-learn's DBSCAN of each day, two articles a core; undated ones are one day."""
    from sklearn.cluster import DBSCAN

    days: dict[int, list[int]] = {}
    for place, article in enumerate(one for batch in batches for one in batch):
        days.setdefault(-1 if math.isnan(article.day) else int(article.day), []).append(place)
    found: list[Hashable] = [None] * len(rows)
    for day, places in days.items():
        labels = DBSCAN(eps=eps, min_samples=2, metric="cosine").fit_predict(rows[places])
        for place, label in zip(places, labels.tolist(), strict=True):
            found[place] = ("alone", place) if label < 0 else (day, label)
    return found


def online_k_means(
    _batches: Batches, rows: Vectors, least: float = KMEANS_COSINE
) -> Sequence[Hashable]:
    """Each article to the nearest centroid, or a new one where none is near enough."""
    centres = np.zeros((len(rows), rows.shape[1]), np.float32)
    sums, made = np.zeros_like(centres), 0
    found: list[Hashable] = []
    for row in rows:
        near = centres[:made] @ row
        chosen = int(np.argmax(near)) if made else -1
        if not made or near[chosen] < least:
            chosen, made = made, made + 1
        sums[chosen] += row
        centres[chosen] = sums[chosen] / (float(np.linalg.norm(sums[chosen])) or 1.0)
        found.append(chosen)
    return found


def greedy(batches: Batches, rows: Vectors, least: float = GREEDY_MEAN) -> Sequence[Hashable]:
    """The story with the highest mean of dense and lexical cosine, if high enough; no repair."""
    held = Rows(rows.shape[1], max(len(rows), 1))
    stories = np.zeros(len(rows), np.int64)
    made = 0
    slots = np.zeros(len(rows), np.int64)
    for seen, article in enumerate(one for batch in batches for one in batch):
        chosen = -1
        if made:
            compared = held.compare(article, slots[:seen])
            likeness = (compared.dense + compared.lexical) / 2
            sizes = np.bincount(stories[:seen], minlength=made)
            means = np.bincount(stories[:seen], weights=likeness, minlength=made) / sizes
            best = int(np.argmax(means))
            chosen = best if means[best] >= least else -1
        if chosen < 0:
            chosen, made = made, made + 1
        slots[seen], stories[seen] = held.add(article), chosen
    grouped: list[int] = stories.tolist()
    return grouped


def _found() -> Mapping[str, Way]:
    ways: dict[str, Way] = {"online k-means": online_k_means, "greedy": greedy}
    if find_spec("sklearn") is not None:
        ways = {"scikit-learn DBSCAN per day": dbscan_by_day, **ways}
    return ways


PEERS = _found()
