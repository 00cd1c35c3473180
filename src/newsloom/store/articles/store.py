"""`store.articles`."""

from __future__ import annotations

from newsloom.store.articles.backgrounds import Backgrounds
from newsloom.store.articles.distillation_labels import DistillationLabels
from newsloom.store.articles.importance import Importances
from newsloom.store.articles.model_outputs import ModelOutputs
from newsloom.store.articles.neighbours import Neighbours
from newsloom.store.articles.scores import Scores
from newsloom.store.articles.texts import Texts
from newsloom.store.articles.vector_sets import VectorSets


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
