"""The first long sentences of many texts at once, as hashes. Compares none."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from newsloom.duplicates.words import DOT, I64, STOP, U64, Words, sequences, words

# The seed's: the first three sentences of more than ten words.
SENTENCES = 3
LONG = 11

# Behind these a full stop ends nothing, nor behind a single letter ("U.S.", "J. K. Rowling").
_ABBREVIATIONS = """
mr mrs ms dr st gen sen rep gov lt col sgt capt rev prof pres hon jr sr no nos vs etc al inc ltd co
jan feb mar apr jun jul aug sep sept oct nov dec bzw ca evtl mme mlle sra dña av
"""


def first_sentences(found: Words, first: I64) -> list[tuple[int, ...]]:
    """Of the texts whose words are those from first[i] to first[i + 1]."""
    begins = first[:-1]
    stops = _begins(found)
    starts = np.union1d(begins, stops[(stops > first[0]) & (stops < first[-1])])
    ends = np.append(starts[1:], first[-1])
    long = ends - starts >= LONG
    starts, ends = starts[long], ends[long]
    places = np.searchsorted(starts, first)
    hashes = sequences(found.hashes, starts, ends).view(np.int64).tolist()
    return [
        tuple(dict.fromkeys(hashes[place : min(place + SENTENCES, following)]))
        for place, following in zip(places[:-1].tolist(), places[1:].tolist(), strict=True)
    ]


def _begins(found: Words) -> I64:
    """The words that begin a sentence, but for the first of all."""
    behind, next_ = found.ends[:-1], found.starts[1:]
    first = np.take(found.kinds, behind, mode="clip")
    # A quote may stand between: "... he said”."
    second = np.take(found.kinds, behind + 1, mode="clip")
    signs = np.where(_is_sign(first), first, second)
    places = behind + ~_is_sign(first)
    # In scripts without blanks words overlap: only the last one stands before the sign.
    ended = np.flatnonzero(_is_sign(signs) & (places < next_))
    goes_on = (
        (next_[ended] == places[ended] + 1)
        | (behind[ended] - found.starts[ended] == 1)
        | np.isin(found.hashes[ended], _abbreviations())
    )
    begins: I64 = ended[~goes_on | (signs[ended] == STOP)] + 1
    return begins


def _is_sign(kinds: NDArray[np.uint32]) -> NDArray[np.bool_]:
    signs: NDArray[np.bool_] = (kinds == STOP) | (kinds == DOT)
    return signs


@cache
def _abbreviations() -> U64:
    return words(_ABBREVIATIONS.split()).hashes
