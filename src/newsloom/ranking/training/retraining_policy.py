"""Whether to train now, and why not. Pure: facts, labels, history and `now` in, words out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo

from newsloom.ranking.training.dataset import TrainingFacts
from newsloom.ranking.values.models import Label, StoredModel

# A quick trainer trains again when this share of its labels is new or gone. More often moves
# little (one label in a hundred) and scores everything unread again.
CHANGED_SHARE = 0.05

# After a reader went back from a model, none is trained by itself before this share of the labels
# has changed: fewer would make the same model again.
RETURN_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class TrainingPause:
    """Nothing is trained by itself, because the reader went back from this model."""

    model: StoredModel
    left: int  # labels that are still to change


def nothing_to_learn(facts: TrainingFacts) -> str:
    """Why training now would teach nothing, in words; empty: it may teach something."""
    labels, history = facts.dataset.labels, facts.history
    pause = pause_after_going_back(labels, history)
    if pause is not None:
        return (
            f"Paused: you rolled back {pause.model.model_id}; automatic training resumes after "
            f"{pause.left} more labels."
        )
    same = bool(history) and history[0].made_of == facts.dataset.made_of
    if not same or facts.active.problem:
        return ""
    return (
        f"Nothing new: {history[0].model_id} was trained on the same labels. "
        f"Result: {history[0].verdict}."
    )


def worth_it_now(facts: TrainingFacts) -> bool:
    """Whether a quick trainer should train again in the middle of the day."""
    if nothing_to_learn(facts):
        return False
    if facts.active.loaded is None or facts.active.problem or not facts.history:
        return True
    last = facts.history[0]
    other = last.trainer != facts.loader.trainers.chosen
    return other or many_changed(facts.dataset.labels, last)


def changed(labels: Sequence[Label], since: StoredModel) -> int:
    """How many labels are new since a model was trained, or gone.

    What is new by its time is counted, and so is what the numbers tell beyond that: labels that
    were taken back, and imported ones of long ago.
    """
    newer = sum(one.at > since.trained for one in labels)
    return newer + abs(since.labels_known + newer - len(labels))


def many_changed(labels: Sequence[Label], since: StoredModel) -> bool:
    """Whether so much is new or gone that a quick trainer should train again at once."""
    return changed(labels, since) > CHANGED_SHARE * len(labels)


def labels_for_prior(count: int) -> int:
    """How many of so many labels the prior is made of: all up to 40, later nineteen in twenty.

    Another prior means that everything unread is scored again. 300 likes make 89 priors.
    """
    return count - count % max(int(CHANGED_SHARE * count), 1)


def pause_after_going_back(
    labels: Sequence[Label], history: Sequence[StoredModel]
) -> TrainingPause | None:
    """Whether the reader went back from a model and too little has changed since.

    Later promotions lift it: they were asked for, or enough had changed.
    """
    in_force = next((one for one in history if one.active), None)
    since = in_force.promoted if in_force else None
    gone_from = [
        one for one in history if one.withdrawn and (since is None or one.withdrawn > since)
    ]
    if not gone_from:
        return None
    # Gone back twice: what the newest of them was trained on is what would come again.
    last = max(gone_from, key=lambda one: one.trained)
    left = int(RETURN_SHARE * len(labels)) + 1 - changed(labels, last)
    return TrainingPause(last, left) if left > 0 else None


def superseded(begun: datetime, history: Sequence[StoredModel]) -> bool:
    """Whether a model was trained since a daily training began: its verdict says more, and what
    the daily training found may hold no longer."""
    return any(one.trained > begun for one in history)


def last_due(at: str, now: datetime, zone: tzinfo | None) -> datetime:
    """When the daily training was last due: HH:MM on clocks there; None: on this machine's.

    A time that a change of clocks leaves out is due as much later; one that comes twice is due the
    first time.
    """
    hour, minute = map(int, at.split(":"))
    today = now.astimezone(zone).date()
    for day in (today, today - timedelta(days=1)):
        # Without a zone a time is the machine's own, at its own offset of that day.
        moment = datetime.combine(day, time(hour, minute), zone).astimezone(UTC)
        if moment <= now:
            return moment
    return moment
