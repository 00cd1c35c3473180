"""Whether a model's chances still hold for labels given after it was trained. Pure numbers.

Those labels are of articles the ranking showed, so they say how the model does where it is used,
not how well it orders everything.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from newsloom.ranking.learning.lbfgs import Floats

# Fewer new labels say nothing yet.
LEAST = 20

# Standard errors from which on the difference is told: by chance alone once in 370 looks.
ALARM = 3.0


@dataclass(frozen=True, slots=True)
class Drift:
    """What a model expected of the labels given since, and what came."""

    labels: int
    expected: float  # share liked, by the model
    liked: float  # share liked
    errors: float  # how many standard errors apart

    @property
    def alarming(self) -> bool:
        return self.errors > ALARM

    @property
    def words(self) -> str:
        """For a person."""
        text = f"of {self.labels} new labels: expected {self.expected:.0%} liked"
        end = "; your interests or feeds have changed" if self.alarming else ""
        return f"{text}, {self.liked:.0%} were{end}"


def drift(positive: np.ndarray, scores: Floats) -> Drift | None:
    """Compare scores (0..100) of labels given since with what they came to; None: too few."""
    if len(positive) < LEAST:
        return None
    chances = np.clip(scores / 100.0, 0.0, 1.0)
    # Also certainty may err by one label.
    deviation = float(np.sqrt(max((chances * (1.0 - chances)).sum(), 1.0)))
    apart = abs(float(positive.sum() - chances.sum()))
    return Drift(
        labels=len(positive),
        expected=float(chances.mean()),
        liked=float(positive.mean()),
        errors=apart / deviation,
    )
