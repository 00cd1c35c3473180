"""What thresholds of the same text do on one half of a gold, and on the other half.

    newsloom eval dedup --make-from ARTICLES.jsonl --out GOLD.jsonl
    python lab/scripts/fit_duplicates.py GOLD.jsonl...

The halves are drawn by text: an original and its copies are on one side. For each value of each
threshold, all else as in the profile `seed`, precision and recall of the same text by all layers
together, over all files. docs/work/quality.md quotes the tables.
"""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from newsloom.articles.entities.finder import Entity
from newsloom.duplicates.values import Thresholds
from newsloom.ranking.measure.articles import LabelledArticle, read_articles
from newsloom_lab.evaluate.clusterings import agreement
from newsloom_lab.evaluate.dedup import gold_of
from newsloom_lab.evaluate.layered import Corpus, corpus, together

TRIED: dict[str, tuple[Any, ...]] = {
    "containment": (0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7),
    "minhash_jaccard": (0.4, 0.5, 0.6, 0.7, 0.8),
    "simhash_distance": (0, 3, 6, 10),
    "shared_sentences": (1, 2, 3),
    "title_jaccard": (0.7, 0.8, 0.85, 0.9, 1.0),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gold", type=Path, nargs="+")
    articles = [read_articles(file) for file in parser.parse_args().gold]
    halves = [[_half(some, side) for some in articles] for side in (0, 1)]
    ready = [[(some, corpus(some)) for some in half] for half in halves]
    print("threshold", "value", "fitted: precision recall", "held out: precision recall", sep="\t")
    for name, values in TRIED.items():
        for value in values:
            thresholds = replace(Thresholds(), **{name: value})
            figures = [_figures(half, thresholds) for half in ready]
            shown = "\t".join(f"{precision:.4f} {recall:.4f}" for precision, recall in figures)
            print(name, value, shown, sep="\t", flush=True)


def _half(articles: Sequence[LabelledArticle], side: int) -> list[LabelledArticle]:
    """By story where there is one, so that look-alikes are on one side, else by text."""
    return [
        one
        for one in articles
        if zlib.crc32((one.story or one.duplicate or one.id).encode()) % 2 == side
    ]


def _figures(
    files: Sequence[tuple[Sequence[LabelledArticle], Corpus]], thresholds: Thresholds
) -> tuple[float, float]:
    right = said = true = 0
    for articles, material in files:
        found = together(material, thresholds, _nobody)
        one = agreement(gold_of(articles).texts, found.texts)
        right, said, true = right + one.pairs_right, said + one.pairs_found, true + one.pairs_gold
    return right / said, right / true


def _nobody(texts: Sequence[str]) -> list[tuple[Entity, ...]]:
    """Entities make no two texts the same."""
    return [() for _ in texts]


if __name__ == "__main__":
    main()
