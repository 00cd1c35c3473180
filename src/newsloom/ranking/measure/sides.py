"""Which labelled articles must stay on one side of every split. Pure; decides no split.

A model that trained on one outlet's report of an event, or on last week's copy of a text, knows the
answer for the next: syndicated copies on both sides are how such figures come out too good.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from newsloom.kernel.text.titles import normal_title

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
        for other in sorted(set(_held(holders, prefix))):
            if len(words & titles[other]) >= ALIKE * len(words | titles[other]):
                yield place, other
        for word in prefix:
            holders[word].append(place)


def _held(holders: dict[str, list[int]], words: Iterable[str]) -> Iterator[int]:
    for word in words:
        yield from holders[word]
