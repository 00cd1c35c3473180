"""Threads: narratives over weeks, one of them event by event, and what a reader says of it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from newsloom.kernel.errors import UserError
from newsloom.stories.pages.stories import STANDS, STORIES, Number, Text
from newsloom.stories.service import threads
from newsloom.stories.service.threads import ThreadView
from newsloom.web.list_view import LARGEST_ID
from newsloom.web.site import Here, Site

# Threads that one may be merged with.
OFFERED = 50

router = APIRouter()


@router.get("/threads")
def all_threads(site: Here, request: Request, muted: str = "") -> HTMLResponse:
    return site.page(
        request,
        "threads.html",
        STORIES,
        threads=threads.lines(site.reader, muted=bool(muted)),
        muted=bool(muted),
    )


@router.get("/threads/{number}")
def one_thread(site: Here, request: Request, number: Number) -> Response:
    found = threads.view(site.reader, number)
    if found.line.head.id != number:  # it went into another
        return RedirectResponse(f"/threads/{found.line.head.id}", status_code=307)
    return _page(site, request, found)


@router.get("/threads/{number}/why")
def why(site: Here, request: Request, number: Number) -> HTMLResponse:
    """Every decision about the thread."""
    found = threads.view(site.reader, number)
    return site.page(
        request,
        "thread_why.html",
        STORIES,
        thread=found,
        titles={one.head.id: one.title for one in found.events},
        decisions=threads.decisions(site.reader, number),
    )


@router.post("/threads/{number}/subscription")
def subscribe(site: Here, number: Number, do: Text = "") -> Response:
    if do not in STANDS:
        raise UserError("Choose follow, mute or neither.")
    threads.set_subscription(site.reader, number, STANDS[do])
    return _back(number, "edited")


@router.post("/threads/{number}/split")
def split(
    site: Here,
    request: Request,
    number: Number,
    story: Annotated[list[str] | None, Form()] = None,
) -> Response:
    """Stories that are another thread."""
    chosen = [int(one) for one in story or () if one.isascii() and one.isdigit()][:1_000]
    try:
        threads.split(site.reader, number, chosen)
    except UserError as error:
        return _page(site, request, threads.view(site.reader, number), str(error))
    return _back(number, "parted")


@router.post("/threads/{number}/merge")
def merge(site: Here, request: Request, number: Number, into: Text = "") -> Response:
    """All of it into another thread."""
    try:
        if not into.isascii() or not into.isdigit() or int(into) > LARGEST_ID:
            raise UserError("Use the number of the thread.")
        kept = threads.merge(site.reader, number, int(into))
    except UserError as error:
        return _page(site, request, threads.view(site.reader, number), str(error))
    return _back(kept, "threadsmerged")


@router.post("/threads/undo")
def undo(site: Here, act: Text = "") -> Response:
    """Take back a split or a merge."""
    if not act.isascii() or not act.isdigit() or int(act) > LARGEST_ID:
        raise UserError("Use the number of the correction.")
    return _back(threads.undo(site.reader, int(act)), "undone")


def _back(number: int, did: str) -> Response:
    return RedirectResponse(f"/threads/{int(number)}?did={did}", status_code=303)


def _page(site: Site, request: Request, found: ThreadView, problem: str = "") -> HTMLResponse:
    zone = site.now(request).tzinfo
    days = sorted({one.first.dated.astimezone(zone).date() for one in found.events})
    return site.page(
        request,
        "thread.html",
        STORIES,
        status=400 if problem else 200,
        problem=problem,
        thread=found,
        days=[
            (day, [it for it in found.events if it.first.dated.astimezone(zone).date() == day])
            for day in days
        ],
        others=[one for one in threads.lines(site.reader) if one.head.id != found.line.head.id][
            :OFFERED
        ],
    )
