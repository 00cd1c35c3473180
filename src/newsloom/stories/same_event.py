"""The probability that two articles report one event. Plain numbers, fitted by the lab."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from newsloom.duplicates.values import Evidence
from newsloom.ranking.values.models import E5_VECTORS
from newsloom.stories.prepared import Compared, Prepared, rows_of, shared_words

VERSION = "same-event@3"  # 3: vectors in other languages than English are centred

Logits = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Weights:
    """Of a logit: of both cosines, of the logarithm of days apart, and of nothing."""

    dense: float
    lexical: float
    gap: float
    bias: float
    # Platt's scaling: the logit that makes probabilities hold among pairs of which half are of one
    # event, the others mostly look-alikes (lab/scripts/fit_stories.py).
    slope: float
    shift: float


WITH_LEAD = Weights(5.36, 8.72, -1.09, -6.41, slope=0.913, shift=1.986)
TITLES_ONLY = Weights(5.15, 3.64, -1.11, -4.98, slope=1.313, shift=3.413)
# For vectors of multilingual-e5-small, which carry nearly all that terms tell: fitted likewise
# (lab/scripts/fit_stories.py --encoder) on pairs of which half are right, and shifted for the pairs
# that a search finds, as MiniLM's are: precision .90 and recall .65 on allsides_val, MiniLM .91 and
# .63; .63 and .53 on allsides_fulltext, MiniLM .68 and .45.
E5_WITH_LEAD = Weights(11.43, 1.49, -1.06, -7.3, slope=1.0, shift=2.1)
E5_TITLES_ONLY = Weights(13.05, 0.13, -1.28, -8.0, slope=1.0, shift=2.6)
# Days apart that count: the first is free, and after so many nothing more is said.
FREE_DAYS, MOST_DAYS = 1.0, 60.0
# Taken off where a publisher's titles name two issues of one series: lectures, daily columns,
# releases. Nothing else makes up for it.
OTHER_ISSUE = 20.0


@dataclass(frozen=True, slots=True)
class PairDistance:
    """The distance of two articles by which small stories are regrouped: weights of what is
    compared, and the largest cost (`grouped`) that joins groups."""

    reach: float  # the largest cost that joins, among 1,000 competing articles
    # Added to the cost of two single articles, and more for the first day between them, less the
    # share of MOST_TERMS that the shorter has: one distance errs more than the mean of several, and
    # more the less text there is.
    single: float
    single_day: float
    far: float  # the distance of two articles with nothing in common
    dense: float  # subtracted, times the cosine of whitened vectors (`Rows.whitened`)
    lexical: float  # subtracted, times the cosine of weighted terms
    titled: float  # subtracted, times the share of each title's terms that the other article has
    gap: float  # added, times ln(1 + days apart after the first)
    source: float  # added if both are of one publisher: publishers report most events once
    # Added, times the share of the first day between them, where both titles say much the same with
    # another number or day (`stepped`).
    stepped: float
    # How much less it reaches when e times fewer articles than ENOUGH are active: whitened by
    # fewer, vectors are nearer to each other.
    few: float

    def of(
        self,
        compared: Compared,
        whitened: NDArray[np.float64],
        titled: NDArray[np.float32],
        stepped: NDArray[np.bool_],
    ) -> NDArray[np.float64]:
        """A distance for each, 0 or more. `whitened`: cosines; `titled`: `Rows.titled`; `stepped`:
        of titles."""
        late = np.log1p(np.clip(compared.gap - FREE_DAYS, 0.0, MOST_DAYS))
        found = self.far - self.dense * whitened - self.lexical * compared.lexical
        found += self.gap * late - self.titled * titled + self.source * compared.sources
        found += self.stepped * stepped * np.minimum(compared.gap, FREE_DAYS)
        distances: NDArray[np.float64] = np.maximum(found, 0.0)
        return distances + OTHER_ISSUE_DISTANCE * compared.issues


# Fitted on judged pairs of feeds, for each encoder by itself (lab/scripts/judge_pairs.py;
# docs/work/quality.md).
DISTANCE = PairDistance(
    reach=0.72,
    single=0.08,
    single_day=0.2,
    far=1.09,
    dense=0.7,
    lexical=0.28,
    titled=0.48,
    gap=0.265,
    source=0.09,
    stepped=0.6,
    few=0.033,
)
E5_DISTANCE = PairDistance(
    reach=0.775,
    single=0.08,
    single_day=0.2,
    far=1.09,
    dense=1.02,
    lexical=0.0,
    titled=0.52,
    gap=0.25,
    source=0.085,
    stepped=0.6,
    few=0.043,
)
# Added for two issues of one series: more than any reach.
OTHER_ISSUE_DISTANCE = 2.0


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that speaks for or against: a name, what was found in words, its share of the
    logit."""

    name: str
    detail: str
    logit: float


