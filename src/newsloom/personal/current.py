"""Every reader's current model, kept between calls, and how it changes: trained, gone back from.

Asking for the model never trains. A pass trains by a quick trainer when enough labels have changed;
the daily training and `newsloom train` train by any. Whatever changes the model in force, here or
in another process, is noticed at the next asking.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from math import isfinite

import numpy as np

from newsloom.classify import again, evidence, prior
from newsloom.classify.drift import Drift, drift
from newsloom.errors import NewsloomError, UserError
from newsloom.personal.in_force import InForce, Shelf, good_ones
from newsloom.personal.training import Candidate, Material, Trainers, Training, candidate
from newsloom.ports import Embedder, RelevanceModel, Taste
from newsloom.store import Store
from newsloom.types import RELEVANCE, Label, ModelId, NotYet, StoredModel, UserId

log = logging.getLogger(__name__)

KIND = RELEVANCE

BEGUN = "it has begun."

# How often in a row one can go back to weights that stand in files of their own, 600 MB each.
STEPS_BACK = 2


@dataclass(frozen=True, slots=True)
class Back:
    """What `newsloom rollback` came to."""

    withdrawn: str  # the model gone back from
    in_force: str  # the one that ranks now; empty: interests and feeds
    words: str


@dataclass(frozen=True, slots=True)
class _Kept:
    mark: str  # of the labels, the interests and the model in force it was chosen for
    taste: Taste
    settled: bool  # whether training was considered for this mark


class Personal:
    """Every reader's current model. Thread-safe; one per process."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        trainers: Trainers,
        needed: tuple[int, int],
        now: Callable[[], datetime],
        half_weight_days: float = 0.0,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._trainers = trainers
        self._needed = needed  # likes, dislikes
        self._now = now
        self._half_weight_days = half_weight_days
        self._lock = threading.Lock()
        self._training = threading.Lock()  # one training at a time in this process
        self._kept: dict[UserId, _Kept] = {}
        self._broken: dict[str, str] = {}
        self._shelf = Shelf(store, trainers.by_name, embedder.model_id, KIND, self._broken)

    @property
    def quick(self) -> bool:
        """Whether a training takes seconds, and so may come within a pass."""
        return self._trainers.quick

    # --- which model answers ---

    def taste(self, user: UserId) -> Taste:
        """The model in force: the reader's own when there is one, else the prior. Trains none."""
        return self._current(user, may_train=False).taste

    def refreshed(self, user: UserId) -> RelevanceModel:
        """The same, trained first by a quick trainer if enough labels have changed."""
        return self._current(user, may_train=self._trainers.quick).taste.model

    def broken(self, user: UserId, model_id: str, words: str) -> None:
        """That model could not score: until this process ends the one before it answers."""
        self._broken[model_id] = words
        self._forget(user)

    def _current(self, user: UserId, *, may_train: bool) -> _Kept:
        # Noted before the labels are read: one that comes meanwhile makes it look again.
        labels = self._store.models.labels_mark(user)
        with self._lock:
            kept = self._kept.get(user)
        known = kept is not None and kept.mark == self._mark(user, labels)
        if kept is not None and known and (kept.settled or not may_train):
            return kept
        material = self._material(user)
        if may_train:
            self._train_again(user, material)
        mark = self._mark(user, labels)  # with the model just trained
        kept = _Kept(mark, self._taste(user, material), settled=may_train)
        with self._lock:
            self._kept[user] = kept
        return kept

    def _mark(self, user: UserId, labels: str) -> str:
        return f"{labels} {self._store.models.model_in_force(user, KIND)}"

    def _taste(self, user: UserId, material: Material) -> Taste:
        force = self._in_force(user, material)
        model = force.loaded.model if force.loaded else self._prior(user, material.labels)
        if force.problem:
            log.warning("%s %s answers instead.", force.problem, model.model_id)
        learned = force.loaded.stored.learned if force.loaded else None
        return Taste(model, *material.said, force.problem, learned)

    def _in_force(self, user: UserId, material: Material) -> InForce:
        """The model in force, unless too many labels were taken back for any model."""
        force = self._shelf.in_force(user)
        enough = self._not_yet(material) is None
        return force if enough else replace(force, loaded=None, problem="")

    def _not_yet(self, material: Material) -> NotYet | None:
        """What the reader said is what counts: a model is not begun on what was only noticed."""
        likes, dislikes = material.said
        enough = likes >= self._needed[0] and dislikes >= self._needed[1]
        return None if enough else NotYet(likes, dislikes, self._needed)

    def _prior(self, user: UserId, labels: Sequence[Label]) -> RelevanceModel:
        interests = self._store.models.interests(user)
        vectors = self._embedder.embed([one.text for one in interests])
        return prior.build(interests, vectors, labels[: again.steady(len(labels))])

    def _forget(self, user: UserId) -> None:
        with self._lock:
            self._kept.pop(user, None)

    # --- training ---

    def train(self, user: UserId, *, anyway: bool = False) -> Training:
        """Train now, unless it would teach nothing. Too few labels is an answer, not an error.

        `anyway` trains on labels already trained on, and after going back.
        """
        with self._training:
            material = self._material(user)
            force = self._shelf.in_force(user)
            rests = _rests(self._store.models.models(user, KIND), force, material)
            if rests and not anyway:
                return Training(rests, rests=True)
            return self._train(user, force, material)

    def rests(self, user: UserId) -> str:
        """Why training now would teach nothing, in words; empty: it may teach something."""
        material = self._material(user)
        return _rests(self._store.models.models(user, KIND), self._shelf.in_force(user), material)

    def train_due(
        self,
        users: Iterable[UserId],
        due: datetime,
        then: Callable[[UserId], None],
    ) -> bool:
        """The daily training of each reader, unless it was begun since `due`; `then` what follows.

        It is claimed before it begins: a training that brings the process down is not begun again
        by every restart. Returns whether any reader's model changed.
        """
        changed = False
        for user in users:
            begun, _words = self._store.models.last_training(user)
            waits = begun is None or begun < due  # asked first: a claim holds up other writers
            if waits and self._store.models.claim_training(user, due, self._now()):
                self._store.models.tell_training(user, BEGUN)
                result = self._trained_or_told(user)
                # How many labels are there is shown as of now: said here, it would soon be wrong.
                self._store.models.tell_training(user, "" if result.too_few else result.words)
                if result.model_id:
                    then(user)
                changed |= result.promoted
        return changed

    def _trained_or_told(self, user: UserId) -> Training:
        try:
            return self.train(user)
        except NewsloomError as error:
            log.warning("training failed: %s", error)
            return Training(f"Training failed: {error}")
        except Exception as error:  # whatever it is, the model in force goes on
            log.exception("training failed")
            return Training(f"Training failed ({type(error).__name__}: {error})")

    def _train_again(self, user: UserId, material: Material) -> None:
        """Train within a pass if that is worth it."""
        if not self._training.acquire(blocking=False):
            return
        try:
            history = self._store.models.models(user, KIND)
            force = self._shelf.in_force(user)
            if not _rests(history, force, material) and self._stale(history, force, material):
                self._train(user, force, material)
        finally:
            self._training.release()

    def _stale(self, history: Sequence[StoredModel], force: InForce, material: Material) -> bool:
        """Whether a quick training in the middle of the day is worth it."""
        if force.loaded is None or force.problem or not history:
            return True
        last = history[0]
        other = last.trainer != self._trainers.chosen
        return other or again.many_changed(material.labels, last)

    def _train(self, user: UserId, force: InForce, material: Material) -> Training:
        early = self._not_yet(material)
        if early is not None:
            return Training(_too_few(early), too_few=True)
        made = candidate(self._trainers, material, KIND, self._shelf, force.loaded, self._now)
        if isinstance(made, NotYet):
            return Training(_too_few_usable(made, material), too_few=True)
        training = self._kept_or_promoted(user, made, force.number)
        figures = {name: value for name, value in made.verdict.report.items() if isfinite(value)}
        report = {**figures, "promoted": training.promoted, "words": made.verdict.words}
        self._store.models.add_evaluation(
            user, made.stored.trained, made.stored.model_id, made.verdict.protocol, report
        )
        self._forget(user)
        return training

    def _kept_or_promoted(
        self, user: UserId, made: Candidate, instead_of: ModelId | None
    ) -> Training:
        stored = made.stored
        learned = stored.learned
        counts = f"{learned.likes} likes and {learned.dislikes} dislikes"
        name, figures = stored.model_id, stored.metrics
        if made.verdict.promoted:
            promoted = replace(stored, promoted=self._now())
            if self._store.models.promote_model(user, promoted, instead_of=instead_of) is not None:
                words = f"Trained on {counts}; {name} ranks from now on: {stored.verdict}."
                return Training(words, name, True, figures)
            stored = replace(stored, verdict="another training was faster")
        self._store.models.keep_model(user, stored)
        words = f"Trained on {counts}, but the model in force stays: {stored.verdict}."
        return Training(words, name, False, figures)

    def material(self, user: UserId) -> Material:
        """All that the reader's model would be trained on now, for measuring."""
        return self._material(user)

    def _material(self, user: UserId) -> Material:
        """The labels whose articles have vectors already, those vectors, and a name for both."""
        mark = self._store.models.labels_mark(user)
        told = self._store.models.labels(user)
        labels = evidence.weighed(told, self._now(), self._half_weight_days)
        known = self._store.articles.vectors(
            self._embedder.model_id, [one.article.id for one in labels]
        )
        usable = [one for one in labels if one.article.id in known]
        rows = [known[one.article.id] for one in usable]
        vectors = np.array(rows, np.float32).reshape(len(rows), self._embedder.dimensions)
        made_of = f"{self._trainers.chosen} {self._embedder.model_id} {mark} {len(usable)}"
        return Material(usable, vectors, made_of, _counted(evidence.spoken(told)))

    # --- history ---

    def back(self, user: UserId) -> Back:
        """Go back to the model that was in force before. Raises UserError when none is."""
        history = self._store.models.models(user, KIND)
        active = next((one for one in history if one.active), None)
        if active is None or active.id is None:
            raise UserError("No trained model is in force, so there is none to go back from.")
        before = next((one for one in good_ones(history) if not one.active), None)
        to = None if before is None else before.id
        if not self._store.models.withdraw_model(user, KIND, active.id, self._now(), to=to):
            raise UserError("A training has just put another model in force; look again.")
        self._forget(user)
        name = "" if before is None else before.model_id
        whose = (
            f"{name} of {before.trained.astimezone():%Y-%m-%d %H:%M}"
            if before
            else "what you named"
        )
        return Back(
            active.model_id,
            name,
            f"Went back from {active.model_id}: {whose} ranks from now on. Nothing is trained by "
            f"itself until {again.RETURN_SHARE:.0%} of your labels have changed; "
            "`newsloom train --anyway` trains now.",
        )

    def history(self, user: UserId) -> tuple[StoredModel, ...]:
        """Every model kept, newest first, without the bytes."""
        return self._store.models.models(user, KIND)

    def worth_keeping(self, users: Iterable[UserId]) -> frozenset[str]:
        """The ids of models that rank, or that going back would lead to: their files must stay."""
        found: set[str] = set()
        for user in users:
            good = good_ones(self._store.models.models(user, KIND))
            active = [one.model_id for one in good if one.active]
            before = [one.model_id for one in good if not one.active]
            found.update(active, before[:STEPS_BACK])
        return frozenset(found)

    def last_training(self, user: UserId) -> tuple[datetime | None, str]:
        """When the daily training was last begun, and what it came to; no words: nothing to say,
        for want of labels."""
        return self._store.models.last_training(user)

    def drift(self, user: UserId) -> Drift | None:
        """Whether the model in force still holds for labels given since; None: too few of them."""
        material = self._material(user)
        loaded = self._in_force(user, material).loaded
        if loaded is None:
            return None
        newer = np.array([one.at > loaded.stored.trained for one in material.labels], bool)
        since = material.only(newer)
        return drift(since.positive, since.scores(loaded.model)) if newer.any() else None


