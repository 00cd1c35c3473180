"""Other coverage: below an article, the page with its switch, and the quality of its sources."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Form, Path, Request
from fastapi.responses import HTMLResponse, Response

from newsloom.app.reader import Reader
from newsloom.coverage.domains import Rule
from newsloom.coverage.service import OFF, TOLD
from newsloom.coverage.values import CoverageSearch, Covered, Gate, SearchState
from newsloom.coverage.wording import BANDS, because, failure_words
from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import ArticleId
from newsloom.reading.values.reading import FullArticle
from newsloom.web import list_view, wording
from newsloom.web.list_view import LARGEST_ID, LONGEST_TEXT, Page
from newsloom.web.site import Here, Site, bare, go
from newsloom.web.wording import clean

COVERAGE = bare(Page.COVERAGE)
SEARCHES_SHOWN = 50

Number = Annotated[int, Path(ge=1, le=LARGEST_ID)]
Text = Annotated[str, Form()]

router = APIRouter()


@router.get("/coverage")
def coverage(site: Here, request: Request) -> HTMLResponse:
    mine = site.reader.coverage
    return site.page(
        request,
        "coverage.html",
        COVERAGE,
        told=TOLD,
        off=OFF,
        terms=mine.terms,
        how=mine.status(),
        offered=mine.offered(),
        recent=mine.recent(SEARCHES_SHOWN),
    )


@router.post("/coverage/switch")
def switch(site: Here, on: Text = "") -> Response:
    site.reader.coverage.switch(on=on == "yes")
    return go(COVERAGE, "coverageon" if on == "yes" else "coverageoff")


@router.post("/articles/{number}/coverage")
def find(site: Here, number: Number, at: Text = "") -> Response:
    article = site.reader.article(ArticleId(number)).listed.id
    begun = site.reader.coverage.find(article)
    return go(list_view.parse(at).listing.open(number), "covering" if begun else "covered")


@router.post("/coverage/{number}/reject")
def reject(site: Here, number: Number, at: Text = "") -> Response:
    article = site.reader.coverage.reject(number)
    there = list_view.parse(at)
    return go(there if there.article else there.listing.open(article), "notthesame")


MOST_SHOWN = 20
LONGEST_SOURCE = 80

# How sure it is that a report is of the same, in words, from the probability on.
_SURE = ((0.9, "very likely the same"), (0.8, "likely the same"), (0.0, "may be the same"))


@dataclass(frozen=True, slots=True)
class Report:
    """One line."""

    candidate: int
    title: str
    source: str
    url: str
    date: str
    datetime: str
    words: str
    unresolved: bool
    reason: str


@dataclass(frozen=True, slots=True)
class ArticleCoverage:
    """Other coverage of an article, as its page shows it."""

    article: int
    wanted: bool  # whether the reader has it switched on
    reports: tuple[Report, ...]
    words: str  # how the search stands; "" when there is nothing to say
    findable: bool  # whether there is a button to look for it now


def article_coverage(reader: Reader, full: FullArticle, now: datetime) -> ArticleCoverage:
    """The coverage that is stored. Starts no search and sends no request."""
    number = full.listed.id
    known = reader.coverage.of(number)
    waits = known.search is not None and known.search.state in _UNDER_WAY
    return ArticleCoverage(
        article=number,
        wanted=known.wanted,
        reports=tuple(_report(one, now) for one in known.covered[:MOST_SHOWN]),
        words=_words(known.search, bool(known.covered)) if known.search else "",
        findable=known.wanted and not waits,
    )


_UNDER_WAY = frozenset({SearchState.CHOSEN, SearchState.PREPARED, SearchState.SEARCHED})


def _words(search: CoverageSearch, found: bool) -> str:
    if search.state in _UNDER_WAY:
        return "Searching …"
    if search.state is SearchState.FAILED:
        return f"Search failed: {wording.clean(search.problem, 200)}"
    return "" if found else "No other coverage found."


def _report(one: Covered, now: datetime) -> Report:
    published = one.published
    return Report(
        candidate=one.candidate,
        title=wording.clean(one.title, wording.TITLE_LENGTH) or "Untitled",
        source=wording.clean(one.source or one.domain, LONGEST_SOURCE),
        url=wording.web_address(one.url),
        date=wording.date_words(published, now.tzinfo) if published else "",
        datetime=published.isoformat() if published else "",
        words=_sureness(one),
        unresolved=one.unresolved,
        reason=wording.clean(one.reason, 200),
    )


def _sureness(one: Covered) -> str:
    if one.unresolved:
        return "by headline only"
    words = next(words for least, words in _SURE if one.sure >= least)
    by = "judged by the language model" if one.gate is Gate.MODEL else "by text"
    return f"{words}, {by}"


QUALITY = bare(Page.QUALITY)

DOMAINS_SHOWN = 100  # domains of a page

RULES = {"allow": Rule.ALLOW, "block": Rule.BLOCK}


@router.get("/quality")
def quality(site: Here, request: Request, after: str = "") -> HTMLResponse:
    """A hundred domains, after so many with more attempts."""
    known = after.isascii() and after.isdigit() and len(after) < 10
    return _quality_page(site, request, after=int(after) if known else 0)


@router.post("/quality")
def set_rule(site: Here, request: Request, domain: Text = "", rule: Text = "") -> Response:
    """Allow or block a domain, or forget what is known of it."""
    wanted = clean(domain, LONGEST_TEXT)
    try:
        if rule == "forget":
            site.reader.quality.forget(wanted)
        elif rule in RULES:
            site.reader.quality.set_rule(wanted, RULES[rule])
        else:
            raise UserError("Choose allow, block or forget.")
    except UserError as error:
        return _quality_page(site, request, problem=str(error), code=400)
    return go(QUALITY, "edited" if rule in RULES else "forgotten")


def _quality_page(
    site: Site, request: Request, *, after: int = 0, problem: str = "", code: int = 200
) -> HTMLResponse:
    found, total = site.reader.quality.part(DOMAINS_SHOWN, after)
    return site.page(
        request,
        "quality.html",
        QUALITY,
        status=code,
        problem=problem,
        found=found,
        after=after,
        shown=DOMAINS_SHOWN,
        total=total,
        bands=BANDS,
        because=because,
        failure_words=failure_words,
    )
