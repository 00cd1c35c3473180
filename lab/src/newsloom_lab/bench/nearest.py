"""The ten nearest of many vectors: both stores, exact and not, beside faiss and plain pgvector.

A million real embeddings are not at hand, so those of a file's texts are multiplied: each further
vector is a random mix of two of them (the first weighs .5 to 1) with Gaussian noise of length .25,
made of unit length again. Queries are texts of the file that are left out of all that. Recall is of
the ten nearest by cosine of the rounded vectors in float32, as faiss finds them.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newsloom.articles.store.tables import articles, embeddings
from newsloom.kernel.db import producers
from newsloom.kernel.db.bulk import insert_rows
from newsloom.kernel.db.columns import micros
from newsloom.kernel.errors import UserError
from newsloom.ranking.ports import Embedder, Vectors
from newsloom.ranking.store.nearest import pgvector
from newsloom.store import Store, open_store

NOW = datetime(2026, 11, 1, tzinfo=UTC)
MODEL = "bench@1"
WANTED = 10
NOISE = 0.25
BATCH = 5_000
SEED = 12
QUERIES = 100

Ids = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Way:
    """One way to find the ten nearest."""

    name: str
    median_ms: float | None  # of a query
    worst_ms: float | None
    recall_at_10: float | None
    build_seconds: float | None  # from stored vectors to the first answer
    megabytes: float | None  # beside the vectors in the table
    problem: str = ""


@dataclass(frozen=True, slots=True)
class NearestBench:
    rows: int
    real: int  # of them, embeddings of texts
    dimensions: int
    queries: int
    ways: tuple[Way, ...]


def run(
    texts: Sequence[str], embedder: Embedder, rows: int, url: str, heard: Callable[[str], None]
) -> NearestBench:
    """Fills a SQLite file in a temporary folder, and with a URL a new database of that server.

    `heard` is told of each way when it was measured: an index of a million takes long.
    """
    from newsloom_lab.databases import fresh

    real = embedder.embed(list(dict.fromkeys(texts)))
    if len(real) < 4 * QUERIES:
        raise UserError(f"--articles has {len(real)} texts; at least {4 * QUERIES} are needed.")
    chance = np.random.default_rng(SEED)
    order = chance.permutation(len(real))
    queries, base = real[order[:QUERIES]], real[order[QUERIES:]]
    vectors = multiplied(base, rows, chance)
    ways: list[Way] = []

    def keep(found: Iterator[Way]) -> None:
        for one in found:
            heard(str(one))
            ways.append(one)

    truth, flat = _faiss(vectors, queries)
    keep(iter((flat,)))
    with tempfile.TemporaryDirectory() as folder:
        keep(_sqlite(Path(folder), vectors, queries, truth))
    if url:
        with fresh(url) as place:
            keep(_postgres(place, vectors, queries, truth))
    real_rows = min(rows, len(base))
    return NearestBench(rows, real_rows, vectors.shape[1], len(queries), tuple(ways))


def multiplied(base: Vectors, rows: int, chance: np.random.Generator) -> NDArray[np.float16]:
    """The real ones, then mixes of two of them with noise, as the store keeps vectors."""
    made = np.empty((rows, base.shape[1]), np.float16)
    real = min(rows, len(base))
    made[:real] = base[:real]
    for start in range(real, rows, BATCH):
        count = min(BATCH, rows - start)
        first, second = (base[chance.integers(0, len(base), count)] for _ in range(2))
        share = chance.uniform(0.5, 1, (count, 1)).astype(np.float32)
        noise = chance.standard_normal((count, base.shape[1]), dtype=np.float32)
        mixed = share * first + (1 - share) * second + noise * (NOISE / base.shape[1] ** 0.5)
        made[start : start + count] = mixed / np.linalg.norm(mixed, axis=1, keepdims=True)
    return made


def _faiss(vectors: NDArray[np.float16], queries: Vectors) -> tuple[Ids, Way]:
    """The truth, and how long faiss takes for it; without faiss, numpy says what is true."""
    if find_spec("faiss") is None:
        return _truth(vectors, queries), _without("faiss flat", "faiss-cpu is not installed")
    faiss: Any = import_module("faiss")

    began = time.perf_counter()
    index = faiss.IndexFlatIP(vectors.shape[1])
    for start in range(0, len(vectors), BATCH):
        index.add(_unit(vectors[start : start + BATCH]))
    built = time.perf_counter() - began
    rounded = _rounded(queries)
    found, times = _timed(lambda one: index.search(one[np.newaxis], WANTED)[1][0] + 1, rounded)
    return found, _way("faiss flat", times, found, found, built, vectors.nbytes * 2 / 1e6)


def _truth(vectors: NDArray[np.float16], queries: Vectors) -> Ids:
    best = np.empty((len(queries), len(vectors)), np.float32)
    for start in range(0, len(vectors), BATCH):
        rows = _unit(vectors[start : start + BATCH])
        best[:, start : start + BATCH] = _rounded(queries) @ rows.T
    return [(np.argpartition(row, -WANTED)[-WANTED:] + 1).tolist() for row in best]


def _unit(halves: NDArray[np.float16]) -> Vectors:
    """Of length one again, which half precision changes a little."""
    rows = halves.astype(np.float32)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def _rounded(queries: Vectors) -> Vectors:
    return queries.astype(np.float16).astype(np.float32)


def _sqlite(
    folder: Path, vectors: NDArray[np.float16], queries: Vectors, truth: Ids
) -> Iterator[Way]:
    path = folder / "bench.db"
    with closing(open_store(path, now=lambda: NOW)) as store:
        _filled(store, vectors)
        built = _seconds(lambda: _ask(store, queries[0], exact=False))
        beside = sum(one.stat().st_size for one in folder.glob("bench.db.vectors/*")) / 1e6
        for name, exact in (("sqlite exact", True), ("sqlite", False)):
            found, times = _timed(partial(_ask, store, exact=exact), queries)
            yield _way(name, times, found, truth, built, beside)
    with closing(open_store(path, now=lambda: NOW)) as again:
        opened = _seconds(lambda: _ask(again, queries[0], exact=False))
        yield Way("sqlite, first of a process", opened * 1000, opened * 1000, None, None, None)


def _postgres(
    place: str, vectors: NDArray[np.float16], queries: Vectors, truth: Ids
) -> Iterator[Way]:
    with closing(open_store(place, now=lambda: NOW)) as store:
        with store.database.read() as connection:
            if not pgvector.there(connection):
                yield _without("postgresql", "the server has no pgvector")
                return
        filled = _seconds(lambda: _filled(store, vectors))
        store.database.settle()
        table = _size(store, "pg_total_relation_size('neighbours')")
        found, times = _timed(lambda one: _ask(store, one, exact=True), queries)
        yield _way("postgresql exact", times, found, truth, filled, table)
        built = _seconds(lambda: _indexed(store, vectors.shape[1]))
        index = _size(store, f"pg_relation_size('{pgvector.index_name(1)}')")
        found, times = _timed(lambda one: _ask(store, one, exact=False), queries)
        yield _way("postgresql hnsw", times, found, truth, built, index)
        for name, indexed in (("pgvector alone, exact", False), ("pgvector alone, hnsw", True)):
            found, times = _alone(place, queries, indexed=indexed)
            yield _way(name, times, found, truth, None, None)


def _indexed(store: Store, dimensions: int) -> None:
    with store.database.write() as connection:
        pgvector.index(connection, 1, dimensions)


def _alone(place: str, queries: Vectors, *, indexed: bool) -> tuple[Ids, list[float]]:
    """The same rows by the plainest statement, without Newsloom."""
    import psycopg

    dimensions = queries.shape[1]
    column = f"vector::halfvec({dimensions})" if indexed else "vector"
    body = (
        f"SELECT article_id FROM neighbours WHERE maker_id = 1"  # noqa: S608
        f" ORDER BY {column} <=> %s::halfvec({dimensions}) LIMIT {WANTED}"
    ).encode()
    with psycopg.connect(place, autocommit=True) as connection:
        connection.execute(f"SET hnsw.ef_search = {pgvector.SEARCHED}".encode())

        def ask(query: NDArray[np.float32]) -> list[int]:
            words = "[" + ",".join(map(repr, query.tolist())) + "]"
            return [row[0] for row in connection.execute(body, [words])]

        return _timed(ask, queries)


def _filled(store: Store, vectors: NDArray[np.float16]) -> None:
    """One feed with an article for each vector, an hour apart, oldest first."""
    store.reading.subscribe(store.users.user("bench", NOW), "https://bench.test/feed", NOW)
    with store.write() as tx:
        tx.articles.put_vectors(MODEL, [], np.empty((0, vectors.shape[1]), np.float32))
    for start in range(0, len(vectors), BATCH):
        part = vectors[start : start + BATCH]
        ids = range(start + 1, start + len(part) + 1)
        dates = [micros(NOW - timedelta(hours=len(vectors) - one)) for one in ids]
        with store.database.write() as connection:
            producer = producers.numbered(connection, MODEL)
            insert_rows(
                connection,
                articles,
                ("id", "feed_id", "original_id", "fullest_id", "first_seen_at", "dated_at",
                 "version_at"),
                [(one, 1, one, one, at, at, at) for one, at in zip(ids, dates, strict=True)],
            )  # fmt: skip
            rows = [(producer, one, line.tobytes()) for one, line in zip(ids, part, strict=True)]
            insert_rows(connection, embeddings, ("maker_id", "article_id", "vector"), rows)
            if pgvector.there(connection):
                pgvector.put(connection, rows)


def _ask(store: Store, query: NDArray[np.float32], *, exact: bool) -> list[int]:
    found = store.articles.nearest(MODEL, query, limit=WANTED, exact=exact)
    return [one.id for one in found]


def _timed(ask: Callable[[Any], Sequence[int]], queries: Vectors) -> tuple[Ids, list[float]]:
    """What is found, and milliseconds of each query; the first few go before to warm up."""
    for query in queries[:3]:
        ask(query)
    found, times = [], []
    for query in queries:
        began = time.perf_counter()
        found.append([int(one) for one in ask(query)])
        times.append((time.perf_counter() - began) * 1000)
    return found, times


def _way(
    name: str,
    times: Sequence[float],
    found: Ids,
    truth: Ids,
    built: float | None,
    megabytes: float | None,
) -> Way:
    shares = [len({*one} & {*right}) / len(right) for one, right in zip(found, truth, strict=True)]
    recall = statistics.mean(shares)
    return Way(name, statistics.median(times), max(times), recall, built, megabytes)


def _without(name: str, problem: str) -> Way:
    return Way(name, None, None, None, None, None, problem)


def _seconds(does: Callable[[], object]) -> float:
    began = time.perf_counter()
    does()
    return time.perf_counter() - began


def _size(store: Store, what: str) -> float:
    with store.database.read() as connection:
        return float(connection.exec_driver_sql(f"SELECT {what}").scalar_one()) / 1e6