def _rests(history: Sequence[StoredModel], force: InForce, material: Material) -> str:
    """Why training would teach nothing now, in words; empty: it may."""
    held = again.held(material.labels, history)
    if held is not None:
        return (
            f"Resting: you went back from {held.model.model_id}; training goes on by itself after "
            f"{held.left} more labels."
        )
    same = bool(history) and history[0].made_of == material.made_of
    if not same or force.problem:
        return ""
    return (
        f"Nothing to learn: {history[0].model_id} was trained on the same labels. "
        f"It came to: {history[0].verdict}."
    )


def _too_few(early: NotYet) -> str:
    return (
        f"Not yet: {early.positives} of {early.needed[0]} likes and "
        f"{early.negatives} of {early.needed[1]} dislikes are there."
    )


def _too_few_usable(early: NotYet, material: Material) -> str:
    likes, dislikes = material.said
    return (
        f"Not yet: of {likes} likes and {dislikes} dislikes, {early.positives} and "
        f"{early.negatives} can be learned from now; {early.needed[0]} and {early.needed[1]} are "
        "needed. The others are of articles that are not encoded yet, or more of one feed or one "
        "day than may count."
    )


def _counted(labels: Iterable[Label]) -> tuple[int, int]:
    """Likes and dislikes."""
    sides = [one.positive for one in labels]
    return sum(sides), len(sides) - sum(sides)
