"""What an open page asks from time to time: how far things are, what came, which scores changed.

Changes nothing. Without JavaScript nobody asks; a page that is loaded again has all of it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response

from newsloom.feeds.pages.refreshing import Fetching
from newsloom.kernel.ids import ArticleId
from newsloom.reading.pages.marking import HowFar
from newsloom.web import view
from newsloom.web.list_view import LARGEST_ID, MOST_ROWS, PAGE_SIZE, ListView, Page, parse
from newsloom.web.site import Here, Site
from newsloom.web.templating import MOST_COUNTED
from newsloom.web.view import Row

Text = Annotated[str, Form()]

router = APIRouter()


@router.post("/pulse")
def pulse(
    site: Here,
    request: Request,
    at: Text = "",
    shown: Text = "",
    fetching: Text = "",
    marking: Text = "",
) -> Response:
    """`shown`: the rows of the page with the score each shows, as 12:40,13:29. `fetching`,
    `marking`: whether the page shows how far the one or the other is."""
    view = parse(at)
    arrived = 0  # rows of the list that came since it was shown
    if view.page is Page.LIST and view.as_of is not None:
        arrived = site.reader.arrived(view.query(), view.as_of.arrival, MOST_COUNTED)
    empty = view.page is Page.LIST and not shown and view.after is None
    if (arrived and empty) or (marking and site.marking.how_far == HowFar()):
        return Response(headers={"hx-refresh": "true"})
    chrome = site.chrome()
    news = site.news(chrome)
    if not fetching:  # what was not there when the page was made would push the rest down
        news = replace(news, fetching=Fetching())
    news = replace(
        news,
        fetched=bool(fetching) and not news.fetching.under_way,
        arrived=arrived,
        fresh=view.to(),
    )
    return HTMLResponse(
        site.fragment(
            "_pulse.html",
            place=view,
            news=news,
            rows=_changed(site, request, view, shown),
            **vars(chrome),
        )
    )


def _changed(site: Site, request: Request, list_view: ListView, shown: str) -> list[Row]:
    """The rows that show another score than they have."""
    pairs = [_pair(one) for one in shown.split(",")[: 2 * MOST_ROWS]]
    scores = {article: score for article, score in pairs if article}
    now = site.now(request)
    query = list_view.listing.query(PAGE_SIZE) if list_view.page is not Page.ARTICLE else None
    found = site.reader.listed([ArticleId(one) for one in scores], query)
    rows = [view.row(one, now) for one in found]
    return [one for one in rows if one.score != scores[one.id]]


def _pair(text: str) -> tuple[int, int]:
    article, _, score = text.partition(":")
    if not (article.isascii() and article.isdigit() and score.isascii() and score.isdigit()):
        return 0, 0
    if len(article) > 19 or len(score) > 3 or int(article) > LARGEST_ID:
        return 0, 0
    return int(article), int(score)
