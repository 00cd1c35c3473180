"""Lists under a name: in the sidebar, on a page of their own, and as feeds at secret addresses."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Form, Path, Request
from fastapi.responses import HTMLResponse, Response

from newsloom.app.reader import Reader
from newsloom.kernel.errors import NotFound, UserError
from newsloom.reading.api.shapes import Article
from newsloom.reading.pages.list_feed import FORMATS, ListFeed
from newsloom.reading.service import saved_lists as lists
from newsloom.reading.values.reading import Listed
from newsloom.reading.values.saved_lists import SavedList
from newsloom.web.list_view import LARGEST_ID, LONGEST_TEXT, ListView, Page, parse
from newsloom.web.site import Here, Nobody, Site, Sites, bare, go, today

PLACE = bare(Page.LISTS)
Number = Annotated[int, Path(ge=1, le=LARGEST_ID)]
Text = Annotated[str, Form(max_length=8 * LONGEST_TEXT)]

# Below this, the address is the secret.
FEEDS = "/list-feed/"

# Rows of a feed.
MOST = 100

# Unread articles of one list, beside its name.
MOST_COUNTED = 500

router = APIRouter()


@router.get("/lists")
def page(site: Here, request: Request) -> HTMLResponse:
    return _page(site, request)


@router.get("/lists/counts")
def counts(site: Here) -> HTMLResponse:
    """How many unread articles each of them has, to be put beside its name."""
    shown = [(one, unread_of(site.reader, view_of(one))) for one in lists.saved(site.reader)]
    return HTMLResponse(site.fragment("_list_counts.html", shown=shown, most=MOST_COUNTED))


@router.post("/lists", response_model=None)
def save(site: Here, request: Request, at: Text = "", name: Text = "") -> Response:
    # As it is now and from its top, whenever it is opened; a random order is drawn anew.
    view = parse(at).listing.to(seed=None)
    try:
        lists.save(site.reader, name, view.text)
    except NotFound:
        raise
    except UserError as error:
        return _page(site, request, problem=str(error), code=400)
    return go(view, "edited")


@router.post("/lists/{number}/rename", response_model=None)
def rename(site: Here, request: Request, number: Number, name: Text = "") -> Response:
    try:
        lists.rename(site.reader, number, name)
    except NotFound:
        raise
    except UserError as error:
        return _page(site, request, problem=str(error), code=400)
    return go(PLACE, "edited")


@router.post("/lists/{number}/drop")
def drop(site: Here, number: Number) -> Response:
    lists.delete(site.reader, number)
    return go(PLACE, "forgotten")


@router.post("/lists/{number}/address")
def address(site: Here, number: Number, do: Text = "") -> Response:
    """Create, replace or delete the secret address of the list's feed."""
    lists.set_address(site.reader, number, given=do != "end")
    return go(PLACE, "edited")


@router.get(FEEDS + "{token}.{kind}", response_model=None)
def feed(site: Nobody, request: Request, token: str, kind: str) -> Response:
    """For programs that know the address, which no login guards."""
    found = site.reader.store.users.list_of(token)
    form = next((one for one in FORMATS if one[0] == kind), None)
    sites: Sites = request.app.state.sites
    reader = sites.reader(found[0]) if found else None
    if found is None or form is None or reader is None:
        raise NotFound("There is no feed at this address.")
    _kind, media, written = form
    base = str(request.base_url).rstrip("/")
    made = written(
        ListFeed(
            found[1].name,
            f"{base}{FEEDS}{token}.{kind}",
            base + view_of(found[1]).url,
            [Article.model_validate(one) for one in rows_of(reader, view_of(found[1]))],
            today(reader.now()),
        )
    )
    tag = f'"{hashlib.blake2b(made.encode(), digest_size=8).hexdigest()}"'
    headers = {"etag": tag, "cache-control": "private, max-age=300"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(made, media_type=f"{media}; charset=utf-8", headers=headers)


def view_of(one: SavedList) -> ListView:
    """The list itself."""
    return parse(one.place).listing


def rows_of(reader: Reader, view: ListView) -> tuple[Listed, ...]:
    """Its first rows. None where a search is no longer understood."""
    if not view.words:
        return reader.page(view.query(MOST))
    try:
        return reader.search(view.words, MOST, view.sort, None).rows
    except UserError:
        return ()


def unread_of(reader: Reader, view: ListView) -> int:
    """How many unread articles it has; not counted further than MOST_COUNTED."""
    if not view.words:
        return len(reader.page_ids(replace(view.query(MOST_COUNTED), unread_only=True)))
    try:
        return reader.search(f"{view.words} is:unread", 1, view.sort, None).count
    except UserError:
        return 0


def _page(site: Site, request: Request, *, problem: str = "", code: int = 200) -> HTMLResponse:
    base = str(request.base_url).rstrip("/")
    shown = [(one, view_of(one)) for one in lists.saved(site.reader)]
    kinds = [name for name, _media, _written in FORMATS]
    return site.page(
        request,
        "lists.html",
        PLACE,
        status=code,
        problem=problem,
        shown=shown,
        kinds=kinds,
        base=base,
    )
