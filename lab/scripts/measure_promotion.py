"""What the gate does: good models refused, bad ones let in, and what holding labels out costs.

    python lab/scripts/simulate_readers.py CATEGORISED.jsonl READERS.jsonl
    python lab/scripts/measure_promotion.py READERS.jsonl [--sizes 100 200 300 500 1000 3000]

For each made-up reader and size, a head trained on the labels so far stands in force, and each of
these is judged against it on the frozen labels: honest ones with 5 and 30% more labels; ones whose
labels were reversed in part, that forgot half, whose chances are too sure or too high. The cost of
holding out is measured on the labels that follow. docs/work/decisions/ranking.md quotes the tables.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.ranking.encoder_text import embedding_text
from newsloom.ranking.encoders import registry
from newsloom.ranking.learning import promotion
from newsloom.ranking.learning.head import train
from newsloom.ranking.measure import metrics
from newsloom.ranking.ports import RelevanceModel
from newsloom.ranking.training.dataset import TrainingSet
from newsloom.ranking.values.models import ArticleText, Label, NotYet

NOW = datetime(2026, 1, 1, tzinfo=UTC)
NEXT = 1_500  # labels after those trained on that the cost is measured on
REVERSED = (0.1, 0.2, 0.35)
STRETCHED = (2.0, 4.0)

Rows = np.ndarray


def fitted(dataset: TrainingSet) -> RelevanceModel | None:
    model = train(dataset.labels, dataset.vectors, now=NOW)
    return None if isinstance(model, NotYet) else model


def reverse(dataset: TrainingSet, share: float, draw: np.random.Generator) -> TrainingSet:
    turned = draw.random(len(dataset.labels)) < share
    labels = [
        replace(one, positive=one.positive ^ bool(turn))
        for one, turn in zip(dataset.labels, turned, strict=True)
    ]
    return replace(dataset, labels=labels)


def first(dataset: TrainingSet, count: int) -> TrainingSet:
    return dataset.only(np.arange(len(dataset.labels)) < count)


def odds(scores: Rows) -> Rows:
    chances = np.clip(scores / 100.0, 1e-9, 1 - 1e-9)
    return np.asarray(np.log(chances / (1 - chances)))


def points(logits: Rows) -> Rows:
    return np.asarray(100.0 / (1.0 + np.exp(-logits)))


def judged(known: TrainingSet, size: int, draw: np.random.Generator) -> Iterator[tuple[str, bool]]:
    """(kind of candidate, whether it was promoted) for one reader at one size."""
    now = first(known, size)
    out = promotion.held_out(now.labels)
    kept, frozen = now.only(~out), now.only(out)
    before = fitted(kept) if out.any() else None
    if before is None:
        return
    scores = frozen.scores(before)

    def passes(candidate: Rows) -> bool:
        return promotion.on_frozen(frozen.positive, candidate, scores).promoted

    trained: Mapping[str, Callable[[], TrainingSet]] = {
        "5% more labels": lambda: without(first(known, int(1.05 * size))),
        "30% more labels": lambda: without(first(known, int(1.3 * size))),
        **{f"{share:.0%} reversed": partial(reverse, kept, share, draw) for share in REVERSED},
        "half forgotten": lambda: first(kept, len(kept.labels) // 2),
    }
    for kind, dataset in trained.items():
        model = fitted(dataset())
        if model is not None:
            yield kind, passes(frozen.scores(model))
    for factor in STRETCHED:
        yield f"{factor:g} times too sure", passes(points(factor * odds(scores)))
    yield "all too high", passes(points(odds(scores) + 1.0))


def without(dataset: TrainingSet) -> TrainingSet:
    """Less every label that judges, however many there are."""
    return dataset.only(~np.array([promotion.frozen(one.article.id) for one in dataset.labels]))


def cost(known: TrainingSet, size: int) -> tuple[float, float] | None:
    """ROC AUC and average precision lost by holding out."""
    now = first(known, size)
    place = np.arange(len(known.labels))
    later = known.only((place >= size) & (place < size + NEXT))
    models = fitted(now), fitted(without(now))
    if None in models or not later.labels:
        return None
    whole, part = (later.scores(model) for model in models if model is not None)
    measures = metrics.roc_auc, metrics.average_precision
    auc, precision = (one(later.positive, whole) - one(later.positive, part) for one in measures)
    return auc, precision


def readers(lines: Sequence[Mapping[str, Any]]) -> Iterator[TrainingSet]:
    """Each reader's labels in their order, with vectors of the shipped encoder."""
    articles = {line["id"]: line for line in lines}
    numbers = {name: number for number, name in enumerate(sorted(articles), start=1)}
    texts = [
        embedding_text(articles[name]["title"], articles[name].get("summary", ""))
        for name in numbers
    ]
    vectors = registry.embedder("minilm-int8").embed(texts)
    by_reader: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for line in lines:
        by_reader[line["reader"]].append(line)
    for mine in by_reader.values():
        labels = [
            Label(
                ArticleText(
                    ArticleId(numbers[line["id"]]),
                    line["title"],
                    line.get("summary", ""),
                    line.get("source", ""),
                    "en",
                    NOW,
                    FeedId(0),
                ),
                "",
                line["label"] == "like",
                NOW,
            )
            for line in mine
        ]
        rows = np.array([numbers[line["id"]] - 1 for line in mine])
        yield TrainingSet(labels, vectors[rows], "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("labels", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 200, 300, 500, 1000, 3000])
    chosen = parser.parse_args()
    lines = [json.loads(line) for line in chosen.labels.read_text("utf-8").splitlines()]
    refused: dict[tuple[str, int], list[bool]] = defaultdict(list)
    costs: dict[int, list[tuple[float, float]]] = defaultdict(list)
    draw = np.random.default_rng(1)
    for known in readers(lines):
        for size in chosen.sizes:
            for kind, promoted in judged(known, size, draw):
                refused[kind, size].append(not promoted)
            lost = cost(known, size)
            if lost is not None:
                costs[size].append(lost)
    print("refused of the candidates".ljust(28), *(f"{size:>6}" for size in chosen.sizes))
    for kind in dict.fromkeys(kind for kind, _size in refused):
        shares = (refused.get((kind, size)) for size in chosen.sizes)
        cells = (f"{np.mean(one):>6.0%}" if one else f"{'-':>6}" for one in shares)
        print(kind.ljust(28), *cells)
    for name, place in (("ROC AUC", 0), ("average precision", 1)):
        means = (np.mean([one[place] for one in costs[size]]) for size in chosen.sizes)
        print(f"{name} lost by holding out".ljust(28), *(f"{mean:>+.3f}" for mean in means))


if __name__ == "__main__":
    main()
