"""Who publishes: tiers of sources, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class SourceKind(StrEnum):
    """What a source is."""

    WIRE = "wire"
    NEWSPAPER = "newspaper"
    BROADCASTER = "broadcaster"
    MAGAZINE = "magazine"
    ONLINE = "online"
    JOURNAL = "journal"
    GOVERNMENT = "government"
    STANDARDS = "standards"
    ACADEMIC = "academic"
    COMPANY = "company"
    ORGANISATION = "organisation"
    BLOG = "blog"
    COMMUNITY = "community"
    AGGREGATOR = "aggregator"
    SATIRE = "satire"
    PROPAGANDA = "propaganda"


class TierOrigin(StrEnum):
    """Where a source's tier is from, the first that says one."""

    READER = "reader"
    TABLE = "table"
    RULE = "rule"
    LEARNED = "learned"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Source:
    """A row of the shipped table. `country` is ISO 3166-1 alpha-2; "" for international ones."""

    domain: str  # a registrable domain, or a name below one
    tier: int  # 1 (wire services, official) to 5 (unverified)
    owner: str  # who controls it; equal for those of one owner
    country: str
    kind: SourceKind
    reason: str  # public, in a few words


@dataclass(frozen=True, slots=True)
class SourceFacts:
    """What was measured here about one source. Rates are of its articles, 0 to 1."""

    articles: int = 0
    days: float = 0.0  # since its first article here
    authored: float = 0.0  # name an author
    revised: float = 0.0  # changed after they were first seen
    corrected: float = 0.0  # say so themselves: correction, retraction
    corroborated: float = 0.0  # in a cluster with an independent source
    followed: float = 0.0  # of those, it was first and others came later
    trackers: float = 0.0  # tracking and advertising marks an article, as a rate of its links
    reliability: float = 1.0  # of its feeds, 0 to 1


@dataclass(frozen=True, slots=True)
class Authority:
    """How far a source is to be believed: 0 to 100, inside the band of its tier."""

    domain: str
    tier: int
    score: float
    origin: TierOrigin
    owner: str  # the domain itself where nobody is known
    reason: str
