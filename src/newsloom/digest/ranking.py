"""How much each sentence of some articles tells of their matter. Chooses none.

A weighted sum of seven features, each 0 to 1. The weights are the best of a search on every other
article of 500 with extractive reference summaries; docs/digest.md has the figures of the others.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from newsloom.digest.boilerplate import tells_nothing, unbalanced
from newsloom.digest.said import Said, length, said
from newsloom.text.sentences import sentences
from newsloom.types import DigestArticle

# Bounds of what is read for one topic.
MOST_ARTICLES = 12
MOST_CHARACTERS = 8_000
MOST_SENTENCES = 60  # of one article

FEATURES = ("place", "title", "centre", "length", "figures", "names", "central")
WEIGHTS = (0.10, 0.10, 0.0, 0.0, 0.0, 0.0, 1.0)
# Rounds of voting; after thirty no rank moves by a thousandth.
VOTES = 30
# A sentence that so many more owners also say gains as much each.
CORROBORATED = 0.15
MOST_CORROBORATED = 3
# Half a quotation reads badly by itself.
UNBALANCED = -0.25
SAME = 0.5  # of the smaller one's words in both: they say the same


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that may be shown, with what it says and how much it is worth."""

    text: str
    article: DigestArticle
    rank: int  # of the article among those read
    place: int  # of the sentence in it
    says: Said
    words: int
    features: tuple[float, ...] = ()
    score: float = 0.0


def candidates(articles: Sequence[DigestArticle]) -> list[Candidate]:
    """Every sentence that tells something, scored; the first article is the lead."""
    articles = articles[:MOST_ARTICLES]
    found = [one for rank, article in enumerate(articles) for one in _read(article, rank)]
    weights = _centre(found)
    titles: Said = said("")
    for article in articles:
        titles |= said(article.title, article.language)
    central = _central(found)
    return [
        _scored(one, weights, titles.words, float(rank))
        for one, rank in zip(found, central, strict=True)
    ]


def _read(article: DigestArticle, rank: int) -> list[Candidate]:
    found: list[Candidate] = []
    known: set[str] = set()
    for place, text in enumerate(sentences(article.text[:MOST_CHARACTERS])[:MOST_SENTENCES]):
        if text in known or tells_nothing(text):
            continue
        known.add(text)
        says = said(text, article.language)
        found.append(Candidate(text, article, rank, place, says, length(text)))
    if len(article.text) > MOST_CHARACTERS and found and not _whole(found[-1], article):
        found.pop()  # what was cut is no sentence
    return found


def _whole(last: Candidate, article: DigestArticle) -> bool:
    return last.text[-1] in ".!?。！？" and last.text[-40:] in article.text[:MOST_CHARACTERS]


def _centre(found: Sequence[Candidate]) -> dict[str, float]:
    """The weight of each word: of how many sentences, as a share of the commonest."""
    counts = Counter(word for one in found for word in one.says.words)
    most = max(counts.values(), default=1)
    return {word: math.log1p(count) / math.log1p(most) for word, count in counts.items()}


def _central(found: Sequence[Candidate]) -> NDArray[np.float64]:
    """TextRank (Mihalcea and Tarau 2004): sentences that share words vote for each other. 0 to 1,
    the most central having 1."""
    words: dict[str, int] = {}
    for one in found:
        for word in one.says.words:
            words.setdefault(word, len(words))
    shared = np.zeros((len(found), max(len(words), 1)), np.float32)
    for place, one in enumerate(found):
        shared[place, [words[word] for word in one.says.words]] = 1.0
    logs = np.log(np.maximum(shared.sum(axis=1), 1.0))
    both = logs[:, None] + logs[None, :]
    weights = np.divide(shared @ shared.T, both, out=np.zeros_like(both), where=both > 0)
    np.fill_diagonal(weights, 0.0)
    totals = weights.sum(axis=1, keepdims=True)
    moves = np.divide(weights, totals, out=np.zeros_like(weights), where=totals > 0)
    rank = np.ones(len(found))
    for _ in range(VOTES):
        rank = 0.15 + 0.85 * (moves.T @ rank)
    most = float(rank.max(initial=1e-9))
    return np.asarray(rank / most, np.float64)


def _scored(
    one: Candidate, weights: dict[str, float], title: frozenset[str], central: float
) -> Candidate:
    words = one.says.words
    features = (
        1.0 / (1.0 + one.place),
        len(words & title) / max(min(len(title), 8), 1) if words else 0.0,
        min(math.fsum(sorted(weights[word] for word in words)) / 8, 1.0),
        min(one.words / 30, 1.0),
        min(len(one.says.numbers) / 3, 1.0),
        min(len(one.says.names) / 5, 1.0),
        central,
    )
    score = sum(w * f for w, f in zip(WEIGHTS, features, strict=True))
    score += UNBALANCED * unbalanced(one.text)
    return Candidate(
        one.text, one.article, one.rank, one.place, one.says, one.words, features, score
    )


def alike(one: Said, other: Said) -> float:
    """The share of the smaller one's words that the other has too; 0 to 1."""
    least = min(len(one.words), len(other.words))
    return len(one.words & other.words) / least if least else 0.0
