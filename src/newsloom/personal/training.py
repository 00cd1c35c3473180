"""One training: what is held out, what judges it, what becomes a stored model. Stores nothing."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from newsloom.classify import again, gate
from newsloom.classify.evidence import explicit
from newsloom.errors import ModelError
from newsloom.personal.in_force import Loaded, Shelf
from newsloom.ports import PersonalModel, RelevanceModel, Trainer, Vectors
from newsloom.types import Label, NotYet, StoredModel


@dataclass(frozen=True, slots=True)
class Trainers:
    """The trainers there are, and the one that trains."""

    by_name: Mapping[str, Trainer]
    chosen: str
    quick: bool  # it takes seconds: may train in a pass, and twice

    @property
    def trainer(self) -> Trainer:
        return self.by_name[self.chosen]


@dataclass(frozen=True, slots=True)
class Training:
    """What a training came to, for a person and for --json."""

    words: str
    model_id: str = ""  # empty: none was made
    promoted: bool = False
    metrics: tuple[tuple[str, float], ...] = ()
    rests: bool = False  # none was made, because it would teach nothing
    too_few: bool = False  # none was made, for want of labels


@dataclass(frozen=True, slots=True)
class Material:
    """All that is trained on."""

    labels: Sequence[Label]
    vectors: Vectors
    made_of: str  # names it
    said: tuple[int, int] = (0, 0)  # likes and dislikes the reader gave, before any was weighed

    def only(self, rows: np.ndarray) -> Material:
        labels = [one for one, wanted in zip(self.labels, rows, strict=True) if wanted]
        return Material(labels, self.vectors[rows], self.made_of, self.said)

    def scores(self, model: RelevanceModel) -> np.ndarray:
        """What a model makes of these labels' articles."""
        articles = [one.article for one in self.labels]
        return model.score(articles, self.vectors, [one.category for one in self.labels])

    @property
    def positive(self) -> np.ndarray:
        return np.array([one.positive for one in self.labels], bool)

    @property
    def sides(self) -> tuple[int, int, int]:
        """Likes and dislikes that the reader gave, and what was only noticed."""
        said = [one.positive for one in self.labels if explicit(one)]
        return sum(said), len(said) - sum(said), len(self.labels) - len(said)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A trained model with its judgement."""

    model: PersonalModel
    stored: StoredModel
    verdict: gate.Verdict


def candidate(
    trainers: Trainers,
    material: Material,
    kind: str,
    shelf: Shelf,
    before: Loaded | None,
    now: Callable[[], datetime],
) -> Candidate | NotYet:
    """Train on the labels and judge against the model in force.

    A quick trainer trains twice: on all labels to rank, and without the frozen ones to be judged,
    so that holding out costs the reader nothing. A slow one trains once, without the frozen ones.
    """
    out = gate.held_out(material.labels)
    judge = _judge(trainers.trainer, material.only(~out), now()) if out.any() else None
    model: PersonalModel | NotYet | None = judge
    if before is not None and again.many_gone(material.labels, before.stored):
        before = None
    if judge is None or trainers.quick:
        model = trainers.trainer.train(material.labels, material.vectors, now())
    assert model is not None
    if isinstance(model, NotYet):
        return model
    said = np.array([explicit(one) for one in material.labels], bool)
    verdict = _verdict(material.only(out & said), model, judge, before, shelf)
    return Candidate(
        model, _stored(trainers.chosen, kind, material, model, judge, verdict), verdict
    )


def _judge(trainer: Trainer, rest: Material, now: datetime) -> PersonalModel | None:
    """A model that never saw the frozen labels, if the rest are enough to train on."""
    model = trainer.train(rest.labels, rest.vectors, now)
    return None if isinstance(model, NotYet) else model


def _verdict(
    frozen: Material,
    model: PersonalModel,
    judge: PersonalModel | None,
    before: Loaded | None,
    shelf: Shelf,
) -> gate.Verdict:
    """On frozen labels against the twin of the model in force; with none, on all labels' folds.

    A first model has nothing to be compared with, and folds of all labels see more than a fifth of
    them: a made-up reader's head was refused with 600 labels by the frozen 129.
    """
    old = shelf.judge(before) if before else None
    scores = None if old is None or judge is None else _scores_of_old(frozen, old)
    if judge is not None and (scores is not None or judge is model):
        return gate.on_frozen(frozen.positive, frozen.scores(judge), scores)
    figures = _of_folds(model.metrics, model.positives, model.negatives)
    past = None
    if before is not None:
        known = before.model
        past = _of_folds(known.metrics, known.positives, known.negatives)
    verdict = gate.on_folds(figures, past)
    if judge is None:
        return verdict
    return gate.upright(verdict, frozen.positive, frozen.scores(judge))


def _scores_of_old(frozen: Material, old: PersonalModel) -> np.ndarray | None:
    """A model that cannot score any more is nothing to compare with."""
    try:
        return frozen.scores(old)
    except ModelError:
        return None


def _judged(verdict: gate.Verdict) -> tuple[tuple[str, float], ...]:
    """The ROC AUC that the verdict names and the labels it is of: what is shown of a model is what
    it was judged by."""
    report = verdict.report
    if not math.isfinite(report.get("roc_auc", math.nan)):
        return ()
    return (
        ("roc_auc", report["roc_auc"]),
        ("judged_positives", report["positives"]),
        ("judged_negatives", report["negatives"]),
    )


def _of_folds(metrics: Sequence[tuple[str, float]], positives: int, negatives: int) -> gate.Figures:
    return gate.Figures(dict(metrics).get("roc_auc", math.nan), None, positives, negatives)


def _stored(
    trainer: str,
    kind: str,
    material: Material,
    model: PersonalModel,
    judge: PersonalModel | None,
    verdict: gate.Verdict,
) -> StoredModel:
    payload = model.to_payload()
    apart = judge.to_payload() if judge is not None and judge is not model else b""
    likes, dislikes, noticed = material.sides
    counts = (
        ("labels", float(len(material.labels))),
        ("positives", float(model.positives)),
        ("negatives", float(model.negatives)),
        ("likes", float(likes)),
        ("dislikes", float(dislikes)),
        ("noticed", float(noticed)),
        *_judged(verdict),
    )
    return StoredModel(
        model_id=model.model_id,
        kind=kind,
        payload=payload,
        sha256=hashlib.sha256(payload).hexdigest(),
        trained=model.trained,
        metrics=(*(one for one in model.metrics if one[0] not in dict(counts)), *counts),
        trainer=trainer,
        verdict=verdict.words,
        made_of=material.made_of,
        judge=apart,
        judge_sha256="" if judge is None else hashlib.sha256(apart or payload).hexdigest(),
    )
