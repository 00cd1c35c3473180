"""Words of an article, in any script, and rows of TF-IDF over the words of one reader's labels.

Pure text and numbers: knows no labels and fits nothing. `lexical_features.py` hashes what it counts
because its head is shipped and must stay small; here the words themselves are kept, since a reader
is told which of them moved a score.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from newsloom.kernel.text.language import language as code
from newsloom.kernel.text.segments import segmented
from newsloom.kernel.text.stop_words import stop_words
from newsloom.ranking.learning.lbfgs import Floats
from newsloom.ranking.values.models import ArticleText

# The text stage hands on at most half of this; files under evaluation may hold whole articles.
MAX_CHARACTERS = 4_000
LONGEST = 40  # letters; what is longer is no word but a key, a path or a line of dashes

# 3,000 labels of titles and leads have some 20,000 words. Words of a single article stay in: they
# are half of all, and leaving them out cost .03 of average precision on five readers.
MOST_TERMS = 50_000

_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|\S+@\S+\.\S+")

# Scripts that put no spaces between words: Thai to Burmese, Khmer, kana, Han.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff"
_UNSPACED += "\U00020000-\U0003ffff"
# Signs that stand inside words and are no letters to `\w`: accents apart, Hebrew and Arabic points,
# the vowels of Indian scripts (not their full stops).
_SIGNS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
_WORD = re.compile(rf"[{_UNSPACED}]+|(?:(?![{_UNSPACED}])[^\W_]|[{_SIGNS}])+")
_PLAIN_WORD = re.compile("[a-z0-9]+")
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")


def tokens(text: str, language: str = "", most: int = MAX_CHARACTERS) -> list[str]:
    """The telling words of a text: folded, without addresses, numbers, letters and stop words."""
    tongue = code(language)
    stops = stop_words(tongue)
    return [word for word in _tokens(text, most, tongue) if _telling(word, stops)]


def counted(article: ArticleText, most: int = MAX_CHARACTERS) -> Counter[str]:
    """How often each telling word stands in the title and the first `most` characters of the text.

    Counted before sifted: most words are looked at once instead of at each place.
    """
    tongue = code(article.language)
    stops = stop_words(tongue)
    counts = Counter(_tokens(article.title, most, tongue) + _tokens(article.text, most, tongue))
    for word in [word for word in counts if not _telling(word, stops)]:
        del counts[word]
    return counts


def _tokens(text: str, most: int, language: str) -> list[str]:
    cut = text[:most]
    plain = cut.isascii()  # most English is, and takes half the time then
    folded = cut.lower() if plain else unicodedata.normalize("NFKC", cut).casefold()
    if "@" in folded or "://" in folded or "www." in folded:
        folded = _ADDRESS.sub(" ", folded)
    if plain:
        return _PLAIN_WORD.findall(folded)
    return [token for word in _WORD.findall(folded) for token in _parted(word, language)]


def _parted(word: str, language: str) -> Iterable[str]:
    if word.isascii() or not _IS_UNSPACED.match(word):
        return (word,)
    found = segmented(word, language)
    return (word,) if found is None else found


def _telling(word: str, stops: frozenset[str]) -> bool:
    return 1 < len(word) <= LONGEST and word not in stops and not word.isdecimal()


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """A sparse matrix by rows; any row may be empty."""

    count: int
    width: int
    places: NDArray[np.intp]  # the row of each value, ascending
    columns: NDArray[np.intp]
    values: Floats

    def times(self, weights: Floats) -> Floats:
        """Rows times a vector: each sum the same whatever rows stand beside it."""
        products = self.values * weights[self.columns]
        return np.asarray(np.bincount(self.places, products, minlength=self.count), np.float64)

    def transposed_times(self, numbers: Floats) -> Floats:
        """The transpose times a vector."""
        products = self.values * numbers[self.places]
        return np.asarray(np.bincount(self.columns, products, minlength=self.width), np.float64)

    def squared(self) -> Rows:
        """Every value squared."""
        return replace(self, values=self.values**2)

    def scaled(self, factor: float) -> Rows:
        """Every value times a factor."""
        return replace(self, values=factor * self.values)

    def take(self, rows: NDArray[np.intp]) -> Rows:
        """Those rows, in that order."""
        edges = np.searchsorted(self.places, np.arange(self.count + 1))
        lengths = (edges[1:] - edges[:-1])[rows]
        ends = np.cumsum(lengths)
        inside = np.arange(int(lengths.sum())) - np.repeat(ends - lengths, lengths)
        source = np.repeat(edges[:-1][rows], lengths) + inside
        places = np.repeat(np.arange(len(rows)), lengths)
        return Rows(len(rows), self.width, places, self.columns[source], self.values[source])


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """Words with a column each, in that order, and how rare each is."""

    terms: tuple[str, ...]
    holders: tuple[int, ...]  # how many of the texts learned from have it
    texts: int
    places: Mapping[str, int]
    rarities: Floats

    def rows(self, counts: Iterable[Mapping[str, int]]) -> Rows:
        """TF-IDF rows: (1 + ln count) * rarity, of unit length with the unknown words, which have
        no column. Without them, one known word of ten would count as the whole text.
        """
        places: list[int] = []
        columns: list[int] = []
        values: list[int] = []
        number, unknown = 0, len(self.terms)
        find = self.places.get
        for row in counts:
            places.extend([number] * len(row))
            columns.extend([find(term, unknown) for term in row])
            values.extend(row.values())
            number += 1
        at, into = np.array(places, np.intp), np.array(columns, np.intp)
        rarities = np.append(self.rarities, 1.0 + np.log(1.0 + self.texts))
        weighed = (1.0 + np.log(np.array(values, np.float64))) * rarities[into]
        lengths = np.sqrt(np.bincount(at, weighed * weighed, minlength=number))
        known = into < unknown
        at, into, weighed = at[known], into[known], weighed[known]
        return Rows(number, unknown, at, into, weighed / lengths[at])


def learned(counts: Sequence[Mapping[str, int]], most: int = MOST_TERMS) -> Vocabulary:
    """The vocabulary of some texts: every word, or the `most` that stand in most texts."""
    holders = Counter(term for row in counts for term in row)
    kept = sorted(holders, key=lambda term: (-holders[term], term))[:most]
    return vocabulary(sorted((term, holders[term]) for term in kept), len(counts))


def vocabulary(terms: Iterable[tuple[str, int]], texts: int) -> Vocabulary:
    """A vocabulary from its words, each with how many of `texts` have it."""
    pairs = tuple(terms)
    names = tuple(term for term, _ in pairs)
    holders = tuple(count for _, count in pairs)
    # scikit-learn's smoothing, as if one more text held every word.
    rarities = 1.0 + np.log((1.0 + texts) / (1.0 + np.array(holders, np.float64)))
    places = {term: place for place, term in enumerate(names)}
    return Vocabulary(names, holders, texts, places, rarities)
