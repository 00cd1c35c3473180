"""The first long sentences of many texts at once, as hashes. Compares none."""

from __future__ import annotations

import numpy as np

from newsloom.dedup.words import I64, Words, sequences, words

# The seed's: the first three sentences of more than ten words.
SENTENCES = 3
LONG = 11

_ENDS = np.array([ord(sign) for sign in "\n.!?。！？｡؟।…"], np.uint32)
_FULL_STOP = ord(".")
_LEAD = 250  # words of a text in which they are looked for
_ABBREVIATIONS = """
mr mrs ms dr st gen sen rep gov lt col sgt rev prof pres jr sr no vs
jan feb mar apr jun jul aug sep sept oct nov dec
"""


def first_sentences(found: Words, begins: I64, ends: I64) -> list[tuple[int, ...]]:
    """Of the texts whose words are those from `begins` to `ends`."""
    stops = _stops(found)
    hashes = found.hashes
    result = []
    for begin, end in zip(begins.tolist(), np.minimum(ends, begins + _LEAD).tolist(), strict=True):
        inside = stops[np.searchsorted(stops, begin, "right") : np.searchsorted(stops, end)]
        edges = np.concatenate(([begin], inside, [end]))
        long = np.flatnonzero(np.diff(edges) >= LONG)[:SENTENCES]
        made = sequences(hashes[begin:end], edges[long] - begin, edges[long + 1] - begin)
        result.append(tuple(dict.fromkeys(made.view(np.int64).tolist())))
    return result


def _stops(found: Words) -> I64:
    """The words that begin a sentence, but for the first of a text."""
    if not len(found.starts):
        return found.starts
    places = np.flatnonzero(np.isin(found.codes, _ENDS))
    after = np.searchsorted(found.starts, places)
    places, after = places[after > 0], after[after > 0]
    before = after - 1
    single = found.ends[before] - found.starts[before] < 2
    known = np.isin(found.hashes[before], _abbreviations())
    attached = found.starts[np.minimum(after, len(found.starts) - 1)] == places + 1
    stop = (found.codes[places] != _FULL_STOP) | ~(single | known | attached)
    return np.unique(after[stop])


def _abbreviations() -> object:
    return words(_ABBREVIATIONS.split()).hashes
