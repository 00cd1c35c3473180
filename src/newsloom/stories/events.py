"""A story as threads see it: one event, by what its articles have in common. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from newsloom.articles.terms import printed
from newsloom.stories.prepared import MOST_TERMS, Background, Floats, Prepared, column
from newsloom.stories.values.pages import Piece, StoryId

# Articles of an event that are read, the newest; terms and names that are kept, the heaviest.
READ = 20
MOST_NAMES = 16
# Characters of a text that are searched for names.
NAMES_LEAD = 600

# Of a title's words: with more capitals than that it is printed in capitals, which name nothing.
CAPITALS = 0.6

Weighted = tuple[NDArray[np.int32], Floats]  # buckets, and weights of unit length together


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """A story ready to be compared with others."""

    id: StoryId
    vector: Floats  # mean of its articles', unit length
    terms: Weighted
    names: Weighted
    began: float  # days since 1970 of its first and its last article
    ended: float
    pinned: bool = False  # where a reader or a language model put it


def pack(terms: Weighted, names: Weighted) -> bytes:
    """As a store keeps them: how many there are of each, buckets, weights."""
    parts = [np.array([len(terms[0]), len(names[0])], "<u2").tobytes()]
    for columns, weights in (terms, names):
        parts += [columns.astype("<i4").tobytes(), weights.astype("<f4").tobytes()]
    return b"".join(parts)


def unpack(packed: bytes) -> tuple[Weighted, Weighted]:
    """Raises ValueError for what `pack` has not made."""
    many = np.frombuffer(packed, "<u2", 2).tolist()
    found, start = [], 4
    for count in many:
        columns = np.frombuffer(packed, "<i4", count, start).astype(np.int32)
        weights = np.frombuffer(packed, "<f4", count, start + 4 * count).astype(np.float32)
        found.append((columns, weights))
        start += 8 * count
    return found[0], found[1]


def event(
    story: StoryId,
    articles: Sequence[Prepared],
    background: Background,
    vector: NDArray[np.floating] | None = None,
    *,
    pinned: bool = False,
) -> Event | None:
    """Of the articles of a story, the newest first; None: none is dated.

    `vector`: their sum, where it is known for more articles than are given.
    """
    days = [one.day for one in articles if one.day == one.day]
    if not days:
        return None
    heard = articles[:READ]
    total = np.sum([one.vector for one in heard], axis=0) if vector is None else vector
    terms, names = features(heard, background)
    return Event(
        id=story,
        vector=unit(total),
        terms=terms,
        names=names,
        began=min(days),
        ended=max(days),
        pinned=pinned,
    )


def features(articles: Sequence[Prepared], background: Background) -> tuple[Weighted, Weighted]:
    """The heaviest terms of articles together, and their names."""
    terms: Counter[int] = Counter()
    names: Counter[str] = Counter()
    for one in articles:
        for bucket, weight in zip(one.columns.tolist(), one.weights.tolist(), strict=True):
            terms[bucket] += weight
        names.update(names_in(one.piece))
    return _weighted(terms, MOST_TERMS), _weighted(_named(names, background), MOST_NAMES)


def names_in(piece: Piece) -> frozenset[str]:
    """The terms of an article that are written with a capital: cheap enough to ask every article.
    With those of the shipped tagger, which costs as much as all else, F1 of all is the same."""
    words = piece.title.split()
    # Where nearly all words have capitals, they say nothing.
    mixed = sum(word[0].isupper() for word in words) <= CAPITALS * len(words)
    title = piece.title if mixed else ""
    text = f"{title}. {piece.lead[:NAMES_LEAD]}"
    return frozenset(term for term, word in printed(text, piece.language) if word[0].isupper())


def _named(names: Mapping[str, int], background: Background) -> dict[int, float]:
    found: Counter[int] = Counter()
    for name, count in names.items():
        found[column(name)] += count * background.weight(name)  # type: ignore[assignment]
    return dict(found)


def _weighted(weights: Mapping[int, float], most: int) -> Weighted:
    top = sorted(weights.items(), key=lambda one: (-one[1], one[0]))[:most]
    values = np.array([weight for _, weight in top], np.float32)
    length = float(np.linalg.norm(values)) or 1.0
    return np.array([bucket for bucket, _ in top], np.int32), values / np.float32(length)


def unit(vector: NDArray[np.floating]) -> Floats:
    length = float(np.linalg.norm(vector)) or 1.0
    return np.asarray(vector / length, np.float32)
