"""Quality of sources: how far the pages of other publishers can be used, and rules about them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response

from newsloom.coverage.domains import Rule
from newsloom.coverage.wording import BANDS, because, failure_words
from newsloom.kernel.errors import UserError
from newsloom.web.list_view import LONGEST_TEXT, Page
from newsloom.web.site import Here, Site, bare, go
from newsloom.web.wording import clean

QUALITY = bare(Page.QUALITY)

SHOWN = 100  # domains of a page

RULES = {"allow": Rule.ALLOW, "block": Rule.BLOCK}

Text = Annotated[str, Form()]

router = APIRouter()


@router.get("/quality")
def quality(site: Here, request: Request, after: str = "") -> HTMLResponse:
    """A hundred domains, after so many with more attempts."""
    known = after.isascii() and after.isdigit() and len(after) < 10
    return _page(site, request, after=int(after) if known else 0)


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
        return _page(site, request, problem=str(error), code=400)
    return go(QUALITY, "edited" if rule in RULES else "forgotten")


def _page(
    site: Site, request: Request, *, after: int = 0, problem: str = "", code: int = 200
) -> HTMLResponse:
    found, total = site.reader.quality.part(SHOWN, after)
    return site.page(
        request,
        "quality.html",
        QUALITY,
        status=code,
        problem=problem,
        found=found,
        after=after,
        shown=SHOWN,
        total=total,
        bands=BANDS,
        because=because,
        failure_words=failure_words,
    )
