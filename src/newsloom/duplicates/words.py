"""The words of many texts at once as 64-bit hashes, in arrays. Knows nothing of articles.

A word is a run of letters, digits and their marks. In scripts that set no blanks one begins with
each character and takes in the following ones, about as many as a word of the language has. Case,
width, accents, soft hyphens and joiners make no difference.
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

# What a character becomes: its folded form in the low 21 bits, 0 when it is no part of a word.
_FOLDED = np.uint32(0x1FFFFF)
STOP = np.uint32(1 << 28)  # ends a sentence
DOT = np.uint32(1 << 29)  # may end one
_LETTER = np.uint32(1 << 27)  # of an alphabet without blanks
_ALONE = np.uint32(1 << 30)  # begins a word whatever stands before it
_NOTHING = np.uint32(1 << 31)  # as if it were not there

_CHARACTERS = 0x110000
# Beyond are ideographs (planes 2 and 3), then nothing that words are made of.
_NAMED = 0x20000
_IDEOGRAPHS = 0x40000
# Below are all alphabets in wide use and typographic signs; most texts have nothing beyond.
_COMMON = 0x2E00

# Scripts without blanks: Thai and Lao, Myanmar, Khmer; radicals and numerals, kana, Han.
_ALPHABETS = ((0x0E00, 0x0F00), (0x1000, 0x10A0), (0x1780, 0x1800))
_SYLLABLES = (
    (0x2E80, 0x2FE0),
    (0x3005, 0x3008),
    (0x3040, 0x3100),
    (0x31F0, 0x3200),
    (0x3400, 0x4DC0),
    (0x4E00, 0xA000),
    (0xF900, 0xFB00),
)
# Characters of a word there. With single letters any two Thai texts would be alike.
_WORD_OF_LETTERS = 5
_WORD_OF_SYLLABLES = 2
_ACCENTS = range(0x0300, 0x0370)
_VARIANTS = range(0xFE00, 0xFE10)  # of an emoji, of an ideograph
_STOPS = "\n!?…。．！？｡؟۔।॥။។"

_BASE = 0x9E3779B97F4A7C15  # odd, so that it has an inverse modulo 2**64


@dataclass(frozen=True, slots=True)
class Words:
    """All words of some texts, one text behind the other."""

    hashes: U64
    first: I64  # the first word of each text, and at the end how many words there are
    starts: I64  # the first character of each word
    ends: I64  # and the one behind its last
    kinds: NDArray[np.uint32]  # of all characters


def hash_words(texts: Sequence[str]) -> Words:
    """A word's hash depends on its letters alone."""
    joined = "\n".join(texts)
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.dtype("<u4"))
    # No code is beyond; three times the speed.
    kinds = np.take(_kinds(int(codes.max(initial=0)) < _COMMON), codes, mode="clip")
    edges = np.cumsum([0, *(len(text) + 1 for text in texts)])
    edges[-1] = len(kinds)
    highest = kinds.max(initial=0)
    if highest >= _NOTHING:
        gone = np.flatnonzero(kinds >= _NOTHING)
        edges -= np.searchsorted(gone, edges)
        kinds = np.delete(kinds, gone)
    folded = kinds & _FOLDED
    starts, ends = _bounds(folded != 0, kinds if highest >= _ALONE else None)
    return Words(
        sequences(folded, starts, ends), np.searchsorted(starts, edges), starts, ends, kinds
    )


def sequences(values: NDArray[np.unsignedinteger], starts: I64, ends: I64) -> U64:
    """One hash for each run of values, whatever stands before it.

    A polynomial modulo 2**64, from running sums: the runs may overlap, and each costs the same.
    """
    powers, inverses = _powers(max(1 << 18, 1 << len(values).bit_length()))
    sums = np.empty(len(values) + 1, np.uint64)
    sums[0] = 0
    np.cumsum(np.multiply(values, powers[: len(values)], dtype=np.uint64), out=sums[1:])
    return mix((sums[ends] - sums[starts]) * inverses[starts])


def mix(x: U64) -> U64:
    """The finaliser of splitmix64 (Steele, Lea, Flood 2014): every bit depends on every bit."""
    x = x ^ (x >> np.uint64(30))
    x *= np.uint64(0xBF58476D1CE4E5B9)
    x ^= x >> np.uint64(27)
    x *= np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return x


def _bounds(inside: NDArray[np.bool_], kinds: NDArray[np.uint32] | None) -> tuple[I64, I64]:
    """Where words begin and end; `kinds` where some begin whatever stands before them."""
    padded = np.zeros(len(inside) + 2, bool)
    padded[1:-1] = inside
    turns = padded[1:] != padded[:-1]
    places = np.flatnonzero(turns)
    if kinds is None:
        return places[::2], places[1::2]
    alone = kinds >= _ALONE
    turns[1:] |= alone
    turns[:-1] |= alone
    starts = np.flatnonzero(padded[1:] & turns)
    ends = np.flatnonzero(padded[:-1] & turns)
    sizes = np.where(kinds[starts] & _LETTER, _WORD_OF_LETTERS, _WORD_OF_SYLLABLES)
    behind = places[1::2][np.searchsorted(places[1::2], starts, "right")]
    return starts, np.where(alone[starts], np.minimum(starts + sizes, behind), ends)


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
def _kinds(common: bool) -> NDArray[np.uint32]:
    """Of all characters, or of the common ones alone: those take a tenth of a second less."""
    kinds = np.zeros(_CHARACTERS, np.uint32)
    named = _COMMON if common else _NAMED
    kinds[:named] = [_kind(code) for code in range(named)]
    kinds[_NAMED:_IDEOGRAPHS] = np.arange(_NAMED, _IDEOGRAPHS, dtype=np.uint32) | _ALONE
    for ranges, marks in ((_ALPHABETS, _ALONE | _LETTER), (_SYLLABLES, _ALONE)):
        for begin, end in ranges:
            part = kinds[begin:end]
            part[part & _FOLDED != 0] |= marks
    kinds[[ord(sign) for sign in _STOPS]] = STOP
    kinds[ord(".")] = DOT
    return kinds


def _kind(code: int) -> int:
    letter = chr(code)
    category = unicodedata.category(letter)
    if code in _ACCENTS or code in _VARIANTS or category == "Cf":
        return int(_NOTHING)
    if category[0] not in "LNM":
        return 0
    folded = unicodedata.normalize("NFKC", letter).casefold()
    base = [one for one in unicodedata.normalize("NFD", folded) if ord(one) not in _ACCENTS]
    if len(base) == 1:
        return ord(base[0])
    return ord(folded) if len(folded) == 1 else code
