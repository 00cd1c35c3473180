"""Hits ranked by likeness of headlines; a headline that was read before is not read again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np

from newsloom.coverage import ranking
from newsloom.coverage.values import CandidateState, CoverageHit, CoverageSearch, SearchState
from newsloom.ranking.encoder_text import candidate_text, query_text
from newsloom.ranking.ports import Embedder, Vectors
from newsloom.ranking.values.models import ArticleText, scale_of
from newsloom.store import Store

# Names the compositions in the cache; raise it with any change of them.
COMPOSITION = "coverage@1"

MOST = 50  # articles in one pass
# Right hits of so many days tell how far down is looked.
REMEMBERED = timedelta(days=90)


@dataclass(frozen=True, slots=True)
class HeadlineVectors:
    """Vectors of short texts, from the cache as far as it has them."""

    store: Store
    now: Callable[[], datetime]
    embedder: Callable[[str], Embedder]  # by language

    def of(self, texts: Sequence[str], language: str) -> Vectors:
        """Unit-length rows, (n, d), in the order given."""
        embedder = self.embedder(language)
        producer = f"{embedder.model_id}/{COMPOSITION}"
        keys = [hashlib.blake2b(one.encode(), digest_size=16).hexdigest() for one in texts]
        known = dict(self.store.coverage.hit_vectors(producer, list(dict.fromkeys(keys))))
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            fresh = embedder.embed(list(missing.values()))
            self.store.coverage.put_hit_vectors(producer, list(missing), fresh, self.now())
            known |= dict(zip(missing, fresh, strict=True))
        if not keys:
            return np.zeros((0, embedder.dimensions), np.float32)
        return np.stack([known[key] for key in keys])


@dataclass(frozen=True, slots=True)
class Ranking:
    """The fourth step."""

    store: Store
    now: Callable[[], datetime]
    vectors: HeadlineVectors

    def run(self) -> int:
        """How many articles' hits were ranked."""
        waiting = self.store.coverage.coverage_searches(SearchState.SEARCHED, self.now(), MOST)
        return sum(self._rank(one) for one in waiting)

    def _rank(self, search: CoverageSearch) -> bool:
        store = self.store
        found = [
            one
            for one in store.coverage.candidates(search.article)
            if one.state is CandidateState.FOUND
        ]
        texts = self.store.articles.texts([search.article])
        similarities = self._similarities(texts, found)
        model = self.vectors.embedder(texts[0].language).model_id if texts else ""
        most = self._places(search, found)
        ranked = [
            (found[one.number].id, one.similarity, one.place)
            for one in ranking.ranked(similarities, most, scale_of(model).covered)
        ]
        return store.coverage.put_ranked(search.article, ranked, self.now())

    def _similarities(
        self, texts: Sequence[ArticleText], found: Sequence[CoverageHit]
    ) -> list[float]:
        if not texts or not found:
            return [0.0] * len(found)
        query = query_text(texts[0].title, texts[0].text)
        hits = [candidate_text(one.hit.title, one.hit.source) for one in found]
        vectors = self.vectors.of([query, *hits], texts[0].language)
        return [float(one) for one in ranking.likeness(vectors[0], vectors[1:])]

    def _places(self, search: CoverageSearch, found: Sequence[CoverageHit]) -> list[int]:
        """How far down each hit may stand, by what its service was right about lately."""
        if ranking.explores(search.article):
            return [ranking.MOST_PLACES] * len(found)
        since = self.now() - REMEMBERED
        fitted = {
            provider: ranking.fitted_places(
                self.store.coverage.right_places(search.user, provider, since)
            )
            for provider in {one.hit.provider for one in found}
        }
        return [fitted[one.hit.provider] for one in found]
