"""Who reported an event beside whom, and who was first. Takes the articles of a cluster. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from newsloom.importance.sources.authority import known_tier, owner_of

# A source speaks for another if the table or a rule puts it into one of these tiers: made-up
# domains that report each other speak for nobody.
LEAST_TIER = 3

# Members of one cluster that are compared with each other; larger ones are their first so many.
MOST_MEMBERS = 200


@dataclass(frozen=True, slots=True)
class Member:
    """An article of a cluster."""

    source: str
    text: int  # equal for those that say the same
    agency: str  # whose wire copy it is
    seen: int  # when it was first seen here, in any unit


@dataclass(slots=True)
class Counts:
    """Of one source: articles that others report too, and those of them it had first."""

    corroborated: int = 0
    followed: int = 0


def count(members: Iterable[Member], counts: dict[str, Counts]) -> None:
    """Add what the articles of one cluster say of their sources."""
    those = sorted(members, key=lambda one: one.seen)[:MOST_MEMBERS]
    known = [one for one in those if _speaks(one.source)]
    if not known:
        return
    for one in those:
        others = _independent(one, known)
        if others:
            found = counts.setdefault(one.source, Counts())
            found.corroborated += 1
            found.followed += one.seen < min(other.seen for other in others)


def _independent(one: Member, known: Sequence[Member]) -> list[Member]:
    """Those of another owner, with a text of their own, not from the same wire."""
    owner = owner_of(one.source)
    return [
        other
        for other in known
        if other.text != one.text
        and owner_of(other.source) != owner
        and not (one.agency and other.agency == one.agency)
    ]


def _speaks(source: str) -> bool:
    known = known_tier(source)
    return known is not None and known.tier <= LEAST_TIER
