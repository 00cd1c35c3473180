"""Everything of a filled store from SQLite into PostgreSQL and back, and what is listed in each.

Filling is not timed. A copy compares itself with its source, row for row; here the two files are
compared once more, and the beginnings of all lists of all three.
"""

from __future__ import annotations

import hashlib
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice, product
from pathlib import Path

import numpy as np
from sqlalchemy import text

from newsloom.articles.store.keys import hashed
from newsloom.articles.store.tables import embeddings
from newsloom.articles.store.tables import texts as texts_table
from newsloom.duplicates.store.tables import clusters as clusters_table
from newsloom.kernel.db import producers
from newsloom.kernel.db.bulk import insert_rows
from newsloom.kernel.ids import UserId
from newsloom.ranking.values.models import StoredModel
from newsloom.reading.values.reading import ListQuery, Order, Rows
from newsloom.store import Store, copying, open_store
from newsloom.store.texts import split
from newsloom_lab.bench.news import Made, Newsroom
from newsloom_lab.bench.rank import HALF_LIVES, NOW, fill

LISTED = 1_000  # of every list
BATCH = 5_000
DIMENSIONS = 384
MADE_BY = "bench/1"

LISTS = tuple(
    ListQuery(order=order, rows=rows, unread_only=unread, limit=LISTED)
    for order, rows, unread in product(Order, Rows, (True, False))
)

_TEXT = ("article_id", "maker_id", "digest", "title", "lead", "rest")
_MARK = text("""
    UPDATE states SET read = (article_id % 7 = 0), starred = (article_id % 11 = 0),
        rating = CASE WHEN article_id % 13 = 0 THEN 1 ELSE rating END
    WHERE article_id % 7 = 0 OR article_id % 11 = 0 OR article_id % 13 = 0
""")


@dataclass(frozen=True, slots=True)
class CopyBench:
    articles: int
    rows: int  # of all tables
    there_seconds: float  # SQLite to PostgreSQL, compared in the end
    back_seconds: float
    same_rows: bool  # of the first file and the last
    lists: int  # orders x rows x unread or all
    same_lists: bool  # the first 1,000 of each, in all three
    file_mb: float
    server_mb: float


def run(articles: int, url: str) -> CopyBench:
    """Fill a SQLite file, copy it into an empty PostgreSQL database, and that into another file."""
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(open_store(Path(folder) / "filled.db", now=lambda: NOW)) as filled,
        closing(open_store(url, now=lambda: NOW)) as server,
        closing(open_store(Path(folder) / "back.db", now=lambda: NOW)) as back,
    ):
        user = fill_all(filled, articles)
        there, copied = _copied(filled, server)
        home, returned = _copied(server, back)
        lists = [_lists(one, user) for one in (filled, server, back)]
        return CopyBench(
            articles=articles,
            rows=sum(copied.values()),
            there_seconds=there,
            back_seconds=home,
            same_rows=copied == returned
            and copying.digests(filled.database) == copying.digests(back.database),
            lists=len(LISTS),
            same_lists=lists[0] == lists[1] == lists[2],
            file_mb=filled.database.size() / 1e6,
            server_mb=server.database.size() / 1e6,
        )


def _copied(source: Store, target: Store) -> tuple[float, dict[str, int]]:
    began = time.perf_counter()
    copied = copying.copy(source.database, target.database)
    return time.perf_counter() - began, dict(copied.rows)


def _lists(store: Store, user: UserId) -> list[list[int]]:
    return [
        [int(one) for one in store.lists.page_ids(user, query, NOW, HALF_LIVES)] for query in LISTS
    ]


def fill_all(store: Store, articles: int) -> UserId:
    """States and marks as `bench rank` has them, and texts, vectors, clusters and a model."""
    user = fill(store, articles)
    with store.database.write() as connection:
        connection.execute(_MARK)
        producer = producers.numbered(connection, MADE_BY)
    news, first, firsts = Newsroom(articles).made(), 1, _Firsts({}, {})
    random = np.random.default_rng(articles)
    while batch := list(islice(news, BATCH)):
        _put(store, batch, first, producer, firsts, random)
        first += len(batch)
    payload = random.standard_normal(DIMENSIONS).astype("<f4").tobytes()
    model = StoredModel(
        "bench", "relevance", payload, hashlib.sha256(payload).hexdigest(), NOW, promoted=NOW
    )
    store.models.promote_model(user, replace(model, active=True), instead_of=None)
    return user


@dataclass(frozen=True, slots=True)
class _Firsts:
    """The first article of each event and of each text."""

    events: dict[object, int]
    texts: dict[object, int]


def _put(
    store: Store,
    batch: Sequence[Made],
    first: int,
    producer: int,
    firsts: _Firsts,
    random: np.random.Generator,
) -> None:
    texts, clusters = [], []
    for number, one in enumerate(batch, start=first):
        lead, rest = split(one.text)
        texts.append((number, producer, hashed(f"{one.title}\0{lead}"), one.title, lead, rest))
        event = firsts.events.setdefault(one.event, number)
        clusters.append((number, event, firsts.texts.setdefault(one.planted, number)))
    made = random.standard_normal((len(batch), DIMENSIONS)).astype("<f2")
    vectors = [(producer, row[0], made[place].tobytes()) for place, row in enumerate(texts)]
    with store.database.write() as connection:
        insert_rows(connection, texts_table, _TEXT, texts)
        insert_rows(connection, clusters_table, ("article_id", "cluster_id", "text_id"), clusters)
        insert_rows(connection, embeddings, ("maker_id", "article_id", "vector"), vectors)
