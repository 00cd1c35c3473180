"""Topics against the stories that a file gives its articles, beside scikit-learn's clusterings of
the same vectors. An article that is in no topic is one of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from newsloom.articles.terms import terms
from newsloom.kernel.errors import UserError
from newsloom.ranking.measure.articles import read_articles
from newsloom.topics.dbscan import EPS, LEAST, dbscan
from newsloom.topics.grouping import ALGORITHMS
from newsloom.topics.tfidf import Matrix, matrix, shipped
from newsloom.topics.ward import ward
from newsloom_lab.evaluate.clusterings import agreement

SEEDS_EPS = 0.4


@dataclass(frozen=True, slots=True)
class TopicMeasures:
    """How one clustering does."""

    topics: int
    noise: float  # share of articles in no topic
    largest: int
    b_cubed_precision: float
    b_cubed_recall: float
    b_cubed_f1: float
    adjusted_rand: float
    seconds: float


@dataclass(frozen=True, slots=True)
class LabelledTerms:
    """The articles of a file, as terms, and the story of each."""

    rows: Matrix
    stories: tuple[str, ...]


def load(file: Path) -> LabelledTerms:
    """Raises UserError when no article names a story."""
    known = [one for one in read_articles(file) if one.story]
    if not known:
        raise UserError(f"No article of {file} has a `story`.")
    idf = shipped()
    rows = matrix(
        idf.weighted(terms(one.title, one.text or one.summary, one.language)) for one in known
    )
    return LabelledTerms(rows, tuple(str(one.story) for one in known))


def run(told: LabelledTerms) -> Mapping[str, TopicMeasures]:
    """Every algorithm of ours, DBSCAN as seed 001 has it, and the peers."""
    k = len(set(told.stories))
    ours: dict[str, Callable[[], Any]] = {
        one.name: partial(one.cluster, told.rows, 0, ()) for one in ALGORITHMS
    }
    ours["ward, number of stories known"] = lambda: ward(told.rows, k)
    ours[f"dbscan, eps {SEEDS_EPS:g}"] = lambda: dbscan(told.rows, SEEDS_EPS)
    return {name: _measured(way, told.stories) for name, way in (ours | _peers(told)).items()}


def _peers(told: LabelledTerms) -> dict[str, Callable[[], Any]]:
    from scipy.sparse import csr_matrix
    from sklearn.cluster import DBSCAN, HDBSCAN

    rows = told.rows
    sparse = csr_matrix(
        (rows.values, rows.columns, rows.starts), shape=(len(rows), len(rows.names))
    )
    dense = HDBSCAN(min_cluster_size=2, metric="precomputed", copy=True)
    return {
        "scikit-learn DBSCAN": lambda: DBSCAN(
            eps=EPS, min_samples=LEAST, metric="cosine"
        ).fit_predict(sparse),
        "scikit-learn HDBSCAN": lambda: dense.fit_predict(
            np.clip(1.0 - (sparse @ sparse.T).toarray().astype(np.float64), 0.0, None)
        ),
    }


def _measured(way: Callable[[], Any], stories: Sequence[str]) -> TopicMeasures:
    began = time.perf_counter()
    found = np.asarray(way())
    seconds = time.perf_counter() - began
    names = [("alone", place) if one < 0 else ("topic", one) for place, one in enumerate(found)]
    judged = agreement(stories, names)
    sizes = np.bincount(found[found >= 0]) if (found >= 0).any() else np.zeros(1, np.int64)
    return TopicMeasures(
        topics=int((sizes > 1).sum()),
        noise=float((found < 0).mean()),
        largest=int(sizes.max()),
        b_cubed_precision=judged.b_cubed_precision,
        b_cubed_recall=judged.b_cubed_recall,
        b_cubed_f1=judged.b_cubed_f1,
        adjusted_rand=judged.adjusted_rand,
        seconds=seconds,
    )
