"""The first long sentences of many texts at once, as hashes. Compares none."""

from __future__ import annotations

from functools import cache

import numpy as np

from newsloom.dedup.words import DOT, I64, STOP, U64, Words, sequences, words

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
    signs = np.flatnonzero((found.kinds == STOP) | (found.kinds == DOT))
    after = np.searchsorted(found.starts, signs)
    inner = (after > 0) & (after < len(found.starts))
    signs, after = signs[inner], after[inner]
    before = after - 1
    goes_on = (
        (found.starts[after] == signs + 1)
        | (found.ends[before] - found.starts[before] == 1)
        | np.isin(found.hashes[before], _abbreviations())
    )
    begins: I64 = after[~goes_on | (found.kinds[signs] == STOP)]
    return begins


@cache
def _abbreviations() -> U64:
    return words(_ABBREVIATIONS.split()).hashes
