"""Articles that belong together, from the decisions about pairs. Judges no pair, reads no store."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from newsloom.types import ArticleId, Link, Relation


@dataclass(frozen=True, slots=True)
class Place:
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


def group(
    links: Iterable[Link], apart: Collection[tuple[ArticleId, ArticleId]] = ()
) -> Mapping[ArticleId, Place]:
    """The place of each article that shares a group with another; the order of links is nothing."""
    joining = sorted(
        {
            (_STRENGTH[link.relation], link.article, link.other)
            for link in links
            if link.relation.joins
        }
    )
    same_text = [(a, b) for strength, a, b in joining if strength == 0]
    texts = _components(same_text, apart)
    clusters = _components([(a, b) for _, a, b in joining], apart)
    return {article: Place(name, texts.get(article, article)) for article, name in clusters.items()}


# The strongest first, so that what keeps two articles apart parts them at the weakest place.
_STRENGTH = {Relation.SAME_TEXT: 0, Relation.NEAR_DUPLICATE: 1, Relation.SAME_EVENT: 2}


def _components(
    pairs: Iterable[tuple[ArticleId, ArticleId]],
    apart: Collection[tuple[ArticleId, ArticleId]],
) -> dict[ArticleId, ArticleId]:
    """The least id of each one's component; singles are left out."""
    members: dict[ArticleId, set[ArticleId]] = {}
    parted: dict[ArticleId, set[ArticleId]] = {}
    for a, b in apart:
        parted.setdefault(a, set()).add(b)
        parted.setdefault(b, set()).add(a)
    for a, b in pairs:
        one, two = members.get(a, {a}), members.get(b, {b})
        if one is two or any(parted.get(member, _NONE) & two for member in one):
            continue
        small, large = sorted((one, two), key=len)
        large |= small
        for member in small:
            members[member] = large
        members[a] = members[b] = large
    names = {id(found): min(found) for found in members.values()}
    return {article: names[id(found)] for article, found in members.items()}


_NONE: frozenset[ArticleId] = frozenset()
