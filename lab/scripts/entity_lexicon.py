"""Families and scores of words, from the word vectors of the shipped encoder and labelled text.

Needs onnx and scikit-learn. Reads the encoder's file, writes nothing.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.linear_model import LogisticRegression

from entity_sets import Text
from newsloom.articles.entities.features import LABELS, SCORE_STEP

Array = NDArray[Any]

FAMILIES = (32, 128, 384)  # coarse, middle, fine
_LEAVES = 1024  # clusters that the families are joined from
_FOLDS = 5
_GREATEST = 127


@dataclass(frozen=True, slots=True)
class Learned:
    """`lines` is the lexicon; `chances` those of training words by models that never saw them.

    Features of training words must be as unsure as those of words that nobody has labelled.
    """

    lines: tuple[str, ...]
    chances: Mapping[str, tuple[float, ...]]


def learn(models: Path, texts: Sequence[Text]) -> Learned:
    """From the folder of the encoder, and the training texts."""
    vocabulary = json.loads((models / "tokenizer.json").read_text())["model"]["vocab"]
    vectors = _vectors(models / "all-minilm-l6-v2-int8.onnx")
    families = _families(vocabulary, vectors)
    counts = _counts(texts)
    pieces = {word: found for word in counts if (found := _pieces(word, vocabulary))}
    words = sorted(pieces)
    means = np.stack([vectors[pieces[word]].mean(0) for word in words])
    rows = [
        (place, label, np.log1p(counts[word][label]))
        for place, word in enumerate(words)
        for label in range(len(LABELS))
        if counts[word][label]
    ]
    where, label = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    weight = np.array([row[2] for row in rows])
    fold = np.random.default_rng(0).integers(0, _FOLDS, len(words))
    chances = np.zeros((len(words), len(LABELS)))
    for one in range(_FOLDS):
        known = fold[where] != one
        model = _fit(means[where[known]], label[known], weight[known])
        chances[fold == one] = model.predict_proba(means[fold == one])
    model = _fit(means[where], label, weight)
    scores = vectors @ model.coef_.T + model.intercept_
    whole = np.clip(np.round(scores / SCORE_STEP), -_GREATEST, _GREATEST).astype(int)
    lines = [
        "\t".join(map(str, (piece, *families.get(piece, (-1, -1, -1)), *whole[number])))
        for piece, number in sorted(vocabulary.items())
        if piece.removeprefix("##").isalpha()
    ]
    by_word = {word: tuple(map(float, chances[place])) for place, word in enumerate(words)}
    return Learned(tuple(lines), by_word)


def _fit(rows: Array, labels: Array, weights: Array) -> LogisticRegression:
    return LogisticRegression(C=3, max_iter=200).fit(rows, labels, sample_weight=weights)


def _vectors(path: Path) -> Array:
    """A unit row a piece, about their mean."""
    arrays = {
        one.name: numpy_helper.to_array(one)
        for one in onnx.load(str(path)).graph.initializer
        if one.name.startswith("words.")
    }
    rows = arrays["words.int8"].astype(np.float32) * arrays["words.scale"]
    rows -= rows[1000:].mean(0)  # before stand signs that no text has
    unit: Array = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def _families(vocabulary: Mapping[str, int], vectors: Array) -> dict[str, tuple[int, ...]]:
    words = sorted(
        word for word in vocabulary if word.isalpha() and word.isascii() and len(word) > 1
    )
    rows = vectors[[vocabulary[word] for word in words]]
    leaves = KMeans(_LEAVES, n_init=1, max_iter=25, random_state=0).fit(rows)
    levels = [
        AgglomerativeClustering(size).fit_predict(leaves.cluster_centers_)[leaves.labels_]
        for size in FAMILIES
    ]
    return {word: tuple(int(level[place]) for level in levels) for place, word in enumerate(words)}


def _counts(texts: Sequence[Text]) -> dict[str, Array]:
    """How often each word has each label."""
    counts: dict[str, Array] = defaultdict(lambda: np.zeros(len(LABELS)))
    for text in texts:
        for sentence in text.sentences:
            for word, label in sentence:
                low = word.lower()
                if low.isalpha() and len(low) > 1:
                    counts[low][LABELS.index(label[2:] or "O")] += 1
    return counts


def _pieces(word: str, vocabulary: Mapping[str, int]) -> list[int]:
    """As entity_words.Lexicon cuts it."""
    found: list[int] = []
    start = 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = f"##{word[start:end]}" if start else word[:end]
            if piece in vocabulary:
                found.append(vocabulary[piece])
                start = end
                break
        else:
            return []
    return found
