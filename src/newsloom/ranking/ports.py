"""What reads and ranks articles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from newsloom.ranking.values.models import (
    ArticleText,
    Label,
    Learned,
    NotYet,
    Rating,
    Reason,
    StoredModel,
)

Vectors = NDArray[np.float32]  # (n, dimensions), rows of unit length


HalfLives = Mapping[int, timedelta]  # sensitivity 1..5 -> half-life


class Embedder(Protocol):
    """Text to vectors. The id names weights and text preparation; vectors are stored under it."""

    @property
    def model_id(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit-length float32 rows, one per text, in the order given. Empty input: (0, d)."""

    def __hash__(self) -> int: ...


class SensitivityModel(Protocol):
    """How fast each article expires."""

    @property
    def model_id(self) -> str: ...

    def rate(self, articles: Sequence[ArticleText], vectors: Vectors) -> list[Rating]:
        """One rating per article; `vectors` are the articles' embeddings, in the same order."""


class RelevanceModel(Protocol):
    """How much one reader wants each article, whatever its age."""

    @property
    def model_id(self) -> str:
        """Changes whenever any score could."""

    @property
    def personal(self) -> bool:
        """Whether it was trained on this reader's own labels."""

    def score(
        self,
        articles: Sequence[ArticleText],
        vectors: Vectors,
        categories: Sequence[str],
    ) -> NDArray[np.float64]:
        """100·sigmoid, shape (n,). `categories` are the reader's own, of the articles' feeds."""

    def parts(
        self, article: ArticleText, vector: NDArray[np.float32], category: str
    ) -> tuple[Reason, ...]:
        """What moved the score of one article away from 50, in points, largest first."""


class PersonalModel(RelevanceModel, Protocol):
    """A relevance model trained on one reader's labels, and what is known of its training."""

    @property
    def positives(self) -> int: ...

    @property
    def negatives(self) -> int: ...

    @property
    def trained(self) -> datetime: ...

    @property
    def metrics(self) -> tuple[tuple[str, float], ...]:
        """On labels held out while training."""

    @property
    def vector_model(self) -> str:
        """Whose vectors it understands; empty when it reads texts alone."""

    def to_payload(self) -> bytes:
        """Plain numbers, or the names and hashes of weight files; never pickle."""


class Trainer(Protocol):
    """Labels in, one reader's model out. The same labels in the same order give the same scores."""

    @property
    def name(self) -> str:
        """Its row in TRAINERS."""

    def train(
        self, labels: Sequence[Label], vectors: Vectors, now: datetime
    ) -> PersonalModel | NotYet:
        """`vectors` are the labelled articles' embeddings, in the same order."""

    def load(self, stored: StoredModel) -> PersonalModel:
        """Raises ModelError when the bytes or files are not the ones kept."""


@dataclass(frozen=True, slots=True)
class ActiveRelevance:
    """What is known of one reader: their model in force, and how many labels there are."""

    load: Callable[[], RelevanceModel]  # the model in force
    personal: bool  # whether it is trained on the reader's own labels
    likes: int
    dislikes: int
    problem: str = ""  # why the model in force cannot be used, when another answers for it
    learned: Learned | None = None  # what a model of their own was made from; None: none answers
    implicit_negatives: int = (
        0  # articles that stand in for dislikes; 0: labels alone are learned from
    )

    @property
    def model(self) -> RelevanceModel:
        """The model in force."""
        return self.load()

    @property
    def made_by(self) -> str:
        """Whose base score it is, in words."""
        if self.personal and self.learned:
            return f"your own model, trained on {self.learned.words}"
        return "your interests, feeds and categories"
