"""Other reports of an article, as its page shows them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from newsloom.coverage.values import Gate, SearchState
from newsloom.web import wording

if TYPE_CHECKING:
    from newsloom.app.reader import Reader
    from newsloom.coverage.values import CoverageSearch, Covered
    from newsloom.reading.values.reading import FullArticle

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
    """What stands below an article."""

    article: int
    wanted: bool  # whether the reader has it switched on
    reports: tuple[Report, ...]
    words: str  # how the search stands; "" when there is nothing to say
    findable: bool  # whether there is a button to look for it now


def article_coverage(reader: Reader, full: FullArticle, now: datetime) -> ArticleCoverage:
    """Nothing is asked of anyone for it."""
    number = full.listed.id
    known = reader.coverage.of(number)
    waits = known.search is not None and known.search.state in _UNDER_WAY
    return ArticleCoverage(
        article=number,
        wanted=known.wanted,
        reports=tuple(_report(one, now) for one in known.covered[:MOST_SHOWN]),
        words=_words(known.search, bool(known.covered)),
        findable=known.wanted and not waits,
    )


_UNDER_WAY = frozenset({SearchState.CHOSEN, SearchState.PREPARED, SearchState.SEARCHED})


def _words(search: CoverageSearch | None, found: bool) -> str:
    if search is None:
        return ""
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
