"""Two good models of a reader, and what a model makes of the articles of a world."""

from __future__ import annotations

import numpy as np

from newsloom.kernel.ids import UserId
from store.builders import VECTORS


def scores(model, labelled):
    texts = labelled.store.articles.texts(labelled.ids)
    known = labelled.store.articles.vectors(VECTORS, labelled.ids)
    rows = np.array([known[one.id] for one in texts])
    return model.score(texts, rows, [""] * len(texts))


def no_more(_user: UserId) -> None:
    """What follows a daily training: tests/whole/test_measuring.py."""


def two_models(labelled):
    """Two good models one after the other; their ids."""
    service = labelled.training()
    first = service.train(labelled.user).model_id
    labelled.label(40)
    second = service.train(labelled.user)
    assert second.promoted
    return first, second.model_id
