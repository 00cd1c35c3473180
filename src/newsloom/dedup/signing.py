"""The signatures of many articles at once. Compares none.

A signature depends on its own article alone, never on the others it is made with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from newsloom.dedup import minhash, simhash
from newsloom.dedup.sentences import first_sentences
from newsloom.dedup.signature import Signature
from newsloom.dedup.words import I64, U64, Words, mix, sequences, words
from newsloom.text.headlines import headline
from newsloom.text.names import likely_names
from newsloom.text.syndication import agency
from newsloom.types import Unsigned

VERSION = "signature@1"

# Texts worked on together: few enough that their arrays stay in the processor's cache.
CHUNK = 64
# Characters of a text that are read; the longest of 4,314 full news texts has 8,000.
LONGEST = 100_000
_TITLE = 1_000
LEAD = 400  # characters where names are looked for
_LEAD_WORDS = 60  # words where numbers are looked for

SAMPLE = 8
_SHIFT = 6  # bits of a triple's hash given up for its place among CHUNK texts


def sign(articles: Sequence[Unsigned]) -> list[Signature]:
    """The signature of each, in their order."""
    return [
        one
        for start in range(0, len(articles), CHUNK)
        for one in _signed(articles[start : start + CHUNK])
    ]


def _signed(articles: Sequence[Unsigned]) -> Iterator[Signature]:
    titles = [one.title[:_TITLE] for one in articles]
    texts = [one.text[:LONGEST] for one in articles]
    found = words([part for pair in zip(titles, texts, strict=True) for part in pair])
    begins, ends = found.first[1::2], found.first[2::2]
    owners, triples = _triples(found.hashes, begins, ends)
    edges = np.searchsorted(owners, np.arange(len(articles) + 1))
    rows = minhash.rows(owners, triples, 64 - _SHIFT, len(articles))
    fingerprints = simhash.of_sets(mix(triples), edges).tolist()
    counts, starts = np.diff(edges).tolist(), edges.tolist()
    lengths = (ends - begins).tolist()
    sentences = first_sentences(found, begins, ends)
    figures = _figures(found)
    names = _names(articles)
    for place, article in enumerate(articles):
        begin = starts[place]
        yield Signature(
            id=article.id,
            feed_id=article.feed_id,
            source=article.source,
            agency=agency(article.author, article.text),
            dated=article.dated,
            title=headline(article.title, (article.source,)),
            words=lengths[place],
            figures=figures[place],
            triples=counts[place],
            simhash=fingerprints[place] if counts[place] else 0,
            minhash=rows[place].tobytes() if counts[place] else b"",
            sample=tuple(triples[begin : begin + min(SAMPLE, counts[place])].tolist()),
            sentences=sentences[place],
            names=names[place],
        )


def _triples(hashes: U64, begins: I64, ends: I64) -> tuple[I64, U64]:
    """The different triples of each text, sorted: whose they are, and their hashes."""
    sizes = np.maximum(ends - begins - 2, 0)
    owners = np.repeat(np.arange(len(sizes)), sizes)
    at = np.arange(len(owners)) + np.repeat(begins - (np.cumsum(sizes) - sizes), sizes)
    made = mix(
        hashes[at]
        + hashes[at + 1] * np.uint64(0x9E3779B97F4A7C15)
        + hashes[at + 2] * np.uint64(0xC2B2AE3D27D4EB4F)
    )
    both = np.sort(
        (owners.astype(np.uint64) << np.uint64(64 - _SHIFT)) | (made >> np.uint64(_SHIFT))
    )
    both = both[np.diff(both, prepend=both[:1] + np.uint64(1)) != 0]
    return (both >> np.uint64(64 - _SHIFT)).astype(np.int64), both & np.uint64(
        (1 << (64 - _SHIFT)) - 1
    )


def _figures(found: Words) -> list[tuple[int, ...]]:
    """The numbers of each title and the beginning of its text."""
    digits = found.codes[found.starts] if len(found.starts) else found.codes
    numbers = np.flatnonzero((digits >= 48) & (digits <= 57))
    hashes = found.hashes[numbers].view(np.int64)
    first = found.first
    result = []
    for place in range(0, len(first) - 1, 2):
        begin = np.searchsorted(numbers, first[place])
        end = np.searchsorted(numbers, min(first[place + 1] + _LEAD_WORDS, first[place + 2]))
        result.append(tuple(sorted(set(hashes[begin:end].tolist()))))
    return result


def _names(articles: Sequence[Unsigned]) -> list[tuple[int, ...]]:
    names = [likely_names(one.title, one.text[:LEAD]) for one in articles]
    found = words([name for some in names for name in some])
    hashes = iter(
        sequences(found.hashes, found.first[:-1], found.first[1:]).view(np.int64).tolist()
    )
    return [tuple(next(hashes) for _ in some) for some in names]
