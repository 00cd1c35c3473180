"""Tiers of sources beside others' ratings: rank correlation, coverage, the worst disagreements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from newsloom.importance.sources import authority, known_tier, source_of
from newsloom.importance.sources.bands import DEFAULT, enough, learned
from newsloom.importance.values import Authority, SourceFacts, TierOrigin
from newsloom_lab.evaluate.ratings import Ratings

WORST = 20


@dataclass(frozen=True, slots=True)
class Part:
    """How well one part orders the domains that it says something of.

    `spearman` is None for fewer than three, or where all are equal; `least` and `most` are the ends
    of its 95% interval (Bonett and Wright 2000).
    """

    domains: int
    coverage: float  # of all rated
    spearman: float | None
    least: float | None
    most: float | None


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Places are shares of the covered domains that stand lower, 0 to 1."""

    domain: str
    tier: int
    origin: str
    place: float
    rated_place: float
    rated: float


@dataclass(frozen=True, slots=True)
class SourcesReport:
    rated: int
    unrated: int
    table_and_rules: Part
    table: Part
    rules: Part
    learned: Part | None  # None: no facts were given, or of none of the domains
    everything: Part  # with the default for unknown ones
    unknown: int
    unknown_score: float  # what each of them gets where nothing was measured
    unknown_rated_place: float | None  # where the ratings put them on average
    tiers: Mapping[str, int]  # how many covered domains are in each
    rated_by_tier: Mapping[str, float]  # the mean rated place of each tier
    worst: tuple[Disagreement, ...]


def run(ratings: Ratings, facts: Mapping[str, SourceFacts] | None = None) -> SourcesReport:
    """Compare. `facts` by source, for the learned part; the rest is judged without any."""
    rated = ratings.rated
    given = np.array([one.score for one in rated])
    found = [authority(one.domain) for one in rated]
    ours = np.array([one.score for one in found])
    origins = [one.origin for one in found]
    covered = np.array([known_tier(one.domain) is not None for one in rated])

    def part(chosen: np.ndarray) -> Part:
        return _part(ours[chosen], given[chosen], len(rated))

    by_table = np.array([one is TierOrigin.TABLE for one in origins])
    places = _places(given)
    unknown = ~covered
    tiers = sorted({one.tier for one, known in zip(found, covered, strict=True) if known})
    of_tier = {
        tier: covered & np.array([one.tier == tier for one in found], dtype=bool) for tier in tiers
    }
    return SourcesReport(
        rated=len(rated),
        unrated=ratings.unrated,
        table_and_rules=part(covered),
        table=part(by_table),
        rules=part(np.array([one is TierOrigin.RULE for one in origins])),
        learned=_learned(ratings, facts or {}),
        everything=part(np.ones(len(rated), dtype=bool)),
        unknown=int(unknown.sum()),
        unknown_score=DEFAULT,
        unknown_rated_place=float(places[unknown].mean()) if unknown.any() else None,
        tiers={str(tier): int(chosen.sum()) for tier, chosen in of_tier.items()},
        rated_by_tier={str(tier): float(places[one].mean()) for tier, one in of_tier.items()},
        worst=_worst(ratings, found, covered),
    )


def spearman(
    one: Sequence[float] | np.ndarray, other: Sequence[float] | np.ndarray
) -> float | None:
    """Spearman's rank correlation, ties at their mean rank; None where it is not defined."""
    if len(one) < 3:
        return None
    first, second = ranks(np.asarray(one, float)), ranks(np.asarray(other, float))
    first, second = first - first.mean(), second - second.mean()
    scale = float(np.sqrt((first**2).sum() * (second**2).sum()))
    return float((first * second).sum()) / scale if scale > 0 else None


def ranks(values: np.ndarray) -> np.ndarray:
    """From 1, ties at their mean."""
    _, where, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    mean: np.ndarray = (ends - (counts - 1) / 2)[where]
    return mean


def _part(ours: np.ndarray, given: np.ndarray, rated: int) -> Part:
    found = spearman(ours, given)
    least, most = _interval(found, len(ours))
    return Part(len(ours), len(ours) / rated, found, least, most)


def _interval(found: float | None, count: int) -> tuple[float | None, float | None]:
    if found is None or count < 5 or abs(found) >= 1:
        return None, None
    half = 1.96 * float(np.sqrt((1 + found**2 / 2) / (count - 3)))
    middle = float(np.arctanh(found))
    return float(np.tanh(middle - half)), float(np.tanh(middle + half))


def _places(values: np.ndarray) -> np.ndarray:
    """The share that stands lower, ties in their middle."""
    return (ranks(values) - 0.5) / max(len(values), 1)


def _learned(ratings: Ratings, facts: Mapping[str, SourceFacts]) -> Part | None:
    """Judged as if nothing were in the table."""
    seen = [
        (learned(facts[name]), one.score)
        for one in ratings.rated
        for name in [source_of(one.domain)]
        if name in facts and enough(facts[name])
    ]
    if not seen:
        return None
    ours, given = np.array(seen).T
    return _part(ours, given, len(ratings.rated))


def _worst(
    ratings: Ratings, found: Sequence[Authority], covered: np.ndarray
) -> tuple[Disagreement, ...]:
    chosen = [int(place) for place in np.flatnonzero(covered)]
    ours = _places(np.array([found[place].score for place in chosen]))
    given = _places(np.array([ratings.rated[place].score for place in chosen]))
    order = np.argsort(-np.abs(ours - given), kind="stable")[:WORST]
    return tuple(
        Disagreement(
            domain=ratings.rated[chosen[place]].domain,
            tier=found[chosen[place]].tier,
            origin=found[chosen[place]].origin.value,
            place=float(ours[place]),
            rated_place=float(given[place]),
            rated=ratings.rated[chosen[place]].score,
        )
        for place in order
    )
