"""What stands in a digest: topics by importance, each kind within its numbers. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from newsloom.digest.summarise import summarise
from newsloom.types import (
    Digest,
    DigestArticle,
    DigestGroup,
    DigestKind,
    DigestTopic,
    FeedReport,
)

# Importance of the sections; seed 001.
TOP, NOTEWORTHY = 70.0, 40.0
# Where fewer topics reach TOP than these, the best ones lead; and where fewer reach NOTEWORTHY than
# a kind of digest has stories, the best of the others fill it.
FEWEST_TOP = 3


@dataclass(frozen=True, slots=True)
class Kind:
    """The numbers of one kind of digest; seed 001."""

    kind: DigestKind
    fewest: int  # stories with a summary, where there are as many topics
    stories: int  # at most
    words: int  # of each summary, at most
    mentioned: int  # lines without one, at most
    span: timedelta  # of the window, where none is told


KINDS = (
    Kind(DigestKind.MORNING, 10, 15, 75, 20, timedelta(hours=14)),
    Kind(DigestKind.MIDDAY, 5, 10, 50, 10, timedelta(hours=6)),
    Kind(DigestKind.EVENING, 10, 15, 75, 20, timedelta(hours=10)),
    Kind(DigestKind.WEEKLY, 20, 30, 150, 30, timedelta(days=7)),
    Kind(DigestKind.AD_HOC, 10, 15, 75, 20, timedelta(days=1)),
)


def kind_of(name: DigestKind) -> Kind:
    """The numbers of a kind."""
    return next(one for one in KINDS if one.kind is name)


def digest(
    groups: Sequence[DigestGroup],
    kind: DigestKind,
    begin: datetime,
    end: datetime,
    zone: str,
    feeds: FeedReport,
) -> Digest:
    """The digest of a window. A topic is as important as its most important article.

    Groups of one article are topics too. Everything is ordered by importance, ties by key.
    """
    numbers = kind_of(kind)
    ranked = sorted(groups, key=lambda one: (-_importance(one), one.key))
    reach = sum(_importance(one) >= TOP for one in ranked)
    relaxed = reach < FEWEST_TOP
    leading = min(max(reach, FEWEST_TOP), numbers.stories)
    top = ranked[:leading]
    rest = ranked[leading:]
    reaching = sum(_importance(one) >= NOTEWORTHY for one in rest)
    worthy = rest[: max(min(reaching, numbers.stories - len(top)), numbers.fewest - len(top))]
    taken = {one.key for one in (*top, *worthy)}
    mentioned = [one for one in rest if one.key not in taken][: numbers.mentioned]
    told = [_topic(one, numbers.words) for one in worthy]
    return Digest(
        kind=kind,
        begin=begin,
        end=end,
        zone=zone,
        title=f"{_TITLES[kind]}: {len(taken)} topics",
        top=tuple(_topic(one, numbers.words) for one in top),
        noteworthy=tuple(sorted(told, key=lambda one: (one.category, -one.importance, one.key))),
        mentioned=tuple(_topic(one, 0) for one in mentioned),
        feeds=feeds,
        relaxed=relaxed and bool(top),
    )


_TITLES = {
    DigestKind.MORNING: "Morning brief",
    DigestKind.MIDDAY: "Midday update",
    DigestKind.EVENING: "Evening recap",
    DigestKind.WEEKLY: "Weekly roundup",
    DigestKind.AD_HOC: "Digest",
}


def _importance(group: DigestGroup) -> float:
    return max((one.importance for one in group.articles), default=0.0)


def _topic(group: DigestGroup, words: int) -> DigestTopic:
    lead = next(one for one in group.articles if one.id == group.lead)
    others = tuple(one for one in group.articles if one.id != group.lead)
    summary = summarise((lead, *_by_owner(lead, others)), words) if words else ()
    return DigestTopic(
        key=group.key,
        label=group.label,
        lead=_light(lead),
        related=tuple(map(_light, others)),
        summary=summary,
        importance=_importance(group),
        category=lead.category,
    )


def _by_owner(lead: DigestArticle, others: Sequence[DigestArticle]) -> tuple[DigestArticle, ...]:
    """Those of other owners first: what they add is known by more than one."""
    return tuple(sorted(others, key=lambda one: one.owner == lead.owner))


def _light(article: DigestArticle) -> DigestArticle:
    """Without its text, which the summary was made of."""
    return replace(article, text="")
