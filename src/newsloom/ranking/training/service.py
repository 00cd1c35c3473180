"""Every reader's relevance model for the rest of Newsloom: asked for, trained, gone back from.

Asking for the model never trains. A pass trains by a quick trainer when enough labels have changed;
the daily training and `newsloom train` train by any. Whatever changes the active model, here or in
another process, is noticed at the next asking.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, partial
from operator import attrgetter

import numpy as np

from newsloom.kernel.errors import NewsloomError
from newsloom.kernel.ids import UserId
from newsloom.ranking.learning import implicit_negatives, label_weights, prior
from newsloom.ranking.learning.promotion import Drift, drift
from newsloom.ranking.ports import ActiveRelevance, Embedder, RelevanceModel
from newsloom.ranking.training import promote, retraining_policy
from newsloom.ranking.training.active import ActiveModel, ModelLoader, Trainers, ever_promoted
from newsloom.ranking.training.dataset import FactsReader, TrainingFacts, TrainingSet, Unlabelled
from newsloom.ranking.training.promote import Rollback, TrainingResult
from newsloom.ranking.training.train import Decision, train
from newsloom.ranking.values.models import RELEVANCE, Label, StoredModel
from newsloom.store import Store

log = logging.getLogger(__name__)

# How often in a row one can go back to weights that stand in files of their own, 600 MB each.
STEPS_BACK = 2


@dataclass(frozen=True, slots=True)
class _CachedModel:
    mark: Hashable  # of the labels, the interests and the active model it was chosen for
    active: ActiveRelevance
    settled: bool  # whether training was considered for this mark


class TrainingService:
    """Every reader's current model. Thread-safe; one per process."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        trainers: Trainers,
        needed: tuple[int, int],
        now: Callable[[], datetime],
        half_weight_days: float = 0.0,
        *,
        unlabelled: bool = True,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._trainers = trainers
        self._needed = needed  # likes, dislikes
        self._now = now
        self._lock = threading.Lock()
        self._training = threading.Lock()  # one training at a time in this process
        self._cached: dict[UserId, _CachedModel] = {}
        self._broken: dict[str, str] = {}
        self._loader = ModelLoader(trainers, embedder.model_id, self._broken)
        untrained = self._untrained if unlabelled else None
        self._reader = FactsReader(
            store, embedder, self._loader, needed, half_weight_days, untrained
        )

    @property
    def quick(self) -> bool:
        """Whether a training takes seconds, and so may come within a pass."""
        return self._trainers.quick

    # --- training ---

    def train(self, user: UserId, *, anyway: bool = False) -> TrainingResult:
        """Train now, unless it would teach nothing. Too few labels is an answer, not an error.

        `anyway` trains on labels already trained on, and after going back.
        """
        with self._training:
            facts = self._facts(user)
            reason = retraining_policy.nothing_to_learn(facts)
            if reason and not anyway:
                return TrainingResult(reason, rests=True)
            return self._trained(user, facts)

    def on_these_vectors(self, user: UserId) -> Decision | None:
        """What a reader's model becomes that was trained on another encoder's vectors: nothing is
        put in force yet. None when there is none, or it reads texts alone.

        The two are not compared: their vectors are of different encoders, and the owner chose one.
        """
        with self._training:
            facts = self._facts(user)
            stored = self._store.models.active_model(user, RELEVANCE)
            if stored is None or not facts.active.problem:
                return None
            loader = replace(facts.loader, trainers=self._trainers.by(stored.trainer))
            alone = replace(facts, loader=loader, active=ActiveModel(facts.active.number))
            return train(alone)

    def rests(self, user: UserId) -> str:
        """Why training now would teach nothing, in words; empty: it may teach something."""
        return retraining_policy.nothing_to_learn(self._facts(user))

    def train_due(
        self, users: Iterable[UserId], due: datetime, then: Callable[[UserId], None]
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
                self._store.models.tell_training(user, "started.")
                result = self._trained_or_failed(user)
                # How many labels are there is shown as of now: said here, it would soon be wrong.
                self._store.models.tell_training(user, "" if result.too_few else result.words)
                if result.model_id:
                    then(user)
                changed |= result.promoted
        return changed

    def _trained_or_failed(self, user: UserId) -> TrainingResult:
        try:
            return self.train(user)
        except NewsloomError as error:
            log.warning("training failed: %s", error)
            return TrainingResult(f"Training failed: {error}")
        except Exception as error:  # whatever it is, the active model goes on
            log.exception("training failed")
            return TrainingResult(f"Training failed ({type(error).__name__}: {error})")

    def _train_in_pass(self, user: UserId, dataset: TrainingSet) -> None:
        """Train if that is worth it, unless a training is under way."""
        if not self._training.acquire(blocking=False):
            return
        try:
            facts = self._facts(user, dataset)
            if retraining_policy.worth_it_now(facts):
                self._trained(user, facts)
        finally:
            self._training.release()

    def _trained(self, user: UserId, facts: TrainingFacts) -> TrainingResult:
        result = promote.apply(self._store, user, train(facts), self._now())
        self._forget(user)
        return result

    def _facts(self, user: UserId, dataset: TrainingSet | None = None) -> TrainingFacts:
        return self._reader.facts(user, self._now(), dataset)

    def dataset(self, user: UserId) -> TrainingSet:
        """All that the reader's model would be trained on now, for measuring."""
        return self._reader.dataset(user, self._now())

    # --- which model answers ---

    def broken(self, user: UserId, model_id: str, words: str) -> None:
        """That model could not score: until this process ends the one before it answers."""
        self._broken[model_id] = words
        self._forget(user)

    def refreshed(self, user: UserId) -> RelevanceModel:
        """The model that answers, trained first by a quick trainer if enough labels have
        changed."""
        return self.active(user, may_train=self._trainers.quick).model

    def active(self, user: UserId, *, may_train: bool = False) -> ActiveRelevance:
        """The reader's own active model when there is one, else the prior. Trains none, unless it
        may."""
        # Noted before the labels are read: one that comes meanwhile makes it look again.
        labels = self._store.models.labels_mark(user)
        mark = labels, self._store.models.model_in_force(user, RELEVANCE)
        with self._lock:
            cached = self._cached.get(user)
        if cached and cached.mark == mark and (cached.settled or not may_train):
            return cached.active
        said = label_weights.judged(self._store.models.evidence(user))
        dataset = None
        if may_train or implicit_negatives.takes_over(
            *said, implicit_negatives.LEAST, self._needed
        ):
            dataset = self.dataset(user)
        if may_train and dataset is not None:
            self._train_in_pass(user, dataset)
            # With the model just trained.
            mark = labels, self._store.models.model_in_force(user, RELEVANCE)
        cached = _CachedModel(mark, self._answering(user, said, dataset), settled=may_train)
        with self._lock:
            self._cached[user] = cached
        return cached.active

    def _answering(
        self, user: UserId, said: tuple[int, int], dataset: TrainingSet | None
    ) -> ActiveRelevance:
        """The model in force. `dataset` is None if no articles can replace missing dislikes. The
        model itself is loaded on first use: most pages only show the number of labels."""
        unlabelled = None if dataset is None else dataset.unlabelled
        active = self._active(user, said, unlabelled)
        own = active.loaded
        load: Callable[[], RelevanceModel] = (
            partial(attrgetter("model"), own) if own else cache(partial(self._prior, user, dataset))
        )
        if active.problem:
            log.warning("%s %s answers instead.", active.problem, load().model_id)
        return ActiveRelevance(
            load=load,
            personal=own is not None,
            likes=said[0],
            dislikes=said[1],
            problem=active.problem,
            learned=own.stored.learned if own else None,
            implicit_negatives=0 if unlabelled is None else len(unlabelled.passed),
        )

    def _active(
        self, user: UserId, said: tuple[int, int], unlabelled: Unlabelled | None
    ) -> ActiveModel:
        """None when so many labels were taken back that no model would be begun on the rest."""
        enough = said[0] >= self._needed[0] and said[1] >= self._needed[1]
        if not enough and unlabelled is None:
            return ActiveModel()
        return self._loader.active(self._store, user)

    def _prior(self, user: UserId, dataset: TrainingSet | None) -> RelevanceModel:
        labels = (dataset or self.dataset(user)).labels
        return self._untrained(user, labels[: retraining_policy.labels_for_prior(len(labels))])

    def _untrained(self, user: UserId, labels: Sequence[Label]) -> RelevanceModel:
        """What ranks where no model of their own does."""
        interests = self._store.models.interests(user)
        vectors = self._embedder.embed([one.text for one in interests])
        maker = self._embedder.model_id
        known = self._store.articles.vectors(maker, [one.article.id for one in labels])
        labels = [one for one in labels if one.article.id in known]
        rows = np.array([known[one.article.id] for one in labels], np.float32)
        return prior.build(interests, vectors, labels, maker, rows)

    def _forget(self, user: UserId) -> None:
        with self._lock:
            self._cached.pop(user, None)

    # --- history ---

    def roll_back(self, user: UserId) -> Rollback:
        """Go back to the model that was active before. Raises UserError when none is active."""
        found = promote.roll_back(self._store, user, self._now())
        self._forget(user)
        return found

    def history(self, user: UserId) -> tuple[StoredModel, ...]:
        """Every model kept, newest first, without the bytes."""
        return self._store.models.models(user, RELEVANCE)

    def worth_keeping(self, users: Iterable[UserId]) -> frozenset[str]:
        """The ids of models that rank, or that going back would lead to: their files must stay."""
        found: set[str] = set()
        for user in users:
            good = ever_promoted(self.history(user))
            active = [one.model_id for one in good if one.active]
            before = [one.model_id for one in good if not one.active]
            found.update(active, before[:STEPS_BACK])
        return frozenset(found)

    def last_training(self, user: UserId) -> tuple[datetime | None, str]:
        """When the daily training was last begun, and what it came to; no words: nothing to say,
        for want of labels."""
        return self._store.models.last_training(user)

    def drift(self, user: UserId) -> Drift | None:
        """Whether the active model still holds for labels given since; None: too few of them."""
        dataset = self.dataset(user)
        loaded = self._active(user, dataset.said, dataset.unlabelled).loaded
        if loaded is None or dataset.unlabelled is not None:
            return None  # likes alone are no share of likes
        newer = dataset.newer(loaded.stored)
        since = dataset.only(newer)
        return drift(since.positive, since.scores(loaded.model)) if newer.any() else None
