"""`store.articles`."""

from __future__ import annotations

from newsloom.importance.store.backgrounds import Backgrounds
from newsloom.importance.store.signals import Importances
from newsloom.ranking.store.model_outputs import DistillationLabels, ModelOutputs, VectorSets
from newsloom.ranking.store.neighbours import Neighbours
from newsloom.ranking.store.scores import Scores
from newsloom.store.texts import Texts


class ArticleStore(
    Texts,
    ModelOutputs,
    Neighbours,
    Scores,
    Importances,
    Backgrounds,
    DistillationLabels,
    VectorSets,
):
    """What the stages made of every article: texts, vectors, ratings, scores, importance."""
