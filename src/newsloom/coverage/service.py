"""Related coverage as one reader sees it: a switch, what was found, what they say of it.

Off until the reader switches it on: to search for an article tells the search service, and whoever
reads along, what is read here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from newsloom.coverage.domains import Rule, host_of
from newsloom.coverage.ranking import SHOWN
from newsloom.coverage.store.quality import DomainRecord
from newsloom.coverage.values import (
    CoverageHit,
    CoverageJudgement,
    CoverageSearch,
    CoverageStatus,
    Covered,
    RepeatedSource,
)
from newsloom.feeds.page_failures import FailureKind, Outcome
from newsloom.kernel.errors import NotFound, UserError
from newsloom.kernel.ids import ArticleId, CandidateId
from newsloom.kernel.text import urls
from newsloom.kernel.text.urls import source

if TYPE_CHECKING:
    from newsloom.app.reader import Reader

BY_HAND = "by hand"
MONTH = timedelta(days=30)

# Said wherever it can be switched on.
TOLD = (
    "To find other coverage, Newsloom sends words of the article to online news search. The search "
    "service learns what you read, and your IP address."
)
OFF = "Off: nothing is sent."


@dataclass(frozen=True, slots=True)
class CoverageTerms:
    """What the settings say of it."""

    services: tuple[str, ...] = ()  # hosts that are told
    again_after: timedelta = timedelta(hours=12)  # the same article is not searched for sooner
    offered_after: int = 3
    importance: float = 101.0  # from which on articles are chosen by themselves


@dataclass(frozen=True, slots=True)
class OfArticle:
    """What there is to show beside an article."""

    wanted: bool  # whether the reader has it switched on
    search: CoverageSearch | None  # None: it was not chosen
    covered: tuple[Covered, ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """One reader's. Methods may be called from any thread."""

    reader: Reader

    @property
    def terms(self) -> CoverageTerms:
        """What the settings say of it."""
        return self.reader.coverage_terms()

    def status(self) -> CoverageStatus:
        return self.reader.store.coverage.coverage_status(self.reader.user, self.reader.now())

    def switch(self, *, on: bool) -> bool:
        """Whether anything changed. Off, nothing more is sent; what was found stays.

        Raises SettingsError for search services that cannot be used.
        """
        if on:
            self.reader.coverage_terms()
        user, now = self.reader.user, self.reader.now()
        changed = self.reader.store.coverage.switch_coverage(user, on=on, now=now)
        if changed and on:
            self.reader.on_change()
        return changed

    def find(self, article: ArticleId) -> bool:
        """Have an article searched for with the next pass; whether it was not before.

        Raises UserError while it is off, NotFound for an article that is not the reader's.
        """
        if self.reader.store.coverage.coverage_wanted(self.reader.user) is None:
            raise UserError(f"{OFF} Turn it on first on the Coverage page.")
        if not self.reader.store.duplicates.has(self.reader.user, article):
            raise NotFound(f"There is no article {article} in your feeds.")
        now = self.reader.now()
        begun = self.reader.store.coverage.choose_coverage(
            self.reader.user, [article], BY_HAND, now, again_before=now - self.terms.again_after
        )
        if begun:
            self.reader.on_change()
        return bool(begun)

    def of(self, article: ArticleId) -> OfArticle:
        """What is known of an article; asks nobody."""
        store, user = self.reader.store.coverage, self.reader.user
        wanted = store.coverage_wanted(user) is not None
        search = store.coverage_search(article)
        covered = store.covered(user, article, SHOWN) if search else ()
        return OfArticle(wanted, search, covered)

    def reject(self, candidate: int) -> ArticleId:
        """Say that a report is not of the same: it is hidden, and counts against nobody but as a
        hit about something else. Its article. Raises NotFound."""
        now = self.reader.now()
        with self.reader.store.write() as unit:
            found = unit.coverage.reject_coverage(self.reader.user, CandidateId(candidate), now)
            if found is None:
                raise NotFound("There is no such report, or you already removed it.")
            article, url = found
            if url:
                outcome = Outcome(url, now, FailureKind.LOW_RELEVANCE)
                unit.quality.record_outcomes([outcome], now, self.reader.quality_policy())
        return article

    def offered(self) -> tuple[RepeatedSource, ...]:
        """Publishers found again and again that the reader does not follow."""
        store, user, since = self.reader.store, self.reader.user, self.reader.now() - MONTH
        found = store.coverage.repeated_sources(user, since, self.terms.offered_after)
        if not found:
            return ()
        followed = {
            source(address)
            for one in store.lists.subscriptions(user)
            for address in (one.url, one.site_url)
            if address
        }
        return tuple(one for one in found if one.domain not in followed)

    def recent(self, limit: int) -> Sequence[tuple[CoverageSearch, str, int, int]]:
        """Chosen articles, the last first: title, hits, reports found."""
        return self.reader.store.coverage.coverage_list(self.reader.user, limit)

    def audit(
        self, article: ArticleId
    ) -> tuple[tuple[CoverageHit, tuple[CoverageJudgement, ...]], ...]:
        """Every hit of an article with every decision on it."""
        return tuple(
            (one, self.reader.store.coverage.coverage_judgements(one.id))
            for one in self.reader.store.coverage.candidates(article)
        )


# How far the pages of other publishers can be used for related coverage, and the reader's rules.
# Records are of all readers of this Newsloom: pages are fetched once for all. So are the rules.

# Readers set few by hand; a program that sets more is at fault.
MOST_RULES = 10_000


@dataclass(frozen=True, slots=True)
class SourceQuality:
    """Methods may be called from any thread."""

    reader: Reader

    def all(self) -> tuple[DomainRecord, ...]:
        """Every domain with a record or a rule, those with the most attempts first."""
        reader = self.reader
        return reader.store.quality.domain_records(reader.now(), reader.quality_policy())

    def part(self, most: int, after: int) -> tuple[tuple[DomainRecord, ...], int]:
        """At most so many of them after so many, and how many there are."""
        now, policy = self.reader.now(), self.reader.quality_policy()
        found = self.reader.store.quality.domain_records(now, policy, most=most, after=after)
        return found, self.reader.store.quality.count_domains(now, policy)

    def set_rule(self, domain: str, rule: Rule) -> str:
        """Allow or block a domain, or a host below it; the name it is kept under.

        Raises UserError for what is none.
        """
        name = self._named(domain)
        rules = self.reader.store.quality.domain_rules()
        if name not in rules and len(rules) >= MOST_RULES:
            raise UserError(f"You already have {MOST_RULES:,} rules. Delete some first.")
        self.reader.store.quality.set_domain_rule(name, rule, self.reader.now())
        self.reader.on_change()
        return name

    def forget(self, domain: str) -> str:
        """Forget the rule of a domain and all that was recorded of it; its name."""
        name = self._named(domain)
        self.reader.store.quality.forget_domain(name)
        self.reader.on_change()
        return name

    def _named(self, domain: str) -> str:
        name = host_of(domain)
        if "." not in name or urls.is_suffix(name):
            raise UserError(f"{domain[:60]!r} is not a domain such as example.org.")
        return name
