"""Layer 3: nearly the same words in the headline. Alone it proves no copy; the matrix decides.

Two sets of words alike by Jaccard differ in at most d words, by their sizes. Thrown into d + 2
parts by their hashes, two parts at least are the same in both: a key is what stands in two parts.
"""

from __future__ import annotations

import re
import zlib
from functools import lru_cache
from hashlib import blake2b
from itertools import combinations

from rapidfuzz.distance import Levenshtein

from newsloom.dedup.signature import Signature
from newsloom.dedup.thresholds import SHORT_TITLE, Thresholds
from newsloom.types import Evidence

NAME = "title"

# The least Jaccard for which keys lose nothing, in per cent: the seed's. Keys are stored, so they
# cannot follow the settings; with a lower threshold only titles that share a key are alike.
FLOOR = 85

# Words of a title that count; none of 5,430 in real feeds has more.
_LONGEST = 40

# Scripts that set no blanks: there every two neighbouring characters are a word.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_DIGITS = re.compile(r"\d+")


def keys(signature: Signature) -> frozenset[int]:
    """Numbers of which two titles alike by Jaccard have one in common."""
    return _keys(signature.title)


def compare(a: Signature, b: Signature, thresholds: Thresholds) -> Evidence | None:
    """Evidence that two headlines say the same: by their words, or nearly to the letter."""
    if _keys(a.title).isdisjoint(_keys(b.title)):
        return None
    ones, others = words(a.title), words(b.title)
    common = len(ones & others)
    jaccard = common / (len(ones) + len(others) - common)
    short = min(len(ones), len(others)) < SHORT_TITLE
    letters = Levenshtein.normalized_similarity(a.title, b.title)
    by_words = jaccard >= (thresholds.short_title_jaccard if short else thresholds.title_jaccard)
    by_letters = letters >= thresholds.title_levenshtein and not short and _same_figures(a, b)
    if not by_words and not by_letters:
        return None
    score = max(jaccard if by_words else 0.0, letters if by_letters else 0.0)
    return Evidence(
        NAME, score, f"{jaccard:.0%} of the titles' words, {letters:.0%} of the letters"
    )


def _same_figures(a: Signature, b: Signature) -> bool:
    """Few letters part "Day 812" from "Day 813"."""
    return _DIGITS.findall(a.title) == _DIGITS.findall(b.title)


@lru_cache(maxsize=8192)
def words(title: str) -> frozenset[str]:
    """The different words of a headline."""
    if not _UNSPACED.search(title):
        return frozenset(title.split()[:_LONGEST])
    found = [piece for word in title.split() for piece in _pieces(word)]
    return frozenset(found[:_LONGEST])


def _pieces(word: str) -> list[str]:
    if len(word) < 3 or not _UNSPACED.search(word):
        return [word]
    return [word[place : place + 2] for place in range(len(word) - 1)]


@lru_cache(maxsize=8192)
def _keys(title: str) -> frozenset[int]:
    found = words(title)
    if not found:
        return frozenset()
    own = _difference(len(found))
    families = {min(own, _difference(other)) for other in _partners(len(found))}
    hashed = sorted((zlib.crc32(word.encode("utf-8", "surrogatepass")), word) for word in found)
    return frozenset(key for family in families for key in _family(hashed, family))


def _partners(size: int) -> range:
    """The sizes of sets that can reach FLOOR with one of this size."""
    return range(-(-size * FLOOR // 100), size * 100 // FLOOR + 1)


@lru_cache(maxsize=2 * _LONGEST)
def _difference(size: int) -> int:
    """The most words in which a set of this size can differ from one alike."""
    most = {other: (size + other) * (100 - FLOOR) // (100 + FLOOR) for other in _partners(size)}
    return max(one - (one + size + other) % 2 for other, one in most.items())


def _family(hashed: list[tuple[int, str]], difference: int) -> list[int]:
    """The keys by which sets meet that differ in so many words."""
    if difference == 0:
        return [_number([0], [word for _, word in hashed])]
    count = difference + 2
    parts: list[list[str]] = [[] for _ in range(count)]
    for number, word in hashed:
        parts[number % count].append(word)
    return [
        _number([count, one, other], parts[one] + parts[other])
        for one, other in combinations(range(count), 2)
    ]


def _number(place: list[int], found: list[str]) -> int:
    data = f"{place} {' '.join(found)}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little", signed=True)
