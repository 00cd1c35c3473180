"""A small world of made-up feeds in a real store, and a reader on it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import insert

from documents import IN_PROCESS
from migrated import migrated, store_url
from newsloom.app.reader import Activity, ModelActions, Reader
from newsloom.coverage.quality import Policy
from newsloom.coverage.service import CoverageTerms
from newsloom.duplicates.arrival import keys
from newsloom.duplicates.store.cluster_rows import regroup
from newsloom.duplicates.store.tables import links
from newsloom.duplicates.values import (
    Action,
    Copy,
    Evidence,
    IncomingArticle,
    JudgedArticle,
    Judgement,
    Relation,
)
from newsloom.feeds.schedule import Held
from newsloom.feeds.values.health import FeedState
from newsloom.feeds.values.polling import PollCounts, PollOutcome, PollPlan, PollRecord
from newsloom.feeds.values.published import Enclosure, ParsedArticle, ParsedFeed
from newsloom.importance.service.importance import ImportanceServices
from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import ArticleId, FeedId, UserId
from newsloom.kernel.settings import RankingSettings
from newsloom.kernel.settings.ranking import Diversification
from newsloom.kernel.text.html import to_text
from newsloom.ranking.learning.delays import Delays
from newsloom.ranking.ports import ActiveRelevance
from newsloom.ranking.values.models import PlainText, Reason, Score
from newsloom.reading.values.reading import Listed, ListQuery
from newsloom.reading.values.results import FeedActions
from newsloom.store import Store, open_store
from store.builders import pending_texts

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
HALF_LIVES = RankingSettings().half_lives()
NEW = Judgement(Action.NEW)


def copy_of(article: ArticleId) -> Judgement:
    """What polling decides of the same text at the same address in another feed."""
    why = Evidence("url", 1.0, "same address")
    return Judgement(Action.DUPLICATE, article, why, Relation.SAME_TEXT)


class NoEncoder:
    """An encoder that knows nothing: every text lies in the same place."""

    model_id = "none@1"
    dimensions = 4

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        return np.full((len(texts), self.dimensions), 0.5, dtype=np.float32)


class NotPersonal:
    """The order before there are labels."""

    model_id = "starting order"
    personal = False

    def score(self, articles, vectors, categories) -> np.ndarray:
        return np.full(len(articles), 50.0)

    def parts(self, article, vector, category) -> tuple[Reason, ...]:
        return ()


async def no_first_poll(*_args: object) -> PollCounts:
    return PollCounts()


async def no_release(_feed: FeedId) -> int:
    raise UserError("Feeds cannot be approved here.")


async def no_headlines(_feed: FeedId) -> tuple[str, ...]:
    return ()


def no_refresh(_feeds: Sequence[FeedId]) -> dict[FeedId, Held | None]:
    raise UserError("Feeds cannot be refreshed here.")


NO_FEED_ACTIONS = FeedActions(
    no_release, no_headlines, no_refresh, waiting=lambda _feeds: {}, hubs=lambda _feeds: {}
)


@dataclass
class World:
    """A store with one reader in it, and a clock that can be set."""

    store: Store
    user: UserId
    now: datetime = NOW
    activity: Activity = field(default_factory=Activity)
    model_actions: ModelActions = field(default_factory=ModelActions)
    fetcher: object = None
    first_poll: Callable = no_first_poll
    read_together: bool = True
    variety: Diversification | None = None

    def reader(self) -> Reader:
        return Reader(
            user=self.user,
            store=self.store,
            embedder=NoEncoder,
            active_relevance=self.active_relevance,
            sensitivity_model=lambda: "none@1",
            half_lives=HALF_LIVES,
            needed=lambda: (20, 20),
            now=lambda: self.now,
            fetcher=self.fetcher,
            first_poll=self.first_poll,
            documents=lambda: IN_PROCESS,
            delays=lambda _user: Delays(),
            importance_services=ImportanceServices,
            coverage_terms=CoverageTerms,
            quality_policy=Policy,
            activity=lambda: self.activity,
            model_actions=self.model_actions,
            feed_actions=NO_FEED_ACTIONS,
            read_together=self.read_together,
            diversification=self.variety,
        )

    def active_relevance(self, user: UserId) -> ActiveRelevance:
        labels = self.store.models.labels(user)
        likes = sum(one.positive for one in labels)
        return ActiveRelevance(
            NotPersonal, personal=False, likes=likes, dislikes=len(labels) - likes
        )

    def feed(self, url: str, title: str, category: str = "", problem: str = "") -> FeedId:
        feed, _new = self.store.reading.subscribe(self.user, url, self.now, category=category)
        self._poll(feed, ParsedFeed("rss 2.0", title=title, site_url=url), (), problem)
        return feed

    def put(self, feed: FeedId, *articles: ParsedArticle, judge: Judgement = NEW) -> None:
        """What one poll of a feed brings, all judged alike."""
        self.bring(feed, [(one, judge) for one in articles])

    def bring(self, feed: FeedId, judged: Sequence[tuple[ParsedArticle, Judgement]]) -> None:
        """What one poll of a feed brings."""
        self._poll(feed, None, [_judged(feed, one, how, self.now) for one, how in judged], "")
        pending = pending_texts(self.store, "text@1", 1_000)
        texts = [PlainText(one.id, one.title, to_text(one.html, 2_000)) for one in pending]
        self.store.articles.put_texts("text@1", texts)

    def score(self, scores: dict[ArticleId, tuple[float, int]]) -> None:
        rows = [Score(one, relevance, level) for one, (relevance, level) in scores.items()]
        self.store.articles.put_scores(self.user, "starting order", rows, HALF_LIVES)

    def listed(self, **query: object) -> tuple[Listed, ...]:
        list_query = ListQuery(**{"unread_only": False, "limit": 1_000, **query})
        return self.store.lists.page(self.user, list_query, self.now, HALF_LIVES)

    def relate(self, relation: Relation, one: ArticleId, other: ArticleId, detail: str) -> None:
        """A decision about two articles, as the duplicates stage leaves it."""
        row = {
            "article_id": max(one, other),
            "other_id": min(one, other),
            "relation": relation.value,
            "evidence": json.dumps([["title", 0.9, detail]]),
            "at": self.now,
        }
        with self.store.database.write() as connection:
            connection.execute(insert(links), [row])
            regroup(connection, [one, other])

    def ids(self, **query: object) -> list[ArticleId]:
        return [one.id for one in self.listed(**query)]

    def named(self, title: str) -> ArticleId:
        return next(one.id for one in self.listed() if one.title == title)

    def polled(self, feed: FeedId, **record: object) -> None:
        """A poll that brought nothing, with whatever it left behind."""
        self._poll(feed, None, (), str(record.pop("problem", "")), **record)

    def _poll(self, feed: FeedId, parsed, judged, problem: str, **more: object) -> None:
        (due,) = self.store.feeds.claim_due(
            self.now, owner="test", lease_for=timedelta(hours=1), limit=1, feeds=[feed]
        )
        hour = timedelta(hours=1)
        left = {
            "outcome": PollOutcome.FAILED if problem else PollOutcome.CHANGED,
            "plan": PollPlan(self.now + hour, hour, "test"),
            "seconds": 0.1,
            "state": FeedState.SLOW if problem else FeedState.HEALTHY,
            **more,
        }
        record = PollRecord(
            due=due, at=self.now, problem=problem, feed=parsed, articles=tuple(judged), **left
        )
        with self.store.feeds.ingest() as open_ingest:
            assert open_ingest.record(record)


def open_world(folder: Path, now: datetime = NOW) -> World:
    # A browser that looks at a page while a test writes may take its time on a busy machine.
    patience = timedelta(minutes=5)
    path = folder / "newsloom.db"
    store = open_store(store_url(path) or migrated(path), now=lambda: now, patience=patience)
    user = store.users.user("reader", now)
    # The tour would stand above every list.
    store.users.set_preferences(user, {("", "tour"): "seen"})
    return World(store, user, now)


def _judged(feed: FeedId, article: ParsedArticle, judge: Judgement, now: datetime) -> JudgedArticle:
    copy = Copy(
        feed_id=feed,
        guid=article.guid,
        url=article.url,
        canonical_url=article.url,
        title=article.title,
        length=len(article.content or article.summary),
        content_hash=str(hash((article.title, article.content, article.summary))),
        dated=min(article.published or now, now),
    )
    return JudgedArticle(IncomingArticle(article, copy, keys(copy)), judge)


_TOLD = json.loads((Path(__file__).parent / "news.json").read_text(encoding="utf-8"))
NEWS: list[dict[str, Any]] = _TOLD["articles"]
FEEDS: dict[str, tuple[str, str]] = _TOLD["feeds"]


def furnish(world: World, more: int = 0) -> World:
    """Ten feeds and twenty articles, one of them in three feeds and revised; `more` plain ones."""
    feeds = {
        name: world.feed(f"https://{name}.example/feed.xml", title, category)
        for name, (title, category) in FEEDS.items()
    }
    world.feed(
        "https://quiet.example/rss", "Quiet Ridge Observatory", "Science", "It answered 500."
    )
    for number, data in enumerate(NEWS):
        world.put(feeds[data["feed"]], article(data, number, world.now))
    plain = [_plain_news(number) for number in range(more)]
    for name, feed in feeds.items():
        mine = [one for one in plain if one["feed"] == name]
        world.put(feed, *(article(one, one["number"], world.now) for one in mine))
    first = world.named(NEWS[0]["title"])
    for other in ("nord", "gazette"):
        data = NEWS[0] | {
            "feed": other,
            "title": "Pilots redraw tide table",
            "html": "<p>Short.</p>",
        }
        world.put(feeds[other], article(data, 900, world.now), judge=copy_of(first))
    data = NEWS[0] | {"html": "<p>Corrected on Thursday.</p>" + NEWS[0]["html"]}
    world.put(
        feeds["meridian"], article(data, 0, world.now), judge=Judgement(Action.REVISED, first)
    )
    scores = {one["title"]: (one["relevance"], one["sensitivity"]) for one in [*NEWS, *plain]}
    ids = {one.title: one.id for one in world.listed()}
    world.score({ids[title]: score for title, score in scores.items()})
    return world


def _plain_news(number: int) -> dict[str, Any]:
    return {
        "feed": list(FEEDS)[number % len(FEEDS)],
        "title": f"Article number {number}",
        "number": 100 + number,
        "html": "<p>One of many, to have more than a page of them.</p>",
        "hours": 30 + number,
        "relevance": 30 - number % 20,
        "sensitivity": 3,
        "language": "en",
    }


def article(data: dict[str, Any], number: int, now: datetime) -> ParsedArticle:
    name = data["feed"]
    sound = Enclosure(f"https://{name}.example/{number}.mp3", "audio/mpeg", 8_400_000)
    return ParsedArticle(
        guid=f"{name}-{number}",
        url=f"https://www.{name}.example/{number}",
        title=data["title"],
        author="R. Lindqvist",
        content=data["html"],
        published=now - timedelta(hours=data["hours"]),
        language=data["language"],
        categories=("harbour", "tides"),
        enclosures=(sound,) if number == 0 else (),
        comments_url=f"https://{name}.example/{number}#comments",
    )
