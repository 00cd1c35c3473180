"""A store for `bench serve`: readers with articles of news length in feeds with names and topics.

Put straight into the tables. Words are drawn as often as those of a language are, and are of none:
they compress a little worse than real ones.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import accumulate
from pathlib import Path
from typing import Any

from sqlalchemy import insert, update

from newsloom.pipeline.stages import TEXT_VERSION
from newsloom.settings import RankingSettings
from newsloom.store import open_store, tables
from newsloom.store.lists import rank_key
from newsloom.types import ArticleId, PlainText, UserId

HALF_LIVES = RankingSettings().half_lives()
CLASSES = (0.15, 0.15, 0.35, 0.33, 0.02)
CATEGORIES = ("World", "Science", "Technology", "Business", "Culture", "Sport", "Local", "Health")
LANGUAGES = {"en": 0.7, "de": 0.2, "fr": 0.1}
WORDS, TITLE_WORDS, LEAD_WORDS = 5_000, 10, 55
SHARING = 8  # one article in so many tells the same as the one before it
BATCH = 5_000
SPAN_DAYS = 30


def fill(place: Path, articles: int, feeds: int, readers: int, now: datetime) -> None:
    """A store with that many unread articles for each of that many readers. The first is `me`."""
    store = open_store(place, now=lambda: now)
    try:
        users = [store.users.user("me", now)]
        users += [store.users.user(f"reader {number}", now) for number in range(2, readers + 1)]
        ids = _feeds(store, users, feeds, now)
        chance = random.Random(articles)
        words = [_word(chance) for _ in range(WORDS)]
        often = list(accumulate(1 / (5 + rank) for rank in range(WORDS)))

        def prose(count: int) -> str:
            return " ".join(chance.choices(words, cum_weights=often, k=count))

        for numbers in _batches(articles):
            rows = [_article(one, ids[one % len(ids)], now, chance, prose) for one in numbers]
            states = [_state(row, chance) for row in rows]
            pairs = [
                {"article_id": one, "cluster_id": one - one % SHARING, "text_id": one}
                for one in numbers
                if one % SHARING in {0, 1} and one >= SHARING
            ]
            with store.database.write() as connection:
                connection.execute(insert(tables.articles), rows)
                for user in users:
                    told = [{**state, "user_id": user} for state in states]
                    connection.execute(insert(tables.states), told)
                if pairs:
                    connection.execute(insert(tables.clusters), pairs)
            texts = [PlainText(ArticleId(r["id"]), r["title"], r["summary"]) for r in rows]
            store.articles.put_texts(TEXT_VERSION, texts)
        store.database.settle()
    finally:
        store.close()


def _feeds(store: Any, users: Sequence[UserId], feeds: int, now: datetime) -> list[int]:
    ids: list[int] = []
    for number in range(feeds):
        url = f"https://paper-{number}.test/feed.xml"
        for user in users:
            feed, _new = store.reading.subscribe(
                user, url, now, category=CATEGORIES[number % len(CATEGORIES)]
            )
        ids.append(feed)
    with store.database.write() as connection:
        for number, feed in enumerate(ids):
            named = update(tables.feeds).where(tables.feeds.c.id == feed)
            # Asked just now, and next in a year: nothing is polled while pages are asked for.
            connection.execute(
                named.values(
                    title=f"The Paper of Place {number}",
                    polled_at=now,
                    next_poll_at=now + timedelta(days=365),
                )
            )
    return ids


def _batches(count: int) -> Iterator[range]:
    for start in range(1, count + 1, BATCH):
        yield range(start, min(start + BATCH, count + 1))


def _article(number: int, feed: int, now: datetime, chance: random.Random, prose: Any) -> Any:
    dated = now - timedelta(days=SPAN_DAYS * chance.random() ** 2)
    url = f"https://paper-{feed}.test/{dated:%Y/%m/%d}/{prose(4).replace(' ', '-')}-{number}"
    (language,) = chance.choices(tuple(LANGUAGES), tuple(LANGUAGES.values()))
    return {
        "id": number,
        "feed_id": feed,
        "original_id": number,
        "fullest_id": number,
        "guid": url,
        "url": url,
        "canonical_url": url,
        "source": f"paper-{feed}.test",
        "title": prose(TITLE_WORDS).capitalize(),
        "language": language,
        "first_seen_at": dated,
        "dated_at": dated,
        "version_at": dated,
        "summary": prose(LEAD_WORDS).capitalize() + ".",
    }


def _state(article: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    sensitivity = chance.choices((1, 2, 3, 4, 5), CLASSES)[0]
    relevance = 100 * chance.betavariate(2, 3)
    return {
        "article_id": article["id"],
        "feed_id": article["feed_id"],
        "dated_at": article["dated_at"],
        "sensitivity": sensitivity,
        "relevance": relevance,
        "rank_key": rank_key.stored_key(relevance, article["dated_at"], HALF_LIVES[sensitivity]),
        "scored_by": 1,
        "points": 1,
        "weighed_by": 1,
        "language": article["language"],
    }


def _word(chance: random.Random) -> str:
    pairs = range(chance.randint(1, 4))
    return "".join(chance.choice("bdfgklmnprstvz") + chance.choice("aeiou") for _ in pairs)
