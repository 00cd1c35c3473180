"""How much an article belongs to a story, of what it is to the story's members. Plain numbers.

The link is the mean less some of the standard deviation of the highest logits of one event;
calibrated, it is the probability that thresholds speak of.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from newsloom.stories.prepared import Prepared


@dataclass(frozen=True, slots=True)
class LinkRule:
    """How the members speak for a story, and what their link means."""

    speaking: int  # members that speak, those with the highest logits
    spread: float  # how much of their population standard deviation is taken off
    middle: float  # the link of an even chance
    slope: float  # logits of a link of one more
    # How much higher the link of an even chance is with e times as many articles that might be
    # meant: among more of them the likeliest is more often likely by chance.
    rivals: float

    def link(self, logits: Sequence[float]) -> float:
        """-inf of none."""
        if not logits:
            return -math.inf
        if len(logits) == 1:
            return logits[0]
        top = sorted(logits)[-self.speaking :]
        mean = sum(top) / len(top)
        return mean - self.spread * math.sqrt(sum((one - mean) ** 2 for one in top) / len(top))

    def logit(self, logits: Sequence[float], rivals: int) -> float:
        """That the article reports the story's event; `rivals` are the articles that it might be
        meant instead."""
        middle = self.middle + self.rivals * math.log((min(rivals, MOST) + FEW) / MANY)
        return self.slope * (self.link(logits) - middle)


# Rivals by which `middle` is told, those that are always thought of, and those beyond which nothing
# more is said: of more nothing was measured.
MANY, FEW, MOST = 1_000, 30, 4_000

# Fitted by lab/scripts/fit_stories.py on the development sets; docs/work/quality.md has the
# figures. Titles of one event share little with most of its others: with ten speaking huge stories
# fall apart (B-cubed F1 .49, with three .70), where texts gain a little by twenty. Of texts middle
# and slope are Platt's, of the likeliest story of each article when it came; those of titles are
# chosen so that one threshold is best for both. What rivals say was chosen of 0, .15, .25, .35, .5
# and .75.
WITH_LEAD = LinkRule(speaking=20, spread=1.0, middle=-1.03, slope=1.022, rivals=0.35)
TITLES_ONLY = LinkRule(speaking=3, spread=0.5, middle=-1.52, slope=1.471, rivals=0.15)


def rule_of(article: Prepared) -> LinkRule:
    """By what there is of the article."""
    return WITH_LEAD if article.has_lead else TITLES_ONLY
