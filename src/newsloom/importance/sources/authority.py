"""How far a source is to be believed, and the words for it: the reader's own tier, the table, a
rule, what was measured, or the default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from newsloom.importance.sources.bands import (
    BANDS,
    DEFAULT,
    DEFAULT_TIER,
    LEAST_ARTICLES,
    LEAST_DAYS,
    contributions,
    enough,
    learned,
    placed,
    tier_of,
)
from newsloom.importance.sources.naming import host_of, names, platform_of
from newsloom.importance.sources.rules import rule_of
from newsloom.importance.sources.table import row_of, source_of
from newsloom.importance.values import Authority, SourceFacts, TierOrigin

NO_FACTS = SourceFacts()
NO_TIERS: Mapping[str, int] = MappingProxyType({})

OWN = "You set this tier."
UNKNOWN = "Not in the table, and not enough articles to tell."
MEASURED = "Not in the table; estimated from its articles here."

# What moved a learned score, in words for more and for less of it.
_WORDS = {
    "age": "days followed",
    "authored": "articles with an author",
    "corroborated": "events also reported by known sources",
    "followed": "being first to report them",
    "corrected": "corrections",
    "revised": "articles edited later",
    "trackers": "links with tracking parameters",
    "unreliable": "failing feeds",
}


@dataclass(frozen=True, slots=True)
class Known:
    """What is said of a source without looking at its articles."""

    tier: int
    origin: TierOrigin
    owner: str
    reason: str


def authority(
    domain: str, facts: SourceFacts = NO_FACTS, own: Mapping[str, int] = NO_TIERS
) -> Authority:
    """Tier and score of a source, by a host or web address of it.

    `own` are a reader's tiers by domain; one holds for the names below it too. Never raises.
    """
    name = source_of(domain)
    known = known_tier(domain, own)
    if known is not None:
        score = placed(known.tier, facts)
        return Authority(name, known.tier, score, known.origin, known.owner, known.reason)
    if not enough(facts):
        return Authority(name, DEFAULT_TIER, DEFAULT, TierOrigin.UNKNOWN, owner_of(domain), UNKNOWN)
    score = learned(facts)
    tier = tier_of(score)
    score = min(score, BANDS[tier][1])
    return Authority(name, tier, score, TierOrigin.LEARNED, owner_of(domain), MEASURED)


def known_tier(domain: str, own: Mapping[str, int] = NO_TIERS) -> Known | None:
    """The tier by the reader, the table or a rule; None for an unknown source."""
    for name in names(domain) if own else ():
        if own.get(name) in BANDS:
            return Known(own[name], TierOrigin.READER, owner_of(domain), OWN)
    return _shipped(domain)


@lru_cache(maxsize=16_384)
def _shipped(domain: str) -> Known | None:
    """The tier by the table or a rule, the same for every reader."""
    row = row_of(domain)
    if row is not None:
        return Known(row.tier, TierOrigin.TABLE, owner_of(domain), row.reason)
    rule = rule_of(domain)
    if rule is not None:
        return Known(rule.tier, TierOrigin.RULE, owner_of(domain), rule.reason)
    platform = platform_of(host_of(domain))
    if platform is not None:
        reason = f"{platform.what[0].upper()}{platform.what[1:]} ({platform.domain})."
        return Known(platform.tier, TierOrigin.RULE, owner_of(domain), reason)
    return None


@lru_cache(maxsize=16_384)
def owner_of(domain: str) -> str:
    """Who controls a source, to count independent ones: equal for those of one owner.

    The source's own name where the table names nobody.
    """
    row = row_of(domain)
    return row.owner if row is not None and row.owner else source_of(domain)


def explained(found: Authority, facts: SourceFacts) -> tuple[str, ...]:
    """What was measured of a source, and what it did to its score, in sentences."""
    if not facts.articles:
        return ("No articles measured yet.",)
    days = f"{facts.days:.0f} day{'' if round(facts.days) == 1 else 's'}"
    lines = [
        f"{facts.articles:,} article{'' if facts.articles == 1 else 's'} in {days};"
        f" {facts.authored:.0%} name an author.",
        f"{facts.corrected:.1%} corrected or retracted; {facts.revised:.1%} edited later.",
        f"{facts.corroborated:.0%} are on events that known sources report too; first on"
        f" {facts.followed:.0%} of those.",
        f"{facts.trackers:.0%} of links have tracking parameters; feed reliability"
        f" {100 * facts.reliability:.0f} of 100.",
    ]
    if found.origin is TierOrigin.LEARNED:
        moved = [
            f"{_WORDS[name]} {points:+.1f}"
            for name, points in contributions(facts).items()
            if abs(points) >= 0.05
        ]
        lines.append(f"From {DEFAULT:g} of 100: {', '.join(moved) or 'no change'}.")
    elif found.origin is TierOrigin.UNKNOWN:
        lines.append(
            f"Estimated after {LEAST_ARTICLES} articles and {LEAST_DAYS:g} days; until then"
            f" {DEFAULT:g}."
        )
    return tuple(lines)
