"""Articles of a file as stories take them: in time order, or as the file has them when undated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from newsloom.articles.terms import terms
from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import ArticleId
from newsloom.kernel.text.urls import source
from newsloom.ranking.encoder_text import embedding_text
from newsloom.ranking.measure.articles import LabelledArticle, read_articles
from newsloom.ranking.ports import Embedder
from newsloom.ranking.stages.term_background import FEWEST, counted
from newsloom.stories.linking import Linker
from newsloom.stories.placing import Placing
from newsloom.stories.prepared import Background, Frequencies, Prepared, prepare
from newsloom.stories.same_event import MINILM, SameEvent
from newsloom.stories.stages.stories import BATCH
from newsloom.stories.values.pages import STORY_LEAD, Apart, Piece, StoryArticle, StoryId
from newsloom.topics.tfidf import shipped

UNDATED = datetime(1, 1, 1, tzinfo=UTC)


def load(file: Path) -> tuple[LabelledArticle, ...]:
    """In the order of the stream. Raises UserError where no two articles have a story."""
    found = read_articles(file)
    if len([one for one in found if one.story]) < 2:
        raise UserError(f'{file} must have two articles with a "story" or more.')
    return tuple(sorted(found, key=lambda one: one.published or UNDATED))  # stable


def pieces(articles: Sequence[LabelledArticle], most: int = STORY_LEAD) -> tuple[Piece, ...]:
    """Numbered in the order of the stream, as ids of a store are. `most`: characters of text."""
    return tuple(
        Piece(
            id=ArticleId(place),
            title=one.title,
            lead=one.body[:most],
            dated=one.published,
            source=source(one.url) or one.source,
            language=one.language,
        )
        for place, one in enumerate(articles, start=1)
    )


def vectors(
    embedder: Embedder,
    articles: Sequence[LabelledArticle],
    text: Callable[[str, str], str] = embedding_text,
) -> NDArray[np.float32]:
    """One row for each article, of what the pipeline encodes."""
    return embedder.embed([text(one.title, one.body) or " " for one in articles])


def background(articles: Sequence[LabelledArticle]) -> Frequencies:
    """How rare terms are with the first half of a stream counted: `CountedTerms` has counted so
    much, or more, of what came before any article. Of a short stream, what is shipped."""
    half = articles[: len(articles) // 2]
    if len(half) < FEWEST:
        return shipped()
    found = (terms(one.title, one.body, one.language) for one in half)
    return counted(shipped(), [*found])


def batches(
    found: Sequence[Piece],
    rows: NDArray[np.float32],
    known: Frequencies,
    judge: SameEvent = MINILM,
) -> list[list[Prepared]]:
    """Prepared as the stage does it."""
    background = Background(known)
    made = [
        prepare(piece, row, background, centred=judge.centred)
        for piece, row in zip(found, rows, strict=True)
    ]
    return [made[start : start + BATCH] for start in range(0, len(made), BATCH)]


def place(
    linker: Linker,
    batch: Sequence[Prepared],
    last: int = 0,
    *,
    pinned: frozenset[ArticleId] = frozenset(),
    asking: bool = False,
) -> Placing:
    """One batch, placed and repaired as the stage does it. `last`: the highest number of a story
    before; the result has the one after."""
    placing = Placing(
        linker=linker,
        apart=Apart(pinned=pinned),
        now=UNDATED,
        generation=0,
        last=last,
        title_of=lambda _article: "",
        story_of={},
        asking=asking,
    )
    placing.place([(_article(one.piece), one) for one in batch])
    return placing


def linked(batches: Sequence[Sequence[Prepared]], judge: SameEvent = MINILM) -> list[StoryId]:
    """The story of each article at the end of the stream."""
    linker, last = Linker(judge), 0
    for batch in batches:
        last = place(linker, batch, last).last
    found = [linker.story_of(one.piece.id) for batch in batches for one in batch]
    return [one for one in found if one is not None]


def _article(one: Piece) -> StoryArticle:
    dated = one.dated or UNDATED
    return StoryArticle(one.id, one.title, one.lead, dated, one.source, one.language)
