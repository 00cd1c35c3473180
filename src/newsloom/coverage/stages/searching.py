"""News searches for prepared articles: a few an hour, each answer used again for hours."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from newsloom.coverage import searching
from newsloom.coverage.preprocess import queries_of
from newsloom.coverage.searching import Wanted
from newsloom.coverage.values import CoverageSearch, Hit, SearchState
from newsloom.feeds.service.reply import Reading
from newsloom.feeds.values.polling import DueFeed
from newsloom.kernel.errors import NotNow
from newsloom.kernel.http.ports import Fetcher
from newsloom.kernel.http.values import Request
from newsloom.kernel.ids import FeedId
from newsloom.ranking.values.models import ArticleText
from newsloom.store import Store

log = logging.getLogger(__name__)

MOST = 20  # articles in one pass
# No service answered: again after an hour, two, four; then no more.
AGAIN_AFTER = timedelta(hours=1)
MOST_TRIES = 4
MOST_MEGABYTES = 5.0


class _Spent(Exception):
    """This hour's searches are spent."""


@dataclass(frozen=True, slots=True)
class Searching:
    """The third step, and the only one that tells a search service anything."""

    store: Store
    now: Callable[[], datetime]
    reading: Callable[[], Reading]
    providers: tuple[str, ...]
    left_out: Callable[[], Sequence[str]]  # domains not worth asking for, the worst first
    turned_up: Callable[[Sequence[str]], None]  # told the publishers of every fresh answer
    per_hour: int
    cached: timedelta

    async def run(self, fetcher: Fetcher) -> int:
        """Search for what is prepared; for how many articles all was asked."""
        waiting = await asyncio.to_thread(
            self.store.coverage.coverage_searches, SearchState.PREPARED, self.now(), MOST
        )
        if not waiting:
            return 0
        visit = _Visit(self, fetcher, tuple(await asyncio.to_thread(self.left_out)))
        done = 0
        for one in waiting:
            try:
                done += await visit.search(one)
            except _Spent:
                log.info("the other %d articles are searched for later", len(waiting) - done)
                break
        return done


@dataclass(slots=True)
class _Visit:
    """One pass. A service that did not answer is not asked again in it."""

    step: Searching
    fetcher: Fetcher
    left_out: tuple[str, ...]
    silent: dict[str, str] = field(default_factory=dict)  # a provider's host, and why

    async def search(self, search: CoverageSearch) -> bool:
        store = self.step.store
        found = await asyncio.to_thread(store.articles.texts, [search.article])
        if not found or search.prepared is None:
            await self._put_off(search, "its text was deleted", failed=True)
            return False
        article = found[0]
        publishers = (article.source,) if article.source else ()
        queries = queries_of(search.prepared, article.title, publishers, searching.MOST_QUERIES)
        if not queries:
            await self._put_off(search, "it has no searchable words", failed=True)
            return False
        hits = await self._answers(article, queries)
        if hits is None:
            problem = "; ".join(dict.fromkeys(self.silent.values()))
            await self._put_off(search, problem, failed=search.tries + 1 >= MOST_TRIES)
            return False
        kept = searching.others(searching.once(hits), "", article.source, article.dated)
        problem = "; ".join(dict.fromkeys(self.silent.values()))
        return await asyncio.to_thread(
            store.coverage.put_hits, search.article, kept, self.step.now(), problem
        )

    async def _answers(self, article: ArticleText, queries: Sequence[str]) -> list[Hit] | None:
        """All hits, those of the first query first; None when no service answered."""
        answers = []
        for words in queries:
            wanted = Wanted(words, article.language, article.dated, self.left_out)
            for provider in self.step.providers:
                answer = await self._answer(provider, wanted)
                if answer is not None:
                    answers.append(answer)
        return [hit for answer in answers for hit in answer] if answers else None

    async def _answer(self, provider: str, wanted: Wanted) -> tuple[Hit, ...] | None:
        address, host = searching.address(provider, wanted), searching.host_of(provider)
        key, now, store = searching.answer_key(address), self.step.now(), self.step.store
        known = await asyncio.to_thread(store.coverage.cached_answer, key, now - self.step.cached)
        if known is not None or host in self.silent:
            return known
        number = await asyncio.to_thread(
            store.coverage.reserve_search, key, host, now, self.step.per_hour
        )
        if number is None:
            raise _Spent
        hits, problem = await self._ask(address, host)
        if problem:
            self.silent[host] = f"{host}: {problem}"
        await asyncio.to_thread(store.coverage.put_answer, number, hits, problem)
        if hits:
            await asyncio.to_thread(self.step.turned_up, [hit.source_url for hit in hits])
        return hits

    async def _ask(self, address: str, host: str) -> tuple[tuple[Hit, ...] | None, str]:
        try:
            reply = await self.fetcher.get(Request(url=address, max_megabytes=MOST_MEGABYTES))
        except NotNow as error:
            return None, str(error)
        polled = await self.step.reading().read(DueFeed(FeedId(0), reply.url, ""), reply)
        if polled.feed is None:
            return None, polled.problem or "it did not return a feed"
        return searching.hits(polled.feed.articles, host), ""

    async def _put_off(self, search: CoverageSearch, problem: str, *, failed: bool) -> None:
        wait: timedelta = AGAIN_AFTER * (1 << search.tries)
        await asyncio.to_thread(
            self.step.store.coverage.put_off_coverage,
            search.article,
            self.step.now() + wait,
            problem,
            failed=failed,
        )
