"""Importance: how much an article matters, 0 to 100, as a weighted sum of five signals.

Authority, corroboration and depth are of the article and the same for everyone; topic relevance
(and a tier that a reader set) is theirs; recency is of the moment. Only recency ages, so a stored
sum of the other four never has to be made again because time passed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType

# The decay of recency for an hour, and its named paces; seed 001.
FADE, WEEKLY_FADE, REALTIME_FADE = 0.03, 0.01, 0.05

# Points of corroboration that are still missing halve with each further independent source. Seed
# 001 gives no scale.
HALVING = 1.0

# The cosine to the interest profile that is as near as articles come. Of HuffPost's simulated
# readers, one liked article in ten is nearer. After 20 labels 79 of 100 liked ones have 0, and 82
# of the others: 0 is no evidence.
NEAREST = 0.30


@dataclass(frozen=True, slots=True)
class SignalFacts:
    """What the signals are made of."""

    authority: float = 0.0  # 0..100, of the source
    age: timedelta = timedelta()
    fade: float = FADE  # an hour
    sources: int = 1  # independent ones, its own among them
    nearness: float = 0.0  # cosine to the interest profile; 0 also where there is none
    depth: float = 0.0  # 0..100
    vouched: bool = False  # the table or a rule knows its source


Weights = Mapping[str, float]  # by the name of a signal

# Of seed 001; settings say otherwise.
WEIGHTS: Weights = MappingProxyType(
    {"authority": 0.25, "recency": 0.20, "corroboration": 0.20, "topic": 0.20, "depth": 0.15}
)


def recency(age: timedelta, fade: float = FADE) -> float:
    """100 e^(-fade * hours), 0 to 100; nothing is younger than new."""
    return 100.0 * math.exp(-min(fade * max(age / timedelta(hours=1), 0.0), 700.0))


def corroboration(sources: int, alone: float = 0.0) -> float:
    """0 to 100, for so many independent sources that tell of it; `alone` is what one has."""
    return 100.0 - (100.0 - alone) * math.exp2(-HALVING * max(sources - 1, 0))


def topic(nearness: float, far: float = 0.0) -> float:
    """0 to 100, for a cosine to the interest profile; `far` is what none has."""
    return far + (100.0 - far) * min(max(nearness, 0.0) / NEAREST, 1.0)


def parts(facts: SignalFacts, weights: Weights = WEIGHTS) -> Mapping[str, float]:
    """The value of each signal, 0 to 100.

    A single source may yet be joined by others, and a profile without a word in common says
    nothing. Such a signal has the mean of those that are known, so that its weight counts for
    them; evidence fills what is missing from there to 100. Of a source that nothing vouches for,
    corroboration begins at 0.
    """
    known = {"authority": _cut(facts.authority), "depth": _cut(facts.depth)}
    alone = _mean(known, weights) if facts.vouched else 0.0
    known["corroboration"] = corroboration(facts.sources, alone)
    known["topic"] = topic(facts.nearness, _mean(known, weights))
    known["recency"] = recency(facts.age, facts.fade)
    return {name: known[name] for name in WEIGHTS}


def lasting_points(facts: SignalFacts, weights: Weights = WEIGHTS) -> float:
    """What all signals but recency add up to, 0 to 100."""
    values = parts(facts, weights)
    return sum(weights[name] * values[name] for name in values if name != "recency")


def _cut(value: float) -> float:
    return min(max(value, 0.0), 100.0)


def _mean(values: Mapping[str, float], weights: Weights) -> float:
    whole = sum(weights[name] for name in values)
    return sum(weights[name] * values[name] for name in values) / whole if whole else 0.0


def importance(points: float, age: timedelta, fade: float, weights: Weights = WEIGHTS) -> float:
    """Importance at a moment, of the points that last; 0 to 100."""
    return points + weights["recency"] * recency(age, fade)


@dataclass(frozen=True, slots=True)
class Blend:
    """How much importance counts in the score that orders "For you"."""

    share: float = 0.0  # 0 to 1
    recency: float = 0.20  # the weight of recency, which is left out: relevance does not age either

    def of(self, relevance: float, points: float) -> float:
        """Relevance with that share of what lasts of importance, 0 to 100."""
        return (1.0 - self.share) * relevance + self.share * self._lasting(points)

    def relevance(self, blended: float, points: float) -> float:
        """What it was before: the other way round."""
        if not 0.0 < self.share < 1.0:
            return blended
        return (blended - self.share * self._lasting(points)) / (1.0 - self.share)

    def _lasting(self, points: float) -> float:
        whole = 1.0 - self.recency
        return min(points / whole, 100.0) if whole > 0 else 0.0


NO_BLEND = Blend()
