"""What a training decides by, read from the store once and then frozen. Decides nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

import numpy as np

from newsloom.kernel.ids import ArticleId, UserId
from newsloom.ranking.learning import implicit_negatives, label_weights
from newsloom.ranking.ports import Embedder, RelevanceModel, Vectors
from newsloom.ranking.training.active import ActiveModel, ModelLoader
from newsloom.ranking.values.models import RELEVANCE, Label, NotYet, StoredModel
from newsloom.store import Store


@dataclass(frozen=True, slots=True)
class Unlabelled:
    """What stands in for dislikes where they are missing: articles shown and not liked, oldest
    first, their weights how surely they were shown; and what the order is without a model."""

    passed: Sequence[Label]
    vectors: Vectors  # (passed, dimensions)
    together: Mapping[ArticleId, tuple[str, ...]]  # story and event of these and of the labels'
    untrained: Callable[[Sequence[Label]], RelevanceModel]  # made of some labels


@dataclass(frozen=True, slots=True)
class TrainingSet:
    """One reader's weighted labels, oldest first, and their articles' vectors."""

    labels: Sequence[Label]
    vectors: Vectors  # (labels, dimensions)
    made_of: str  # names it
    said: tuple[int, int] = (0, 0)  # likes and dislikes the reader gave, before any was weighed
    unlabelled: Unlabelled | None = None  # None: there are dislikes enough, or not even likes

    def only(self, rows: np.ndarray) -> TrainingSet:
        """Some of the labels, which are learned from by themselves."""
        labels = [one for one, wanted in zip(self.labels, rows, strict=True) if wanted]
        return TrainingSet(labels, self.vectors[rows], self.made_of, self.said)

    def scores(self, model: RelevanceModel) -> np.ndarray:
        """What a model makes of these labels' articles, 0 to 100."""
        articles = [one.article for one in self.labels]
        return model.score(articles, self.vectors, [one.category for one in self.labels])

    def too_few(self, needed: tuple[int, int]) -> NotYet | None:
        """What the reader said is what counts: a model is not begun on what was only noticed."""
        likes, dislikes = self.said
        if self.unlabelled is not None:
            return None
        enough = likes >= needed[0] and dislikes >= needed[1]
        return None if enough else NotYet(likes, dislikes, needed)

    def newer(self, than: StoredModel) -> np.ndarray:
        """Which labels were given after that training."""
        return np.array([one.at > than.trained for one in self.labels], bool)

    @property
    def positive(self) -> np.ndarray:
        return np.array([one.positive for one in self.labels], bool)

    @property
    def explicit(self) -> np.ndarray:
        """Which labels the reader gave; the others were only noticed."""
        return np.array([label_weights.explicit(one) for one in self.labels], bool)


@dataclass(frozen=True, slots=True)
class TrainingFacts:
    """All that `train` may know."""

    at: datetime
    dataset: TrainingSet
    needed: tuple[int, int]  # likes, dislikes
    history: Sequence[StoredModel]  # newest first, without their bytes
    active: ActiveModel
    loader: ModelLoader


@dataclass(frozen=True, slots=True)
class FactsReader:
    """Reads one reader's facts from the store."""

    store: Store
    embedder: Embedder
    loader: ModelLoader
    needed: tuple[int, int]
    half_weight_days: float
    # What ranks without a model; None: nothing but labels is learned from.
    untrained: Callable[[UserId, Sequence[Label]], RelevanceModel] | None = None

    def facts(
        self, user: UserId, at: datetime, dataset: TrainingSet | None = None
    ) -> TrainingFacts:
        """All of them, or those that go with a training set read before."""
        return TrainingFacts(
            at,
            dataset or self.dataset(user, at),
            self.needed,
            self.store.models.models(user, RELEVANCE),
            self.loader.active(self.store, user),
            self.loader,
        )

    def dataset(self, user: UserId, at: datetime) -> TrainingSet:
        """The labels whose articles have vectors already, those vectors, and a name for both."""
        mark = self.store.models.labels_mark(user)
        told = self.store.models.labels(user)
        labels = label_weights.weighted(told, at, self.half_weight_days)
        known = self.store.articles.vectors(
            self.embedder.model_id, [one.article.id for one in labels]
        )
        usable = [one for one in labels if one.article.id in known]
        rows = [known[one.article.id] for one in usable]
        vectors = np.array(rows, np.float32).reshape(len(rows), self.embedder.dimensions)
        chosen = self.loader.trainers.chosen
        made_of = f"{chosen} {self.embedder.model_id} {mark} {len(usable)}"
        said = label_weights.judged([(one.article.id, one.kind, one.via) for one in told])
        unlabelled = self._unlabelled(user, usable, said)
        if unlabelled is not None:
            made_of += " and passed over"
        return TrainingSet(usable, vectors, made_of, said, unlabelled)

    def _unlabelled(
        self, user: UserId, labels: Sequence[Label], said: tuple[int, int]
    ) -> Unlabelled | None:
        """What was passed over, if that is to stand in for dislikes."""
        if self.untrained is None or not self.loader.trainers.quick:
            return None
        if not implicit_negatives.takes_over(*said, implicit_negatives.LEAST, self.needed):
            return None  # whatever there is: it need not be read
        found = self.store.models.implicit_negatives(user, implicit_negatives.MOST)
        weighed = implicit_negatives.weighted(found, self.store.models.visits(user))
        ids = [one.article.id for one in weighed]
        known = self.store.articles.vectors(self.embedder.model_id, ids)
        passed = [one for one in weighed if one.article.id in known]
        if not implicit_negatives.takes_over(*said, len(passed), self.needed):
            return None
        vectors = np.array([known[one.article.id] for one in passed], np.float32)
        articles = [one.article.id for one in (*passed, *labels)]
        together = self.store.models.group_names(articles)
        return Unlabelled(passed, vectors, together, partial(self.untrained, user))
