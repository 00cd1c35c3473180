"""How rare terms are: counted again each week from what came since, on top of what is shipped.

Asks nothing of the network. Terms get their weights from it in importance, interests and topics.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from newsloom.articles.terms import terms
from newsloom.importance.values.importance import TermBackground
from newsloom.kernel.http.ports import Fetcher
from newsloom.kernel.ids import ArticleId
from newsloom.store import Store
from newsloom.topics.tfidf import Idf, shipped

EVERY = timedelta(days=7)
# Fewer new articles change nothing worth weighing all of them anew.
FEWEST = 500
# New articles that are read in one go; of more, the newest. Some 10 s.
MOST = 20_000
# What was counted before weighs as so many articles at most, so that a language or a field that
# grows here is heard within months.
LONGEST_MEMORY = 200_000
# A term of one article says nothing yet, and most terms are of one.
LEAST_COUNT, MOST_TERMS = 2, 300_000
# How long a process goes on with the one it has read.
STALE = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class CountedTerms:
    """A side task: counts when the last time is a week ago."""

    store: Store
    now: Callable[[], datetime]
    fewest: int = FEWEST

    async def run(self, _fetcher: Fetcher) -> int:
        """How many articles were counted."""
        return await asyncio.to_thread(self.count_due)

    def count_due(self) -> int:
        """Count, if it is due; a clock that was set back lets nothing wait for ever."""
        now, articles = self.now(), self.store.articles
        last = articles.term_background_made_at()
        if last is not None and timedelta(0) <= now - last < EVERY:
            return 0
        known = articles.term_background()
        after = known.newest if known else ArticleId(0)
        ids = articles.newest_originals(after, MOST)
        texts = articles.texts(ids)  # the newest may have none yet
        if len(texts) < self.fewest:
            return 0
        counts: Counter[str] = Counter()
        for one in texts:
            counts.update(terms(one.title, one.text, one.language).keys())
        before = Idf(known.articles, known.counts) if known else shipped()
        share = min(1.0, LONGEST_MEMORY / (before.articles + len(texts)))
        whole = before.merged(len(texts), counts, share)
        newest = max(one.id for one in texts)
        articles.put_term_background(
            TermBackground(now, newest, whole.articles, _kept(whole.counts))
        )
        return len(texts)


def _kept(counts: Mapping[str, int]) -> dict[str, int]:
    several = [(term, count) for term, count in counts.items() if count >= LEAST_COUNT]
    several.sort(key=lambda one: (-one[1], one[0]))
    return dict(several[:MOST_TERMS])


class CurrentIdf:
    """The weights in force: the last that were counted, else those shipped."""

    def __init__(self, store: Store, now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now
        self._lock = threading.Lock()
        self._looked: datetime | None = None
        self._made_at: datetime | None = None
        self._idf: Callable[[], Idf] = shipped

    def __call__(self) -> Idf:
        now = self._now()
        with self._lock:
            if self._looked is None or not timedelta(0) <= now - self._looked < STALE:
                self._looked = now
                self._refresh()
            return self._idf()

    def _refresh(self) -> None:
        made_at = self._store.articles.term_background_made_at()
        if made_at == self._made_at:
            return
        found = self._store.articles.term_background()
        if found is not None:
            idf = Idf(found.articles, found.counts)
            self._made_at, self._idf = found.made_at, lambda: idf
