"""Stories that articles belong to: laws of the linker."""

from __future__ import annotations

from itertools import count

import numpy as np

from newsloom.stories.linking import Linker
from newsloom.stories.prepared import Background, Prepared, prepare
from newsloom.stories.stream import assign
from newsloom.topics.tfidf import EMPTY
from newsloom.types import ArticleId, Piece, StoryId


def made(number: int, title: str, vector: tuple[float, ...]) -> Prepared:
    piece = Piece(ArticleId(number), title, "", None, "")
    return prepare(piece, np.array(vector), Background(EMPTY))


def test_two_events_are_two_stories() -> None:
    linker, ids = Linker(), count(1)
    batch = [
        made(1, "Earthquake strikes Lima", (1.0, 0.0, 0.1)),
        made(2, "Strong earthquake near Lima", (1.0, 0.0, 0.0)),
        made(3, "Bank raises interest rates", (0.0, 1.0, 0.0)),
    ]
    assign(linker, batch, lambda: StoryId(next(ids)))
    assert linker.stories == 2
    assert linker.story_of(ArticleId(1)) == linker.story_of(ArticleId(2))
