"""How likely each of an article's neighbours reports the same event, as evidence in words."""

from __future__ import annotations

from collections.abc import Sequence

from newsloom.duplicates.values import Evidence
from newsloom.stories.prepared import Prepared, shared_words
from newsloom.stories.rows import rows_of
from newsloom.stories.same_event import SameEvent, sigmoid

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
