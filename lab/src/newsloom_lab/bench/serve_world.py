"""A store for `bench serve`: readers with articles of news length in feeds with names and topics.

Put straight into the tables. Words are drawn as often as those of a language are, and are of none:
they compress a little worse than real ones.
"""

from __future__ import annotations

import hashlib
import random
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import accumulate, islice
from pathlib import Path
from typing import Any

from sqlalchemy import insert, update

from newsloom.accounts import tokens as tokens_of
from newsloom.accounts.values import Role
from newsloom.articles.store.reader_tables import states as states_table
from newsloom.articles.store.tables import articles as articles_table
from newsloom.duplicates.store.tables import clusters
from newsloom.engines.pipeline.stages import TEXT_VERSION
from newsloom.feeds.store.tables import feeds as feeds_table
from newsloom.kernel.ids import ArticleId, UserId
from newsloom.kernel.settings import RankingSettings
from newsloom.ranking import rank_key
from newsloom.ranking.values.models import PlainText
from newsloom.store import Store, open_store

HALF_LIVES = RankingSettings().half_lives()
CLASSES = (0.15, 0.15, 0.35, 0.33, 0.02)
CATEGORIES = ("World", "Science", "Technology", "Business", "Culture", "Sport", "Local", "Health")
LANGUAGES = {"en": 0.7, "de": 0.2, "fr": 0.1}
WORDS, TITLE_WORDS, LEAD_WORDS = 5_000, 10, 55
SHARING = 8  # one article in so many tells the same as the one before it
BATCH = 5_000
SPAN_DAYS = 30


@dataclass(frozen=True, slots=True)
class World:
    """What stands in a filled store."""

    tokens: tuple[str, ...]  # of each reader's session
    feeds: tuple[tuple[int, ...], ...]  # of each reader
    subscribers: Mapping[int, Sequence[int]]  # users of each feed
    last: int  # the highest number of an article

    def articles(self, reader: int, most: int) -> Iterator[int]:
        """Numbers of articles of one reader, in their order."""
        wanted, feeds = frozenset(self.feeds[reader]), tuple(self.subscribers)
        found = (one for one in range(1, self.last + 1) if feeds[one % len(feeds)] in wanted)
        return islice(found, most)


def fill(path: Path, articles: int, feeds: int, readers: int, now: datetime) -> World:
    """A store with that many unread articles in so many feeds for each of that many readers, who
    are signed in. Half of the feeds are everybody's, the others of one reader each."""
    store = open_store(path, now=lambda: now)
    try:
        users = [_account(store, f"reader{number}", now) for number in range(1, readers + 1)]
        tokens = tuple(_session(store, user, now) for user in users)
        followed = _follow(store, users, feeds, now)
        subscribers = {
            one: tuple(user for user, own in zip(users, followed, strict=True) if one in own)
            for one in sorted({feed for own in followed for feed in own})
        }
        ids, total = tuple(subscribers), articles * len(subscribers) // feeds
        writing = _Writing(store, random.Random(articles), now)
        for numbers in _batches(total):
            writing.put([(one, ids[one % len(ids)]) for one in numbers], subscribers)
        store.database.settle()
        return World(tokens, tuple(map(tuple, followed)), subscribers, total)
    finally:
        store.close()


def _account(store: Store, name: str, now: datetime) -> UserId:
    made = store.accounts.add_account(name, Role.READER, "!", now)
    assert made is not None
    return made


def _session(store: Store, user: UserId, now: datetime) -> str:
    token = tokens_of.token(hashlib.sha512(f"{user}".encode()).digest()[: tokens_of.SESSION_BYTES])
    store.accounts.open_session(user, tokens_of.digest(token), now, "127.0.0.1", "bench")
    return token


class Prose:
    """Words of no language, drawn as often as those of one are."""

    def __init__(self, chance: random.Random) -> None:
        words = random.Random(0)
        self.chance = chance
        self._words = [_word(words) for _ in range(WORDS)]
        self._often = list(accumulate(1 / (5 + rank) for rank in range(WORDS)))

    def words(self, count: int) -> str:
        return " ".join(self.chance.choices(self._words, cum_weights=self._often, k=count))


