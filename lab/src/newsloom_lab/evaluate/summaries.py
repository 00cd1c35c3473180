"""`newsloom eval summaries`: extractive summaries beside first sentences and TextRank, by ROUGE.

Every other article (the first, the third ...) is what the ranking was fitted on; the others are
what is to be believed. Each summary has a budget of words, in whole sentences, the same for all:
that of a morning brief, that of a weekly roundup, and that of the article's own reference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from newsloom.digests.values import DigestArticle
from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import ArticleId
from newsloom.kernel.text.sentences import sentences
from newsloom.ranking.measure.articles import read_lines
from newsloom.summaries.said import length, said, written
from newsloom.summaries.summarise import summarise, tell
from newsloom_lab.evaluate.rouge import Rouge, mean, rouge

BUDGETS = {"75_words": 75, "150_words": 150, "as_reference": 0}
Summariser = Callable[[DigestArticle, int], str]


@dataclass(frozen=True, slots=True)
class Referenced:
    article: DigestArticle
    reference: str


@dataclass(frozen=True, slots=True)
class SummariesReport:
    articles: int
    fitted_half: Mapping[str, Mapping[str, Rouge]]  # by budget, by who
    other_half: Mapping[str, Mapping[str, Rouge]]


def load(path: Path) -> list[Referenced]:
    """Articles with `summary_gold`. Raises UserError where there is none."""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    found = []
    for number, (_place, fields) in enumerate(read_lines(path), start=1):
        text, title, gold = (str(fields.get(k, "")) for k in ("text", "title", "summary_gold"))
        if text and gold:
            article = DigestArticle(
                ArticleId(number), title, "", "file", "file", "file", 3, "",
                str(fields.get("language", "en")), now, 50.0, text,
            )  # fmt: skip
            found.append(Referenced(article, gold))
    if not found:
        raise UserError(f'{path} has no article with "text" and "summary_gold".')
    return found


def run(found: Sequence[Referenced]) -> SummariesReport:
    return SummariesReport(len(found), _half(found[::2]), _half(found[1::2]))


def _half(found: Sequence[Referenced]) -> dict[str, dict[str, Rouge]]:
    return {
        budget: {
            name: mean([_score(one, make, words) for one in found]) for name, make in MAKERS.items()
        }
        for budget, words in BUDGETS.items()
    }


def _score(one: Referenced, make: Summariser, words: int) -> Rouge:
    return rouge(make(one.article, words or length(one.reference)), one.reference)


def ours(article: DigestArticle, words: int) -> str:
    return " ".join(one.text for one in summarise([article], words))


def told(article: DigestArticle, words: int) -> str:
    """As digests tell it: in the order of the article."""
    return " ".join(one.text for one in tell([article], words, lambda _one: True))


def lead_3(article: DigestArticle, _words: int) -> str:
    """The first three sentences, however long."""
    return " ".join(sentences(article.text)[:3])


def lead(article: DigestArticle, words: int) -> str:
    """The first sentences that fit."""
    return _fitting(sentences(article.text), range(10_000), words)


def text_rank(article: DigestArticle, words: int) -> str:
    """Mihalcea and Tarau 2004: shared words over the logs of the lengths, PageRank at .85."""
    return _ranked(article, words, lambda one: said(one, article.language).words)


def text_rank_as_written(article: DigestArticle, words: int) -> str:
    """The same over the words that ours compares: what its rules for readers cost."""
    return _ranked(article, words, lambda one: written(one, article.language))


def _ranked(article: DigestArticle, words: int, told: Callable[[str], frozenset[str]]) -> str:
    listed = sentences(article.text)
    says = [told(one) for one in listed]
    size = len(listed)
    weights = np.zeros((size, size))
    for i in range(size):
        for j in range(i):
            logs = np.log(max(len(says[i]), 1)) + np.log(max(len(says[j]), 1))
            if logs > 0:
                weights[i, j] = weights[j, i] = len(says[i] & says[j]) / logs
    totals = weights.sum(axis=1, keepdims=True)
    moves = np.divide(weights, totals, out=np.zeros_like(weights), where=totals > 0)
    rank = np.full(size, 1.0)
    for _ in range(50):
        rank = 0.15 + 0.85 * moves.T @ rank
    order = sorted(range(size), key=lambda at: (-rank[at], at))
    return _fitting(listed, order, words)


def _fitting(listed: Sequence[str], order: Sequence[int], words: int) -> str:
    kept = []
    for at in order:
        if at >= len(listed):
            break
        if (long := length(listed[at])) <= words:
            kept.append(at)
            words -= long
    return " ".join(listed[at] for at in sorted(kept))


MAKERS: dict[str, Summariser] = {
    "newsloom": ours, "as_told": told, "lead_3": lead_3, "lead": lead, "text_rank": text_rank,
    "text_rank_as_written": text_rank_as_written,
}  # fmt: skip
