"""Which stored model can answer: the one in force, else the last good one before it. Trains none.

A model that is damaged, of another encoder, or of a trainer that is not here is passed over with
words for a person; nothing of it runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from newsloom.errors import ModelError
from newsloom.ports import PersonalModel, Trainer
from newsloom.store import Store
from newsloom.types import ModelId, StoredModel, UserId


@dataclass(frozen=True, slots=True)
class Loaded:
    """A stored model, ready to score."""

    stored: StoredModel
    model: PersonalModel


@dataclass(frozen=True, slots=True)
class InForce:
    """What is in force by the store, what answers for it, and why they differ if they do."""

    number: ModelId | None
    loaded: Loaded | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Shelf:
    """Loads stored models. `broken` names those that failed in this process, and why."""

    store: Store
    trainers: Mapping[str, Trainer]
    vector_model: str  # the encoder whose vectors there are
    kind: str
    broken: Mapping[str, str]  # by model id

    def in_force(self, user: UserId) -> InForce:
        """The model in force if it can be used, else the last good one before it."""
        active = self.store.models.active_model(user, self.kind)
        if active is None:
            return InForce(None)
        try:
            return InForce(active.id, self.load(active))
        except ModelError as error:
            problem = f"{active.model_id} cannot be used: {error}"
        for stored in self._before(user, active):
            try:
                return InForce(active.id, self.load(stored), problem)
            except ModelError:
                continue
        return InForce(active.id, None, problem)

    def load(self, stored: StoredModel) -> Loaded:
        """Raises ModelError when it is not to be trusted or not for these vectors."""
        if stored.model_id in self.broken:
            raise ModelError(self.broken[stored.model_id])
        trainer = self.trainers.get(stored.trainer)
        if trainer is None:
            raise ModelError(f"there is no trainer {stored.trainer!r:.40} here.")
        model = trainer.load(stored)
        if model.vector_model not in {"", self.vector_model}:
            raise ModelError(f"it reads vectors of {model.vector_model}, not {self.vector_model}.")
        return Loaded(stored, model)

    def judge(self, loaded: Loaded) -> PersonalModel | None:
        """The same model without the frozen labels; None when nothing was held out."""
        stored = loaded.stored
        if not stored.judge_sha256:
            return None
        if stored.judge_sha256 == stored.sha256:
            return loaded.model
        try:
            return self.load(
                replace(stored, payload=stored.judge, sha256=stored.judge_sha256)
            ).model
        except ModelError:
            return None

    def _before(self, user: UserId, active: StoredModel) -> Iterator[StoredModel]:
        for one in good_ones(self.store.models.models(user, self.kind)):
            whole = None if one.id in {None, active.id} else self.store.models.model(user, one.id)
            if whole is not None:
                yield whole


def good_ones(history: tuple[StoredModel, ...]) -> list[StoredModel]:
    """Those that were put in force and never gone back from, the last promoted first."""
    good = [(one.promoted, one) for one in history if one.promoted and one.withdrawn is None]
    return [one for _moment, one in sorted(good, key=lambda pair: pair[0], reverse=True)]
