"""One reader's relevance model: trained when labels allow, stored, loaded, kept between calls.

The choice is here, the mathematics in classify. Before there are enough likes and dislikes the
prior (interests, feeds, categories) answers; from then on a head trained on the reader's own
labels. Asking for the model never trains: only a pass and `newsloom train` do.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

import numpy as np

from newsloom.classify import prior
from newsloom.classify.head import train
from newsloom.classify.trained import TrainedHead, from_payload
from newsloom.errors import ModelError
from newsloom.ports import Embedder, ModelStore, ReadingStore, RelevanceModel, Taste, Vectors
from newsloom.types import Label, NotYet, StoredModel, UserId

log = logging.getLogger(__name__)

KIND = "relevance"

# A model is trained again when this share of its labels is new or gone. More often moves little
# (one label in a hundred) and re-scores everything unread.
RETRAIN_SHARE = 0.05


class PersonalStore(ReadingStore, ModelStore, Protocol):
    """The two roles this needs."""


@dataclass(frozen=True, slots=True)
class Training:
    """What `newsloom train` came to."""

    words: str
    model_id: str = ""
    metrics: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class _Kept:
    mark: str  # of the labels and interests it was chosen for
    taste: Taste
    settled: bool  # whether training was considered for this mark


class Personal:
    """Every reader's current model. Thread-safe; one per process."""

    def __init__(
        self,
        store: PersonalStore,
        embedder: Embedder,
        needed: tuple[int, int],
        now: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._needed = needed  # likes, dislikes
        self._now = now
        self._lock = threading.Lock()
        self._kept: dict[UserId, _Kept] = {}

    def taste(self, user: UserId) -> Taste:
        """The model in force: the reader's own when there is one, else the prior. Trains none."""
        return self._current(user, may_train=False).taste

    def refreshed(self, user: UserId) -> RelevanceModel:
        """The same model, trained first if enough labels have changed since the last time."""
        return self._current(user, may_train=True).taste.model

    def _current(self, user: UserId, *, may_train: bool) -> _Kept:
        mark = self._store.labels_mark(user)
        with self._lock:
            kept = self._kept.get(user)
        if kept is None or kept.mark != mark or (may_train and not kept.settled):
            labels, vectors = self._labels(user)
            own = self._own(user, labels)
            if may_train and _stale(own, labels):
                trained = self._train(user, labels, vectors)
                own = trained if isinstance(trained, TrainedHead) else None
            likes, dislikes = _counted(labels)
            taste = Taste(own or self._prior(user, labels), likes, dislikes)
            kept = _Kept(mark, taste, settled=may_train)
            with self._lock:
                self._kept[user] = kept
        return kept

    def train(self, user: UserId) -> Training:
        """Train now. Too few labels of one kind is an answer, not an error."""
        labels, vectors = self._labels(user)
        trained = self._train(user, labels, vectors)
        with self._lock:
            self._kept.pop(user, None)
        if isinstance(trained, NotYet):
            return Training(
                f"Not yet: {trained.positives} of {trained.needed[0]} likes and "
                f"{trained.negatives} of {trained.needed[1]} dislikes are there."
            )
        return Training(
            f"Trained on {trained.positives} likes and {trained.negatives} dislikes; "
            f"{trained.model_id} ranks from now on.",
            trained.model_id,
            trained.metrics,
        )

    def _labels(self, user: UserId) -> tuple[list[Label], Vectors]:
        """The labels whose articles have vectors already, and those vectors."""
        labels = self._store.labels(user)
        known = self._store.vectors(self._embedder.model_id, [one.article.id for one in labels])
        usable = [one for one in labels if one.article.id in known]
        rows = [known[one.article.id] for one in usable]
        shape = (len(rows), self._embedder.dimensions)
        return usable, np.array(rows, np.float32).reshape(shape)

    def _own(self, user: UserId, labels: Sequence[Label]) -> TrainedHead | None:
        """The stored head, if it can be used: whole, of this encoder, and labels enough left."""
        stored = self._store.active_model(user, KIND)
        if stored is None or not self._enough(labels):
            return None
        try:
            head = from_payload(stored.payload, stored.sha256)
        except ModelError as error:
            log.warning("the personal model is trained again: %s", error)
            return None
        return head if head.vector_model == self._embedder.model_id else None

    def _enough(self, labels: Sequence[Label]) -> bool:
        likes, dislikes = _counted(labels)
        return likes >= self._needed[0] and dislikes >= self._needed[1]

    def _train(
        self, user: UserId, labels: Sequence[Label], vectors: Vectors
    ) -> TrainedHead | NotYet:
        likes, dislikes = self._needed
        trained = train(
            labels,
            vectors,
            now=self._now(),
            min_positive=likes,
            min_negative=dislikes,
            vector_model=self._embedder.model_id,
        )
        if isinstance(trained, TrainedHead):
            payload = trained.to_payload()
            self._store.save_model(
                user,
                StoredModel(
                    model_id=trained.model_id,
                    kind=KIND,
                    payload=payload,
                    sha256=hashlib.sha256(payload).hexdigest(),
                    trained=trained.trained,
                    metrics=trained.metrics,
                ),
            )
        return trained

    def _prior(self, user: UserId, labels: Sequence[Label]) -> RelevanceModel:
        interests = self._store.interests(user)
        vectors = self._embedder.embed([one.text for one in interests])
        return prior.build(interests, vectors, labels)


def _counted(labels: Sequence[Label]) -> tuple[int, int]:
    """Likes and dislikes."""
    likes = sum(one.positive for one in labels)
    return likes, len(labels) - likes


def _stale(own: TrainedHead | None, labels: Sequence[Label]) -> bool:
    """Whether training would learn something: labels given or taken back since."""
    if own is None:
        return True
    newer = sum(one.at > own.trained for one in labels)
    gone = max(own.positives + own.negatives + newer - len(labels), 0)
    return newer + gone > RETRAIN_SHARE * len(labels)