class _Writing:
    """Makes up articles and puts them straight into the tables."""

    def __init__(self, store: Store, chance: random.Random, now: datetime) -> None:
        self.store, self.chance, self.now = store, chance, now
        self.prose = Prose(chance).words

    def put(
        self, wanted: Sequence[tuple[int, int]], subscribers: Mapping[int, Sequence[int]]
    ) -> None:
        """Articles by number and feed, with their texts, scored for all who follow the feed."""
        rows = [_article(one, feed, self.now, self.chance, self.prose) for one, feed in wanted]
        states = [
            {**_state(row, self.chance), "user_id": user}
            for row in rows
            for user in subscribers[row["feed_id"]]
        ]
        pairs = [
            {"article_id": one, "cluster_id": one - one % SHARING, "text_id": one}
            for one, _feed in wanted
            if one % SHARING in {0, 1} and one >= SHARING
        ]
        with self.store.database.write() as connection:
            connection.execute(insert(articles_table), rows)
            connection.execute(insert(states_table), states)
            if pairs:
                connection.execute(insert(clusters), pairs)
        texts = [PlainText(ArticleId(r["id"]), r["title"], r["summary"]) for r in rows]
        self.store.articles.put_texts(TEXT_VERSION, texts)


@dataclass(slots=True)
class Polls:
    """Polls of one feed after the other, from another process than the server's, until it is
    stopped. Every fourth finds two new articles; each writes when the feed was polled."""

    place: Path
    world: World
    every: float  # seconds between two
    done: int = 0
    _stop: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def going(self) -> Iterator[None]:
        thread = threading.Thread(target=self._go)
        thread.start()
        try:
            yield
        finally:
            self._stop.set()
            thread.join()

    def _go(self) -> None:
        now = datetime.now(UTC)  # noqa: TID251
        store = open_store(self.place, now=lambda: now)
        try:
            writing = _Writing(store, random.Random(self.world.last), now)
            feeds, last = tuple(self.world.subscribers), self.world.last
            while not self._stop.wait(self.every):
                feed = feeds[self.done * 7 % len(feeds)]
                if self.done % 4 == 0:
                    writing.put([(last + 1, feed), (last + 2, feed)], self.world.subscribers)
                    last += 2
                with store.database.write() as connection:
                    asked = update(feeds_table).where(feeds_table.c.id == feed)
                    connection.execute(asked.values(polled_at=datetime.now(UTC)))  # noqa: TID251
                self.done += 1
        finally:
            store.close()


def _follow(store: Store, users: Sequence[UserId], feeds: int, now: datetime) -> list[list[int]]:
    """The feeds of each reader, in categories: half of them are the same for all."""
    found: list[list[int]] = []
    for who, user in enumerate(users):
        own: list[int] = []
        for number in range(feeds):
            whose = f"-{who}" if number % 2 else ""
            url = f"https://paper-{number}{whose}.test/feed.xml"
            category = CATEGORIES[number % len(CATEGORIES)]
            feed, _new = store.reading.subscribe(user, url, now, category=category)
            own.append(feed)
        found.append(own)
    with store.database.write() as connection:
        for one in sorted({feed for own in found for feed in own}):
            named = update(feeds_table).where(feeds_table.c.id == one)
            # Asked just now, and next in a year: nothing is polled while pages are asked for.
            connection.execute(
                named.values(
                    title=f"The Paper of Place {one}",
                    polled_at=now,
                    next_poll_at=now + timedelta(days=365),
                )
            )
    return found


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


def searched() -> tuple[str, ...]:
    """Words to search for: the commonest there is, others, and two together."""
    chance = random.Random(0)
    words = [_word(chance) for _ in range(WORDS)]
    return (words[0], words[40], words[400], words[2_000], f"{words[3]}+{words[30]}")


def _word(chance: random.Random) -> str:
    pairs = range(chance.randint(1, 4))
    return "".join(chance.choice("bdfgklmnprstvz") + chance.choice("aeiou") for _ in pairs)
