"""Does what `train` decided, and takes it back: which model is active changes only here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from math import isfinite

from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import UserId
from newsloom.ranking.training.active import ever_promoted
from newsloom.ranking.training.retraining_policy import RETURN_SHARE
from newsloom.ranking.training.train import Decision
from newsloom.ranking.values.models import RELEVANCE
from newsloom.store import Aggregates, Store


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """What a training came to, for a person and for --json."""

    words: str
    model_id: str = ""  # empty: none was made
    promoted: bool = False
    metrics: tuple[tuple[str, float], ...] = ()
    rests: bool = False  # none was made, because it would teach nothing
    too_few: bool = False  # none was made, for want of labels


@dataclass(frozen=True, slots=True)
class Rollback:
    """What `newsloom train --undo` came to."""

    withdrawn: str  # the model gone back from
    in_force: str  # the one that ranks now; empty: interests and feeds
    words: str


def apply(store: Store, user: UserId, decision: Decision, now: datetime) -> TrainingResult:
    """Put the candidate in force, or keep it in the history, with its figures.

    All of it is one transaction, and compares what is active with what the candidate was compared
    with: of two trainings at once one wins.
    """
    with store.write() as tx:
        return put(tx, user, decision, now)


def put(tx: Aggregates, user: UserId, decision: Decision, now: datetime) -> TrainingResult:
    """The same, within a transaction."""
    candidate, verdict = decision.candidate, decision.verdict
    if candidate is None or verdict is None:
        return TrainingResult(decision.words, too_few=True)
    figures = {name: value for name, value in verdict.report.items() if isfinite(value)}
    promoted = verdict.promoted and (
        tx.models.promote_model(
            user, replace(candidate, promoted=now), instead_of=decision.instead_of
        )
        is not None
    )
    if verdict.promoted and not promoted:
        candidate = replace(candidate, verdict="another training finished first")
    if not promoted:
        tx.models.keep_model(user, candidate)
    report = {**figures, "promoted": promoted, "words": verdict.words}
    tx.models.add_evaluation(user, candidate.trained, candidate.model_id, verdict.protocol, report)
    end = (
        f"; {candidate.model_id} is active from now on: {candidate.verdict}."
        if promoted
        else f", but the active model stays: {candidate.verdict}."
    )
    learned = candidate.learned
    words = f"Trained on {learned.words}{end}"
    return TrainingResult(words, candidate.model_id, promoted, candidate.metrics)


def roll_back(store: Store, user: UserId, now: datetime) -> Rollback:
    """Go back to the model that was active before. Raises UserError when none is active."""
    history = store.models.models(user, RELEVANCE)
    active = next((one for one in history if one.active), None)
    if active is None or active.id is None:
        raise UserError("There is no trained model to roll back.")
    before = next((one for one in ever_promoted(history) if not one.active), None)
    to = None if before is None else before.id
    if not store.models.withdraw_model(user, RELEVANCE, active.id, now, to=to):
        raise UserError("Another model was just activated. Try again.")
    name, whose = "", "your interests"
    if before is not None:
        name = before.model_id
        whose = f"{name} of {before.trained.astimezone():%Y-%m-%d %H:%M}"
    return Rollback(
        active.model_id,
        name,
        f"Rolled back {active.model_id}: {whose} is active from now on. Automatic training "
        f"resumes when {RETURN_SHARE:.0%} of your labels have changed. Train now with `newsloom "
        f"train --anyway`.",
    )
