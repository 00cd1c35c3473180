"""Groups that grow by one pair after the other, and those that links make of articles."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from newsloom.duplicates.values import Link, Relation
from newsloom.kernel.ids import ArticleId

Key = TypeVar("Key", bound=Any)  # whose values have an order


class Groups(Generic[Key]):
    """Each is named by the least in it; what was never united is a group of its own."""

    def __init__(self) -> None:
        self._above: dict[Key, Key] = {}

    def of(self, one: Key) -> Key:
        """The name of its group."""
        name = one
        while (above := self._above.get(name, name)) != name:
            name = above
        while one != name:  # the next look-up is one step
            self._above[one], one = name, self._above[one]
        return name

    def unite(self, one: Key, other: Key) -> None:
        least, greatest = sorted((self.of(one), self.of(other)))
        if least != greatest:
            self._above[greatest] = least


# Articles that belong together, from the decisions about pairs. Judges no pair, reads no store.
# Groups are the connected components of the links that join, so that they depend on nothing but the
# links; which pairs are linked is kept strict instead (duplicates/matrix.py). Where a reader has
# parted two, links are taken strongest first and one that would bring them together again is passed
# over.

Pair = tuple[ArticleId, ArticleId]

_NONE: frozenset[ArticleId] = frozenset()
# The strongest first, so that what keeps two articles apart parts them at the weakest place.
_STRENGTH = {Relation.SAME_TEXT: 0, Relation.NEAR_DUPLICATE: 1, Relation.SAME_EVENT: 2}


@dataclass(frozen=True, slots=True)
class Position:
    """Where an article stands: each group is named by its least id."""

    cluster: ArticleId  # one event
    text: ArticleId  # one text, within the cluster


@dataclass(frozen=True, slots=True)
class Member:
    """What decides which article stands for its group."""

    id: ArticleId
    length: int  # characters of its text
    dated: datetime


def fullest(members: Iterable[Member]) -> Member:
    """The longest text; of equally long ones the earliest."""
    return min(members, key=lambda member: (-member.length, member.dated, member.id))


def group(links: Iterable[Link], apart: Collection[Pair] = ()) -> Mapping[ArticleId, Position]:
    """The place of each article that shares a group with another; the order of links is nothing.

    `links` are all that join one of the articles concerned to any other, and theirs in turn.
    """
    pairs = sorted(
        (_STRENGTH[link.relation], link.article, link.other)
        for link in links
        if link.relation.joins
    )
    texts = _components([(a, b) for strength, a, b in pairs if strength == 0], apart)
    clusters = _components([(a, b) for _, a, b in pairs], apart)
    return {one: Position(cluster, texts.get(one, one)) for one, cluster in clusters.items()}


def _components(pairs: Iterable[Pair], apart: Collection[Pair]) -> dict[ArticleId, ArticleId]:
    """The least id of each one's component, of those that are not alone."""
    members: dict[ArticleId, set[ArticleId]] = {}
    parted: dict[ArticleId, set[ArticleId]] = {}
    for a, b in apart:
        parted.setdefault(a, set()).add(b)
        parted.setdefault(b, set()).add(a)
    for a, b in pairs:
        small, large = sorted((members.get(a, {a}), members.get(b, {b})), key=len)
        if small is large or any(not parted.get(one, _NONE).isdisjoint(large) for one in small):
            continue
        large |= small
        for one in (*small, a, b):
            members[one] = large
    groups = {id(found): found for found in members.values()}
    return {one: name for found in groups.values() for name in (min(found),) for one in found}
