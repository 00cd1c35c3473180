"""Sharing an article: by link, mail, the system's own way, or to a service that a reader keeps."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote, urlencode, urlsplit

from fastapi import APIRouter, Form, Path, Request
from fastapi.responses import HTMLResponse, Response

from newsloom.kernel.errors import NotFound, UserError
from newsloom.kernel.ids import ArticleId
from newsloom.reading.pages.pages import ArticleNumber
from newsloom.reading.pages.saved_lists import FEEDS
from newsloom.reading.service import saved_lists as lists
from newsloom.reading.values.reading import Order
from newsloom.sharing.service import sharing
from newsloom.sharing.services import SERVICES, service
from newsloom.web import wording
from newsloom.web.list_view import LARGEST_ID, ListView, Page, Show, parse
from newsloom.web.site import Here, Site, bare, go, wants_fragment

PLACE = bare(Page.SHARING)

# The list of what is starred, the newest first, and what its saved list is called.
STARS = ListView(order=Order.NEWEST).to(show=Show.STARRED)
STARS_NAME = "My stars"

Number = Annotated[int, Path(ge=1, le=LARGEST_ID)]
Text = Annotated[str, Form()]

router = APIRouter()


@router.get("/sharing")
def page(site: Here, request: Request) -> HTMLResponse:
    return _page(site, request)


@router.post("/sharing", response_model=None)
async def add(site: Here, request: Request) -> Response:
    typed = {name: str(value) for name, value in (await request.form()).items()}
    kind, name = typed.get("kind", ""), typed.get("called", "")
    try:
        sharing.added(site.reader, kind, name, typed)
    except UserError as error:
        return _page(site, request, problem=str(error), opened=kind, typed=typed, code=400)
    return go(PLACE, "edited")


@router.post("/sharing/{number}/stars")
def stars(site: Here, number: Number, wanted: Text = "") -> Response:
    sharing.save_stars(site.reader, number, wanted=wanted == "yes")
    return go(PLACE, "edited")


@router.post("/sharing/{number}/drop")
def drop(site: Here, number: Number) -> Response:
    sharing.delete(site.reader, number)
    return go(PLACE, "forgotten")


@router.post("/sharing/published")
def publish(site: Here) -> Response:
    """A feed of what is starred, at a secret address; that of the saved list of this name."""
    found = next((one for one in lists.saved(site.reader) if parse(one.place) == STARS), None)
    number = found.id if found else lists.save(site.reader, STARS_NAME, STARS.text)
    lists.set_address(site.reader, number, given=True)
    return go(PLACE, "edited")


@router.post("/sharing/published/end")
def end_publishing(site: Here) -> Response:
    for one in lists.saved(site.reader):
        if parse(one.place) == STARS:
            lists.set_address(site.reader, one.id, given=False)
    return go(PLACE, "edited")


@router.get("/articles/{number}/share")
def share(site: Here, request: Request, number: ArticleNumber, at: str = "") -> HTMLResponse:
    """The ways to share one article: a part of its page, or a page."""
    view = parse(at).listing.open(number)
    article = site.reader.article(ArticleId(number)).listed
    title = wording.title_of(article)
    url = wording.web_address(article.url)
    states = {one.service: one for one in sharing.last(site.reader, ArticleId(number))}
    kept = sharing.share_services(site.reader)
    facts: dict[str, Any] = {
        "number": number,
        "title": title,
        "url": url,
        # RFC 6068: spaces are %20, and not plus.
        "mail": "mailto:?" + urlencode({"subject": title, "body": url}, quote_via=quote),
        "services": [(one, states.get(one.id)) for one in kept],
    }
    if wants_fragment(request):
        return HTMLResponse(site.fragment("_share.html", place=view, **facts))
    return site.page(request, "share.html", view, **facts)


@router.post("/articles/{number}/share", response_model=None)
def save(
    site: Here, request: Request, number: ArticleNumber, service: Text = "", at: Text = ""
) -> Response:
    """Put it into the outbox of a service."""
    if not service.isdecimal() or not 0 < int(service) <= LARGEST_ID:
        raise NotFound(sharing.NONE)
    sharing.save(site.reader, int(service), ArticleId(number))
    if wants_fragment(request):
        return share(site, request, number, at)
    return go(parse(at).listing.open(number), "saving")


def _page(
    site: Site,
    request: Request,
    *,
    problem: str = "",
    opened: str = "",
    typed: dict[str, str] | None = None,
    code: int = 200,
) -> HTMLResponse:
    published = next((one for one in lists.saved(site.reader) if parse(one.place) == STARS), None)
    base = str(request.base_url).rstrip("/")
    token = published.token if published else ""
    services = sharing.share_services(site.reader)
    # Where a service is, as far as it is no secret. A webhook's path often is one.
    return site.page(
        request,
        "sharing.html",
        PLACE,
        status=code,
        problem=problem,
        opened=opened,
        typed=typed or {},
        kinds=SERVICES,
        services=[
            (one, service(one.kind).called, urlsplit(one.given.get("url", "")).hostname or "")
            for one in services
        ],
        named={one.id: one.name for one in services},
        last=sharing.last(site.reader),
        stars_feed=f"{base}{FEEDS}{token}.atom" if token else "",
    )
