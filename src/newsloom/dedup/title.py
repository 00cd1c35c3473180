"""Layer 3: nearly the same words in the headline. Alone it proves no copy; dedup/pairs.py decides.

Words of two titles that are alike by Jaccard differ in at most d words. Thrown by their hashes into
d + 2 parts, at least two parts are the same: a key is all words of two parts.
"""

from __future__ import annotations

import zlib
from functools import lru_cache
from hashlib import blake2b
from itertools import combinations

from rapidfuzz.distance import Levenshtein

from newsloom.dedup.signature import Signature
from newsloom.dedup.thresholds import SHORT_TITLE, Thresholds
from newsloom.types import Evidence

NAME = "title"

# The least Jaccard for which keys lose nothing; below, only titles that share a key are alike.
FLOOR = 0.85
_LONGEST = 40  # words of a title that count


def keys(signature: Signature) -> frozenset[int]:
    """Numbers that two titles alike by Jaccard have one of in common."""
    return _keys(signature.title)


def compare(a: Signature, b: Signature, thresholds: Thresholds) -> Evidence | None:
    """Evidence that two headlines say the same: by their words, or by their letters."""
    ones, others = _words(a.title), _words(b.title)
    if not ones or not others or not _keys(a.title) & _keys(b.title):
        return None
    common = len(ones & others)
    jaccard = common / (len(ones) + len(others) - common)
    letters = Levenshtein.normalized_similarity(a.title, b.title)
    short = min(len(ones), len(others)) < SHORT_TITLE
    by_words = jaccard >= (thresholds.short_title_jaccard if short else thresholds.title_jaccard)
    by_letters = (
        not short and letters >= thresholds.title_levenshtein and _figures(ones) == _figures(others)
    )
    if not by_words and not by_letters:
        return None
    detail = (
        f"{jaccard:.0%} of the words and {letters:.0%} of the letters of the titles are the same"
    )
    return Evidence(NAME, max(jaccard if by_words else 0.0, letters if by_letters else 0.0), detail)


def _figures(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if any(map(str.isdigit, word)))


@lru_cache(maxsize=8192)
def _words(title: str) -> frozenset[str]:
    return frozenset(title.split()[:_LONGEST])


@lru_cache(maxsize=8192)
def _keys(title: str) -> frozenset[int]:
    words = _words(title)
    if not words:
        return frozenset()
    size = len(words)
    own = _difference(size)
    families = {min(own, _difference(other)) for other in _partners(size)}
    hashed = sorted((zlib.crc32(word.encode("utf-8", "surrogatepass")), word) for word in words)
    return frozenset(key for family in families for key in _family(hashed, family))


def _partners(size: int) -> range:
    """The sizes of sets that can reach FLOOR with one of this size."""
    return range(-int(-size * FLOOR // 1), int(size / FLOOR) + 1)


@lru_cache(maxsize=_LONGEST * 2)
def _difference(size: int) -> int:
    """The most words in which a set of this size can differ from one alike."""
    share = (1 - FLOOR) / (1 + FLOOR)
    most = {other: int((size + other) * share + 1e-9) for other in _partners(size)}
    return max(one - (one + size + other) % 2 for other, one in most.items())


def _family(hashed: list[tuple[int, str]], difference: int) -> list[int]:
    if difference == 0:
        return [_number(0, 0, 0, [word for _, word in hashed])]
    count = difference + 2
    parts: list[list[str]] = [[] for _ in range(count)]
    for number, word in hashed:
        parts[number % count].append(word)
    return [_number(count, i, j, parts[i] + parts[j]) for i, j in combinations(range(count), 2)]


def _number(count: int, i: int, j: int, words: list[str]) -> int:
    data = f"{count} {i} {j} {' '.join(words)}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little", signed=True)
