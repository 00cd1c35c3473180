"""How fast an article expires, by a shipped head: an ordinal scale over embedding, cues, words.

Pure: weights come as bytes (see `shipped`), training data as arrays. docs/work/quality.md has what
was tried and what it reaches.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from newsloom.kernel.errors import ModelError
from newsloom.kernel.text.language import detect, language
from newsloom.ranking.encoder_text import LEAD
from newsloom.ranking.learning.lbfgs import Floats
from newsloom.ranking.learning.lexical_features import (
    COLUMNS,
    MOST_TITLE,
    WORDS,
    Sparse,
    hashed,
    known_in,
    lexical_features,
    rarity,
    weighted,
)
from newsloom.ranking.learning.ordinal import CUTS, Features, Ordinal, decide, fit, probabilities
from newsloom.ranking.ports import Vectors
from newsloom.ranking.values.models import ArticleText, Rating

VERSION = "ordinal-minilm@3"  # 3: other languages than English get NEUTRAL
# Of vectors that know other languages: cues and words speak where they are understood.
MULTILINGUAL = "ordinal-e5@1"

# Lengths of the three blocks beside each other. Cross-validated kappa is flat around them: half or
# one and a half times any one of them moved it by less than 0.004.
VECTOR, CUE, WORD = 1.7, 1.4, 2.0

# Cues further out than this many standard deviations are outliers, not evidence.
MOST_SPREAD = 3.0

# The chance of each rating of an article in a language that the head does not know. The median is
# 3: the cues are English and MiniLM's vectors of other languages lie near those of essays, so the
# head rated 74 % of 396 Italian news items 1 or 2.
NEUTRAL = (0.07, 0.33, 0.35, 0.21, 0.04)

CLASSES = {
    1: "lasting background",
    2: "a feature or an opinion",
    3: "part of an ongoing story",
    4: "a report of a recent event",
    5: "live coverage",
}
UNKNOWN = "a middle rating: this language cannot be judged"


@dataclass(frozen=True, slots=True, eq=False)
class SensitivityHead:
    """Implements ports.SensitivityModel."""

    scale: Ordinal = field(repr=False)
    centre: Floats = field(repr=False)  # of the cues
    spread: Floats = field(repr=False)
    rarities: Floats = field(repr=False)  # of the words
    known: frozenset[int] = field(repr=False)  # marks of the titles it was trained on
    multilingual: bool = False  # whether its vectors know other languages than English
    model_id: str = VERSION

    @property
    def version(self) -> str:
        return MULTILINGUAL if self.multilingual else VERSION

    def rate(self, articles: Sequence[ArticleText], vectors: Vectors) -> list[Rating]:
        """One rating per article, with its probability and its strongest cues in words."""
        if not articles:
            return []
        features = self.features(articles, vectors)
        known = self._judged(articles)
        chances = np.where(known[:, None], probabilities(self.scale.above(features)), NEUTRAL)
        ratings = decide(chances)
        return [
            Rating(int(rating), float(chances[row, rating - 1]), words if known[row] else UNKNOWN)
            for row, (rating, words) in enumerate(
                zip(ratings, self._explained(articles, features, ratings), strict=True)
            )
        ]

    def chances(self, articles: Sequence[ArticleText], vectors: Vectors) -> Floats:
        """The probability of each rating, (n, 5)."""
        chances = probabilities(self.scale.above(self.features(articles, vectors)))
        return np.where(self._judged(articles)[:, None], chances, NEUTRAL)

    def _judged(self, articles: Sequence[ArticleText]) -> NDArray[np.bool_]:
        return np.ones(len(articles), np.bool_) if self.multilingual else understood(articles)

    def trained_on(self, titles: Sequence[str]) -> NDArray[np.bool_]:
        """Which of these articles it was trained on: figures on them flatter it."""
        return np.array([_mark(title) in self.known for title in titles], np.bool_)

    def to_bytes(self) -> bytes:
        """The weights as npz: plain numbers at half precision, about 80 kB."""
        arrays = {
            "dense": self.scale.dense,
            "words": self.scale.words,
            "bias": self.scale.bias,
            "calibration": self.scale.calibration,
            "centre": self.centre,
            "spread": self.spread,
            "rarities": self.rarities,
        }
        halved = {"dense", "words", "rarities"}
        kept = {
            name: array.astype(np.float16 if name in halved else np.float64)
            for name, array in arrays.items()
        }
        kept["known"] = np.array(sorted(self.known), np.uint32)
        if self.multilingual:
            kept["multilingual"] = np.array(1)
        file = io.BytesIO()
        np.savez_compressed(file, allow_pickle=False, **kept)
        return file.getvalue()

    def features(self, articles: Sequence[ArticleText], vectors: Vectors) -> Features:
        """What its scale reads of each article. Raises ModelError for vectors of another size."""
        rows = np.asarray(vectors, np.float64)
        width = len(self.scale.dense) - len(WORDS)
        if rows.ndim != 2 or rows.shape[1] != width:
            raise ModelError(f"{self.model_id} reads vectors of {width} numbers.")
        seen, counts = _measured(articles)
        # Cues as standard deviations, their row about as long as the others.
        away = np.clip((seen - self.centre) / self.spread, -MOST_SPREAD, MOST_SPREAD)
        spread = np.asarray(away * (CUE / np.sqrt(len(WORDS))))
        words = weighted(counts, self.rarities)
        words = replace(words, values=words.values * WORD)
        if self.multilingual:
            english = understood(articles)
            spread = np.where(known_in([one.title for one in articles], english), spread, 0.0)
            lengths = np.diff(np.append(words.starts, len(words.columns)))
            foreign = np.repeat(~english, lengths)
            words = replace(words, values=np.where(foreign, 0.0, words.values))
        return Features(np.hstack([VECTOR * np.nan_to_num(rows), spread]), words)

    def _explained(
        self, articles: Sequence[ArticleText], features: Features, ratings: NDArray[np.intp]
    ) -> list[str]:
        """Class and the cues that speak loudest for it."""
        pull = self.scale.dense[-len(WORDS) :].mean(1)
        moved = features.dense[:, -len(WORDS) :] * pull
        seen = lexical_features([one.title for one in articles], [one.text for one in articles])
        return [
            explanation(int(rating), _loudest(row, found, int(rating)))
            for rating, row, found in zip(ratings, moved, seen, strict=True)
        ]


def understood(articles: Sequence[ArticleText]) -> NDArray[np.bool_]:
    """Which of the articles are in English, the one language that the head knows."""
    return np.array([is_of_english(one) for one in articles], np.bool_)


def explanation(rating: int, reasons: Sequence[str]) -> str:
    """A rating in words."""
    said = f"reads like {CLASSES[rating]}"
    return f"{said}: {'; '.join(reasons)}" if reasons else said


def load(data: bytes) -> SensitivityHead:
    """A head from its bytes. Raises ModelError when they are not such weights."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            arrays = {name: np.asarray(file[name], np.float64) for name in file.files}
            known = frozenset(map(int, arrays.pop("known")))
        multilingual = arrays.pop("multilingual", None) is not None
        version = MULTILINGUAL if multilingual else VERSION
        head = SensitivityHead(
            Ordinal(*(arrays[name] for name in ("dense", "words", "bias", "calibration"))),
            arrays["centre"],
            arrays["spread"],
            arrays["rarities"],
            known,
            multilingual,
            f"{version}/{hashlib.sha256(data).hexdigest()[:12]}",
        )
    except (ValueError, KeyError, TypeError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise ModelError(f"The sensitivity weights cannot be read: {error}.") from error
    _check(head, arrays)
    return head


def train(
    articles: Sequence[ArticleText],
    vectors: Vectors,
    ratings: Sequence[int],
    groups: Sequence[str],
    around: SensitivityHead | None = None,
    *,
    multilingual: bool = False,
) -> SensitivityHead:
    """A head from rated articles; `groups` are their sources, kept whole when calibrating.

    With `around` it says what that head says but where the ratings pull it away. `multilingual`:
    of vectors that know other languages, and of articles some of which are in them.
    """
    known = frozenset(_mark(one.title) for one in articles)
    numbers = np.array(ratings, np.intp)
    if around is not None:
        features = around.features(articles, vectors)
        scale = fit(features, numbers, groups, around.scale)
        return replace(around, scale=scale, known=around.known | known, model_id=around.version)
    spoken = [one for one in articles if is_of_english(one)] if multilingual else articles
    seen, counts = _measured(spoken)
    width = np.asarray(vectors).shape[1]
    head = SensitivityHead(
        _unfitted(width + len(WORDS)),
        seen.mean(0),
        seen.std(0) + 1e-3,
        rarity(counts),
        known,
        multilingual,
        MULTILINGUAL if multilingual else VERSION,
    )
    return replace(head, scale=fit(head.features(articles, vectors), numbers, groups))


def _unfitted(width: int) -> Ordinal:
    empty = np.zeros((width, len(CUTS)))
    words = np.zeros((COLUMNS, len(CUTS)))
    return Ordinal(empty, words, np.zeros(len(CUTS)), np.zeros((3, len(CUTS))))


def is_of_english(article: ArticleText) -> bool:
    tag = detect(f"{article.title}. {article.text[:LEAD]}", article.language)
    return language(tag) in {"", "en"}


def _mark(title: str) -> int:
    """32 bits of a title: enough to tell it again among thousands, too few to tell it."""
    return zlib.crc32(title.strip().lower().encode())


def _measured(articles: Sequence[ArticleText]) -> tuple[Floats, Sparse]:
    titles = [one.title[:MOST_TITLE] for one in articles]
    texts = [one.text[:LEAD] for one in articles]
    return lexical_features(titles, texts), hashed(titles, texts)


def _loudest(moved: Floats, found: Floats, rating: int) -> list[str]:
    """Up to two cues that are there and speak for the side of the scale that was chosen."""
    side = moved if rating >= 4 else -moved if rating <= 2 else np.abs(moved)
    said: list[str] = []
    for column in np.argsort(-side):
        if side[column] <= 0 or len(said) == 2:
            break
        if WORDS[column] and found[column] > 0 and WORDS[column] not in said:
            said.append(WORDS[column])
    return said


def _check(head: SensitivityHead, arrays: dict[str, Floats]) -> None:
    """Shapes that fit each other, and finite numbers."""
    thresholds = len(CUTS)
    scale = head.scale
    shapes = (
        scale.dense.ndim == 2 and scale.dense.shape[1] == thresholds,
        len(scale.dense) > len(WORDS),
        scale.words.shape == (COLUMNS, thresholds),
        scale.bias.shape == (thresholds,),
        scale.calibration.shape == (3, thresholds),
        head.centre.shape == head.spread.shape == (len(WORDS),),
        head.rarities.shape == (COLUMNS,),
    )
    if not all(shapes) or not all(np.isfinite(array).all() for array in arrays.values()):
        raise ModelError("The sensitivity weights do not fit this version.")
