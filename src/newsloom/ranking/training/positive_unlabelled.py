"""A model of likes and of what was passed over, for readers who cannot or do not dislike. Pure.

What was passed over is an example of less interest, as heavy as it was surely shown. A second pass
that doubts those which look like likes brought nothing; docs/work/decisions/ranking.md tells
what else was tried. Passed-over articles are examples here and nowhere else: no figure counts them
among the dislikes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from newsloom.kernel.ids import ArticleId
from newsloom.kernel.text.headlines import normal_title
from newsloom.ranking.learning import promotion
from newsloom.ranking.learning.label_weights import explicit
from newsloom.ranking.learning.promotion import Figures, Verdict
from newsloom.ranking.ports import PersonalModel, RelevanceModel, Trainer, Vectors
from newsloom.ranking.training.dataset import TrainingSet, Unlabelled
from newsloom.ranking.values.models import Label, NotYet, StoredModel

PASSED_OVER = "passed over"  # the protocol of its figures

# The newest third judges, as with `newsloom eval relevance --fit time`.
JUDGED_SHARE = 1 / 3

# Likes and passed-over articles without which nothing is judged, and nothing promoted.
LEAST_JUDGED = (5, 10)


@dataclass(frozen=True, slots=True)
class _Examples:
    """Labels, and passed-over articles as negatives, with their vectors."""

    labels: Sequence[Label]
    vectors: Vectors

    def only(self, rows: np.ndarray) -> _Examples:
        return _Examples([self.labels[row] for row in rows], self.vectors[rows])

    def and_also(self, other: _Examples) -> _Examples:
        return _Examples([*self.labels, *other.labels], np.vstack([self.vectors, other.vectors]))


def fitted(
    trainer: Trainer, dataset: TrainingSet, unlabelled: Unlabelled, at: datetime
) -> PersonalModel | NotYet:
    """The model, of all there is."""
    said = _Examples(dataset.labels, dataset.vectors)
    return _fitted(trainer, said, _Examples(unlabelled.passed, unlabelled.vectors), at)


def _fitted(
    trainer: Trainer, said: _Examples, passed: _Examples, at: datetime
) -> PersonalModel | NotYet:
    both = said.and_also(passed)
    return trainer.train(both.labels, both.vectors, at)


def verdict(
    trainer: Trainer, dataset: TrainingSet, unlabelled: Unlabelled, at: datetime
) -> Verdict:
    """Whether such a model, made of the older two thirds, puts the newest likes above what was
    passed over with them: by more than chance does, and better than the order without a model.

    By the articles' dates, for some hosts do not tell when a like was given; and what tells of one
    story, one event or has one title is not on both sides.
    """
    said = _Examples(dataset.labels, dataset.vectors)
    passed = _Examples(unlabelled.passed, unlabelled.vectors)
    liked = np.array([one.positive and explicit(one) for one in said.labels], bool)
    dates = sorted(
        one.article.dated for one, is_like in zip(said.labels, liked, strict=True) if is_like
    )
    since = dates[len(dates) - max(int(len(dates) * JUDGED_SHARE), 1)]
    old_said, new_likes = _parted(said, since, liked)
    old_passed, new_passed = _parted(passed, since, np.ones(len(passed.labels), bool))
    trained_on = _names([*old_said.labels, *old_passed.labels], unlabelled.together)
    judged = [_apart(one, trained_on, unlabelled.together) for one in (new_likes, new_passed)]
    counts = len(judged[0].labels), len(judged[1].labels)
    if counts[0] < LEAST_JUDGED[0] or counts[1] < LEAST_JUDGED[1]:
        return _unjudged(counts)
    model = _fitted(trainer, old_said, old_passed, at)
    if isinstance(model, NotYet):
        return _unjudged(counts)
    both = judged[0].and_also(judged[1])
    untrained = unlabelled.untrained(old_said.labels)
    return promotion.on_passed_over(
        np.arange(len(both.labels)) < counts[0],
        _scores(model, both),
        _scores(untrained, both),
        PASSED_OVER,
    )


def beside(found: Verdict, current: StoredModel) -> Verdict:
    """The verdict, unless the model in force was one of these too and did clearly better."""
    if not found.promoted or not current.learned.implicit_negatives or current.judged is None:
        return found
    roc_auc, likes, passed = current.judged
    report = found.report
    new = Figures(report["roc_auc"], None, int(report["positives"]), int(report["negatives"]))
    compared = promotion.on_folds(new, Figures(roc_auc, None, int(likes), int(passed)))
    return found if compared.promoted else replace(compared, protocol=PASSED_OVER)


def _parted(examples: _Examples, since: datetime, judge: np.ndarray) -> tuple[_Examples, _Examples]:
    """The older ones, and those of the newer that judge."""
    newer = np.array([one.article.dated >= since for one in examples.labels], bool)
    return examples.only(np.flatnonzero(~newer)), examples.only(np.flatnonzero(newer & judge))


def _names(
    labels: Sequence[Label], together: Mapping[ArticleId, tuple[str, ...]]
) -> frozenset[str]:
    """All that may show that another article tells of the same."""
    titles = {f"title {normal_title(one.article.title)}" for one in labels}
    return frozenset(titles.union(*(together.get(one.article.id, ()) for one in labels)))


def _apart(
    examples: _Examples, names: frozenset[str], together: Mapping[ArticleId, tuple[str, ...]]
) -> _Examples:
    kept = [row for row, one in enumerate(examples.labels) if not names & _names([one], together)]
    return examples.only(np.array(kept, np.intp))


def _scores(model: RelevanceModel, examples: _Examples) -> np.ndarray:
    articles = [one.article for one in examples.labels]
    return model.score(articles, examples.vectors, [one.category for one in examples.labels])


def _unjudged(counts: tuple[int, int]) -> Verdict:
    words = (
        f"rejected: only {counts[0]} likes and {counts[1]} skipped articles are recent enough to "
        f"evaluate"
    )
    return Verdict(False, words, PASSED_OVER, {})
