"""Sources: who publishes in the feeds, how far each is believed and why, and tiers of one's own."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, Response

from newsloom.importance.service.sources import TIERS
from newsloom.importance.values import TierOrigin
from newsloom.kernel.errors import UserError
from newsloom.web.list_view import LONGEST_TEXT, Page
from newsloom.web.site import Here, Site, bare, go
from newsloom.web.wording import clean

SOURCES = bare(Page.SOURCES)

# The others are found by their name.
MOST_SHOWN = 300

MEANS = {
    1: "wire services, official",
    2: "major established outlets",
    3: "respected niche and industry",
    4: "community and expert blogs",
    5: "unverified",
}
ORIGINS = {
    TierOrigin.READER: "set by you",
    TierOrigin.TABLE: "from the table",
    TierOrigin.RULE: "by a rule",
    TierOrigin.LEARNED: "learned here",
    TierOrigin.UNKNOWN: "unknown",
}

Text = Annotated[str, Form()]

router = APIRouter()


@router.get("/sources")
def sources(site: Here, request: Request, domain: Annotated[str, Query()] = "") -> HTMLResponse:
    return _page(site, request, clean(domain, LONGEST_TEXT))


@router.post("/sources/tier")
def set_tier(site: Here, request: Request, domain: Text = "", tier: Text = "") -> Response:
    """A tier of the reader's own; nothing takes it back."""
    wanted = clean(domain, LONGEST_TEXT)
    try:
        if tier not in {"", *map(str, TIERS)}:
            raise UserError("The tier must be a number from 1 to 5.")
        site.reader.sources.set_tier(wanted, int(tier) if tier else None)
    except UserError as error:
        return _page(site, request, problem=str(error), code=400)
    return go(SOURCES, "edited")


def _page(
    site: Site, request: Request, wanted: str = "", *, problem: str = "", code: int = 200
) -> HTMLResponse:
    known = site.reader.sources
    rated_source = None
    try:
        rated_source = known.source(wanted) if wanted else None
    except UserError as error:
        problem, code = str(error), 400
    found = known.all()
    return site.page(
        request,
        "sources.html",
        SOURCES,
        status=code,
        problem=problem,
        asked=rated_source,
        wanted=wanted,
        found=found[:MOST_SHOWN],
        more=max(len(found) - MOST_SHOWN, 0),
        means=MEANS,
        origins=ORIGINS,
    )
