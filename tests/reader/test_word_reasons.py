"""What each word of a title brings, of the article that is explained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from newsloom.ranking.encoder_text import embedding_text
from newsloom.ranking.ports import ActiveRelevance
from web.world import NEWS, NoEncoder, NotPersonal, furnish, open_world

TABLE, FERRY = NEWS[0]["title"], "Ferry talks resume; strike on Friday still likely"


class Marking(NoEncoder):
    """Knows whether a title says table or ferry, or neither."""

    model_id = "marking@1"
    dimensions = 3

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        titles = [one.split(". ")[0] for one in texts]
        places = [0 if "table" in one else 1 if "Ferry" in one else 2 for one in titles]
        return np.eye(3, dtype=np.float32)[places]


class Likes(NotPersonal):
    """Tables, and ferries less than nothing."""

    def score(self, articles, vectors, categories) -> np.ndarray:
        return 50.0 + vectors @ np.array([8.0, -4.0, 0.0])


def test_the_words_of_each_article_are_its_own_however_often_asked(tmp_path: Path) -> None:
    world = furnish(open_world(tmp_path))
    numbers = {title: world.named(title) for title in (TABLE, FERRY)}
    texts = world.store.articles.texts(list(numbers.values()))
    encoder = Marking()
    vectors = encoder.embed([embedding_text(one.title, one.text) for one in texts])
    world.store.articles.put_vectors(encoder.model_id, [one.id for one in texts], vectors)

    def relevance(_user: object) -> ActiveRelevance:
        return ActiveRelevance(Likes, personal=False, likes=0, dislikes=0)

    reader = replace(world.reader(), embedder=lambda: encoder, active_relevance=relevance)
    for _ in range(2):
        found = {
            title: [(one.text, one.effect) for one in reader.why(number).words]
            for title, number in numbers.items()
        }
        assert found == {TABLE: [("table", 8.0)], FERRY: [("Ferry", -4.0)]}
