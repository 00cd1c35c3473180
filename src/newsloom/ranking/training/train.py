"""From one reader's labels to the decision which model ranks, in one function: `train`.

Pure: the facts come from `dataset.py`, and `promote.py` does what was decided. The same facts give
the same decision. docs/work/decisions/ranking.md has the measurements behind it.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, replace

import numpy as np

from newsloom.kernel.errors import ModelError
from newsloom.kernel.ids import ModelId
from newsloom.ranking.learning import promotion
from newsloom.ranking.learning.label_weights import likes_and_dislikes
from newsloom.ranking.learning.promotion import Figures, Verdict
from newsloom.ranking.ports import PersonalModel
from newsloom.ranking.training import positive_unlabelled
from newsloom.ranking.training.active import LoadedModel, ModelLoader
from newsloom.ranking.training.dataset import TrainingFacts, TrainingSet, Unlabelled
from newsloom.ranking.training.retraining_policy import CHANGED_SHARE
from newsloom.ranking.values.models import RELEVANCE, NotYet, StoredModel


@dataclass(frozen=True, slots=True)
class Decision:
    """Promote the candidate, keep it without ranking by it, or not yet: there is none."""

    words: str
    candidate: StoredModel | None = None
    verdict: Verdict | None = None  # with a candidate: whether it is promoted, and on what figures
    instead_of: ModelId | None = None  # the active model it was compared with


def train(facts: TrainingFacts) -> Decision:
    """Train a candidate and compare it with the current model.

    A quick trainer trains twice: on all labels to rank, and without the frozen ones to be compared,
    so that holding out costs the reader nothing. A slow one trains once, without the frozen ones.
    """
    missing = facts.dataset.too_few(facts.needed)
    if missing is not None:
        return Decision(
            f"Not yet: {missing.positives} of {missing.needed[0]} likes and "
            f"{missing.negatives} of {missing.needed[1]} dislikes so far."
        )
    if facts.dataset.unlabelled is not None:
        return _without_dislikes(facts, facts.dataset.unlabelled)

    # Split: one label in five is frozen, and only compares.
    dataset, trainers = facts.dataset, facts.loader.trainers
    frozen = promotion.held_out(dataset.labels)

    # Fit the candidate, and its twin that never saw the frozen labels.
    twin = _fitted(facts, dataset.only(~frozen)) if frozen.any() else None
    candidate: PersonalModel | NotYet | None = twin
    if candidate is None or trainers.quick:
        candidate = trainers.trainer.train(dataset.labels, dataset.vectors, facts.at)
    if isinstance(candidate, NotYet):
        return Decision(_too_few_usable(candidate, dataset))

    # Measure it against the current model, on what the reader said of frozen articles.
    judging = dataset.only(frozen & dataset.explicit)
    verdict = _compared(facts, judging, candidate, twin)

    stored = _stored(facts, candidate, twin, verdict)
    return Decision(verdict.words, stored, verdict, facts.active.number)


def _without_dislikes(facts: TrainingFacts, unlabelled: Unlabelled) -> Decision:
    """Train on likes and on what was passed over; judged by the newest of both, beside the order
    that there is without a model."""
    trainer = facts.loader.trainers.trainer
    made = positive_unlabelled.fitted(trainer, facts.dataset, unlabelled, facts.at)
    if isinstance(made, NotYet):
        return Decision(_too_few_usable(made, facts.dataset))
    judging = facts.loader.trainers.judging
    verdict = positive_unlabelled.verdict(judging, facts.dataset, unlabelled, facts.at)
    current = facts.active.loaded
    if current is not None and not much_gone(facts.dataset, current.stored):
        verdict = positive_unlabelled.beside(verdict, current.stored)
    stored = _stored(facts, made, None, verdict)
    metrics = (*stored.metrics, ("passed_over", float(len(unlabelled.passed))))
    return Decision(verdict.words, replace(stored, metrics=metrics), verdict, facts.active.number)


def _fitted(facts: TrainingFacts, rest: TrainingSet) -> PersonalModel | None:
    """A model of those labels, if they are enough to train on."""
    made = facts.loader.trainers.trainer.train(rest.labels, rest.vectors, facts.at)
    return None if isinstance(made, NotYet) else made


def _compared(
    facts: TrainingFacts, judging: TrainingSet, candidate: PersonalModel, twin: PersonalModel | None
) -> Verdict:
    """On frozen labels against the twin of the current model; with none, on all labels' folds.

    A first model has nothing to be compared with, and folds of all labels see more than a fifth of
    them: a made-up reader's head was refused with 600 labels by the frozen 129.
    """
    current = facts.active.loaded
    if current is not None and (
        # Figures on passed-over articles are none on dislikes.
        current.stored.learned.implicit_negatives or much_gone(facts.dataset, current.stored)
    ):
        current = None
    scores = None if current is None or twin is None else _scores(facts.loader, current, judging)
    if twin is not None and (scores is not None or twin is candidate):
        return promotion.on_frozen(judging.positive, judging.scores(twin), scores)
    past = None if current is None else _of_folds(current.model)
    verdict = promotion.on_folds(_of_folds(candidate), past)
    if twin is None:
        return verdict
    return promotion.upright(verdict, judging.positive, judging.scores(twin))


def much_gone(dataset: TrainingSet, current: StoredModel) -> bool:
    """Whether a model learned from much that was taken back since: then it is no standard."""
    known = current.labels_known
    gone = known + int(dataset.newer(current).sum()) - len(dataset.labels)
    return gone > CHANGED_SHARE * known


def _scores(loader: ModelLoader, current: LoadedModel, judging: TrainingSet) -> np.ndarray | None:
    """What the current model's twin makes of frozen labels; None: it has none, or cannot score."""
    stored = current.stored
    if not stored.judge_sha256:
        return None
    alone = stored.judge_sha256 == stored.sha256  # nothing was trained on the frozen labels
    apart = replace(stored, payload=stored.judge, sha256=stored.judge_sha256)
    try:
        return judging.scores((current if alone else loader.load(apart)).model)
    except ModelError:
        return None


