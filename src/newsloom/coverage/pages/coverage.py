"""Other coverage: the switch and what it sends to whom, searching by hand, rejected reports."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Path, Request
from fastapi.responses import HTMLResponse, Response

from newsloom.coverage.service.coverage import OFF, TOLD
from newsloom.kernel.ids import ArticleId
from newsloom.web import list_view
from newsloom.web.list_view import LARGEST_ID, Page
from newsloom.web.site import Here, bare, go

COVERAGE = bare(Page.COVERAGE)
MOST_SHOWN = 50

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
        recent=mine.recent(MOST_SHOWN),
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
