"""What the later layers see of an article: small, made once, compared often. Makes none."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

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
