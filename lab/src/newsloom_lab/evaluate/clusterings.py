"""How well one grouping of articles agrees with another. Pure numpy; reads nothing.

All by the table of how many articles each two groups share: never by pairs of articles, of which
100,000 make five milliards. Pairwise measures without a pair to judge by are nan.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Precision: of what is together, the share that belongs together. Recall: the other way."""

    pairwise_precision: float
    pairwise_recall: float
    pairwise_f1: float
    b_cubed_precision: float
    b_cubed_recall: float
    b_cubed_f1: float
    adjusted_rand: float
    pairs_found: int  # together in the grouping judged
    pairs_gold: int  # together in truth
    pairs_right: int  # both


def agreement(gold: Sequence[Hashable], found: Sequence[Hashable]) -> Agreement:
    """Each sequence names the group of each article; equal names are one group."""
    truths, answers = _numbered(gold), _numbered(found)
    shared = _sizes(truths * (int(answers.max(initial=0)) + 1) + answers)
    in_truth, in_answer = _sizes(truths), _sizes(answers)
    right, true, said = _pairs(shared), _pairs(in_truth), _pairs(in_answer)
    precision, recall = _share(right, said), _share(right, true)
    b_precision = _b_cubed(truths, answers, in_answer)
    b_recall = _b_cubed(answers, truths, in_truth)
    return Agreement(
        pairwise_precision=precision,
        pairwise_recall=recall,
        pairwise_f1=_share(2 * right, said + true),
        b_cubed_precision=b_precision,
        b_cubed_recall=b_recall,
        b_cubed_f1=_harmonic(b_precision, b_recall),
        adjusted_rand=_adjusted_rand(right, said, true, len(truths)),
        pairs_found=said,
        pairs_gold=true,
        pairs_right=right,
    )


def _numbered(names: Sequence[Hashable]) -> Counts:
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], np.int64)


def _sizes(groups: Counts) -> Counts:
    return np.unique(groups, return_counts=True)[1]


def _pairs(sizes: Counts) -> int:
    return int((sizes * (sizes - 1) // 2).sum())


def _b_cubed(other: Counts, own: Counts, own_sizes: Counts) -> float:
    """The mean, over articles, of the share of its own group that is in its other group too."""
    if not len(own):
        return math.nan
    _, cell, shared = np.unique(
        other * (int(own.max()) + 1) + own, return_inverse=True, return_counts=True
    )
    return float((shared[cell] / own_sizes[own]).mean())


def _adjusted_rand(right: int, said: int, true: int, articles: int) -> float:
    """As Hubert and Arabie have it; 1 for equal groupings, also where nothing can be told apart."""
    whole = articles * (articles - 1) // 2
    if not whole:
        return math.nan
    by_chance = said * true / whole
    most = (said + true) / 2
    return 1.0 if most == by_chance else (right - by_chance) / (most - by_chance)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan


def _harmonic(one: float, other: float) -> float:
    return 2 * one * other / (one + other)


def mutual_information(truth: Sequence[Hashable], answer: Sequence[Hashable]) -> float:
    """Normalised by the mean of both entropies; 1 for equal groupings."""
    truths, answers = _numbered(truth), _numbered(answer)
    if not len(truths):
        return math.nan
    cells = _sizes(truths * (int(answers.max()) + 1) + answers)
    one, other, both = (_entropy(sizes) for sizes in (_sizes(truths), _sizes(answers), cells))
    return 1.0 if one + other == 0.0 else 2 * (one + other - both) / (one + other)


def _entropy(sizes: Counts) -> float:
    shares = sizes / sizes.sum()
    return float(-(shares * np.log(shares)).sum())
