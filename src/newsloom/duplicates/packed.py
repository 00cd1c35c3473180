"""Signatures as bytes and back: about 500 of them, read in a few microseconds. Knows no table."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from struct import Struct, error, unpack_from

from newsloom.kernel.errors import StoreError
from newsloom.kernel.ids import ArticleId, FeedId

# Parts of a MinHash, 16 bits each: two texts agree in one by chance once in 65,536.
SLOTS = 128


@dataclass(frozen=True, slots=True)
class Signature:
    """All hashes are 64-bit, signed as databases keep them, and the same on every machine."""

    id: ArticleId
    feed_id: FeedId
    source: str  # registrable domain; "" when unknown, which is nobody's
    agency: str  # whose wire copy it says to be; "" for the source's own
    dated: datetime
    title: (
        str  # its words, without "Breaking:" and the publisher's name; see kernel/text/headlines.py
    )
    words: int  # of the text
    figures: tuple[int, ...] = ()  # of the numbers in title and lead: what a template leaves open
    shingles: int = 0  # different pairs of following words; 0: no text to compare
    simhash: int = 0  # of the fours of following words
    minhash: bytes = b""  # of the pairs: SLOTS unsigned 16-bit numbers, little-endian
    sample: tuple[int, ...] = ()  # the least fours: where texts with common ones meet
    sentences: tuple[int, ...] = ()  # the first three of more than ten words
    names: tuple[int, ...] = ()  # what looks like names in title and lead, the rarest kind first
    # People, organisations, places and dates, typed; None: nobody has looked yet.
    entities: frozenset[str] | None = None


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

# Format; id, feed, microseconds since 1970, SimHash; words, shingles; how many figures, names,
# samples, sentences and bytes of MinHash; the bytes of the source, agency, title and entities.
_HEAD = Struct("<B4q11I")
_FORMAT = 1
_MINHASH = 2 * SLOTS


def pack(signature: Signature) -> bytes:
    """All of it; the inverse of `unpack`."""
    one = signature
    texts = [text.encode("utf-8", "surrogatepass") for text in (one.source, one.agency, one.title)]
    texts.append(b"" if one.entities is None else json.dumps(sorted(one.entities)).encode())
    numbers = (one.figures, one.names, one.sample, one.sentences)
    flat = [number for some in numbers for number in some]
    head = _HEAD.pack(
        _FORMAT,
        one.id,
        one.feed_id,
        (one.dated - _EPOCH) // _MICROSECOND,
        one.simhash,
        one.words,
        one.shingles,
        *map(len, numbers),
        len(one.minhash),
        *map(len, texts),
    )
    return b"".join((head, Struct(f"<{len(flat)}q").pack(*flat), one.minhash, *texts))


def unpack(packed: bytes) -> Signature:
    """What was packed; StoreError for what no `pack` has made."""
    try:
        return _read(packed)
    except (ValueError, TypeError, OverflowError, RecursionError, error) as damage:
        raise StoreError(
            "A stored signature is damaged; reading it again is not possible."
        ) from damage


def _read(packed: bytes) -> Signature:
    form, id_, feed, dated, simhash, words, shingles, *sizes = _HEAD.unpack_from(packed)
    figures, names, sample, sentences, minhash, source, agency, title, entities = sizes
    count = figures + names + sample + sentences
    place = _HEAD.size + 8 * count
    size = place + minhash + source + agency + title + entities
    if form != _FORMAT or minhash not in (0, _MINHASH) or size != len(packed):
        raise ValueError("another format or length")
    flat = unpack_from(f"<{count}q", packed, _HEAD.size)
    named, sampled = figures + names, figures + names + sample
    texts = packed[place + minhash :]
    named_by, headed = source + agency, source + agency + title
    return Signature(
        id=ArticleId(id_),
        feed_id=FeedId(feed),
        source=_text(texts[:source]),
        agency=_text(texts[source:named_by]),
        dated=_EPOCH + dated * _MICROSECOND,
        title=_text(texts[named_by:headed]),
        words=words,
        figures=flat[:figures],
        shingles=shingles,
        simhash=simhash,
        minhash=packed[place : place + minhash],
        sample=flat[named:sampled],
        sentences=flat[sampled:],
        names=flat[figures:named],
        entities=frozenset(json.loads(texts[headed:])) if entities else None,
    )


def _text(encoded: bytes) -> str:
    return encoded.decode("utf-8", "surrogatepass")
