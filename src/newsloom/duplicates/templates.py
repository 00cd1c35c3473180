"""Whether two alike texts differ just where a form leaves room: in names and numbers. Pure.

A bot's report of an earthquake, a result, a listing is the last one with other names and numbers;
whoever edits a text changes words of all kinds. So the share of the names and numbers in title and
lead that changed is held against the share of all words that did.
"""

from __future__ import annotations

from collections.abc import Collection

from newsloom.duplicates.matrix import Titles
from newsloom.duplicates.signature import Signature

# Filled into one form, two texts are about as long.
LEAST_LENGTH = 0.75
# Of the names and numbers in title and lead: this much, and this many times the share of all words.
# An edit changes a name of two or three words two or three times as often as a word.
LEAST_CHANGED = 0.3
MORE_OFTEN = 3.0
# Of the numbers alone: this many and this much. An edit of a teaser may change one.
LEAST_NUMBERS = 2
MOST_NUMBERS = 0.5
# Forms are short. A longer text under another headline was retitled, and its lead moved.
LONGEST = 200  # words


def is_template(a: Signature, b: Signature, titles: Titles, jaccard: float, *, own: bool) -> bool:
    """Of two texts that have so much in common of all their pairs of words."""
    short, long = sorted((a.words, b.words))
    if short < LEAST_LENGTH * long:
        return False
    if titles is Titles.STEP:
        return jaccard < 1
    if long > LONGEST and (a.title == b.title or titles is Titles.UNLIKE or not own):
        return False
    numbers, share = _changed(a.figures, b.figures)
    often = MORE_OFTEN * edited(jaccard)
    if numbers >= LEAST_NUMBERS and share >= max(MOST_NUMBERS, often):
        return True
    # Elsewhere another headline may name others over the same text.
    changed, share = _changed((*a.figures, *a.names), (*b.figures, *b.names))
    some = numbers if titles is Titles.UNLIKE and not own else changed
    return a.title != b.title and some > 0 and share >= max(LEAST_CHANGED, often)


def edited(jaccard: float) -> float:
    """The share of words that differ: of two words in a row both must be the same."""
    return float(1 - (2 * jaccard / (1 + jaccard)) ** 0.5)


def _changed(a: Collection[int], b: Collection[int]) -> tuple[int, float]:
    """How many the one has instead of the other's, and what share that is of the fewer."""
    one, other = set(a), set(b)
    changed = min(len(one - other), len(other - one))
    return changed, changed / min(len(one), len(other)) if changed else 0.0
