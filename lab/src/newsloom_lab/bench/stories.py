"""Articles into ever more active stories: candidates, judging, grouping, repairs. No encoder and no
database: made-up vectors and terms, in stories on beats, by a fixed seed."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count

import numpy as np
from numpy.typing import NDArray

from newsloom.kernel.ids import ArticleId
from newsloom.stories.linking import Linker
from newsloom.stories.placing import Placing
from newsloom.stories.prepared import Background, Prepared, prepare
from newsloom.stories.stages.stories import BATCH
from newsloom.stories.values.pages import Apart, Piece, StoryArticle, StoryId
from newsloom.topics.tfidf import Idf

DIMENSIONS = 384
VOCABULARY, SHIFT, POWER = 40_000, 30.0, 1.4  # as bench/topics.py has them
# Terms of an article, and the shares that are its story's and its topic's, of so many each.
WORDS, OF_STORY, OF_TOPIC = 60, 0.38, 0.1
STORY_TERMS, TOPIC_TERMS = 25, 12
# Stories are of topics, and topics of subjects: so many subjects, and stories of a topic.
BEATS, OF_A_TOPIC = 40, 20
# Squares of the shares of all news, subject, topic, story and the article itself in a vector. Of
# any two articles the cosine is .09 at the median, as of 15,079 polled ones; of one subject .32
# (polled: the highest twentieth), of one topic .52 (polled: the 20th nearest of an article .51, the
# 5th .58), of one story .70; there the cosine of terms is .27 (allsides_fulltext: .70 and .29).
NEWS, BEAT, TOPIC, STORY, OWN = 0.09, 0.23, 0.20, 0.18, 0.30
BEGAN = datetime(2026, 11, 1, tzinfo=UTC)
SPREAD = timedelta(days=14)  # of the dates of what is active


@dataclass(frozen=True, slots=True)
class StoriesRun:
    """Linking into so many active stories; the median batch, by processor time."""

    stories: int
    articles: int  # that were linked
    articles_per_second: float
    found: float  # share of articles of a known story that joined it
    restoring_seconds: float


@dataclass(frozen=True, slots=True)
class StoriesBench:
    runs: tuple[StoriesRun, ...]
    flatness: float  # the slowest rate by the fastest

    def table(self) -> list[tuple[str, ...]]:
        """A row for each number of stories."""
        return [
            (
                f"{one.stories:,}",
                f"{one.articles:,}",
                f"{one.articles_per_second:,.0f}",
                f"{one.found:.1%}",
                f"{one.restoring_seconds:,.1f}",
            )
            for one in self.runs
        ]


COLUMNS = ("active stories", "articles", "articles/s", "joined theirs", "restored in s")


def run(stories: Sequence[int], articles: int = 2_000) -> StoriesBench:
    """Half of the articles belong to stories that are active, the others begin some."""
    runs = tuple(measure(one, articles) for one in stories)
    rates = [one.articles_per_second for one in runs]
    return StoriesBench(runs, min(rates) / max(rates))


def measure(stories: int, articles: int) -> StoriesRun:
    """One number of active stories, each of one article or two."""
    world = World(stories, seed=stories)
    linker = Linker()
    began = time.process_time()
    for number in range(stories):
        members = [world.article(number) for _ in range(1 + number % 2)]
        linker.restore(StoryId(number), members)
    linker.candidates(world.article(0))  # what is taken in when somebody asks
    restoring = time.process_time() - began
    seconds, right, last = [], 0, stories - 1
    for batch, wanted in world.batches(articles):
        began = time.process_time()
        placing = Placing(linker, Apart(), BEGAN, 0, last, lambda _article: "", {})
        placing.place([(_article(one.piece), one) for one in batch])
        last = placing.last
        seconds.append((time.process_time() - began) / len(batch))
        known = zip(batch, wanted, strict=True)
        right += sum(
            linker.story_of(one.piece.id) == story for one, story in known if story < stories
        )
    return StoriesRun(
        stories=stories,
        articles=articles,
        articles_per_second=1.0 / float(np.median(seconds)),
        found=right / (articles / 2),
        restoring_seconds=restoring,
    )


def _article(one: Piece) -> StoryArticle:
    return StoryArticle(one.id, one.title, one.lead, one.dated or BEGAN, one.source, one.language)


class World:
    """Stories and their articles, made up as they are asked for."""

    def __init__(self, stories: int, seed: int) -> None:
        self._chance = np.random.default_rng(seed)
        self._stories = stories
        self._beats = NEWS**0.5 * self._directions(1) + BEAT**0.5 * self._directions(BEATS)
        self._topics: dict[int, tuple[NDArray[np.float32], NDArray[np.int64]]] = {}
        self._known: dict[
            int, tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.int64], float]
        ] = {}
        shares = 1.0 / np.power(np.arange(VOCABULARY) + SHIFT, POWER)
        self._steps = np.cumsum(shares / shares.sum())
        counts = Counter(f"w{word}" for _ in range(2_000) for word in set(self._drawn(WORDS)))
        self._background = Background(Idf(2_000, counts))
        self._ids = count(1)

    def article(self, story: int) -> Prepared:
        """One more article of a story."""
        if story not in self._known:
            topic, of_topic = self._topic(story)
            centre = topic + STORY**0.5 * self._directions(1)[0]
            day = float(self._chance.random()) * SPREAD.days
            self._known[story] = (centre, self._drawn(STORY_TERMS), of_topic, day)
        centre, terms, of_topic, day = self._known[story]
        own = self._chance.choice(terms, int(OF_STORY * WORDS))
        shared = self._chance.choice(of_topic, int(OF_TOPIC * WORDS))
        words = np.concatenate([own, shared, self._drawn(WORDS - len(own) - len(shared))])
        dated = BEGAN + timedelta(days=day + float(self._chance.random()))
        piece = Piece(ArticleId(next(self._ids)), "made up", "made up", dated, "")
        vector = centre + OWN**0.5 * self._directions(1)[0]
        return prepare(piece, vector, self._background, Counter(f"w{word}" for word in words))

    def _topic(self, story: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        number = story % max(self._stories // OF_A_TOPIC, 1)
        if number not in self._topics:
            beat = self._beats[int(self._chance.integers(BEATS))]
            centre = beat + TOPIC**0.5 * self._directions(1)[0]
            self._topics[number] = (centre, self._drawn(TOPIC_TERMS))
        return self._topics[number]

    def batches(self, articles: int) -> Iterator[tuple[list[Prepared], list[int]]]:
        """Every second one of a story that is active, the others of new ones."""
        new = count(self._stories)
        for _ in range(0, articles, BATCH):
            wanted = [
                int(self._chance.integers(self._stories)) if place % 2 else next(new)
                for place in range(BATCH)
            ]
            yield [self.article(story) for story in wanted], wanted

    def _drawn(self, many: int) -> NDArray[np.int64]:
        places = np.searchsorted(self._steps, self._chance.random(many))
        return np.minimum(places, VOCABULARY - 1)

    def _directions(self, many: int) -> NDArray[np.float32]:
        found = self._chance.standard_normal((many, DIMENSIONS)).astype(np.float32)
        lengths: NDArray[np.float32] = np.linalg.norm(found, axis=1, keepdims=True)
        return found / lengths
