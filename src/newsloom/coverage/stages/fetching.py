"""Pages of resolved hits, fetched under the rules for pages: robots.txt, pauses, one after another
from one host. Each once, for however many articles it was found.

What was not asked, what failed at our end and what a site could not say of its robots.txt is tried
again, and told of nobody.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import Enum

from newsloom.coverage.quality import Reputation, attempt_value
from newsloom.coverage.values import CandidateState, CoverageHit, CoveragePage
from newsloom.feeds.page_failures import FailureKind, OurFailure, Outcome
from newsloom.feeds.page_gates import SOCIAL
from newsloom.feeds.service.page_reading import (
    UNCERTAIN,
    Extract,
    PageVisits,
    Verdict,
    read_reply,
    refused,
)
from newsloom.feeds.service.robots import Robots
from newsloom.kernel.http.ports import Fetcher
from newsloom.kernel.http.values import Reply
from newsloom.kernel.ids import ArticleId, CandidateId
from newsloom.kernel.text.language import detect, language
from newsloom.kernel.text.urls import canonical, is_article, publisher, shared_host, source
from newsloom.ranking.values.models import ArticleText
from newsloom.store import Aggregates, Store

# Hits looked at in one pass, and how long new pages are begun.
MOST = 400
PATIENCE = timedelta(seconds=60)

# After the first failure that may pass, and after the second.
AGAIN_AFTER = (timedelta(hours=1), timedelta(days=1))

TWIN = "another hit leads to the same page"
OWN = "it is the article's own publisher"


class Later(Enum):
    """Why a page is not asked for now."""

    SETTLED = "there is nothing more to do"
    RESTING = "it was asked for, and is again when its time comes"


# Records outcomes of fetches and decisions for the quality of domains, in the same transaction as
# the hit's new state: a kill leaves both or neither, and a repeated step finds no hit to record.
Record = Callable[[Aggregates, Sequence[Outcome]], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A page and the hits that lead to it, one of each article."""

    key: str
    url: str
    hits: tuple[CoverageHit, ...]
    title: str
    description: int  # characters that the longest of the articles has itself
    languages: frozenset[str]  # of the articles; "" if unknown


@dataclass(frozen=True, slots=True)
class Fetching:
    """The sixth step."""

    store: Store
    now: Callable[[], datetime]
    extract: Extract
    reputations: Callable[[Sequence[str]], Mapping[str, Reputation]]  # of the domains of addresses
    record: Record
    per_host: int
    patience: timedelta = PATIENCE
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def run(self, fetcher: Fetcher) -> int:
        """How many hits came to have a page that is an article."""
        if not self.per_host:
            return 0
        hosts = await asyncio.to_thread(self._wanted)
        if not hosts:
            return 0
        robots = Robots(self.store, fetcher, self.now)
        visits = PageVisits(fetcher, robots, self.now, self.patience, self.pause)
        visit = _Visit(self, visits)
        return await visits.run(hosts, visit.page) + await visit.unanswered()

    def _wanted(self) -> list[list[Wanted]]:
        """The pages to fetch, host by host; what need not be fetched is settled here."""
        waiting = self.store.coverage.candidates_in(CandidateState.RESOLVED, MOST)
        if not waiting:
            return []
        articles = {
            one.id: one
            for one in self.store.articles.texts(sorted({one.article for one in waiting}))
        }
        reputations = self.reputations(list({one.url for one in waiting}))
        by_key: dict[str, list[CoverageHit]] = {}
        for one in sorted(waiting, key=lambda one: -_worth(one, reputations)):
            by_key.setdefault(canonical(one.url), []).append(one)
        blocked = frozenset(url for url, one in reputations.items() if one.blocked)
        hosts: dict[str, list[Wanted]] = {}
        # A server that could not answer one page is not asked for the next before that one's time.
        resting: set[str] = set()
        for key, those in by_key.items():
            wanted = self._left(key, those, articles, blocked)
            host = shared_host(those[0].url)
            if isinstance(wanted, Wanted):
                hosts.setdefault(host, []).append(wanted)
            elif wanted is Later.RESTING:
                resting.add(host)
        if hosts:
            resting |= self.store.sites.paused_hosts(hosts, self.now())
        return [some[: self.per_host] for host, some in hosts.items() if host not in resting]

    def _left(
        self,
        key: str,
        those: Sequence[CoverageHit],
        articles: Mapping[ArticleId, ArticleText],
        blocked: frozenset[str],
    ) -> Wanted | Later:
        """The page of some hits if it is to be asked for now."""
        hits = self._first_of_each(those, articles)
        if not hits:
            return Later.SETTLED
        url = hits[0].url
        ids = [one.id for one in hits]
        if not is_article(key):
            self._fail(ids, Verdict(FailureKind.EMPTY, "its link leads to no page of its own"), url)
        elif (publisher(url) or source(url)) in SOCIAL:
            self._fail(ids, Verdict(FailureKind.SOCIAL_MEDIA, "social media"), url)
        elif url in blocked:
            self._fail(ids, Verdict(FailureKind.DOMAIN_BLOCKED, "the domain is blocked"), url)
        else:
            known = self.store.coverage.coverage_page(key)
            if known is None or (known.next_at is not None and known.next_at <= self.now()):
                about = [articles[one.article] for one in hits]
                longest = max(len(one.text) for one in about)
                spoken = frozenset(language(one.language) for one in about)
                return Wanted(key, url, tuple(hits), hits[0].hit.title, longest, spoken)
            if known.next_at is not None:
                return Later.RESTING
            # Fetched earlier; its outcome was recorded for the domain then.
            state = CandidateState.FAILED if known.failure else CandidateState.FETCHED
            self.store.coverage.put_fetched(ids, known.id, state, known.problem, self.now())
        return Later.SETTLED

    def _first_of_each(
        self, those: Sequence[CoverageHit], articles: Mapping[ArticleId, ArticleText]
    ) -> list[CoverageHit]:
        """One hit of each article; the others, and those of its own publisher, go no further."""
        kept: dict[ArticleId, CoverageHit] = {}
        for one in those:
            article = articles.get(one.article)
            own = "" if article is None else publisher(f"//{article.source}")
            if one.article in kept or article is None:
                self._leave(one, TWIN)
            elif own and publisher(one.url) == own:
                self._leave(one, OWN)
            else:
                kept[one.article] = one
        return list(kept.values())

    def _leave(self, candidate: CoverageHit, words: str) -> None:
        self.store.coverage.put_fetched(
            [candidate.id], None, CandidateState.LEFT_OUT, words, self.now()
        )

    def _fail(self, ids: Sequence[CandidateId], verdict: Verdict, url: str) -> None:
        """Fail without asking for it."""
        with self.store.write() as unit:
            done = unit.coverage.put_fetched(
                ids, None, CandidateState.FAILED, verdict.words, self.now()
            )
            if done:
                self.record(unit, [Outcome(url, self.now(), verdict.kind)])


