"""Hits of news searches ranked: texts a second, without and with the cache of vectors, beside
sentence-transformers where it is installed. All by the store and the steps of the product.

Seed 002 took about 15 s for 60 articles by 150 hits, 9,000 texts, on a Mac mini.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from newsloom.app import utc_now
from newsloom.coverage import ranking
from newsloom.coverage.stages.ranking import HeadlineVectors
from newsloom.kernel.errors import UserError
from newsloom.ranking.encoder_text import candidate_text, query_text
from newsloom.ranking.encoders import registry
from newsloom.ranking.measure.articles import read_articles
from newsloom.ranking.values.models import MINILM_SCALE
from newsloom.store import open_store

PEER = "sentence-transformers"
PEER_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
COLUMNS = ("what", "texts", "seconds", "texts/s", "kept")


@dataclass(frozen=True, slots=True)
class RelatedRun:
    """Medians of the rounds."""

    seconds: float
    texts_per_second: float
    kept: int  # hits that are ranked


@dataclass(frozen=True, slots=True)
class RelatedTimes:
    articles: int
    hits: int  # of each
    texts: int
    different: int  # texts that are not said twice
    without_cache: RelatedRun
    with_cache: RelatedRun
    peer: RelatedRun | None
    problem: str = ""  # why the peer has no figures

    def table(self) -> list[tuple[str, ...]]:
        rows = [("newsloom", self.without_cache), ("newsloom, from the cache", self.with_cache)]
        if self.peer is not None:
            rows.append((PEER, self.peer))
        return [
            (
                name,
                f"{self.texts:,}",
                f"{one.seconds:.2f}",
                f"{one.texts_per_second:,.0f}",
                str(one.kept),
            )
            for name, one in rows
        ]


def run(file: Path, articles: int, hits: int, rounds: int, threads: int) -> RelatedTimes:
    """Raises UserError when the file has too few articles."""
    queries, offered = _texts(file, articles, hits)
    texts = articles * (hits + 1)
    different = len({*queries, *(one for row in offered for one in row)})
    encoder = registry.embedder("minilm-int8", threads=threads)
    encoder.embed(queries[:1])  # loaded
    cold, warm = [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            store = open_store(Path(folder) / "bench.db", now=_now)
            try:
                vectors = HeadlineVectors(store, _now, lambda _language: encoder)
                english = partial(vectors.of, language="en")
                cold.append(_timed(english, queries, offered, texts))
                warm.append(_timed(english, queries, offered, texts))
            finally:
                store.close()
    peer, problem = _peer(queries, offered, texts, threads)
    return RelatedTimes(
        articles, hits, texts, different, _median(cold), _median(warm), peer, problem
    )


def _now() -> datetime:
    return utc_now()


def _texts(file: Path, articles: int, hits: int) -> tuple[list[str], list[list[str]]]:
    """Articles of a file as queries, and for each others of it as hits: real headlines, many of
    them offered to several articles, as searches do."""
    found = list(read_articles(file))
    if len(found) < max(articles, hits):
        raise UserError(f"{file} has {len(found)} articles, {max(articles, hits)} are needed.")
    chosen = found[:articles]
    queries = [query_text(one.title, one.text) for one in chosen]
    titles = [candidate_text(one.title, one.source) for one in found]
    offered = [
        [titles[(place * hits + number) % len(titles)] for number in range(hits)]
        for place in range(articles)
    ]
    return queries, offered


def _timed(
    embed: Any, queries: Sequence[str], offered: Sequence[Sequence[str]], texts: int
) -> RelatedRun:
    began, kept = time.perf_counter(), 0
    for query, hits in zip(queries, offered, strict=True):
        vectors = np.asarray(embed([query, *hits]), np.float32)
        similarities = ranking.likeness(vectors[0], vectors[1:])
        places = [ranking.MOST_PLACES] * len(hits)
        found = ranking.ranked([float(one) for one in similarities], places, MINILM_SCALE.covered)
        kept += sum(one.place is not None for one in found)
    seconds = time.perf_counter() - began
    return RelatedRun(seconds, texts / seconds, kept)


def _peer(
    queries: Sequence[str], offered: Sequence[Sequence[str]], texts: int, threads: int
) -> tuple[RelatedRun | None, str]:
    if find_spec("sentence_transformers") is None:
        return None, f"{PEER} is not installed"
    import torch
    from sentence_transformers import SentenceTransformer

    try:
        model = SentenceTransformer(PEER_MODEL, device="cpu")
    except OSError as error:
        return None, f"{PEER} has no model: {error}"
    if threads:
        torch.set_num_threads(threads)

    def embed(some: Sequence[str]) -> Any:
        return model.encode(list(some), normalize_embeddings=True, show_progress_bar=False)

    embed(queries[:1])
    return _timed(embed, queries, offered, texts), ""


def _median(runs: Sequence[RelatedRun]) -> RelatedRun:
    seconds = statistics.median(one.seconds for one in runs)
    per_second = statistics.median(one.texts_per_second for one in runs)
    return RelatedRun(seconds, per_second, runs[0].kept)
