"""Unknown sources by what was measured of them: a bounded linear model. Pure.

It moves a score from the default, by no more than one tier. Upwards only what others do counts for
much: being reported by known sources too, and having been first. Authors and dates are written by
the publisher, and count for almost nothing: among known sources those that name authors are no
better, for agencies seldom do.
"""

from __future__ import annotations

from newsloom.importance.sources.bands import (
    BANDS,
    MOST_CORRECTED,
    MOST_REVISED,
    middle,
    share,
    shrunk,
)
from newsloom.importance.values.sources import SourceFacts

# Of whom nothing is known: the lower part of tier 4. Most feeds that people follow and that are in
# no table are blogs with an author (as the shared OPML lists show), which is what tier 4 is; the
# lower part, for nobody has vouched for this one.
DEFAULT_TIER = 4
DEFAULT = 45.0

# Fewer are shown as unknown.
LEAST_ARTICLES = 20
LEAST_DAYS = 7.0

# So many articles count as much as the default does.
SHRINKAGE = 100.0

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
    told = shrunk(facts.articles, SHRINKAGE)
    seen = features(facts)
    return {name: told * points * seen[name] for name, points in COEFFICIENTS.items()}


def learned(facts: SourceFacts) -> float:
    """The score of an unknown source: the default where too little was seen."""
    return min(max(DEFAULT + sum(contributions(facts).values()), LEAST), MOST)