def _worth(candidate: CoverageHit, reputations: Mapping[str, Reputation]) -> float:
    return attempt_value(candidate.similarity or 0.0, reputations[candidate.url])


@dataclass(slots=True)
class _Visit:
    """One pass over the hosts."""

    step: Fetching
    visits: PageVisits
    reached: bool = False  # whether any server answered: then our network is there
    # Without an answer, and nobody had answered by then.
    waiting: list[tuple[Wanted, CoveragePage, Reply]] = field(default_factory=list)

    async def page(self, wanted: Wanted) -> int:
        """How many hits have an article now."""
        rules = await self.visits.robots.rules(wanted.url)
        if rules.allow(wanted.url):
            await self.visits.wait(rules)
        now = self.step.now()
        page = await asyncio.to_thread(
            self.step.store.coverage.begin_page,
            wanted.key,
            wanted.url,
            now,
            now + AGAIN_AFTER[0],
        )
        if not rules.allow(wanted.url):
            return await self._settle(wanted, page, refused(rules))
        reply = await self.visits.ask(wanted.url, rules)
        self.reached = self.reached or reply.status > 0
        if reply.failure in UNCERTAIN and not self.reached:
            self.waiting.append((wanted, page, reply))
            self.visits.go_on(reply, rules)
            return 0
        done = await self._settle(wanted, page, await self._read(wanted, reply))
        self.visits.go_on(reply, rules)
        return done

    async def unanswered(self) -> int:
        """As `page`, of those without an answer, once it is known whether any other gave one.

        Judged as they came, it would be by chance whose fault it was: who is asked first.
        """
        done = 0
        for wanted, page, reply in self.waiting:
            done += await self._settle(wanted, page, await self._read(wanted, reply))
        return done

    async def _read(self, wanted: Wanted, reply: Reply) -> Verdict:
        if reply.failure in UNCERTAIN and not self.reached:
            return Verdict(OurFailure.NETWORK, reply.problem or "no answer", passes=True)
        if reply.status and reply.url != wanted.url:
            rules = await self.visits.robots.rules(reply.url)
            if not rules.allow(reply.url):
                return refused(rules)
        verdict = await read_reply(
            self.step.extract, reply, wanted.url, wanted.title, known=wanted.description
        )
        if not verdict.article or "" in wanted.languages:
            return verdict
        if language(detect(verdict.text)) in wanted.languages | {""}:
            return verdict
        return Verdict(FailureKind.WRONG_LANGUAGE, "in another language")

    async def _settle(self, wanted: Wanted, page: CoveragePage, verdict: Verdict) -> int:
        return await asyncio.to_thread(self._put, wanted, page, verdict)

    def _put(self, wanted: Wanted, page: CoveragePage, verdict: Verdict) -> int:
        """The page, the hits that lead to it, and what is told of its publisher: all or nothing."""
        now = self.step.now()
        again = verdict.passes and page.tries <= len(AGAIN_AFTER)
        kept = replace(
            page,
            at=now,
            address=verdict.address or wanted.url,
            title=verdict.title,
            text=verdict.text,
            failure="" if verdict.article else str(verdict.kind or "not asked"),
            problem=verdict.words,
            next_at=now + AGAIN_AFTER[page.tries - 1] if again else None,
        )
        with self.step.store.write() as unit:
            unit.coverage.put_coverage_page(kept)
            if again:
                return 0
            moved = 0
            settled = CandidateState.FETCHED if verdict.article else CandidateState.FAILED
            for one in wanted.hits:
                state, words = settled, verdict.words
                if verdict.article and unit.coverage.twin_of(one.id, kept.address):
                    state, words = CandidateState.LEFT_OUT, TWIN
                moved += unit.coverage.put_fetched([one.id], page.id, state, words, now)
            if moved and isinstance(verdict.kind, FailureKind):
                self.step.record(unit, [Outcome(wanted.url, now, verdict.kind)])
        return moved if verdict.article else 0
