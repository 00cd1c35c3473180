"""The interest profile: what a reader follows, as weights of terms. Pure.

It begins with what they said: stated interests and categories. What they liked,
finished and skipped moves it. A topic loses a tenth of its weight for each week without anything
for it. The whole is made anew from the evidence, so taking a like back takes it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

WEEK = timedelta(days=7)
KEPT = 0.9  # of a topic's weight, for each week without evidence; seed 001

# Of articles that were read, only these many terms speak, the heaviest: the others are chance.
TERMS = 12
# Terms of a profile at most. Beyond a few hundred the weights are near nothing.
LARGEST = 500
# What is said weighs as much as this many likes.
STATED = 3.0

Terms = Mapping[str, float]  # TF-IDF weights


@dataclass(frozen=True, slots=True)
class Evidence:
    """An article that was liked (weight above 0) or disliked, in likes."""

    terms: Terms
    weight: float
    at: datetime
    article: int = 0


@dataclass(frozen=True, slots=True)
class Interests:
    """A reader's profile. Weights are of a vector of length 1; none is negative."""

    weights: Terms = field(default_factory=dict)
    latest: Mapping[str, datetime] = field(default_factory=dict)  # evidence for a term
    stated: frozenset[str] = frozenset()
    taught_by: Mapping[str, tuple[tuple[int, float], ...]] = field(default_factory=dict)

    def nearness(self, terms: Terms) -> float:
        """The cosine to an article's terms, 0 to 1; 0 where either is empty."""
        if not self.weights or not terms:
            return 0.0
        length = sum(value * value for value in terms.values()) ** 0.5
        if not length:
            return 0.0
        dot = sum(value * self.weights.get(term, 0.0) for term, value in terms.items())
        return float(min(max(dot / length, 0.0), 1.0))


def profile(
    stated: Iterable[Terms],
    evidence: Iterable[Evidence],
    now: datetime,
    edits: Mapping[str, float] | None = None,
) -> Interests:
    """Made of all that is known of a reader. `edits` multiply the weight of a term; 0 drops it."""
    sums: dict[str, float] = {}
    latest: dict[str, datetime] = {}
    articles: dict[str, list[tuple[int, float]]] = {}
    said = _stated(stated)
    for one in evidence:
        for term, value in _heaviest(one.terms):
            sums[term] = sums.get(term, 0.0) + one.weight * value
            articles.setdefault(term, []).append((one.article, one.weight * value))
            if one.weight > 0 and (term not in latest or latest[term] < one.at):
                latest[term] = one.at
    weights = {
        term: value * KEPT ** max((now - latest[term]) / WEEK, 0.0)
        for term, value in sums.items()
        if value > 0 and term in latest
    }
    for term, value in said.items():
        weights[term] = weights.get(term, 0.0) + STATED * value
    weights = {term: value * (edits or {}).get(term, 1.0) for term, value in weights.items()}
    kept = sorted(((value, term) for term, value in weights.items() if value > 0), reverse=True)
    kept = kept[:LARGEST]
    length = sum(value * value for value, _term in kept) ** 0.5
    if not length:  # nothing, or less than can be squared
        return Interests(stated=frozenset(said))
    return Interests(
        weights={term: value / length for value, term in kept},
        latest={term: latest[term] for _value, term in kept if term in latest},
        stated=frozenset(said),
        taught_by={term: tuple(articles.get(term, ())) for _value, term in kept},
    )


def is_fading(interests: Interests, term: str, now: datetime) -> bool:
    """Whether nothing spoke for it for more than a week; what is stated does not fade."""
    latest = interests.latest.get(term)
    return term not in interests.stated and latest is not None and now - latest > WEEK


def _stated(stated: Iterable[Terms]) -> dict[str, float]:
    """The heaviest of a term in vectors of length 1 counts: to say it twice is to say it once."""
    found: dict[str, float] = {}
    for terms in stated:
        length = sum(value * value for value in terms.values()) ** 0.5
        for term, value in terms.items():
            if length:
                found[term] = max(found.get(term, 0.0), value / length)
    return found


def _heaviest(terms: Terms) -> list[tuple[str, float]]:
    """Of a vector of length 1."""
    length = sum(value * value for value in terms.values()) ** 0.5
    if not length:
        return []
    ranked = sorted(terms.items(), key=lambda one: (-one[1], one[0]))
    return [(term, value / length) for term, value in ranked[:TERMS]]
