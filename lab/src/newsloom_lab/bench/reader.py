"""One reader to train and score for: labels passed in, or made up; and a store that holds them.

The made-up ones are of the size of real feeds' (nine words of title, sixty of lead) and of no
language: 25 themes with words and a direction of their own among words all share. Their vectors are
drawn, not encoded, since no encoder knows them; times do not depend on what vectors say.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from sqlalchemy import insert

from newsloom.app import App, open_app
from newsloom.articles.store.reader_tables import states
from newsloom.articles.store.tables import articles as articles_table
from newsloom.engines.pipeline.stages import TEXT_VERSION
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.kernel.settings import Settings
from newsloom.ranking.ports import Vectors
from newsloom.ranking.values.models import ArticleText, Label, PlainText, Rating
from newsloom.reading.values.reading import EventKind
from newsloom.store import Store
from newsloom_lab.rows import article_row, state_row

DEFAULTS = Settings()
NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)

THEMES, FEEDS = 25, 50
TITLE_WORDS, LEAD_WORDS = 9, 60
WORDS, WORDS_OF_THEME = 20_000, 150
DIMENSIONS = 384
LOVED = 9  # themes, the first of them
NOISE = 0.12  # of labels the wrong way round

BATCH = 2_000


@dataclass(frozen=True, slots=True)
class Labelled:
    """Labels in the order given, the vectors of their articles, and where both come from."""

    source: str
    labels: Sequence[Label]
    vectors: Vectors
    vector_model: str

    def take(self, start: int, stop: int) -> Labelled:
        return replace(self, labels=self.labels[start:stop], vectors=self.vectors[start:stop])


def shuffled(reader: Labelled) -> Labelled:
    """The same labels in an order of no meaning, but always the same one."""
    places = np.random.default_rng(0).permutation(len(reader.labels))
    labels = [reader.labels[place] for place in places]
    return replace(reader, labels=labels, vectors=reader.vectors[places])


def made_up(count: int, vector_model: str, feeds: int = FEEDS) -> Labelled:
    """That many labels of a reader who loves some themes, spread over feeds and a year."""
    chance, draw = random.Random(count), np.random.default_rng(count)
    words = [_word(chance) for _ in range(WORDS)]
    often = np.cumsum(1.0 / (10.0 + np.arange(WORDS))).tolist()  # as in languages
    own = [chance.sample(words, WORDS_OF_THEME) for _ in range(THEMES)]
    centres = draw.standard_normal((THEMES, DIMENSIONS)) / np.sqrt(DIMENSIONS)
    themes = draw.integers(0, THEMES, count)
    noise = draw.standard_normal((count, DIMENSIONS)) / np.sqrt(DIMENSIONS)
    vectors = centres[themes] + 1.5 * noise
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    labels = []
    for number, theme in enumerate(themes.tolist()):
        drawn = chance.choices(words, cum_weights=often, k=TITLE_WORDS + LEAD_WORDS)
        for place in range(0, len(drawn), 5):
            drawn[place] = chance.choice(own[theme])
        article = ArticleText(
            id=ArticleId(number + 1),
            title=" ".join(drawn[:TITLE_WORDS]),
            text=" ".join(drawn[TITLE_WORDS:]),
            source=f"news-{number % feeds}.test",
            language="en",
            dated=NOW - timedelta(days=365 * (1 - number / count)),
            feed_id=FeedId(number % feeds + 1),
        )
        positive = (theme < LOVED) != (chance.random() < NOISE)
        labels.append(Label(article, "", positive, article.dated))
    chance.shuffle(places := list(range(count)))
    return Labelled(
        "made up",
        [labels[place] for place in places],
        vectors[places].astype(np.float32),
        vector_model,
    )


def _word(chance: random.Random) -> str:
    pairs = range(chance.randint(2, 4))
    return "".join(chance.choice("bdfgklmnprstvz") + chance.choice("aeiou") for _ in pairs)


@contextmanager
def living(reader: Labelled, *, marked: bool, settings: Settings = DEFAULTS) -> Iterator[App]:
    """An opened Newsloom that holds the articles, their texts, vectors and ratings.

    With `marked` the reader has liked or disliked each; without, all are unread.
    """
    with TemporaryDirectory() as folder:
        store_settings = replace(settings.store, path=Path(folder) / "bench.db")
        app = open_app(replace(settings, store=store_settings), now=lambda: NOW)
        try:
            _fill(app, reader)
            if marked:
                _mark(app, reader.labels)
            yield app
        finally:
            app.close()


def _fill(app: App, reader: Labelled) -> None:
    store, user = app.store, app.user
    assert isinstance(store, Store)
    feeds = sorted({one.article.feed_id for one in reader.labels})
    known = {
        feed: store.reading.subscribe(user, f"https://feed-{feed}.test/", NOW)[0] for feed in feeds
    }
    ids = [ArticleId(number + 1) for number in range(len(reader.labels))]
    for start in range(0, len(ids), BATCH):
        numbers = ids[start : start + BATCH]
        articles = [one.article for one in reader.labels[start : start + BATCH]]
        rows = [
            article_row(number, known[one.feed_id], one)
            for number, one in zip(numbers, articles, strict=True)
        ]
        with store.database.write() as connection:
            connection.execute(insert(articles_table), rows)
            connection.execute(insert(states), [state_row(user, row) for row in rows])
        texts = [
            PlainText(number, one.title, one.text)
            for number, one in zip(numbers, articles, strict=True)
        ]
        store.articles.put_texts(TEXT_VERSION, texts)
        vectors = reader.vectors[start : start + BATCH]
        store.articles.put_vectors(app.services.embedder.model_id, numbers, vectors)
        ratings = [Rating(number % 5 + 1, 1.0) for number in numbers]
        store.articles.put_ratings(app.services.sensitivity.head().model_id, numbers, ratings, NOW)


def _mark(app: App, labels: Sequence[Label]) -> None:
    """Each article's mark on the day of its label: one day's marks are one step."""
    steps: dict[tuple[datetime, EventKind], list[ArticleId]] = {}
    for number, label in enumerate(labels, start=1):
        day = label.at.replace(hour=0, minute=0, second=0, microsecond=0)
        kind = EventKind.LIKE if label.positive else EventKind.DISLIKE
        steps.setdefault((day, kind), []).append(ArticleId(number))
    for (day, kind), ids in sorted(steps.items()):
        app.store.reading.mark(app.user, ids, kind, day, "bench")
