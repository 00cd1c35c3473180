"""Scores of tiers, and where in its band a source stands by what was measured. Pure."""

from __future__ import annotations

import math

from newsloom.importance.values import SourceFacts

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


# Unknown sources by what was measured of them: a bounded linear model. It moves a score from the
# default, by no more than one tier. Upwards only what others do counts for much: being reported
# by known sources too, and having been first. Authors and dates are written by the publisher, and
# count for almost nothing: among known sources those that name authors are no better, for
# agencies seldom do.

# Of whom nothing is known: the lower part of tier 4. Most feeds that people follow and that are in
# no table are blogs with an author (as the shared OPML lists show), which is what tier 4 is; the
# lower part, for nobody has vouched for this one.
DEFAULT_TIER = 4
DEFAULT = 45.0

# Fewer are shown as unknown.
LEAST_ARTICLES = 20
LEAST_DAYS = 7.0

# So many articles count as much as the default does.
MEASURED_SHRINKAGE = 100.0

# One below the honest median of tier 3, whatever a feed does.
MOST = middle(3) - 1
LEAST = BANDS[5][0] + 5.0

# Points for the whole of each. A stated prior and not a fit: docs/work/quality.md says what the
# shared feeds could and could not show.
COEFFICIENTS = {
    "age": 3.0,
    "authored": 0.0,
    "corroborated": 8.0,
    "followed": 20.0,
    "corrected": -6.0,
    "revised": -3.0,
    "trackers": -10.0,
    "unreliable": -8.0,
}
FULL_AGE = 365.0  # days
# Of what known sources report too, the share that one must have had first for the whole of it.
FULL_FOLLOWED = 0.5
FULL_CORROBORATED = 0.5


def enough(facts: SourceFacts) -> bool:
    """Whether there is something to go by."""
    return facts.articles >= LEAST_ARTICLES and facts.days >= LEAST_DAYS


def features(facts: SourceFacts) -> dict[str, float]:
    """What the model sees, each 0 to 1."""
    corroborated = min(share(facts.corroborated) / FULL_CORROBORATED, 1.0)
    return {
        "age": share(facts.days / FULL_AGE),
        "authored": share(facts.authored),
        "corroborated": corroborated,
        "followed": corroborated * min(share(facts.followed) / FULL_FOLLOWED, 1.0),
        "corrected": min(share(facts.corrected) / MOST_CORRECTED, 1.0),
        "revised": min(share(facts.revised) / MOST_REVISED, 1.0),
        "trackers": share(facts.trackers),
        "unreliable": 1.0 - share(facts.reliability),
    }


def contributions(facts: SourceFacts) -> dict[str, float]:
    """Points of each feature, before the bounds; few articles bring few."""
    if not enough(facts):
        return {}
    told = shrunk(facts.articles, MEASURED_SHRINKAGE)
    seen = features(facts)
    return {name: told * points * seen[name] for name, points in COEFFICIENTS.items()}


def learned(facts: SourceFacts) -> float:
    """The score of an unknown source: the default where too little was seen."""
    return min(max(DEFAULT + sum(contributions(facts).values()), LEAST), MOST)
