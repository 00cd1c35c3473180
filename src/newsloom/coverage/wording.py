"""What is to be done with the pages of a domain and why, in sentences for readers."""

from __future__ import annotations

from collections.abc import Mapping

from newsloom.coverage.domains import Rule
from newsloom.coverage.quality import POORLY_JUDGED, Band, Reputation
from newsloom.feeds.page_failures import NATURES, FailureKind

BANDS: Mapping[Band, str] = {
    Band.GOOD: "good",
    Band.UNKNOWN: "unknown",
    Band.DEPRIORITISED: "deprioritised",
    Band.BLOCKED: "blocked",
}


def because(reputation: Reputation) -> str:
    """Why a domain stands where it stands."""
    if reputation.rule is not None:
        return "You allowed it." if reputation.rule is Rule.ALLOW else "You blocked it."
    if reputation.tries_left is not None:
        left = reputation.tries_left
        tries = "one more page" if left == 1 else f"{left} more pages"
        return f"The block has ended; {tries} may be fetched. One success lifts it for good."
    if reputation.block is not None:
        again = f", for the {_ordinal(reputation.block.times)} time" * (reputation.block.times > 1)
        return f"Too many pages failed{again}{_mostly(reputation)}. Retried when the block ends."
    return _of_record(reputation)


def _of_record(reputation: Reputation) -> str:
    if reputation.band is Band.UNKNOWN:
        return "Too few pages to tell."
    if reputation.band is Band.GOOD:
        return "Pages are readable and relevant."
    if reputation.judged < POORLY_JUDGED:
        return "Pages are rarely relevant."
    return f"Too many pages failed{_mostly(reputation)}."


def _mostly(reputation: Reputation) -> str:
    worst = reputation.counts.worst
    return f" (most often: {failure_words(worst)})" if worst else ""


def failure_words(kind: FailureKind) -> str:
    return NATURES[kind][1]


def _ordinal(number: int) -> str:
    return {2: "second", 3: "third"}.get(number, f"{number}th")
