"""An article made ready to be compared: its vector, its weighted terms, when it was dated.

Terms weigh by how rare they are in a background of articles, which is the same for every process.
"""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from newsloom.articles.terms import first_words, printed
from newsloom.duplicates import series_titles
from newsloom.kernel.text.headlines import headline
from newsloom.kernel.text.language import language
from newsloom.stories.values.pages import STORY_LEAD, Piece
from newsloom.summaries.boilerplate import is_roundup

# Terms of an article that are compared, the heaviest. A lead has some 60 besides stop words.
MOST_TERMS = 64
# Terms are told apart by a hash of so many bits: of two articles one pair in 600 shares a bucket
# without sharing the term.
COLUMN_BITS = 20
# Terms of a title that are looked for in another article's text, the heaviest.
MOST_TITLE_TERMS = 20
_SECONDS_A_DAY = 86_400.0

# Mean vectors of the shipped encoder by language, and of all other languages than English
# (lab/scripts/make_language_centres.py): all texts of a language that it does not know are alike.
CENTRES = Path(__file__).with_name("language-centres.npz")
OTHERS = "others"

Columns = NDArray[np.int32]
Floats = NDArray[np.float32]


class Frequencies(Protocol):
    """In how many of so many articles each term was."""

    @property
    def articles(self) -> int: ...

    @property
    def counts(self) -> Mapping[str, int]: ...


@dataclass(frozen=True, slots=True)
class Background:
    """How rare terms are."""

    known: Frequencies

    def weight(self, term: str) -> float:
        """Natural logarithm of the inverse share of the articles that have the term; above 0."""
        having = self.known.counts.get(term, 0)
        return max(math.log((self.known.articles + 1) / (having + 0.5)), 1e-3)


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """An article ready to be compared."""

    piece: Piece
    vector: Floats  # (dimensions,), unit length
    terms: tuple[str, ...]  # heaviest first, at most MOST_TERMS
    columns: Columns  # the bucket of each term
    weights: Floats  # the weight of each term; unit length together
    title_columns: Columns  # the bucket of each term of the title, at most MOST_TITLE_TERMS
    title_weights: Floats  # the share of each in the title's weight; 1 together
    day: float  # days since 1970; nan when undated
    # Hashes of the publisher's name, of its series and of the issue that the title names; 0: none.
    source: int = 0
    series: int = 0
    issue: int = 0
    # The content words of the title, and the numbers and days in it.
    saying: frozenset[str] = frozenset()
    steps: frozenset[str] = frozenset()

    @property
    def has_lead(self) -> bool:
        """Whether there is more than a title."""
        return bool(self.piece.lead)


def piece_terms(piece: Piece) -> Counter[str]:
    """How often each term is in an article's title and lead."""
    text = f"{piece.title}. {piece.lead[:STORY_LEAD]}"
    return Counter(term for term, _word in printed(text, piece.language))


def shared_words(one: Prepared, other: Prepared, most: int) -> list[str]:
    """The heaviest common terms of two articles, as words that the first has."""
    common = set(other.terms)
    terms = [term for term in one.terms if term in common][:most]
    text = f"{one.piece.title}. {one.piece.lead[:STORY_LEAD]}"
    words = first_words(text, one.piece.language)
    return list(dict.fromkeys(words.get(term, term) for term in terms))


def prepare(
    piece: Piece,
    vector: NDArray[np.floating],
    background: Background,
    counted: Mapping[str, int] | None = None,
    *,
    centred: bool = True,
) -> Prepared:
    """Raises ValueError for a vector with nan or infinity, or without direction.

    `counted` are the piece's terms, where they are known already. Vectors of an encoder that knows
    the article's language are not `centred`.
    """
    found = piece_terms(piece) if counted is None else counted
    weighed = [
        (term, (1.0 + math.log(count)) * background.weight(term)) for term, count in found.items()
    ]
    weighed.sort(key=lambda one: (-one[1], one[0]))
    del weighed[MOST_TERMS:]
    weights = np.array([weight for _, weight in weighed], np.float32)
    title = {term: background.weight(term) for term, _ in printed(piece.title, piece.language)}
    heaviest = sorted(title, key=lambda term: (-title[term], term))[:MOST_TITLE_TERMS]
    shares = np.array([title[term] for term in heaviest], np.float32)
    series, issue = _series(piece)
    saying, steps = series_titles.frame(headline(piece.title))
    return Prepared(
        piece=piece,
        vector=_centred(_unit(vector), piece.language if centred else ""),
        terms=tuple(term for term, _ in weighed),
        columns=np.array([column(term) for term, _ in weighed], np.int32),
        weights=weights / (float(np.linalg.norm(weights)) or 1.0),
        title_columns=np.array([column(term) for term in heaviest], np.int32),
        title_weights=shares / (float(shares.sum()) or 1.0),
        day=math.nan if piece.dated is None else piece.dated.timestamp() / _SECONDS_A_DAY,
        source=zlib.crc32(piece.source.encode("utf-8", "replace")),
        series=series,
        issue=issue,
        saying=saying,
        steps=steps,
    )


