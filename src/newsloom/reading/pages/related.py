"""Related articles: a part of the page of an article, a page for browsers without scripts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from newsloom.kernel.ids import ArticleId
from newsloom.kernel.text.ages import age_words
from newsloom.reading.pages.pages import ArticleNumber
from newsloom.reading.service.related import FAR, NEAR, RelatedNews, related
from newsloom.web.list_view import parse
from newsloom.web.site import Here, wants_fragment
from newsloom.web.wording import clean, count_words, date_words, title_of

router = APIRouter()

Days = Annotated[int, Query(ge=1, le=FAR.days)]


@dataclass(frozen=True, slots=True)
class Row:
    """A related article as the page shows it."""

    id: int
    title: str
    source: str
    feed: str
    age: str
    date: str
    datetime: str
    read: bool
    copies: str  # "and 2 other reports"; empty: none


@router.get("/articles/{number}/related")
def related_articles(
    site: Here, request: Request, number: ArticleNumber, at: str = "", days: Days = NEAR.days
) -> HTMLResponse:
    """A part of the page of an article; by itself where there are no scripts."""
    article, now = ArticleId(number), site.now(request)
    view = parse(at).listing.open(number)
    here = view.open_url(number, "/related")
    found = related(site.reader, article, timedelta(days=days))
    facts: dict[str, Any] = {
        "rows": [_row(one, now) for one in found],
        "days": days,
        "near": NEAR.days,
        "older": "" if days >= FAR.days else f"{here}{'&' if '?' in here else '?'}days={FAR.days}",
    }
    if wants_fragment(request):
        return HTMLResponse(site.fragment("_nearest.html", place=view, **facts))
    title = title_of(site.reader.article(article).listed)
    return site.page(request, "nearest.html", view, title=title, **facts)


def _row(one: RelatedNews, now: datetime) -> Row:
    listed = one.listed
    return Row(
        id=listed.id,
        title=title_of(listed),
        source=clean(listed.source, 120),
        feed=clean(listed.feed_title, 120),
        age=age_words(now - listed.dated),
        date=date_words(listed.dated, now.tzinfo),
        datetime=listed.dated.isoformat(timespec="minutes"),
        read=listed.state.read,
        copies=f"and {count_words(one.copies, 'other report')}" if one.copies else "",
    )
