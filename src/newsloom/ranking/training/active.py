"""Which stored model can answer: the active one, else the last good one before it. Trains none.

A model that is damaged, of another encoder, or of a trainer that is not here is passed over with
words for a person; nothing of it runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from newsloom.kernel.errors import ModelError
from newsloom.kernel.ids import ModelId, UserId
from newsloom.ranking.ports import PersonalModel, Trainer
from newsloom.ranking.values.models import RELEVANCE, StoredModel
from newsloom.store import Store


@dataclass(frozen=True, slots=True)
class Trainers:
    """The trainers there are, and the one that trains."""

    by_name: Mapping[str, Trainer]
    chosen: str
    quick: bool  # it takes seconds: may train in a pass, and twice
    # The same that train on as few labels as they can: for models that are only judged.
    undemanding: Mapping[str, Trainer] = field(default_factory=dict)

    @property
    def trainer(self) -> Trainer:
        return self.by_name[self.chosen]

    @property
    def judging(self) -> Trainer:
        """Trains what is only judged, on a part of the labels."""
        return self.undemanding.get(self.chosen, self.trainer)

    def by(self, name: str) -> Trainers:
        """The same with the one that made a model whose vectors are gone; those that read vectors
        are quick."""
        return replace(self, chosen=name, quick=True) if name in self.by_name else self


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A stored model, ready to score."""

    stored: StoredModel
    model: PersonalModel


@dataclass(frozen=True, slots=True)
class ActiveModel:
    """What is active by the store, what answers for it, and why they differ if they do."""

    number: ModelId | None = None
    loaded: LoadedModel | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ModelLoader:
    """Makes models of stored bytes. `broken` names those that failed in this process, and why."""

    trainers: Trainers
    vector_model: str  # the encoder whose vectors there are
    broken: Mapping[str, str]  # by model id

    def active(self, store: Store, user: UserId) -> ActiveModel:
        """The active model if it can be used, else the last good one before it."""
        active = store.models.active_model(user, RELEVANCE)
        if active is None:
            return ActiveModel()
        try:
            return ActiveModel(active.id, self.load(active))
        except ModelError as error:
            problem = f"{active.model_id} cannot be used: {error}"
        for before in ever_promoted(store.models.models(user, RELEVANCE)):
            whole = None if before.id in {None, active.id} else store.models.model(user, before.id)
            try:
                if whole is not None:
                    return ActiveModel(active.id, self.load(whole), problem)
            except ModelError:
                continue
        return ActiveModel(active.id, None, problem)

    def load(self, stored: StoredModel) -> LoadedModel:
        """Raises ModelError when it is not to be trusted or not for these vectors."""
        if stored.model_id in self.broken:
            raise ModelError(self.broken[stored.model_id])
        trainer = self.trainers.by_name.get(stored.trainer)
        if trainer is None:
            raise ModelError(f"unknown trainer {stored.trainer!r:.40} here.")
        model = trainer.load(stored)
        if model.vector_model not in {"", self.vector_model}:
            raise ModelError(f"it needs vectors of {model.vector_model}, not {self.vector_model}.")
        return LoadedModel(stored, model)


def ever_promoted(history: Sequence[StoredModel]) -> list[StoredModel]:
    """Those that were put in force and never gone back from, the last promoted first."""
    good = [(one.promoted, one) for one in history if one.promoted and one.withdrawn is None]
    return [one for _moment, one in sorted(good, key=lambda pair: pair[0], reverse=True)]
