"""The relevance head beside other ways, on readers made up and real.

    python lab/scripts/simulate_readers.py CATEGORISED.jsonl READERS.jsonl
    python lab/scripts/compare_relevance.py curve READERS.jsonl [--sizes 100,300,1000,3000]
    python lab/scripts/compare_relevance.py ablation READERS.jsonl [--sizes 100,300,1000,3000]
    python lab/scripts/compare_relevance.py folds ONE_READER.jsonl
    python lab/scripts/compare_relevance.py seed READERS.jsonl

`curve` and `ablation` train on the newest labels before the newest quarter, which is judged, and
give the mean average precision over readers; `folds` is ten folds of each reader, `seed` the
protocol of that name. The peers are scikit-learn's. The tables are in docs/work/quality.md.
`--cache DIR` keeps vectors between runs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV
from sklearn.svm import LinearSVC

from newsloom.kernel.settings import Settings
from newsloom.ranking.encoder_text import embedding_text
from newsloom.ranking.encoders import registry
from newsloom.ranking.learning.features import Mix
from newsloom.ranking.learning.head import train
from newsloom.ranking.measure import curves, relevance
from newsloom.ranking.measure.articles import read_articles
from newsloom.ranking.measure.labelled import Labelled, of_file
from newsloom.ranking.measure.own import by_name
from newsloom.ranking.ports import Embedder, Trainer, Vectors
from newsloom.ranking.values.models import ArticleText, Label

SIZES = "100,300,1000,3000"

# Variants of the head: what each group of columns counts, 0 being left out.
VARIANTS = {
    "all": Mix(),
    "without words": Mix(words=0.0),
    "without curves": Mix(curves=0.0),
    "without places": Mix(places=0.0),
    "vector alone": Mix(curves=0.0, words=0.0, places=0.0),
}

Rows = Any  # a matrix of scikit-learn, sparse or not


@dataclass(frozen=True)
class Peer:
    """A scikit-learn estimator over texts, vectors or both, behind ports.Trainer."""

    name: str
    estimator: Any
    dense: bool = False
    words: bool = False
    fitted: dict[str, Any] = field(default_factory=dict)

    def train(self, labels: Sequence[Label], vectors: Vectors, now: datetime) -> Any:
        del now
        texts = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2), stop_words="english")
        if self.words:
            texts.fit([_text(one.article) for one in labels])
        self.fitted["texts"] = texts
        rows = self._rows([one.article for one in labels], vectors)
        self.fitted["model"] = self.estimator().fit(rows, [one.positive for one in labels])
        return self

    def score(
        self, articles: Sequence[ArticleText], vectors: Vectors, categories: Sequence[str]
    ) -> Any:
        del categories
        logits = self.fitted["model"].decision_function(self._rows(articles, vectors))
        return 100.0 / (1.0 + np.exp(-logits))

    def _rows(self, articles: Sequence[ArticleText], vectors: Vectors) -> Rows:
        texts = [_text(one) for one in articles]
        parts = [csr_matrix(vectors)] if self.dense else []
        if self.words:
            parts.append(self.fitted["texts"].transform(texts))
        return hstack(parts).tocsr()


@dataclass(frozen=True)
class Variant:
    """The head with some of its columns."""

    name: str
    mix: Mix

    def train(self, labels: Sequence[Label], vectors: Vectors, now: datetime) -> Any:
        return train(labels, vectors, now=now, needed=(5, 5), mix=self.mix)


def _logistic(penalty: float) -> Any:
    return lambda: LogisticRegression(C=penalty, class_weight="balanced", max_iter=2_000)


def _chosen() -> Any:
    """C chosen by five folds, by log loss."""
    return LogisticRegressionCV(
        Cs=[0.03, 0.1, 0.3, 1.0, 3.0, 10.0],
        cv=5,
        class_weight="balanced",
        scoring="neg_log_loss",
        max_iter=2_000,
        l1_ratios=(0.0,),
        use_legacy_attributes=False,
    )


PEERS = (
    Peer(
        "sklearn: TF-IDF + linear SVM, C 1", lambda: LinearSVC(class_weight="balanced"), words=True
    ),
    Peer(
        "sklearn: TF-IDF + linear SVM, C 0.1",
        lambda: LinearSVC(C=0.1, class_weight="balanced"),
        words=True,
    ),
    Peer("sklearn: encoder + logistic, C 1", _logistic(1.0), dense=True),
    Peer("sklearn: encoder + logistic, C by folds", _chosen, dense=True),
    Peer("sklearn: encoder + TF-IDF + logistic, C 1", _logistic(1.0), dense=True, words=True),
)


class Cached:
    """An encoder whose vectors of the texts of one file are kept in a folder."""

    def __init__(self, encoder: Embedder, folder: Path) -> None:
        self._encoder, self._folder = encoder, folder
        self.model_id, self.dimensions = encoder.model_id, encoder.dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        digest = hashlib.sha256(json.dumps([self.model_id, *texts]).encode()).hexdigest()
        file = self._folder / f"{digest[:16]}.npy"
        if not file.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            np.save(file, self._encoder.embed(texts))
        kept: Vectors = np.load(file)
        return kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["curve", "ablation", "folds", "seed"])
    parser.add_argument("articles", type=Path)
    parser.add_argument("--sizes", default=SIZES)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    encoder: Embedder = registry.embedder("minilm-int8", 1)
    if chosen.cache:
        encoder = Cached(encoder, chosen.cache)
    readers = of_file(read_articles(chosen.articles), encoder)
    ours = [
        by_name(row.name, Settings(), encoder.model_id) for row in registry.TRAINERS if row.quick
    ]
    trainers: list[Any] = [*ours, *PEERS]
    if chosen.what == "ablation":
        trainers = [Variant(name, mix) for name, mix in VARIANTS.items()]
    sizes = [int(size) for size in chosen.sizes.split(",")]
    rows = []
    for trainer in trainers:
        if chosen.what in {"curve", "ablation"}:
            rows.append(at_sizes(readers, trainer, sizes))
        else:
            rows.append(by_protocol(readers, trainer, "cv" if chosen.what == "folds" else "seed"))
        if not chosen.json:
            show(rows[-1])
    if chosen.json:
        print(json.dumps(rows, indent=2))


def at_sizes(readers: Sequence[Labelled], trainer: Trainer, sizes: Sequence[int]) -> dict[str, Any]:
    """Mean average precision of one trainer at each size, and each reader's."""
    found = curves.run(readers, trainer, sizes, "time")
    return {
        "trainer": trainer.name,
        **{str(one.labels): one.average_precision for one in found.curve},
        **{f"roc_auc {one.labels}": one.roc_auc for one in found.curve},
        "per_reader": {name: dict(pairs) for name, pairs in found.per_reader},
    }


def by_protocol(readers: Sequence[Labelled], trainer: Trainer, fit: str) -> dict[str, Any]:
    """The figures of one trainer by a protocol."""
    found = relevance.run(readers, trainer, "", fit)
    each = found.per_reader or (found,)
    return {
        "trainer": trainer.name,
        **{name: getattr(found, name) for name, _ in relevance.MEASURES},
        "per_reader": {
            one.reader: {name: getattr(one, name) for name, _ in relevance.MEASURES} for one in each
        },
    }


def show(row: dict[str, Any]) -> None:
    """A line of a table, and the readers behind it."""
    figures = {name: value for name, value in row.items() if isinstance(value, float)}
    text = "  ".join(
        f"{name} {value:.4f}" for name, value in figures.items() if not math.isnan(value)
    )
    print(f"{row['trainer']:42} {text}", flush=True)


def _text(article: ArticleText) -> str:
    return embedding_text(article.title, article.text)


if __name__ == "__main__":
    main()
