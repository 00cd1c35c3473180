"""A small world for store tests: made articles, judged and recorded through the store's own ports.

The store decides nothing, so these helpers judge for it: what they are told is new is new.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any

import numpy as np
from sqlalchemy import insert

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
    Unsigned,
)
from newsloom.feeds.values.polling import DueFeed, PollOutcome, PollPlan, PollRecord
from newsloom.feeds.values.published import ParsedArticle, ParsedFeed
from newsloom.kernel.ids import ArticleId, FeedId, UserId
from newsloom.ranking.ports import Vectors
from newsloom.ranking.store.scores import Scorable
from newsloom.ranking.values.models import ArticleText, PlainText, Rating, RawArticle, Score
from newsloom.store import Aggregates, Store
from newsloom.work.values import Lease, StageKey, WorkKey

AGGREGATES = tuple(
    name for name, one in vars(Aggregates).items() if isinstance(one, cached_property)
)
NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
HALF_LIVES = MappingProxyType(
    {level: timedelta(days=days) for level, days in enumerate((365, 183, 30, 10, 5), start=1)}
)
PLAN = PollPlan(NOW + HOUR, HOUR, "an hour")
TEXT, VECTORS, RATINGS, SCORES = "text@1", "encoder@1", "sensitivity@1", "relevance@1"
DIMENSIONS = 8


def article(
    feed: FeedId,
    name: str,
    *,
    title: str = "",
    content: str = "",
    dated: datetime = NOW,
    url: str = "",
    keys: Sequence[tuple[str, str]] | None = None,
    **more: object,
) -> IncomingArticle:
    """An article of a feed; its name is its guid and the end of its address."""
    url = url or f"https://site-{feed}.test/{name}"
    title = title or f"Title of {name}"
    content = content or f"<p>Content of {name}.</p>"
    more = {"published": dated, **more}
    parsed = ParsedArticle(guid=name, url=url, title=title, content=content, **more)  # type: ignore[arg-type]
    copy = Copy(feed, name, url, url, title, len(content), f"hash of {title} {content}", dated)
    own = (("guid", f"{feed} {name}"), ("url", url))
    return IncomingArticle(parsed, copy, tuple(own if keys is None else keys))


def new(incoming: IncomingArticle) -> JudgedArticle:
    return JudgedArticle(incoming, Judgement(Action.NEW))


def duplicate(
    incoming: IncomingArticle, of: ArticleId, relation: Relation = Relation.SAME_TEXT
) -> JudgedArticle:
    evidence = Evidence("url", 1.0, "same address")
    return JudgedArticle(incoming, Judgement(Action.DUPLICATE, of, evidence, relation))


def revised(incoming: IncomingArticle, of: ArticleId) -> JudgedArticle:
    evidence = Evidence("guid", 1.0, "same id")
    return JudgedArticle(incoming, Judgement(Action.REVISED, of, evidence))


def unchanged(incoming: IncomingArticle) -> JudgedArticle:
    return JudgedArticle(incoming, Judgement(Action.UNCHANGED))


def poll(due: DueFeed, *articles: JudgedArticle, **more: object) -> PollRecord:
    values = {
        "outcome": PollOutcome.CHANGED,
        "plan": PLAN,
        "at": NOW,
        "seconds": 0.1,
        "status": 200,
        "feed": ParsedFeed("rss 2.0", title=f"Feed {due.id}"),
        **more,
    }
    return PollRecord(due=due, articles=articles, **values)  # type: ignore[arg-type]


def claim(store: Store, *feeds: FeedId, owner: str = "test") -> tuple[DueFeed, ...]:
    """Lease those feeds, or all that are due."""
    return store.feeds.claim_due(
        NOW, owner=owner, lease_for=HOUR, limit=10_000, feeds=feeds or None
    )


def publish(store: Store, feed_id: FeedId, /, *articles: JudgedArticle, **more: object) -> None:
    """Poll one feed and store what it is said to hold."""
    (due,) = claim(store, feed_id)
    with store.feeds.ingest() as ingest:
        assert ingest.record(poll(due, *articles, **more))


def ids_of(store: Store, feed: FeedId, *names: str) -> list[ArticleId]:
    """The ids of a feed's articles by their names."""
    keys = [("guid", f"{feed} {name}") for name in names]
    with store.feeds.ingest() as ingest:
        found = ingest.candidates(keys)
    return [copy.id for key in keys for copy in found[key] if copy.id is not None]