@dataclass(frozen=True, slots=True)
class SameEvent:
    """Judges pairs of articles by the vectors of one encoder."""

    version: str = VERSION
    with_lead: Weights = WITH_LEAD
    titles_only: Weights = TITLES_ONLY
    centred: bool = True  # whether vectors lose their language's mean: the encoder knows no other
    distance: PairDistance = DISTANCE
    revived: float = 0.6  # the cosine with an article from which on a quiet story may come back

    def of(self, compared: Compared) -> Logits:
        """A logit for each."""
        late = np.log1p(np.clip(compared.gap - FREE_DAYS, 0.0, MOST_DAYS))
        both, titles = (
            one.dense * compared.dense + one.lexical * compared.lexical + one.gap * late + one.bias
            for one in (self.with_lead, self.titles_only)
        )
        found: Logits = np.where(compared.leads, both, titles).astype(np.float64)
        found[compared.issues] -= OTHER_ISSUE
        return found

    def weighed(self, features: NDArray[np.float64], titles: bool) -> Logits:
        """Of rows of (dense, lexical, lateness), lateness being ln(1 + days that count)."""
        one = self.titles_only if titles else self.with_lead
        found: Logits = features @ np.array([one.dense, one.lexical, one.gap]) + one.bias
        return found

    def logits(self, one: Prepared, many: Sequence[Prepared]) -> Logits:
        """A logit for each of many, as links are made of; see `probabilities` for what it means."""
        if not many:
            return np.empty(0)
        rows, slots = rows_of(many)
        return self.of(rows.compare(one, slots))

    def probability_of_found(self, a: Prepared, b: Prepared) -> float:
        """That both report one event, 0..1, where one was looked for by the other: among neighbours
        and what a search finds, of which a quarter or fewer are right, the plain logit holds
        (lab/scripts/neighbour_calibration.py: off by .03, `probability` by .33)."""
        return sigmoid(float(self.logits(a, [b])[0]))

    def probability(self, a: Prepared, b: Prepared) -> float:
        """That both report one event, 0..1, where this is as likely as not beforehand."""
        return float(self.probabilities(a, [b])[0])

    def probabilities(self, one: Prepared, many: Sequence[Prepared]) -> Logits:
        """That one reports the event of each of many, 0..1."""
        leads = np.array([one.has_lead and other.has_lead for other in many], np.bool_)
        slope = np.where(leads, self.with_lead.slope, self.titles_only.slope)
        shift = np.where(leads, self.with_lead.shift, self.titles_only.shift)
        scaled = np.clip(slope * self.logits(one, many) + shift, -60.0, 60.0)
        found: Logits = 1.0 / (1.0 + np.exp(-scaled))
        return found

    def explain(self, a: Prepared, b: Prepared) -> tuple[Part, ...]:
        """What speaks for and against, the weightiest first."""
        rows, slots = rows_of([b])
        found = rows.compare(a, slots)
        dense, lexical = float(found.dense[0]), float(found.lexical[0])
        days = float(found.gap[0])
        weights = self.with_lead if bool(found.leads[0]) else self.titles_only
        shared = shared_words(a, b, 8)
        late = math.log1p(min(max(days - FREE_DAYS, 0.0), MOST_DAYS))
        parts: tuple[Part, ...] = (
            Part("meaning", f"cosine {dense:.2f}", weights.dense * dense),
            Part("terms", ", ".join(shared), weights.lexical * lexical),
            Part("time", f"{days * 24:.0f} hours apart", weights.gap * late),
        )
        if bool(found.issues[0]):
            parts += (Part("series", "different issues of one series", -OTHER_ISSUE),)
        return tuple(sorted(parts, key=lambda part: -abs(part.logit)))


MINILM = SameEvent()
E5 = SameEvent(
    f"{VERSION}/e5", E5_WITH_LEAD, E5_TITLES_ONLY, centred=False, distance=E5_DISTANCE, revived=0.5
)


def judge_of(vector_model: str) -> SameEvent:
    """For vectors of that encoder; of other encoders than multilingual-e5-small as for MiniLM's."""
    return E5 if vector_model == E5_VECTORS else MINILM


def sigmoid(logit: float) -> float:
    """0..1, whatever the logit."""
    return 1.0 / (1.0 + math.exp(-min(max(logit, -60.0), 60.0)))


LAYER = "event"
SHOWN_TERMS = 4


def event_evidence(
    model: SameEvent, article: Prepared, others: Sequence[Prepared], least: float
) -> dict[int, Evidence]:
    """Evidence by the place of the neighbour, for those that are at least so likely (0..1)."""
    if not others:
        return {}
    rows, slots = rows_of(others)
    compared = rows.compare(article, slots)
    found = {}
    for place, logit in enumerate(model.of(compared).tolist()):
        probability = sigmoid(logit)
        if probability >= least:
            near, apart = float(compared.dense[place]), float(compared.gap[place])
            words = _words(article, others[place], near, apart)
            found[place] = Evidence(LAYER, probability, f"{probability:.0%} likely: {words}")
    return found


def _words(one: Prepared, other: Prepared, cosine: float, days: float) -> str:
    shared = shared_words(one, other, SHOWN_TERMS)
    words = f"shared words {', '.join(shared)}" if shared else "no shared word"
    return f"cosine {cosine:.2f}, {words}, {days * 24:.0f} h apart"
