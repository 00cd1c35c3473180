"""The labelled sets that the finder of names is trained on and judged by. Trains nothing.

WNUT 2017, wikigold and the Broad Twitter Corpus are CC BY 4.0, the SEC filings CC BY 3.0, CrossNER
is MIT. The development part of CoNLL 2003 has a research licence: it judges, and trains nothing.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from entity_adjectives import is_adjective
from newsloom_lab.evaluate.conll import Document, Sentence, read_conll

# Kinds that no label of the model stands for are not names to it: fields, tasks, genes, genres.
_NAMES = {
    "PER": "person politician writer musicalartist scientist researcher per",
    "ORG": "organisation politicalparty band university org corporation group",
    "LOC": "location country loc",
    "MISC": "misc award book event album song election conference product creative-work "
    "academicjournal magazine poem astronomicalobject",
}
_LABEL = {name: label for label, names in _NAMES.items() for name in names.split()}

_BTC = "BTC/CONLL-format/data"
_WNUT = "WNUT17/CONLL-format/data"
_WIKIGOLD = "wikigold/CONLL-format/data/wikigold.conll.txt"
_CROSSNER = ("ai", "science", "literature", "politics", "music")
# Section h of the tweets and every fifth document of wikigold are held out; the others have a test
# part of their own.
TRAIN = (
    f"{_WNUT}/train/wnut17train.conll",
    f"{_WNUT}/dev/emerging.dev.conll",
    *(f"{_BTC}/{section}.conll" for section in "abefg"),
    *(f"crossner/{domain}/{part}.txt" for domain in _CROSSNER for part in ("train", "dev")),
)
TEST = {
    "wikigold, every fifth document": (_WIKIGOLD,),
    "Broad Twitter Corpus, section h": (f"{_BTC}/h.conll",),
    "CrossNER politics, test": ("crossner/politics/test.txt",),
    "CrossNER science, test": ("crossner/science/test.txt",),
    "CrossNER literature, test": ("crossner/literature/test.txt",),
    "CrossNER music, test": ("crossner/music/test.txt",),
    "CrossNER AI, test": ("crossner/ai/test.txt",),
    "WNUT 2017, test": (f"{_WNUT}/test/emerging.test.annotated",),
    "SEC filings, test": ("SEC-filings/CONLL-format/data/test/FIN3.txt",),
}
_HELD_OUT = 5

Labelled = list[tuple[str, str]]  # tokens with B-, I- or O


@dataclass(frozen=True, slots=True)
class Text:
    """Sentences of one document."""

    sentences: tuple[Labelled, ...]
    tweets: bool = False


def training(folder: Path) -> list[Text]:
    """In a fixed order. Tweets and CrossNER's sentences are documents of their own."""
    texts = []
    for name in TRAIN:
        tweets = name.startswith(("BTC", "WNUT"))
        texts += [
            Text((_labelled(one, tweets=tweets),), tweets)
            for document in read_conll(folder / name)
            for one in document
        ]
    wikigold = read_conll(folder / _WIKIGOLD)
    return texts + [
        Text(tuple(map(_labelled, document)))
        for place, document in enumerate(wikigold)
        if place % _HELD_OUT
    ]


def held_out(folder: Path) -> Iterator[tuple[str, tuple[Document, ...]]]:
    for name, paths in TEST.items():
        documents = tuple(one for path in paths for one in read_conll(folder / path))
        if name.startswith("wikigold"):
            documents = documents[::_HELD_OUT]
        yield name, documents


def _labelled(sentence: Sentence, *, tweets: bool = False) -> Labelled:
    """Mentions (@user) and tags (#topic) of tweets name nobody in the sense of news."""
    tokens = sentence.tokens
    labels = ["O"] * len(tokens)
    for name in sentence.names:
        label = _LABEL.get(name.kind.lower())
        if label is None or (tweets and tokens[name.start][:1] in {"@", "#"}):
            continue
        labels[name.start : name.end] = [f"I-{label}"] * (name.end - name.start)
        labels[name.start] = f"B-{label}"
    return list(zip(tokens, _agreed(tokens, labels), strict=True))


def _agreed(tokens: Sequence[str], labels: Sequence[str]) -> list[str]:
    """A word of nationality alone is "other" in every set: F1 on CoNLL .744 instead of .733."""
    ends = [*labels, "O"]
    agreed = list(labels)
    for size in (2, 1):
        for start in range(len(tokens) - size + 1):
            inside = ends[start + 1 : start + size]
            whole = ends[start][:1] != "I" and ends[start + size][:1] != "I"
            apart = ends[start] == "O" and all(label == "O" for label in inside)
            one = ends[start][:1] == "B" and all(label[:1] == "I" for label in inside)
            if whole and (apart or one) and is_adjective(tuple(tokens[start : start + size])):
                agreed[start : start + size] = ["B-MISC", *["I-MISC"] * (size - 1)]
    return agreed


# How much of the training text is read once more in another case: headlines are title-cased or
# shouted, tweets are small.
COPIES: tuple[tuple[str, Callable[[str], str], float], ...] = (
    ("title case", lambda word: word[:1].upper() + word[1:], 0.15),
    ("capitals", str.upper, 0.1),
    ("small", str.lower, 0.05),
)


def recased(texts: Sequence[Text], seed: int = 0) -> Iterator[Text]:
    """The copies; the same ones every time."""
    chance = random.Random(seed)
    for _, change, share in COPIES:
        for text in texts:
            if chance.random() < share:
                yield Text(
                    tuple(
                        [(change(word), label) for word, label in sentence]
                        for sentence in text.sentences
                    ),
                    text.tweets,
                )


def default_folder() -> Path:
    """The folder of labelled names beside the repository, or where the environment says."""
    beside = Path(__file__).resolve().parents[3] / "shared"
    return Path(os.environ.get("NEWSLOOM_SHARED", beside)) / "data" / "entities"
