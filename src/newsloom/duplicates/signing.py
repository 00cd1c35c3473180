"""The signatures of many articles at once. Compares none.

A signature depends on its own article alone, never on the others it is made with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from newsloom.duplicates import minhash, simhash
from newsloom.duplicates.sentences import first_sentences
from newsloom.duplicates.shingles import BITS, TEXTS, shingles
from newsloom.duplicates.signature import SLOTS, Signature
from newsloom.duplicates.syndication import agency
from newsloom.duplicates.values import Unsigned
from newsloom.duplicates.words import Words, sequences, words
from newsloom.kernel.text.headlines import headline
from newsloom.kernel.text.names import last_words, likely_names

VERSION = "signature@1"

# Texts worked on together: few enough for their arrays to stay in the processor's cache.
CHUNK = TEXTS
_CHUNK_CHARACTERS = 1 << 16
# Characters of a text that are read: some 16,000 words; the longest of 4,314 news texts has 8,000.
LONGEST = 100_000
_TITLE = 1_000  # longer than any headline
_LEAD = 400  # characters of a text in which names are looked for
_LEAD_WORDS = 60  # and numbers, in words

# Least fours of words kept: two texts share one of them with a probability of 1 - (1 - J) ** 8,
# where J is the share of fours in common; docs/work/decisions/duplicates.md has what was measured.
SAMPLE = 8


def sign(articles: Sequence[Unsigned]) -> list[Signature]:
    """The signature of each, in their order."""
    return [signature for chunk in chunks(articles) for signature in _signed(chunk)]


def chunks(articles: Sequence[Unsigned]) -> Iterator[list[Unsigned]]:
    """The articles in parts that are worked on together."""
    chunk: list[Unsigned] = []
    characters = 0
    for article in articles:
        length = min(len(article.text), LONGEST)
        if chunk and (len(chunk) == CHUNK or characters + length > _CHUNK_CHARACTERS):
            yield chunk
            chunk, characters = [], 0
        chunk.append(article)
        characters += length
    if chunk:
        yield chunk


def _signed(articles: Sequence[Unsigned]) -> Iterator[Signature]:
    count = len(articles)
    titles = [one.title[:_TITLE] for one in articles]
    found = words([*titles, *(one.text[:LONGEST] for one in articles)])
    first = found.first[count:]
    pairs, fours = shingles(found.hashes[first[0] :], np.diff(first))
    rows = minhash.rows(pairs.hashes, pairs.first, BITS).tobytes()
    columns = zip(
        articles,
        np.diff(first).tolist(),
        _figures(found, count),
        np.diff(pairs.first).tolist(),
        simhash.of_sets(fours.hashes, fours.first).tolist(),
        fours.least(SAMPLE),
        first_sentences(found, first),
        _names(articles),
        strict=True,
    )
    for place, (one, length, figures, different, bits, sample, sentences, names) in enumerate(
        columns
    ):
        # Fewer than four words leave no key to be found by.
        row = rows[place * 2 * SLOTS : (place + 1) * 2 * SLOTS] if sample else b""
        yield Signature(
            id=one.id,
            feed_id=one.feed_id,
            source=one.source,
            agency=agency(one.author, one.text),
            dated=one.dated,
            title=headline(one.title, (one.source,)),
            words=length,
            figures=figures,
            shingles=different if sample else 0,
            simhash=bits,
            minhash=row,
            sample=sample,
            sentences=sentences,
            names=names,
        )


def _figures(found: Words, count: int) -> list[tuple[int, ...]]:
    """The numbers of each title and of the beginning of its text."""
    signs = found.kinds[found.starts]
    numbers = np.flatnonzero((signs >= ord("0")) & (signs <= ord("9")))
    hashes = found.hashes[numbers].view(np.int64).tolist()
    titles = np.searchsorted(numbers, found.first[: count + 1]).tolist()
    begins = np.searchsorted(numbers, found.first[count:-1]).tolist()
    leads = np.minimum(found.first[count:-1] + _LEAD_WORDS, found.first[count + 1 :])
    ends = np.searchsorted(numbers, leads).tolist()
    return [
        tuple(
            sorted(
                {*hashes[titles[place] : titles[place + 1]], *hashes[begins[place] : ends[place]]}
            )
        )
        for place in range(count)
    ]


def _names(articles: Sequence[Unsigned]) -> list[tuple[int, ...]]:
    names = [last_words(likely_names(one.title, one.text[:_LEAD])) for one in articles]
    found = words([name for some in names for name in some])
    hashes = sequences(found.hashes, found.first[:-1], found.first[1:]).view(np.int64).tolist()
    ends = np.cumsum([len(some) for some in names]).tolist()
    return [tuple(hashes[end - len(some) : end]) for some, end in zip(names, ends, strict=True)]
