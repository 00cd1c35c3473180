"""Which labels train and which judge, by the name of the protocol. Pure; trains nothing.

    cv            ten folds, every label judged once
    time          the newest third is judged by what was labelled before it
    seed          the protocol of the blog this project began with: of the last year the newest n
                  of each kind, n being the rarer one's number; the oldest 100 of each are judged
    seed-random   the same, but 100 of each are drawn

What belongs together (ranking/measure/splits.py) is never on both sides.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

import numpy as np
from numpy.typing import NDArray

from newsloom.kernel.errors import UserError
from newsloom.kernel.text.headlines import normal_title

Rows = NDArray[np.intp]

FOLDS = 10
TRAINED_SHARE = 2 / 3
WINDOW = timedelta(days=365)
HELD_OUT = 100  # of each kind

# Of each kind, so that some are left to train on when there are few.
LEAST_HELD_OUT = 20


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What a split may see of one reader's labels."""

    positive: NDArray[np.bool_]
    times: NDArray[np.float64] | None  # seconds; None: some are not known
    sides: Rows

    def __len__(self) -> int:
        return len(self.positive)


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """Rows that train and rows that are judged."""

    kept: Rows
    held: Rows


def cross_validated(known: Known, folds: int = FOLDS) -> list[Split]:
    """Shuffled once, the same way every time: files often come sorted by kind or day."""
    _, first, side = np.unique(known.sides, return_index=True, return_inverse=True)
    order = np.random.default_rng(0).permutation(len(first))
    ranked = order[np.argsort(known.positive[first[order]], kind="stable")]
    fold = np.empty(len(first), np.intp)
    fold[ranked] = np.arange(len(first)) % folds
    parts = [np.flatnonzero(fold[side] == one) for one in range(folds)]
    rows = np.arange(len(known))
    return [Split(np.setdiff1d(rows, part), part) for part in parts if len(part)]


def by_time(known: Known) -> list[Split]:
    """The past judges the future; what is told again there is left out of the judging."""
    order = in_time(known)
    cut = int(len(known) * TRAINED_SHARE)
    kept, held = order[:cut], order[cut:]
    return [Split(np.sort(kept), np.sort(_apart(known, held, kept)))]


def seed(known: Known) -> list[Split]:
    """The oldest 100 of each kind."""
    newest = _balanced(known)
    size = _held_out(newest[0])
    return [_judged(known, newest, [rows[:size] for rows in newest])]


def seed_random(known: Known) -> list[Split]:
    """100 of each kind, drawn."""
    newest = _balanced(known)
    size, draw = _held_out(newest[0]), np.random.default_rng(0)
    return [_judged(known, newest, [draw.permutation(rows)[:size] for rows in newest])]


PROTOCOLS: dict[str, Callable[[Known], list[Split]]] = {
    "cv": cross_validated,
    "time": by_time,
    "seed": seed,
    "seed-random": seed_random,
}


def splits(fit: str, known: Known) -> list[Split]:
    """The splits of a protocol. Raises UserError when there is none of that name."""
    if fit not in PROTOCOLS:
        raise UserError(f"--fit is one of {', '.join(PROTOCOLS)}, not {fit!r:.40}.")
    return PROTOCOLS[fit](known)


def in_time(known: Known) -> Rows:
    """All rows, oldest label first."""
    if known.times is None:
        raise UserError(
            'Every label needs "labelled_at" or "published" for that; --fit cv needs neither.'
        )
    return np.argsort(known.times, kind="stable")


def _apart(known: Known, rows: Rows, others: Rows) -> Rows:
    """The rows that belong to none of the others."""
    return rows[~np.isin(known.sides[rows], known.sides[others])]


def _balanced(known: Known) -> list[Rows]:
    """As many of the newest of each kind within the window, oldest first."""
    order = in_time(known)
    assert known.times is not None
    last = known.times[order[-1]] if len(order) else 0.0
    recent = order[known.times[order] > last - WINDOW.total_seconds()]
    kinds = [recent[known.positive[recent] == side] for side in (False, True)]
    count = min(map(len, kinds))
    return [rows[len(rows) - count :] for rows in kinds]


def _held_out(rows: Rows) -> int:
    size = min(HELD_OUT, len(rows) // 2)
    if size < LEAST_HELD_OUT:
        raise UserError(
            f"The seed's protocol needs {2 * LEAST_HELD_OUT} likes and as many dislikes within a "
            f"year; there are {len(rows)} of the rarer kind."
        )
    return size


def _judged(known: Known, rows: list[Rows], held: list[Rows]) -> Split:
    judged = np.concatenate(held)
    rest = np.setdiff1d(np.concatenate(rows), judged)
    return Split(np.sort(_apart(known, rest, judged)), np.sort(judged))


# Which labelled articles must stay on one side of every split. A model that trained on one
# outlet's report of an event, or on last week's copy of a text, knows the answer for the next:
# syndicated copies on both sides are how such figures come out too good.

# Titles of at least this many different words are one when they share this part of all their words.
LEAST_WORDS = 5
ALIKE = 0.8


@dataclass(frozen=True, slots=True)
class Facts:
    """What may show that two articles are the same, or report the same."""

    title: str
    keys: tuple[str, ...] = ()  # equal in one: on one side


def sides(facts: Sequence[Facts]) -> NDArray[np.intp]:
    """A number for each article, the same for those that belong together."""
    homes = list(range(len(facts)))
    for first, second in _pairs(facts):
        homes[_home(homes, first)] = _home(homes, second)
    found = [_home(homes, place) for place in range(len(facts))]
    return np.unique(found, return_inverse=True)[1].astype(np.intp)


def _home(homes: list[int], place: int) -> int:
    while homes[place] != place:
        homes[place] = homes[homes[place]]
        place = homes[place]
    return place


def _pairs(facts: Sequence[Facts]) -> Iterator[tuple[int, int]]:
    holders: dict[str, int] = {}
    for place, one in enumerate(facts):
        title = normal_title(one.title)
        for key in (*one.keys, *([f"title {title}"] if title else [])):
            yield place, holders.setdefault(key, place)
    yield from _alike([frozenset(normal_title(one.title).split()) for one in facts])


def _alike(titles: Sequence[frozenset[str]]) -> Iterator[tuple[int, int]]:
    """Pairs of titles whose words are nearly the same.

    Two such titles share one of the rarest words of each, so only those are looked up.
    """
    counts = Counter(word for words in titles for word in words)
    holders: dict[str, list[int]] = defaultdict(list)
    for place, words in enumerate(titles):
        if len(words) < LEAST_WORDS:
            continue
        rarest = sorted(words, key=lambda word: (counts[word], word))
        prefix = rarest[: len(words) - int(np.ceil(ALIKE * len(words))) + 1]
        for other in sorted({one for word in prefix for one in holders[word]}):
            if len(words & titles[other]) >= ALIKE * len(words | titles[other]):
                yield place, other
        for word in prefix:
            holders[word].append(place)
