"""The stages with models that need no weights: a title's last number is what it is worth."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import numpy as np

from newsloom.engines.pipeline.stages import TEXT_VERSION
from newsloom.kernel.settings import RankingSettings
from newsloom.kernel.text.html import to_text
from newsloom.ranking.values.models import PlainText, Rating, Score
from newsloom.store import Store
from store.builders import pending_ratings, pending_scores, pending_texts, pending_vectors

HALF_LIVES = RankingSettings().half_lives()
SENSITIVITY = "m"


def worth(title: str) -> float:
    """The number at the end of a title, else 50."""
    last = title.split()[-1]
    return float(last) if last.isdigit() else 50.0


def rank(store: Store, now: datetime, likes: Callable[[str], float] = worth) -> None:
    """Until nothing is left."""
    while raw := pending_texts(store, TEXT_VERSION, 100):
        store.articles.put_texts(
            TEXT_VERSION, [PlainText(one.id, one.title, to_text(one.html, 999)) for one in raw]
        )
    while articles := pending_vectors(store, "v", 500):
        rows = np.zeros((len(articles), 2), np.float32)
        rows[:, 0] = 1
        store.articles.put_vectors("v", [one.id for one in articles], rows)
    while (found := pending_ratings(store, SENSITIVITY, "v", 500))[0]:
        ids = [one.id for one in found[0]]
        store.articles.put_ratings(SENSITIVITY, ids, [Rating(3, 0.9, "a day")] * len(ids), now)
    for user, _name in store.users.users():
        while (found := pending_scores(store, user, "s", ("v", SENSITIVITY)))[0]:
            scores = [Score(one.id, likes(one.title), 3) for one in found[0]]
            store.articles.put_scores(user, "s", scores, HALF_LIVES)