def stepped(one: Prepared, others: Sequence[Prepared]) -> NDArray[np.bool_]:
    """Which titles share most of their words with this one's but differ in a number or day, each
    having one that the other lacks: daily counts, pages of a day."""
    found = np.zeros(len(others), np.bool_)
    for place, other in enumerate(others if one.steps else ()):
        if other.steps - one.steps and one.steps - other.steps:
            common = len(one.saying & other.saying)
            found[place] = common > 0 and common >= series_titles.KIN * len(
                one.saying | other.saying
            )
    return found


def column(term: str) -> int:
    """The bucket of a term, the same in every process."""
    return zlib.crc32(term.encode("utf-8", "replace")) & ((1 << COLUMN_BITS) - 1)


def _series(piece: Piece) -> tuple[int, int]:
    if not piece.source:
        return 0, 0
    title = headline(piece.title)
    found, regular = series_titles.issue(title), is_roundup(piece.title, "")
    if found is None and not regular:
        return 0, 0
    series, issue = found or ("", title)
    if regular:  # live pages, newsletters and such are issues of one series of their publisher
        series = ""
    return 1 + zlib.crc32(f"{piece.source} {series}".encode("utf-8", "replace")), zlib.crc32(
        issue.encode("utf-8", "replace")
    )


def _centred(vector: Floats, tag: str) -> Floats:
    """What sets the article apart from others in its language."""
    code = language(tag)
    if code in {"", "en"}:
        return vector
    centres = _centres()
    centre = centres.get(code, centres[OTHERS])
    return vector if len(vector) != len(centre) else _unit(vector - centre)


@cache
def _centres() -> Mapping[str, Floats]:
    with np.load(CENTRES, allow_pickle=False) as file:
        return {name: file[name].astype(np.float32) for name in file.files}


def _unit(vector: NDArray[np.floating]) -> Floats:
    found = np.asarray(vector, np.float32)
    length = float(np.linalg.norm(found))
    if found.ndim != 1 or not math.isfinite(length) or not length:
        raise ValueError("A story's vector must be one row of finite numbers, not all 0.")
    return found / np.float32(length)


# Prepared articles as columns of numbers, so that one is compared with many at once.

Slots = NDArray[np.int64]

# Whitening: how much of a sphere is added to the second moments, always, and as if so many articles
# were one. Chosen on judged pairs of feeds (docs/work/quality.md).
WHITENING_FLOOR, WHITENING_PRIOR = 0.03, 1_000.0
# Vectors are added to the moments so many at once.
MOST_CHANGES = 1_024


@dataclass(frozen=True, slots=True)
class Compared:
    """One article beside many: an entry for each of the many."""

    dense: Floats  # cosine of the vectors
    lexical: Floats  # cosine of the weighted terms
    gap: Floats  # days apart; 0 where either is undated
    leads: NDArray[np.bool_]  # whether both have more than a title
    sources: NDArray[np.bool_]  # whether both are of one publisher
    issues: NDArray[np.bool_]  # whether they are different issues of one publisher's series


