"""The signatures of many articles at once. Compares none.

A signature depends on its own article alone, never on the others it is made with.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

import numpy as np
from numpy.typing import NDArray

from newsloom.duplicates import minhash
from newsloom.duplicates.layers import TEXT
from newsloom.duplicates.packed import SLOTS, Signature, pack
from newsloom.duplicates.syndication import agency
from newsloom.duplicates.values import Signed, Unsigned
from newsloom.duplicates.words import DOT, I64, STOP, U64, Words, hash_words, mix, sequences
from newsloom.kernel.text.headlines import headline
from newsloom.kernel.text.names import last_words, likely_names

# The first long sentences of many texts at once, as hashes. Compares none.

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
    return hash_words(_ABBREVIATIONS.split()).hashes


# Pairs and fours of following words of many texts at once, each once a text. Compares none.

# Texts that can be told apart in one array, and what is left of a hash beside that.
TEXTS = 64
BITS = 64 - (TEXTS - 1).bit_length()
_HASH = np.uint64((1 << BITS) - 1)

# Odd constants (of xxHash64) that tell the places of words and pairs apart.
_SECOND = np.uint64(0x9E3779B185EBCA87)
_FOLLOWING = np.uint64(0xC2B2AE3D27D4EB4F)


@dataclass(frozen=True, slots=True)
class Shingles:
    """The shingles of some texts, those of each text in order of their hashes."""

    hashes: U64  # of BITS bits
    first: I64  # the first of each text, and at the end how many there are

    def least(self, count: int) -> list[tuple[int, ...]]:
        """The least of each text, as many as it has."""
        padded = np.append(self.hashes, np.zeros(count, np.uint64))
        table = padded[self.first[:-1, None] + np.arange(count)].tolist()
        sizes = np.diff(self.first).tolist()
        return [tuple(row[:size]) for row, size in zip(table, sizes, strict=True)]


def shingles(hashes: U64, sizes: I64) -> tuple[Shingles, Shingles]:
    """Pairs and fours, from the words of texts of these sizes one behind the other."""
    owners = np.repeat(np.arange(len(sizes), dtype=np.uint64), sizes)
    pairs = hashes[:-1] + hashes[1:] * _SECOND
    fours = pairs[:-2] + pairs[2:] * _FOLLOWING
    return _of(pairs, owners, 1, len(sizes)), _of(fours, owners, 3, len(sizes))


def _of(values: U64, owners: U64, reach: int, texts: int) -> Shingles:
    inside = owners[:-reach] == owners[reach:]
    placed = (owners[:-reach] << np.uint64(BITS)) | (mix(values) >> np.uint64(64 - BITS))
    placed = np.sort(placed[inside])
    kept = np.ones(len(placed), bool)
    np.not_equal(placed[1:], placed[:-1], out=kept[1:])
    placed = placed[kept]
    edges = np.arange(texts + 1, dtype=np.uint64) << np.uint64(BITS)
    first = np.searchsorted(placed, edges[:-1])
    return Shingles(placed & _HASH, np.append(first, len(placed)))


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
    found = hash_words([*titles, *(one.text[:LONGEST] for one in articles)])
    first = found.first[count:]
    pairs, fours = shingles(found.hashes[first[0] :], np.diff(first))
    rows = minhash.rows(pairs.hashes, pairs.first, BITS).tobytes()
    columns = zip(
        articles,
        np.diff(first).tolist(),
        _figures(found, count),
        np.diff(pairs.first).tolist(),
        minhash.of_sets(fours.hashes, fours.first).tolist(),
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
    found = hash_words([name for some in names for name in some])
    hashes = sequences(found.hashes, found.first[:-1], found.first[1:]).view(np.int64).tolist()
    ends = np.cumsum([len(some) for some in names]).tolist()
    return [tuple(hashes[end - len(some) : end]) for some, end in zip(names, ends, strict=True)]


# Signing originals, here or in processes beside this one. Reads and stores nothing. Imports
# nothing of the pipeline or the store: a process that signs comes up in a third of the time.


def signed(articles: Sequence[Unsigned]) -> list[Signed]:
    """Their signatures, as they are kept."""
    return [
        Signed(article.id, article.digest, signature.agency, keys_of(signature), pack(signature))
        for article, signature in zip(articles, sign(articles), strict=True)
    ]


def keys_of(signature: Signature) -> tuple[int, ...]:
    """The keys of all layers."""
    return tuple({key for layer in TEXT for key in layer.keys(signature)})


class SigningPool:
    """Processes that sign, each on a pipe of its own: it ends when ours does, killed or not.

    Threads would wait for one another at every row: the driver gives the interpreter away and asks
    for it back with each, and signing holds it most of the time.
    """

    def __init__(self, count: int) -> None:
        start = multiprocessing.get_context("spawn")
        self._running: list[tuple[BaseProcess, Connection]] = []
        self._at_work: list[Connection] = []
        self._waiting = 0  # for so many to come up
        for _ in range(count):
            ours, theirs = start.Pipe()
            process = start.Process(target=_work, args=(theirs,), name="signer", daemon=True)
            process.start()
            theirs.close()
            self._running.append((process, ours))
            self._waiting += 1

    def ready(self) -> bool:
        """Whether all have come up, which takes a second or so."""
        coming = self._running[: self._waiting]
        while coming and coming[-1][1].poll():
            coming.pop()[1].recv()
            self._waiting -= 1
        return self._waiting == 0

    def begin(self, articles: Sequence[Unsigned]) -> None:
        """Hand them out; `finish` has the result. Once at a time."""
        share = -(-len(articles) // len(self._running))
        for number, (_, pipe) in enumerate(self._running):
            some = articles[number * share : (number + 1) * share]
            if some:
                pipe.send(some)
                self._at_work.append(pipe)

    def finish(self) -> list[Signed]:
        """What was begun, in that order. OSError or EOFError when a process has died."""
        found = [one for pipe in self._at_work for one in pipe.recv()]
        self._at_work.clear()
        return found

    def close(self) -> None:
        for process, pipe in self._running:
            pipe.close()
            process.terminate()
        for process, _ in self._running:
            process.join()
        self._running.clear()


def _work(pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that asked hears it, and closes
    try:
        pipe.send("ready")
        while True:
            pipe.send(signed(pipe.recv()))
    except (EOFError, OSError):
        return
