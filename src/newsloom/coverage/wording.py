"""What is to be done with the pages of a domain and why, in sentences for readers."""

from __future__ import annotations

from collections.abc import Mapping

from newsloom.coverage.domains import Rule
from newsloom.coverage.quality import POORLY_JUDGED, Band, Standing
from newsloom.feeds.page_failures import NATURES, FailureKind

BANDS: Mapping[Band, str] = {
    Band.GOOD: "good",
    Band.UNKNOWN: "unknown",
    Band.DEPRIORITISED: "deprioritised",
    Band.BLOCKED: "blocked",
}


def because(standing: Standing) -> str:
    """Why a domain stands where it stands."""
    if standing.rule is not None:
        return "You allowed it." if standing.rule is Rule.ALLOW else "You blocked it."
    if standing.tries_left is not None:
        left = standing.tries_left
        tries = "one more page" if left == 1 else f"{left} more pages"
        return f"The block has ended; {tries} may be fetched. One success lifts it for good."
    if standing.block is not None:
        again = f", for the {_ordinal(standing.block.times)} time" * (standing.block.times > 1)
        return f"Too many pages failed{again}{_mostly(standing)}. Retried when the block ends."
    return _of_record(standing)


def _of_record(standing: Standing) -> str:
    if standing.band is Band.UNKNOWN:
        return "Too few pages to tell."
    if standing.band is Band.GOOD:
        return "Pages are readable and relevant."
    if standing.judged < POORLY_JUDGED:
        return "Pages are rarely relevant."
    return f"Too many pages failed{_mostly(standing)}."


def _mostly(standing: Standing) -> str:
    worst = standing.counts.worst
    return f" (most often: {failure_words(worst)})" if worst else ""


def failure_words(kind: FailureKind) -> str:
    return NATURES[kind][1]


def _ordinal(number: int) -> str:
    return {2: "second", 3: "third"}.get(number, f"{number}th")
