"""Stored articles by the million, for `bench growth`, with all rows that they would have.

Written by COPY in a few seconds for each 100,000: texts, keys, signatures and vectors are of the
usual sizes and say nothing. An article brings a row of each table, 16 keys of its text and three of
its id and address, and an unread state for each reader of its feed.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from sqlalchemy import Connection, text

from newsloom.articles.store.tables import articles
from newsloom.kernel.db.bulk import copy_rows
from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.dialects import numbered
from newsloom.kernel.ids import FeedId, UserId
from newsloom.ranking.store.nearest import pgvector
from newsloom.store import Store

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
FEEDS, READERS = 500, 2
# What a reader has unread: of stored articles, the newest.
UNREAD = 5_400
DIMENSIONS = 384
TEXT_KEYS, OWN_KEYS = 16, 3
SIGNATURE_BYTES = 700
# What came within a year, evenly, the newest last.
SPAN = timedelta(days=365)
BATCH = 20_000

_WORDS = [f"w{number}" for number in range(20_000)]


def feeds_of(store: Store) -> tuple[Sequence[UserId], Sequence[FeedId]]:
    """Readers, and feeds that all of them follow."""
    users = [store.users.user(f"reader {number}", NOW) for number in range(READERS)]
    feeds = [
        store.reading.subscribe(users[0], f"https://feed-{number}.test/", NOW)[0]
        for number in range(FEEDS)
    ]
    wanted = [(f"https://feed-{number}.test/", "", "") for number in range(FEEDS)]
    for user in users[1:]:
        store.reading.subscribe_all(user, wanted, NOW)
    return users, feeds


def fill(
    store: Store,
    users: Sequence[UserId],
    feeds: Sequence[FeedId],
    first: int,
    last: int,
    known: Mapping[str, int],
    *,
    signed: bool = True,
) -> None:
    """Articles of those numbers; `known` are the numbers of the stages' makers: text, vectors,
    signatures, ratings, scores, signals, points. Not signed: they have no text keys."""
    for start in range(first, last + 1, BATCH):
        numbers = range(start, min(start + BATCH, last + 1))
        with store.database.write() as connection:
            for table, columns, rows in _tables(users, feeds, numbers, last, known, signed):
                _put(connection, table, columns, rows)
            _search(connection, numbers)
    with store.database.write() as connection:
        connection.execute(_OLD_READ, {"newest": last - UNREAD, "user": users[0]})
        numbered(connection, articles)  # new rows come behind these
    store.database.settle()


def _put(
    connection: Connection, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    if connection.dialect.name == "postgresql":
        copy_rows(connection, table, columns, rows)
        return
    marks = ", ".join("?" * len(columns))
    into = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608
    connection.exec_driver_sql(into, [tuple(row) for row in rows])


def _tables(
    users: Sequence[UserId],
    feeds: Sequence[FeedId],
    numbers: range,
    last: int,
    known: Mapping[str, int],
    signed: bool,
) -> Iterator[tuple[str, tuple[str, ...], Iterator[tuple[Any, ...]]]]:
    chance = random.Random(numbers.start)
    dated = {one: micros(NOW - SPAN * ((last - one + 1) / (last + 1))) for one in numbers}
    feed = {one: feeds[one % len(feeds)] for one in numbers}
    body = {one: " ".join(chance.choices(_WORDS, k=60)) for one in numbers}
    yield "articles", _ARTICLE, (_article(one, feed[one], dated[one], body[one]) for one in numbers)
    yield (
        "texts",
        ("article_id", "maker_id", "digest", "title", "lead", "rest"),
        (
            (one, known["text"], one, f"What happened in place {one}", body[one], "")
            for one in numbers
        ),
    )
    keys = np.random.default_rng(numbers.start).integers(
        -(2**63), 2**63 - 1, size=(len(numbers), TEXT_KEYS * signed + OWN_KEYS)
    )
    yield (
        "dedup_keys",
        ("key", "article_id"),
        ((key, one) for one, of in zip(numbers, keys.tolist(), strict=True) for key in of),
    )
    if signed:
        yield _signatures(numbers, last, known["signatures"])
    yield "embeddings", ("maker_id", "article_id", "vector"), _vectors(numbers, known["vectors"])
    yield (
        "ratings",
        ("maker_id", "article_id", "rating", "confidence", "explanation", "made_at"),
        ((known["ratings"], one, 3, 0.7, "", dated[one]) for one in numbers),
    )
    yield (
        "importances",
        ("article_id", "maker_id", "authority", "corroboration", "depth", "sources"),
        ((one, known["signals"], 50.0, 0.0, 50.0, 1) for one in numbers),
    )
    scores = {one: (chance.randrange(1, 6), chance.random() * 100) for one in numbers}
    yield (
        "states",
        _STATE,
        (
            _state(
                user,
                one,
                feed[one],
                dated[one],
                scores[one],
                known,
                read=user == users[0] and one <= last - UNREAD,
            )
            for user in users
            for one in numbers
        ),
    )


def _signatures(
    numbers: range, last: int, producer: int
) -> tuple[str, tuple[str, ...], Iterator[tuple[Any, ...]]]:
    noise = random.Random(last).randbytes(SIGNATURE_BYTES)
    rows = ((one, producer, one, noise) for one in numbers)
    return "signatures", ("article_id", "maker_id", "digest", "signature"), rows


_ARTICLE = (
    "id", "feed_id", "original_id", "fullest_id", "guid", "url", "canonical_url", "source", "title",
    "language", "first_seen_at", "dated_at", "version_at", "content_hash", "length", "content",
)  # fmt: skip
_STATE = (
    "user_id", "article_id", "feed_id", "dated_at", "sensitivity", "relevance", "rank_key",
    "scored_by", "language", "points", "weighed_by", "read",
)  # fmt: skip


def _article(one: int, feed: int, dated: int, body: str) -> tuple[Any, ...]:
    url = f"https://news-{feed}.test/2026/article-{one}"
    title = f"What happened in place {one}"
    return (
        one, feed, one, one, url, url, url, f"news-{feed}.test", title, "en", dated, dated, dated,
        f"hash {one}", len(body), f"<p>{body}</p>",
    )  # fmt: skip


def _state(
    user: int,
    one: int,
    feed: int,
    dated: int,
    score: tuple[int, float],
    known: Mapping[str, int],
    *,
    read: bool,
) -> tuple[Any, ...]:
    level, relevance = score
    return (
        user, one, feed, dated, level, relevance, dated + int(relevance * 1e12), known["scores"],
        "en", int(relevance * 1e6), known["points"], read,
    )  # fmt: skip


def _vectors(numbers: range, producer: int) -> Iterator[tuple[Any, ...]]:
    made = np.random.default_rng(numbers.start).standard_normal(
        (len(numbers), DIMENSIONS), dtype=np.float32
    )
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    for one, row in zip(numbers, made.astype("<f2"), strict=True):
        yield producer, one, row.tobytes()


def _search(connection: Connection, numbers: range) -> None:
    """The search of those texts, and the vectors as pgvector has them; triggers do it in SQLite."""
    if connection.dialect.name == "sqlite":
        return
    values = {"low": numbers.start, "high": numbers.stop - 1}
    connection.execute(_WORDS_OF, values)
    if pgvector.there(connection):
        found = connection.execute(_STORED, values).all()
        pgvector.put(connection, [tuple(row) for row in found])


_WORDS_OF = text("""
    INSERT INTO texts_search (article_id, words)
    SELECT article_id, to_tsvector('simple', title || ' ' || lead) FROM texts
    WHERE article_id BETWEEN :low AND :high
""")
_STORED = text("""
    SELECT maker_id, article_id, vector FROM embeddings WHERE article_id BETWEEN :low AND :high
""")
# The first reader reads what comes; the others never do.
_OLD_READ = text("""
    UPDATE states SET read = TRUE WHERE user_id = :user AND article_id <= :newest AND read = FALSE
""")
