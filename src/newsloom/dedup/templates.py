"""Whether two alike texts differ just where a form leaves room: in names and numbers. Pure.

A bot's report of an earthquake, a result, a listing is the last one with other names and numbers;
whoever edits a text changes words of all kinds. So the share of the names and numbers in title and
lead that changed is held against the share of all words that did.
"""

from __future__ import annotations

from newsloom.dedup.signature import Signature

# Filled into one form, two texts are about as long.
LEAST_LENGTH = 0.75
# Of the names and numbers in title and lead: this much, and this many times the share of all words.
# An edit changes a name of two or three words two or three times as often as a word.
LEAST_CHANGED = 0.3
MORE_OFTEN = 3.0
# What is filled in is short; a long report under the same title with other numbers is a later one.
LONGEST = 150  # words


def is_template(a: Signature, b: Signature, jaccard: float) -> bool:
    """Of two texts that have so much in common of all their pairs of words."""
    short, long = sorted((a.words, b.words))
    if short < LEAST_LENGTH * long:
        return False
    if a.title == b.title and long > LONGEST:
        return False
    share, count = _filled(a, b)
    return count > 0 and share >= max(LEAST_CHANGED, MORE_OFTEN * edited(jaccard))


def edited(jaccard: float) -> float:
    """The share of words that differ: of two words in a row both must be the same."""
    return float(1 - (2 * jaccard / (1 + jaccard)) ** 0.5)


def _filled(a: Signature, b: Signature) -> tuple[float, int]:
    """Of the names and numbers of each the share that the other has not, and how many changed."""
    one, other = {*a.figures, *a.names}, {*b.figures, *b.names}
    changed = min(len(one - other), len(other - one))
    return (changed / min(len(one), len(other)) if changed else 0.0), changed
