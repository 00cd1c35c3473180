"""Other coverage of articles: switched on and off, found, rejected; how usable publishers are."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import Path, Query, status
from pydantic import AliasPath, Field

from newsloom.api.route import router as made
from newsloom.coverage.domains import Rule
from newsloom.coverage.quality import Band
from newsloom.coverage.service import TOLD
from newsloom.coverage.store.quality import DomainRecord
from newsloom.coverage.values import CandidateState, CoverageHit, CoverageJudgement, SearchState
from newsloom.coverage.wording import because
from newsloom.kernel.ids import ArticleId
from newsloom.reading.api.params import ApiModel
from newsloom.reading.api.shapes import Address, Cleaned, Name, Title, digits
from newsloom.web.list_view import LARGEST_ID
from newsloom.web.site import Here

Number = Annotated[int, Path(ge=1, le=LARGEST_ID, description="Article ID.")]
Domain = Annotated[str, Path(max_length=2_000, description="Such as `example.org`.")]
Share = Annotated[float, digits(4)]

router = made("Coverage")


class FoundSource(ApiModel):
    """A publisher found again and again that you do not follow."""

    domain: str = Field(description="Domain.")
    name: Name = Field(description="Name.")
    times: int = Field(description="Times found in 30 days.")


class CoverageState(ApiModel):
    """Whether other coverage is searched for, who learns of it, and what came of it."""

    on: bool = Field(description="Whether it is on.")
    since: datetime | None = Field(description="Start.")
    notice: str = Field(description="What is sent to whom while it is enabled.")
    services: list[str] = Field(description="The search services.")
    importance: float = Field(
        description="Articles of this importance are searched for automatically; over 100: none."
    )
    searches: int = Field(description="Searches of the last hour.")
    waiting: int = Field(description="Waiting articles.")
    articles: int = Field(description="Articles chosen in 30 days.")
    accepted: int = Field(description="Reports found in 30 days.")
    states: dict[str, int] = Field(description="Hits of 30 days by state.")
    offered: list[FoundSource] = Field(description="Suggested publishers.")


class CoverageSwitch(ApiModel):
    """Whether other coverage is to be searched for."""

    on: bool = Field(description="Whether coverage search is enabled.")


class SearchedArticle(ApiModel):
    """An article that was chosen."""

    id: int = Field(description="ID.")
    title: Title = Field(description="Title.")
    chosen: datetime = Field(description="Time.")
    because: str = Field(description="Reason.")
    state: SearchState = Field(description="State of its search.")
    hits: int = Field(description="Number of hits.")
    reports: int = Field(description="Number of reports.")


class SearchedArticles(ApiModel):
    """Articles that were chosen."""

    items: list[SearchedArticle] = Field(description="Newest first.")


class OtherReport(ApiModel):
    """A report of the same elsewhere."""

    id: int = Field(validation_alias="candidate", description="ID.")
    title: Title = Field(description="Title.")
    source: Name = Field(description="Publisher.")
    domain: str = Field(description="The domain of its publisher.")
    url: Address = Field(description="URL.")
    published: datetime | None = Field(description="Publication date.")
    sure: Share = Field(description="Confidence, 0 to 1.")
    unresolved: bool = Field(description="Whether its page could not be read.")
    reason: Cleaned = Field(description="Reason.")


class Judgement(ApiModel):
    """A decision on a hit."""

    at: datetime = Field(description="Time.")
    maker: str = Field(description="What decided.")
    accepted: bool = Field(description="Whether it reports the same event.")
    similarity: Share = Field(description="Similarity of the texts.")
    score: Share = Field(validation_alias=AliasPath("answer", "score"), description="0 to 10.")
    confidence: Share = Field(
        validation_alias=AliasPath("answer", "confidence"), description="Confidence, 0 to 1."
    )
    abstain: bool = Field(
        validation_alias=AliasPath("answer", "abstain"), description="Whether the judge abstained."
    )
    reason: Cleaned = Field(validation_alias=AliasPath("answer", "reason"), description="Reason.")


class SearchHit(ApiModel):
    """A hit of a search."""

    id: int = Field(description="ID.")
    title: Title = Field(description="Title.")
    source: Name = Field(description="Publisher.")
    state: CandidateState = Field(description="State.")
    place: int | None = Field(description="Rank among the hits.")
    similarity: Share | None = Field(description="Similarity of the headlines.")
    problem: Cleaned = Field(description="Error; empty: none.")
    decisions: list[Judgement] = Field(description="Every decision on it.")


class ArticleCoverage(ApiModel):
    """What is known of the other coverage of an article."""

    state: SearchState | None = Field(description="State of the search; null: not chosen.")
    problem: Cleaned = Field(description="Error; empty: none.")
    queries: list[Title] = Field(description="Search query.")
    prepared_by: str = Field(description="What made the queries.")
    reports: list[OtherReport] = Field(description="Reports, by confidence.")
    hits: list[SearchHit] = Field(description="Everything that was found.")


class PublisherQuality(ApiModel):
    """How far the pages of a publisher can be used for other coverage."""

    domain: str = Field(description="Domain.")
    band: Band = Field(description="Treatment.")
    why: str = Field(description="Reason.")
    rule: Rule | None = Field(description="Your rule for it.")
    attempts: int = Field(description="Requested pages.")
    successes: int = Field(description="Usable pages.")
    failures: dict[str, int] = Field(description="The others by kind of failure.")
    hits: int = Field(description="Hits among the results of searches.")
    wilson: Share = Field(description="The lower bound of its share of successes.")
    judged: Share = Field(description="Quality of its texts.")
    last_at: datetime | None = Field(description="Time of the last request to it.")
    blocked_since: datetime | None = Field(description="Start of the block.")
    blocked_until: datetime | None = Field(description="End of the block.")
    times_blocked: int = Field(description="Number of blocks.")
    tries_left: int | None = Field(description="Pages that may be requested on trial.")


class PublisherQualities(ApiModel):
    """Publishers with a record or a rule."""

    items: list[PublisherQuality] = Field(description="By attempts, most first.")


class PublisherRule(ApiModel):
    """What to do with the pages of a publisher."""

    rule: Rule | None = Field(description="Rule; null: delete the rule and the record.")


@router.get("/coverage")
def get_coverage(site: Here) -> CoverageState:
    """Whether coverage search is enabled, and what it sends to whom."""
    mine = site.reader.coverage
    found = mine.status()
    return CoverageState(
        on=found.on,
        since=found.since,
        notice=TOLD,
        services=list(mine.terms.services),
        importance=mine.terms.importance,
        searches=found.searches,
        waiting=found.waiting,
        articles=found.articles,
        accepted=found.accepted,
        states=dict(found.states),
        offered=[FoundSource.model_validate(one) for one in mine.offered()],
    )


@router.put("/coverage")
def switch_coverage(site: Here, wanted: CoverageSwitch) -> CoverageState:
    """Enable or disable coverage search. `notice` says what is sent to whom."""
    site.reader.coverage.switch(on=wanted.on)
    return get_coverage(site)


@router.get("/coverage/articles")
def list_searched_articles(
    site: Here, limit: Annotated[int, Query(ge=1, le=1_000, description="Count.")] = 50
) -> SearchedArticles:
    """Articles with a coverage search."""
    return SearchedArticles(
        items=[
            SearchedArticle(
                id=search.article,
                title=title,
                chosen=search.chosen,
                because=search.because,
                state=search.state,
                hits=hits,
                reports=reports,
            )
            for search, title, hits, reports in site.reader.coverage.recent(limit)
        ]
    )


@router.get("/articles/{number}/coverage")
def get_article_coverage(site: Here, number: Number) -> ArticleCoverage:
    """Other reports of an article found by search, with every hit and decision."""
    article = site.reader.article(ArticleId(number)).listed.id
    known = site.reader.coverage.of(article)
    search, audit = known.search, site.reader.coverage.audit(article) if known.search else ()
    return ArticleCoverage(
        state=search.state if search else None,
        problem=search.problem if search else "",
        queries=list(search.prepared.queries) if search and search.prepared else [],
        prepared_by=search.prepared_by if search else "",
        reports=[OtherReport.model_validate(one) for one in known.covered],
        hits=[_hit(one, decisions) for one, decisions in audit],
    )


@router.post("/articles/{number}/coverage", status_code=status.HTTP_202_ACCEPTED)
def find_article_coverage(site: Here, number: Number) -> ArticleCoverage:
    """Search for other reports of an article with the next pass."""
    site.reader.coverage.find(site.reader.article(ArticleId(number)).listed.id)
    return get_article_coverage(site, number)


@router.delete("/coverage/reports/{number}", status_code=status.HTTP_204_NO_CONTENT)
def reject_report(
    site: Here,
    number: Annotated[int, Path(ge=1, le=LARGEST_ID, description="Report ID.")],
) -> None:
    """Reject a report: it is no longer shown."""
    site.reader.coverage.reject(number)


@router.get("/quality/publishers")
def list_publisher_quality(site: Here) -> PublisherQualities:
    """How usable the pages of publishers are for coverage search. Administrators only."""
    return PublisherQualities(items=[_quality(one) for one in site.reader.quality.all()])


@router.put("/quality/publishers/{domain}", status_code=status.HTTP_204_NO_CONTENT)
def set_publisher_rule(site: Here, domain: Domain, wanted: PublisherRule) -> None:
    """Block a publisher with its subdomains, or always allow it. Administrators only."""
    if wanted.rule is None:
        site.reader.quality.forget(domain)
    else:
        site.reader.quality.set_rule(domain, wanted.rule)


def _hit(one: CoverageHit, decisions: tuple[CoverageJudgement, ...]) -> SearchHit:
    return SearchHit(
        id=one.id,
        title=one.hit.title,
        source=one.hit.source,
        state=one.state,
        place=one.place,
        similarity=one.similarity,
        problem=one.problem,
        decisions=[Judgement.model_validate(each) for each in decisions],
    )


def _quality(one: DomainRecord) -> PublisherQuality:
    reputation = one.reputation
    block = reputation.block
    return PublisherQuality(
        domain=reputation.domain,
        band=reputation.band,
        why=because(reputation),
        rule=reputation.rule,
        attempts=one.attempts,
        successes=one.successes,
        failures={kind.value: times for kind, times in one.failures.items()},
        hits=one.hits,
        wilson=reputation.wilson,
        judged=reputation.judged,
        last_at=one.last_at,
        blocked_since=block.since if block else None,
        blocked_until=block.until if block else None,
        times_blocked=block.times if block else 0,
        tries_left=reputation.tries_left,
    )