def _of_folds(model: PersonalModel) -> Figures:
    roc_auc = dict(model.metrics).get("roc_auc", math.nan)
    return Figures(roc_auc, None, model.positives, model.negatives)


def _stored(
    facts: TrainingFacts, model: PersonalModel, twin: PersonalModel | None, verdict: Verdict
) -> StoredModel:
    """The candidate as it is kept, with its twin and the figures it was compared by."""
    dataset = facts.dataset
    payload = model.to_payload()
    apart = twin.to_payload() if twin is not None and twin is not model else b""
    said = dataset.explicit
    likes, dislikes = likes_and_dislikes(dataset.only(said).labels)
    counts = {
        "labels": float(len(said)),
        "positives": float(model.positives),
        "negatives": float(model.negatives),
        "likes": float(likes),
        "dislikes": float(dislikes),
        "noticed": float((~said).sum()),
    }
    report = verdict.report
    if math.isfinite(report.get("roc_auc", math.nan)):
        counts["roc_auc"] = report["roc_auc"]
        counts["judged_positives"] = report["positives"]
        counts["judged_negatives"] = report["negatives"]
    own = (one for one in model.metrics if one[0] not in counts)
    return StoredModel(
        model_id=model.model_id,
        kind=RELEVANCE,
        payload=payload,
        sha256=hashlib.sha256(payload).hexdigest(),
        trained=model.trained,
        metrics=(*own, *counts.items()),
        trainer=facts.loader.trainers.chosen,
        verdict=verdict.words,
        made_of=dataset.made_of,
        judge=apart,
        judge_sha256="" if twin is None else hashlib.sha256(apart or payload).hexdigest(),
    )


def _too_few_usable(early: NotYet, dataset: TrainingSet) -> str:
    likes, dislikes = dataset.said
    return (
        f"Not yet: of {likes} likes and {dislikes} dislikes, {early.positives} and "
        f"{early.negatives} are usable; {early.needed[0]} and {early.needed[1]} are needed. The "
        f"others are not encoded yet, or above the limit per feed or day."
    )
