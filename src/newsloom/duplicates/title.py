"""Layer 3: nearly the same words in the headline. Alone it proves no copy; the matrix decides.

Two sets of words alike by Jaccard differ in at most d words, by their sizes. Thrown into d + 2
parts by their hashes, two parts at least are the same in both: a key is what stands in two parts.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from hashlib import blake2b
from itertools import combinations

from rapidfuzz.distance import Levenshtein

from newsloom.duplicates.packed import Signature
from newsloom.duplicates.values import SHORT_TITLE, Evidence, Thresholds
from newsloom.kernel.text.headlines import UNSPACED

NAME = "title"

# The least Jaccard for which keys lose nothing, in per cent: the seed's. Keys are stored, so they
# cannot follow the settings; with a lower threshold only titles that share a key are alike.
FLOOR = 85

# Words of a title that count; none of 5,430 in real feeds has more.
_LONGEST = 40

_DIGITS = re.compile(r"\d+")


def keys(signature: Signature) -> frozenset[int]:
    """Numbers of which two titles alike by Jaccard have one in common."""
    return _keys(signature.title)


def compare(a: Signature, b: Signature, thresholds: Thresholds) -> Evidence | None:
    """Evidence that two headlines say the same: by their words, or nearly to the letter."""
    if _keys(a.title).isdisjoint(_keys(b.title)):
        return None
    ones, others = title_words(a.title), title_words(b.title)
    common = len(ones & others)
    jaccard = common / (len(ones) + len(others) - common)
    short = min(len(ones), len(others)) < SHORT_TITLE
    letters = Levenshtein.normalized_similarity(a.title, b.title)
    by_words = jaccard >= (thresholds.short_title_jaccard if short else thresholds.title_jaccard)
    by_letters = letters >= thresholds.title_levenshtein and not short
    if by_letters:  # few letters part "Day 812" from "Day 813"
        by_letters = _DIGITS.findall(a.title) == _DIGITS.findall(b.title)
    if not by_words and not by_letters:
        return None
    score = max(jaccard if by_words else 0.0, letters if by_letters else 0.0)
    return Evidence(
        NAME, score, f"{jaccard:.0%} of the titles' words, {letters:.0%} of the letters"
    )


@lru_cache(maxsize=8192)
def title_words(title: str) -> frozenset[str]:
    """The different words of a headline."""
    if not UNSPACED.search(title):
        return frozenset(title.split()[:_LONGEST])
    found = [piece for word in title.split() for piece in _pieces(word)]
    return frozenset(found[:_LONGEST])


def _pieces(word: str) -> list[str]:
    """In scripts that set no blanks every two neighbouring characters are a word."""
    if len(word) < 3 or not UNSPACED.search(word):
        return [word]
    return [word[place : place + 2] for place in range(len(word) - 1)]


@lru_cache(maxsize=8192)
def _keys(title: str) -> frozenset[int]:
    hashes = list(map(_hash, title_words(title)))
    return frozenset(
        key for difference in _differences(len(hashes)) for key in _family(hashes, difference)
    )


@cache
def _differences(size: int) -> frozenset[int]:
    """The differences for which a set of this size needs keys: one for each kind of partner."""
    own = _difference(size)
    return frozenset(min(own, _difference(other)) for other in _partners(size) if size)


def _partners(size: int) -> range:
    """The sizes of sets that can reach FLOOR with one of this size."""
    return range(-(-size * FLOOR // 100), size * 100 // FLOOR + 1)


def _difference(size: int) -> int:
    """The most words in which a set of this size can differ from one alike."""
    most = {other: (size + other) * (100 - FLOOR) // (100 + FLOOR) for other in _partners(size)}
    return max(one - (one + size + other) % 2 for other, one in most.items())


def _family(hashes: list[int], difference: int) -> list[int]:
    """The keys by which sets meet that differ in so many words."""
    if difference == 0:
        return [_signed(sum(hashes))]
    count = difference + 2
    parts = [0] * count
    for one in hashes:
        parts[one % count] += one
    return [_signed(parts[one] + parts[other] + salt) for one, other, salt in _places(count)]


@cache
def _places(count: int) -> tuple[tuple[int, int, int], ...]:
    """Each two of so many parts, with a number that tells them from any other two."""
    return tuple((*pair, _hash(f"{count} {pair}")) for pair in combinations(range(count), 2))


@lru_cache(maxsize=1 << 16)
def _hash(word: str) -> int:
    digest = blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def _signed(number: int) -> int:
    """As databases keep 64 bits. A sum of hashes is spread as evenly as they are."""
    return ((number + (1 << 63)) & ((1 << 64) - 1)) - (1 << 63)
