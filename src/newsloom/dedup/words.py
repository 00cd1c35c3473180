"""The words of many texts at once as 64-bit hashes, in arrays. Knows nothing of articles.

A word is a run of letters and digits; in scripts that set no blanks each character is one. Case,
width and accents make no difference.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

U64 = NDArray[np.uint64]
I64 = NDArray[np.int64]

# What a code point becomes: its folded form in the low 21 bits, 0 for what is no part of a word.
_FOLDED = np.uint32(0x1FFFFF)
_ALONE = np.uint32(1 << 30)  # a word by itself
_NOTHING = np.uint32(1 << 31)  # as if it were not there
_CODES = 0x110000

# Beyond are ideographs (planes 2 and 3), then nothing that words are made of.
_NAMED = 0x20000
_IDEOGRAPHS = 0x40000

# Han, kana, Thai, Lao, Myanmar, Khmer.
_UNSPACED = (
    (0x0E00, 0x0F00),
    (0x1000, 0x10A0),
    (0x1780, 0x1800),
    (0x2E80, 0x2FE0),
    (0x3005, 0x3008),
    (0x3040, 0x3100),
    (0x31F0, 0x3200),
    (0x3400, 0x4DC0),
    (0x4E00, 0xA000),
    (0xF900, 0xFB00),
)
_ACCENTS = range(0x0300, 0x0370)

_BASE = 0x9E3779B97F4A7C15  # odd, so that it has an inverse modulo 2**64
_MASK = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Words:
    """All words of some texts, in order."""

    hashes: U64
    starts: I64  # where each begins among the codes
    ends: I64
    codes: NDArray[np.uint32]  # what the texts are written in, one behind the other
    first: I64  # the first word of each text, and at the end how many words there are


def words(texts: Sequence[str]) -> Words:
    """Each word's hash depends on its letters alone."""
    joined = "\n".join(texts)
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32)
    lengths = np.fromiter(map(len, texts), np.int64, len(texts)) + 1
    edges = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))
    kinds = _kinds()[codes]
    if len(kinds) and kinds.max() >= _NOTHING:
        there = kinds < _NOTHING
        edges = np.concatenate((np.zeros(1, np.int64), np.cumsum(there)))[
            np.minimum(edges, len(kinds))
        ]
        codes, kinds = codes[there], kinds[there]
    starts, ends = _bounds(kinds)
    hashes = _hashed((kinds & _FOLDED).astype(np.uint64), starts, ends)
    return Words(hashes, starts, ends, codes, np.searchsorted(starts, edges))


def mix(x: U64) -> U64:
    """The finaliser of splitmix64 (Steele, Lea, Flood 2014): every bit depends on every bit."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def sequences(values: U64, starts: I64, ends: I64) -> U64:
    """One hash for each run of values, whatever stands before it."""
    return _hashed(values, starts, ends)


def _bounds(kinds: NDArray[np.uint32]) -> tuple[I64, I64]:
    inside = np.zeros(len(kinds) + 2, bool)
    inside[1:-1] = kinds != 0
    alone = np.zeros(len(kinds) + 2, bool)
    alone[1:-1] = kinds >= _ALONE
    turns = (inside[1:] != inside[:-1]) | alone[1:] | alone[:-1]
    starts = np.flatnonzero(inside[1:] & turns)
    ends = np.flatnonzero(inside[:-1] & turns)
    return starts, ends


def _hashed(values: U64, starts: I64, ends: I64) -> U64:
    powers, inverses = _powers(_room(len(values)))
    sums = np.zeros(len(values) + 1, np.uint64)
    np.cumsum(values * powers[: len(values)], out=sums[1:])
    return mix((sums[ends] - sums[starts]) * inverses[starts])


def _room(length: int) -> int:
    return max(1 << 17, 1 << length.bit_length())


@cache
def _powers(length: int) -> tuple[U64, U64]:
    return _powers_of(_BASE, length), _powers_of(pow(_BASE, -1, 1 << 64), length)


def _powers_of(base: int, length: int) -> U64:
    powers = np.ones(length, np.uint64)
    done = 1
    while done < length:
        powers[done : 2 * done] = powers[:done] * np.uint64(pow(base, done, 1 << 64))
        done *= 2
    return powers


@cache
def _kinds() -> NDArray[np.uint32]:
    kinds = np.zeros(_CODES, np.uint32)
    kinds[:_NAMED] = [_kind(code) for code in range(_NAMED)]
    kinds[_NAMED:_IDEOGRAPHS] = np.arange(_NAMED, _IDEOGRAPHS, dtype=np.uint32) | _ALONE
    for begin, end in _UNSPACED:
        part = kinds[begin:end]
        part[(part != 0) & (part < _NOTHING)] |= _ALONE
    return kinds


def _kind(code: int) -> int:
    letter = chr(code)
    if code in _ACCENTS or unicodedata.category(letter) == "Cf":
        return int(_NOTHING)
    if not letter.isalnum() and unicodedata.category(letter)[0] != "M":
        return 0
    folded = unicodedata.normalize("NFKC", letter).casefold()
    base = [one for one in unicodedata.normalize("NFD", folded) if ord(one) not in _ACCENTS]
    if len(base) == 1:
        return ord(base[0])
    return ord(folded) if len(folded) == 1 else code
