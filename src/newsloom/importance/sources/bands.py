"""Scores of tiers, and where in its band a source stands by what was measured. Pure."""

from __future__ import annotations

import math

from newsloom.importance.values.sources import SourceFacts

# Least and most of each tier, of 100: seed 001, "Source Authority Tiers".
BANDS = {1: (90.0, 100.0), 2: (75.0, 89.0), 3: (60.0, 74.0), 4: (40.0, 59.0), 5: (20.0, 39.0)}

# So many articles count as much as the middle of the band does.
SHRINKAGE = 50.0

# At these rates accuracy is spent; our judgement. A tenth of articles corrected is ten times what
# newspapers print, and a live page or a wire revises half of what it sends.
MOST_CORRECTED, MOST_REVISED = 0.10, 0.50
CORRECTED, REVISED, RELIABILITY = 0.45, 0.15, 0.40  # what each is of the position

# What most sources come to: they stand in the middle of the band.
USUAL = 0.85


def middle(tier: int) -> float:
    low, high = BANDS[tier]
    return (low + high) / 2


def tier_of(score: float) -> int:
    """The tier whose band a score is in; between two bands it is the lower one's."""
    return next((tier for tier, (low, _high) in sorted(BANDS.items()) if score >= low), 5)


def placed(tier: int, facts: SourceFacts) -> float:
    """The score inside the band of a tier.

    It starts in the middle. Errors (corrections and retractions, articles changed afterwards) and
    feeds that fail move it down, their absence up, by more the more articles were seen.
    """
    low, high = BANDS[tier]
    told = shrunk(facts.articles, SHRINKAGE)
    span = 1 - USUAL if accuracy(facts) > USUAL else USUAL
    position = 0.5 + told * (accuracy(facts) - USUAL) / span / 2
    return low + (high - low) * min(max(position, 0.0), 1.0)


def accuracy(facts: SourceFacts) -> float:
    """Errors made and feeds that fail, as one share: 1 where there are none."""
    corrected = 1 - min(share(facts.corrected) / MOST_CORRECTED, 1.0)
    revised = 1 - min(share(facts.revised) / MOST_REVISED, 1.0)
    reliable = share(facts.reliability)
    return CORRECTED * corrected + REVISED * revised + RELIABILITY * reliable


def shrunk(articles: int, by: float) -> float:
    """How much a rate over so many articles says, 0 to 1."""
    return max(articles, 0) / (max(articles, 0) + by)


def share(value: float) -> float:
    """A rate as it must be; what is no number says nothing."""
    return min(max(value, 0.0), 1.0) if math.isfinite(value) else 0.0
