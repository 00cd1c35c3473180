"""The web application: doors, routes and errors put together. Decides nothing about articles."""

from __future__ import annotations

from collections.abc import Callable, Collection
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.types import Scope

from newsloom.digest.links import LEAVE
from newsloom.errors import NewsloomError, NotFound, StoreBusy, StoreFull, UserError
from newsloom.reader import Reader
from newsloom.text.websub import PATH, callback_host
from newsloom.web import (
    coverage,
    digests,
    feeds,
    health,
    icons,
    interests,
    marks,
    model,
    pages,
    pulse,
    push,
    related,
    source_quality,
    sources,
    stories,
    story_news,
)
from newsloom.web.security import PAGE_HEADERS, Guard
from newsloom.web.site import STATIC, Site, Toast, theme_of, wants_fragment

# Error to HTTP status, the most particular first.
STATUS: tuple[tuple[type[NewsloomError], int], ...] = (
    (NotFound, 404),
    (UserError, 400),
    (StoreBusy, 503),
    (StoreFull, 507),
    (NewsloomError, 500),
)

NOT_FOUND = "There is nothing at this address."
NOT_UNDERSTOOD = "That request could not be understood."
OUR_FAULT = "Newsloom could not do this. The terminal it runs in shows what went wrong."


class KeptStatic(StaticFiles):
    """Static files whose addresses carry their content's hash: a browser may keep them."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if response.status_code == HTTPStatus.OK:
            stamped = b"v=" in scope.get("query_string", b"")
            keep = "public, max-age=31536000, immutable" if stamped else "no-cache"
            response.headers["cache-control"] = keep
        return response


# Every route there is; the first that matches answers.
ROOMS = (
    pages,
    related,
    pulse,
    marks,
    digests,
    coverage,
    stories,
    story_news,
    feeds,
    interests,
    health,
    sources,
    source_quality,
    icons,
    model,
    push,
)


def create_app(
    reader: Reader, *, hosts: Collection[str] = (), hubs: push.HubDoor | None = None
) -> FastAPI:
    """The pages of one reader. `hosts` are names it is reached by, beside loopback and numbers.

    `hubs` is what hubs may reach, under a name of their own; None: nothing.
    """
    site = Site(reader)
    app = FastAPI(title="Newsloom", docs_url=None, redoc_url=None, openapi_url=None)
    app.state.site = site
    app.state.hubs = hubs
    for room in ROOMS:
        app.include_router(room.router)
    app.mount("/static", KeptStatic(directory=STATIC), name="static")
    _answer_errors(app, site)
    called = callback_host(hubs.callback.terms.base) if hubs else ""
    app.add_middleware(Guard, hosts=hosts, hub_host=called, hub_path=PATH, token_path=LEAVE)
    return app


def _answer_errors(app: FastAPI, site: Site) -> None:
    def known(request: Request, error: Exception) -> Response:
        status = next(status for kind, status in STATUS if isinstance(error, kind))
        return _answer(site, request, status, str(error))

    def unreadable(request: Request, error: Exception) -> Response:
        lost = isinstance(error, RequestValidationError) and any(
            one["loc"][0] == "path" for one in error.errors()
        )
        return _answer(site, request, 404 if lost else 400, NOT_FOUND if lost else NOT_UNDERSTOOD)

    def refused(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        words = {404: NOT_FOUND, 405: "This page cannot be used like that."}
        return _answer(site, request, status, words.get(status, NOT_UNDERSTOOD))

    def broken(request: Request, _error: Exception) -> Response:
        # This one is answered outside the guard, which puts the headers on all others.
        answer = _answer(site, request, 500, OUR_FAULT)
        answer.headers.update(PAGE_HEADERS)
        return answer

    handlers: tuple[tuple[type[Exception], Callable[[Request, Exception], Response]], ...] = (
        (NewsloomError, known),
        (RequestValidationError, unreadable),
        (HTTPException, refused),
        (Exception, broken),
    )
    for kind, handler in handlers:
        app.add_exception_handler(kind, handler)


def _answer(site: Site, request: Request, status: int, words: str) -> Response:
    """An error in plain words: as a page, as a toast for htmx, as JSON for programs.

    The page stands alone: the feeds beside a usual page may be what could not be had.
    """
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": words}, status_code=status)
    if request.url.path == "/pulse":
        return Response(status_code=status)  # nobody waits for it
    if wants_fragment(request):
        return HTMLResponse(
            site.fragment("_toast_words.html", toast=Toast(words, bad=True), place=None),
            status_code=status,
            headers={"hx-retarget": "#toast", "hx-reswap": "innerHTML"},
        )
    heading = {404: "Not found", 503: "Busy", 507: "The disk is full"}.get(status, "That failed")
    page = site.fragment("error.html", heading=heading, words=words, theme=theme_of(request))
    headers = {"retry-after": "5"} if status == HTTPStatus.SERVICE_UNAVAILABLE else None
    return HTMLResponse(page, status_code=status, headers=headers)
