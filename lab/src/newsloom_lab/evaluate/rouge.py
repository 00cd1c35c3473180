"""ROUGE-1, -2 and -L as F1 of lower-case words, without stemming (Lin 2004). Reads no files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Rouge:
    rouge_1: float
    rouge_2: float
    rouge_l: float


def rouge(made: str, reference: str) -> Rouge:
    ours, theirs = (_WORD.findall(text.casefold()) for text in (made, reference))
    return Rouge(_overlap(ours, theirs, 1), _overlap(ours, theirs, 2), _longest(ours, theirs))


def mean(scores: Sequence[Rouge]) -> Rouge:
    count = len(scores) or 1
    return Rouge(
        sum(one.rouge_1 for one in scores) / count,
        sum(one.rouge_2 for one in scores) / count,
        sum(one.rouge_l for one in scores) / count,
    )


def _overlap(ours: Sequence[str], theirs: Sequence[str], n: int) -> float:
    left, right = (
        Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))
        for words in (ours, theirs)
    )
    return _f1((left & right).total(), left.total(), right.total())


def _longest(ours: Sequence[str], theirs: Sequence[str]) -> float:
    row = [0] * (len(theirs) + 1)
    for word in ours:
        before = 0
        for at, other in enumerate(theirs, start=1):
            kept = row[at]
            row[at] = before + 1 if word == other else max(row[at], row[at - 1])
            before = kept
    return _f1(row[-1], len(ours), len(theirs))


def _f1(shared: int, ours: int, theirs: int) -> float:
    return 2 * shared / (ours + theirs) if shared else 0.0