class Rows:
    """Prepared articles by slot. A slot that was freed is used again."""

    def __init__(self, dimensions: int, room: int = 64) -> None:
        self._vectors = np.zeros((room, dimensions), np.float32)
        self._columns = np.zeros((room, MOST_TERMS), np.int32)
        self._weights = np.zeros((room, MOST_TERMS), np.float32)
        self._title_columns = np.zeros((room, MOST_TITLE_TERMS), np.int32)
        self._title_weights = np.zeros((room, MOST_TITLE_TERMS), np.float32)
        self._days = np.full(room, np.nan)
        self._leads = np.zeros(room, np.bool_)
        self._sources = np.zeros(room, np.int64)
        self._series = np.zeros(room, np.int64)
        self._issues = np.zeros(room, np.int64)
        # Who is in a slot, and in which story; of free slots they mean nothing.
        self.articles = np.zeros(room, np.int64)
        self.stories = np.zeros(room, np.int64)
        self._free = list(range(room - 1, -1, -1))
        # The sum of the vectors' products with themselves, and what is not added to it yet: a sign
        # for a vector that came or left.
        self._products = np.zeros((dimensions, dimensions))
        self._changes: list[tuple[float, Floats]] = []
        # One article's weights by bucket, zeroed after each use: looking terms up here takes a
        # tenth of the time that intersecting sorted columns does.
        self._scratch = np.zeros(1 << COLUMN_BITS, np.float32)

    @property
    def dimensions(self) -> int:
        """Of the vectors."""
        return int(self._vectors.shape[1])

    @property
    def vectors(self) -> Floats:
        """By slot; rows of free slots mean nothing."""
        return self._vectors

    def add(self, article: Prepared) -> int:
        """The slot. Raises ValueError for a vector of other dimensions."""
        if len(article.vector) != self.dimensions:
            raise ValueError(
                f"A vector has {len(article.vector)} dimensions, the others {self.dimensions}."
            )
        if not self._free:
            self._grow()
        slot, terms = self._free.pop(), len(article.columns)
        self._vectors[slot] = article.vector
        self._columns[slot, :terms] = article.columns
        self._weights[slot, :terms] = article.weights
        self._weights[slot, terms:] = 0.0
        titled = len(article.title_columns)
        self._title_columns[slot, :titled] = article.title_columns
        self._title_weights[slot, :titled] = article.title_weights
        self._title_weights[slot, titled:] = 0.0
        self._days[slot] = article.day
        self._leads[slot] = article.has_lead
        self._sources[slot] = article.source
        self._series[slot], self._issues[slot] = article.series, article.issue
        self.articles[slot] = article.piece.id
        self._change(1.0, article.vector)
        return slot

    def free(self, slot: int) -> None:
        """Give a slot back."""
        self._free.append(slot)
        self._change(-1.0, self._vectors[slot].copy())

    def _change(self, sign: float, vector: Floats) -> None:
        self._changes.append((sign, vector))
        if len(self._changes) >= MOST_CHANGES:
            self._add_changes()

    def _add_changes(self) -> None:
        if self._changes:
            signs = np.array([sign for sign, _ in self._changes])
            vectors = np.array([vector for _, vector in self._changes], np.float64)
            self._products += (vectors * signs[:, None]).T @ vectors
            self._changes.clear()

    def whitened(self, slots: Slots) -> NDArray[np.float64]:
        """Vectors of some slots with what all articles here have in common weighed down, as rare
        terms outweigh common ones: multiplied by the inverse root of the second moments of all
        vectors, shrunk towards a sphere. (slots, dimensions), unit length."""
        self._add_changes()
        held = len(self._days) - len(self._free)
        moments = self._products / held
        share = (WHITENING_FLOOR + WHITENING_PRIOR / held) / self.dimensions
        root = np.linalg.cholesky(moments + share * np.eye(self.dimensions))
        found: NDArray[np.float64] = np.linalg.solve(
            root, self._vectors.take(slots, 0).T.astype(np.float64)
        ).T
        found /= np.linalg.norm(found, axis=1, keepdims=True)
        return found

    def compare(self, article: Prepared, slots: Slots) -> Compared:
        """One article beside those of some slots."""
        self._scratch[article.columns] = article.weights
        # take() copies rows twice as fast as an index does.
        held = self._scratch.take(self._columns.take(slots, 0))
        self._scratch[article.columns] = 0.0
        gap = np.abs(self._days[slots] - article.day)
        gap[np.isnan(gap)] = 0.0
        return Compared(
            dense=self._vectors.take(slots, 0) @ article.vector,
            lexical=np.einsum("ij,ij->i", held, self._weights.take(slots, 0)),
            gap=gap.astype(np.float32),
            leads=self._leads[slots] & article.has_lead,
            sources=(self._sources[slots] == article.source) & bool(article.source),
            issues=self._other_issues(article, slots),
        )

    def titled(self, article: Prepared, slots: Slots) -> Floats:
        """How much of the weight of a title's terms the other article has, 0..1: the mean of both
        directions, for each of some slots."""
        scratch = self._scratch
        scratch[article.columns] = 1.0
        theirs = np.einsum(
            "ij,ij->i",
            scratch.take(self._title_columns.take(slots, 0)),
            self._title_weights.take(slots, 0),
        )
        scratch[article.columns] = 0.0
        scratch[article.title_columns] = article.title_weights
        held = scratch.take(self._columns.take(slots, 0))
        scratch[article.title_columns] = 0.0
        mine = (held * (self._weights.take(slots, 0) > 0.0)).sum(1)
        found: Floats = (mine + theirs) / 2
        return found

    def _other_issues(self, article: Prepared, slots: Slots) -> NDArray[np.bool_]:
        if not article.series:
            return np.zeros(len(slots), np.bool_)
        mine: NDArray[np.bool_] = self._series[slots] == article.series
        other: NDArray[np.bool_] = self._issues[slots] != article.issue
        return mine & other

    def _grow(self) -> None:
        room = len(self._days)
        self._vectors = _doubled(self._vectors)
        self._columns = _doubled(self._columns)
        self._weights = _doubled(self._weights)
        self._title_columns = _doubled(self._title_columns)
        self._title_weights = _doubled(self._title_weights)
        self._days = _doubled(self._days)
        self._leads = _doubled(self._leads)
        self._sources = _doubled(self._sources)
        self._series = _doubled(self._series)
        self._issues = _doubled(self._issues)
        self.articles = _doubled(self.articles)
        self.stories = _doubled(self.stories)
        self._free = list(range(2 * room - 1, room - 1, -1))


def rows_of(articles: Sequence[Prepared]) -> tuple[Rows, Slots]:
    """New rows of some articles, at least one, and the slot of each."""
    rows = Rows(len(articles[0].vector), max(len(articles), 1))
    return rows, np.array([rows.add(one) for one in articles], np.int64)


def _doubled(table: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([table, np.zeros_like(table)])
