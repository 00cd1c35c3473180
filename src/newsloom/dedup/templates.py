"""Whether two alike texts differ just where a form leaves room: in names and numbers. Pure.

A bot's report of an earthquake, a result, a listing is the last one with other names and numbers;
whoever edits a text changes words of all kinds. So the share of the names and numbers in title and
lead that changed is held against the share of all words that did.
"""

from __future__ import annotations

from collections.abc import Collection

from newsloom.dedup.matrix import Titles
from newsloom.dedup.signature import Signature

# Filled into one form, two texts are about as long.
LEAST_LENGTH = 0.75
# Of the names and numbers in title and lead: this much, and this many times the share of all words.
# An edit changes a name of two or three words two or three times as often as a word.
LEAST_CHANGED = 0.3
MORE_OFTEN = 3.0
# Forms are short. A longer text under another headline was retitled, and its lead moved.
LONGEST = 200  # words
# Under one headline nothing is left open but numbers, and an edit of a teaser may change one.
LEAST_NUMBERS = 2


def is_template(a: Signature, b: Signature, titles: Titles, jaccard: float) -> bool:
    """Of two texts that have so much in common of all their pairs of words."""
    short, long = sorted((a.words, b.words))
    if short < LEAST_LENGTH * long:
        return False
    if titles in (Titles.ALIKE, Titles.UNLIKE) and long > LONGEST:
        return False
    least = max(LEAST_CHANGED, MORE_OFTEN * edited(jaccard))
    numbers, share = _changed(a.figures, b.figures)
    if titles is Titles.ALIKE:
        return numbers >= LEAST_NUMBERS and share >= max(0.5, least)
    changed, share = _changed((*a.figures, *a.names), (*b.figures, *b.names))
    # Names alone differ under unlike headlines because the headlines name others.
    return share >= least and (numbers if titles is Titles.UNLIKE else changed) > 0


def edited(jaccard: float) -> float:
    """The share of words that differ: of two words in a row both must be the same."""
    return float(1 - (2 * jaccard / (1 + jaccard)) ** 0.5)


def _changed(a: Collection[int], b: Collection[int]) -> tuple[int, float]:
    """How many the one has instead of the other's, and what share that is of the fewer."""
    one, other = set(a), set(b)
    changed = min(len(one - other), len(other - one))
    return changed, changed / min(len(one), len(other)) if changed else 0.0
