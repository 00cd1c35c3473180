"""How much each sentence of some articles tells of their matter. Chooses none.

How much a sentence shares with all others, and a little for standing near the beginning. Chosen on
every other article of 500 with extractive reference summaries; docs/work/quality.md has the figures
of the others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from newsloom.digests.values import DigestArticle
from newsloom.kernel.text.sentences import sentences
from newsloom.summaries.boilerplate import tells_nothing, unbalanced, undated
from newsloom.summaries.said import Said, length, said, written

# Bounds of what is read for one topic.
MOST_ARTICLES = 12
MOST_CHARACTERS = 8_000
MOST_SENTENCES = 60  # of one article

EARLY = 0.05  # of what the most central sentence has
# A sentence that so many more owners also say gains as much each.
CORROBORATED = 0.15
MOST_CORROBORATED = 3
# Half a quotation reads badly by itself.
UNBALANCED = -0.2
# A teaser without a full stop: ten words or more behind a capital, not cut.
_WHOLE = re.compile(r"^[^\W\d_a-zß-ÿ](?:\S+ ){9,}\S*\w$")
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
    score: float = 0.0


def candidates(articles: Sequence[DigestArticle]) -> list[Candidate]:
    """Every sentence that tells something, scored; the first article is the lead."""
    articles = articles[:MOST_ARTICLES]
    found = [one for rank, article in enumerate(articles) for one in sentences_of(article, rank)]
    return [
        replace(
            one,
            score=central + EARLY / (1.0 + one.place) + UNBALANCED * unbalanced(one.text),
        )
        for one, central in zip(found, _central(found), strict=True)
    ]


def sentences_of(article: DigestArticle, rank: int) -> list[Candidate]:
    """Those of one article that tell something, without scores."""
    found: list[Candidate] = []
    known: set[str] = set()
    for place, text in enumerate(sentences(article.text[:MOST_CHARACTERS])[:MOST_SENTENCES]):
        text = undated(text)
        if not place and _WHOLE.search(text):
            text += "."
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


def _central(found: Sequence[Candidate]) -> list[float]:
    """What each shares with all others, 0 to 1: words in both over the logs of how many they have,
    as in TextRank (Mihalcea and Tarau 2004). Letting them vote by PageRank was no better."""
    says = [written(one.text, one.article.language) for one in found]
    places = {word: place for place, word in enumerate(sorted(frozenset().union(*says)))}
    has = np.zeros((len(says), len(places)), np.float32)
    for row, words in zip(has, says, strict=True):
        row[[places[word] for word in words]] = 1.0
    logs = np.log(np.maximum(has.sum(axis=1), 1.0))
    both = logs[:, None] + logs[None, :]
    shared = np.divide(has @ has.T, both, out=np.zeros_like(both), where=both > 0)
    np.fill_diagonal(shared, 0.0)
    sums = shared.sum(axis=1)
    return [float(one) for one in sums / max(float(sums.max(initial=0.0)), 1e-9)]


def alike(one: Said, other: Said) -> float:
    """The share of the smaller one's words that the other has too; 0 to 1."""
    least = min(len(one.words), len(other.words))
    return len(one.words & other.words) / least if least else 0.0
