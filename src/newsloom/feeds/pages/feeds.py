"""Following: feeds, their names and categories, OPML in and out."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Path, Request, UploadFile
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response

from newsloom.feeds.pages import feed_table
from newsloom.feeds.pages.refreshing import waits
from newsloom.feeds.service import arranging, subscribing
from newsloom.feeds.service.subscribing import with_passwords
from newsloom.kernel.errors import ParseError, UserError
from newsloom.kernel.ids import FeedId
from newsloom.reading.values.results import Imported
from newsloom.web import list_view
from newsloom.web.list_view import LARGEST_ID, LONGEST_TEXT, ListView, Page
from newsloom.web.site import Here, Site, bare, go
from newsloom.web.toasts import Toast
from newsloom.web.wording import clean

FEEDS = bare(Page.FEEDS)

LONGEST_ADDRESS = 4_000

# So many are seen without unfolding their categories in the sidebar.
FEW = 30
# At an address that changes with the feeds; to sign out drops it.
KEPT = "private, max-age=31536000, immutable"

Number = Annotated[int, Path(ge=1, le=LARGEST_ID)]
Text = Annotated[str, Form()]


router = APIRouter()


@router.get("/feeds")
def feeds(site: Here, request: Request) -> HTMLResponse:
    return feeds_page(site, request)


@router.get("/feeds/beside")
def beside(site: Here, request: Request, v: str = "") -> Response:
    """The feeds of the sidebar, which a browser keeps until a page names another version."""
    chrome = site.chrome()
    shown = site.part(
        request,
        "_tree.html",
        ListView(),
        categories=chrome.categories,
        few=len(chrome.subscriptions) <= FEW,
    )
    shown.headers["cache-control"] = KEPT if v == chrome.tree else "private, no-cache"
    return shown


@router.post("/feeds")
async def add(site: Here, request: Request, url: Text = "", category: Text = "") -> Response:
    address = clean(url, LONGEST_ADDRESS)
    try:
        if not address:
            raise UserError("Paste the URL of a feed or of a page that has one.")
        added = await subscribing.add(site.reader, address, clean(category, LONGEST_TEXT))
    except UserError as error:
        return await run_in_threadpool(
            feeds_page, site, request, typed=address, problem=str(error), code=400
        )
    if added.choices:
        toast = Toast(
            f"You now follow {added.title}." if added.new else "You already follow this feed."
        )
        return await run_in_threadpool(
            feeds_page, site, request, choices=added.choices, toast=toast
        )
    return go(FEEDS, "added" if added.new else "known")


@router.post("/feeds/refresh")
def refresh_all(site: Here) -> Response:
    now = site.reader.now()
    found = site.reader.feeds.refresh_all()
    site.refreshes.note(found.feeds, now)
    if not found.asked:
        return go(FEEDS, "askednone")
    return go(FEEDS, "askedsome" if found.held else "askedall", found.asked)


@router.post("/feeds/import")
async def import_opml(site: Here, request: Request, file: UploadFile, at: Text = "") -> Response:
    try:
        done = await subscribing.import_list(site.reader, await file.read())
    except (ParseError, UserError) as error:
        return await run_in_threadpool(feeds_page, site, request, problem=str(error), code=400)
    if done.left_out:
        return await run_in_threadpool(feeds_page, site, request, imported=done)
    return go(list_view.parse(at) if at else FEEDS, "imported", done.new)


@router.get("/feeds/export")
def export_opml(site: Here, passwords: str = "") -> Response:
    return Response(
        subscribing.export_opml(site.reader, passwords=passwords == "yes"),
        media_type="text/x-opml",
        headers={"content-disposition": 'attachment; filename="newsloom.opml"'},
    )


@router.post("/feeds/{number}/edit")
def edit(
    site: Here, number: Number, title: Text = "", category: Text = "", at: Text = ""
) -> Response:
    site.reader.edit(
        FeedId(number),
        title=clean(title, LONGEST_TEXT),
        category=clean(category, LONGEST_TEXT),
    )
    return go(list_view.parse(at) if at else FEEDS, "edited")


@router.post("/feeds/{number}/remove")
def remove(site: Here, number: Number) -> Response:
    site.reader.unsubscribe(FeedId(number))
    return go(FEEDS, "removed", number)


@router.post("/feeds/{number}/return")
def follow_again(site: Here, number: Number) -> Response:
    site.reader.follow_again(FeedId(number))
    return go(FEEDS, "returned")


def feeds_page(
    site: Site,
    request: Request,
    *,
    typed: str = "",
    problem: str = "",
    choices: tuple[tuple[str, str], ...] = (),
    imported: Imported | None = None,
    toast: Toast | None = None,
    code: int = 200,
) -> HTMLResponse:
    reader = site.reader
    subscriptions, now = reader.subscriptions(), reader.now()
    figures = reader.store.lists.feed_figures(reader.user, now - feed_table.COUNTED, now)
    known = reader.feeds.conditions()
    shelves = arranging.shelves(reader, subscriptions)
    how = feed_table.parse_query(request.query_params)
    lines = feed_table.lines(subscriptions, figures, {one.feed.feed_id: one for one in known})
    would = reader.feeds.would_refresh(known)
    return site.page(
        request,
        "feeds.html",
        FEEDS,
        status=code,
        typed=typed,
        problem=problem,
        protected=with_passwords(reader),
        choices=choices,
        imported=imported,
        toast=toast,
        left=reader.store.reading.left(reader.user, now),
        how=how,
        sorts=feed_table.SORTS,
        sections=feed_table.sections(shelves, lines, how),
        shelves=[one for one in shelves if one.name],
        placed=any(one.place for one in subscriptions),
        would=would,
        waits=waits(would.held),
        asked=site.refreshes.progress(subscriptions, now),
    )


@router.get("/feeds/asked")
def manual_refresh(site: Here) -> HTMLResponse:
    """How far the feeds are that were asked for by hand: a part of the page of feeds."""
    reader = site.reader
    progress = site.refreshes.progress(reader.subscriptions(), reader.now())
    return HTMLResponse(site.fragment("_asked.html", asked=progress))