def add(store: Store, feed: FeedId, *names: str, **more: object) -> list[ArticleId]:
    """Publish new articles by name; their ids."""
    publish(store, feed, *(new(article(feed, name, **more)) for name in names))  # type: ignore[arg-type]
    return ids_of(store, feed, *names)


def leased(store: Store, key: StageKey, read: Callable[[Lease, int], Any], limit: int) -> Any:
    """What a worker is given next of a stage, as its step reads it; the lease is given back."""
    lease = store.work.claim_work(key, limit=limit, now=NOW, until=NOW + HOUR)
    found = read(lease or Lease(key, WorkKey(0, 0), WorkKey(0, 0), (), "none", ""), limit)
    store.work.release_work([lease] if lease else [])
    return found


def pending_texts(store: Store, producer: str = TEXT, limit: int = 1000) -> tuple[RawArticle, ...]:
    return leased(store, StageKey("text", producer), store.articles.leased_texts, limit)[1]


def pending_vectors(
    store: Store, producer: str = VECTORS, limit: int = 1000
) -> tuple[ArticleText, ...]:
    return leased(store, StageKey("embed", producer), store.articles.leased_vectors, limit)[1]


def pending_ratings(
    store: Store, producer: str = RATINGS, vectors: str = VECTORS, limit: int = 1000
) -> tuple[tuple[ArticleText, ...], Vectors]:
    key = StageKey("sensitivity", producer, (vectors,))
    return leased(store, key, store.articles.leased_ratings, limit)[1:]


def pending_scores(
    store: Store,
    user: UserId,
    producer: str = SCORES,
    inputs: tuple[str, str] = (VECTORS, RATINGS),
    limit: int = 1000,
    language_model: str = "",
) -> Scorable:
    read = partial(store.articles.leased_scores, language_model=language_model)
    return leased(store, StageKey("relevance", producer, inputs, user), read, limit)[1]


def pending_signatures(
    store: Store, producer: str, texts: str = TEXT, limit: int = 1000
) -> tuple[Unsigned, ...]:
    key = StageKey("duplicates", producer, (texts,))
    return leased(store, key, store.duplicates.leased_signatures, limit)[1]


def read_texts(store: Store) -> int:
    """Run the text stage: the markup off, nothing else."""
    raw = pending_texts(store)
    store.articles.put_texts(
        TEXT, [PlainText(one.id, one.title, one.html.strip("</p>")) for one in raw]
    )
    return len(raw)


def embed(store: Store) -> int:
    articles = pending_vectors(store)
    store.articles.put_vectors(VECTORS, [one.id for one in articles], unit(len(articles)))
    return len(articles)


def unit(count: int, seed: int = 1) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(count, DIMENSIONS)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def rate(store: Store, rating: int = 3) -> int:
    articles, _vectors = pending_ratings(store)
    ids = [one.id for one in articles]
    store.articles.put_ratings(RATINGS, ids, [Rating(rating, 0.5, "made")] * len(ids), NOW)
    return len(articles)


def score(store: Store, user: UserId, relevance: float = 60.0, by: str = SCORES) -> int:
    articles, _vectors, _categories, ratings = pending_scores(store, user, by)
    scores = [Score(one.id, relevance, level) for one, level in zip(articles, ratings, strict=True)]
    store.articles.put_scores(user, by, scores, HALF_LIVES)
    return len(scores)


def run_stages(store: Store, user: UserId) -> tuple[int, int, int, int]:
    return read_texts(store), embed(store), rate(store), score(store, user)


def relate(
    store: Store,
    relation: Relation,
    *pairs: tuple[ArticleId, ArticleId],
    evidence: Evidence = Evidence("fingerprint", 0.97, "the same text"),  # noqa: B008
) -> None:
    """Decisions about pairs, as the duplicates stage leaves them."""
    text = json.dumps([[evidence.layer, evidence.score, evidence.detail]])
    rows = [
        {
            "article_id": max(pair),
            "other_id": min(pair),
            "relation": relation.value,
            "evidence": text,
            "at": NOW,
        }
        for pair in pairs
    ]
    with store.database.write() as connection:
        connection.execute(insert(links), rows)
        regroup(connection, {one for pair in pairs for one in pair})
