"""The `head` trainer: classify/head.py behind ports.Trainer. Keeps nothing, reads no settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from newsloom.classify.head import TrainedHead, from_payload, train
from newsloom.ports import Vectors
from newsloom.types import Label, NotYet, StoredModel


@dataclass(frozen=True, slots=True)
class HeadTrainer:
    """Implements ports.Trainer for vectors of one encoder."""

    needed: tuple[int, int]  # likes, dislikes
    vector_model: str
    name: str = "head"

    def train(
        self, labels: Sequence[Label], vectors: Vectors, now: datetime
    ) -> TrainedHead | NotYet:
        """A head on all labels, or how many are there."""
        return train(
            labels,
            vectors,
            now=now,
            min_positive=self.needed[0],
            min_negative=self.needed[1],
            vector_model=self.vector_model,
        )

    def load(self, stored: StoredModel) -> TrainedHead:
        """The head that was stored. Raises ModelError when its bytes are not the ones kept."""
        return from_payload(stored.payload, stored.sha256)
