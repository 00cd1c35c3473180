"""What is to be done with the pages of a domain and why, in sentences for readers."""

from __future__ import annotations

from collections.abc import Mapping

from newsloom.coverage.domains import Rule
from newsloom.coverage.quality import POORLY_JUDGED, Band, Standing
from newsloom.feeds.page_failures import NATURES, FailureKind

BANDS: Mapping[Band, str] = {
    Band.GOOD: "good",
    Band.UNKNOWN: "not known yet",
    Band.DEPRIORITISED: "tried last",
    Band.BLOCKED: "blocked",
}


def because(standing: Standing) -> str:
    """Why a domain stands where it stands."""
    if standing.rule is not None:
        return "You allowed it." if standing.rule is Rule.ALLOW else "You blocked it."
    if standing.tries_left is not None:
        left = standing.tries_left
        tries = "one more page" if left == 1 else f"{left} more pages"
        return f"Its block is over; {tries} may be asked for, and a success lifts it for good."
    if standing.block is not None:
        again = f", for the {_ordinal(standing.block.times)} time" * (standing.block.times > 1)
        return f"Its server failed us too often{again}. It is tried again when the block ends."
    return _of_record(standing)


def _of_record(standing: Standing) -> str:
    if standing.band is Band.UNKNOWN:
        return "Too few pages were asked for to say."
    if standing.band is Band.GOOD:
        return "Its pages can be read and are about what was looked for."
    if standing.judged < POORLY_JUDGED:
        return "Its pages are seldom about what was looked for."
    return "Its server fails us often."


def failure_words(kind: FailureKind) -> str:
    return NATURES[kind].words


def _ordinal(number: int) -> str:
    return {2: "second", 3: "third"}.get(number, f"{number}th")
