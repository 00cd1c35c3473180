"""The web application: doors, routes and errors put together. Decides nothing about articles."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.routing import Route
from starlette.types import ASGIApp, Scope

from newsloom.accounts.pages import account, admin, keys, openid, preferences, sign_in
from newsloom.accounts.pages.hashing_turns import HashingTurns
from newsloom.api import document as api
from newsloom.api.pace import Pace
from newsloom.app.reader import Reader
from newsloom.briefs.pages import briefs, notifications, podcast
from newsloom.briefs.pages import settings as brief_settings
from newsloom.briefs.pages.actions import BriefActions
from newsloom.coverage import pages as coverage
from newsloom.digests import pages as digests
from newsloom.digests.links import LEAVE
from newsloom.engines import pages as jobs
from newsloom.feeds.pages import beginning, feeds, health, managing, pictures, push
from newsloom.feeds.websub import PATH, callback_host
from newsloom.importance import pages as sources
from newsloom.kernel.errors import OUR_FAULT, ErrorReply, NewsloomError
from newsloom.ranking.pages import about_you
from newsloom.reading.pages import added, late_marks, marks, pages, pulse, related, saved_lists
from newsloom.rules import pages as rules
from newsloom.sharing import pages as sharing
from newsloom.stories.pages import stories, threads
from newsloom.web import installed, live, operations
from newsloom.web.api_access import is_api
from newsloom.web.auth import AuthMiddleware, AuthServices, audience_of, logged_reply
from newsloom.web.change_listener import NO_LISTENER, ChangeListener
from newsloom.web.compression import Compressed
from newsloom.web.metrics import Counted, Metrics
from newsloom.web.problems import Wrong, problem
from newsloom.web.proxies import NONE_BEFORE, Forwarded, Proxies, UnderPath
from newsloom.web.request_bodies import RequestBodies
from newsloom.web.security import Guard, SecurityHeaders, page_headers
from newsloom.web.site import Site, Sites, theme_of, wants_fragment
from newsloom.web.static_files import StaticFiles
from newsloom.web.templating import STATIC, environment
from newsloom.web.toasts import Toast

UNSPOKEN = BriefActions()
DIRECT = pictures.ShownPictures()  # browsers ask the sites

NOT_FOUND = "This page does not exist."
NOT_UNDERSTOOD = "The request is invalid."

# Every route there is; the first that matches answers.
ROOMS = (
    pages,
    related,
    pulse,
    live,
    marks,
    late_marks,
    installed,
    digests,
    notifications,
    brief_settings,
    briefs,
    podcast,
    coverage,
    stories,
    threads,
    beginning,
    managing,
    feeds,
    about_you,
    keys,
    health,
    sources,
    pictures,
    preferences,
    saved_lists,
    sharing,
    added,
    rules,
    push,
    sign_in,
    openid,
    account,
    admin,
    jobs,
    operations,
    *api.ROOMS,
    api,
)

# Pages that are part of others now, for bookmarks and links.
MOVED = {"/interests": "/you", "/model": "/you"}


def create_app(
    reader: Reader,
    *,
    hosts: Collection[str] = (),
    hubs: push.HubDoor | None = None,
    auth: AuthServices | None = None,
    proxies: Proxies = NONE_BEFORE,
    metrics: Metrics | None = None,
    beside: Sequence[Callable[[ASGIApp], ASGIApp]] = (),
    shown_pictures: pictures.ShownPictures = DIRECT,
    spoken: BriefActions = UNSPOKEN,
    changes: ChangeListener = NO_LISTENER,
    among: Callable[[], int] = lambda: 1,
) -> FastAPI:
    """The pages. `hosts` are names they are reached by, beside loopback and numbers.

    `reader` is who reads while there are no accounts. `auth` is what is known of accounts; None:
    there are none, and nobody signs in. `hubs` is what hubs may reach, under a name of their own;
    None: nothing. `metrics` is what is told of how Newsloom does, and to whom; None: to nobody.
    `beside` is what answers addresses of its own, before the guard of the pages. `spoken` is what
    makes briefs, and where their sound is. `changes` hears of changes made in other processes;
    without, the database is looked at. `among` is how many processes serve these pages.
    """
    site = Site(reader, environment(proxies.path, shown_pictures.thumbnail))
    app = FastAPI(title="Newsloom", docs_url=None, redoc_url=None, openapi_url=None)
    app.state.sites = Sites(site, auth.reader_of if auth else lambda _user: reader)
    app.state.members = auth
    app.state.turns = HashingTurns()
    app.state.hubs = hubs
    app.state.metrics = metrics
    app.state.pace = Pace(among=among)
    app.state.live = live.Live(lambda: reader.store.database.commits(), auth, changes)
    app.state.pictures = shown_pictures
    app.state.briefs = spoken
    for room in ROOMS:
        # As they are: `include_router` makes each route anew, for what no room here asks of it (a
        # prefix, dependencies of the app), and took the first request a seventh of a second.
        app.router.routes.extend(room.router.routes)
    for route in app.routes:
        # FastAPI answers HEAD with 405. Left out: the stream, which has no end, and the API, whose
        # document would have each operation twice.
        if isinstance(route, APIRoute) and route.path != "/events" and not is_api(route.path):
            methods = route.methods or set()
            route.methods = methods | {"HEAD"} if "GET" in methods else methods
    app.router.routes.extend(Route(old, partial(_moved, new)) for old, new in MOVED.items())
    app.mount("/static", StaticFiles(STATIC), name="static")
    headers = page_headers(shown_pictures.sources)
    _answer_errors(app, site, headers)
    called = callback_host(hubs.callback.terms.base) if hubs else ""
    out = site.fragment("signed_out.html", theme="auto")
    app.add_middleware(
        AuthMiddleware,
        auth=auth,
        proxies=proxies,
        signed_out=out,
        error_page=partial(_error_page, site, "auto"),
    )
    app.add_middleware(Guard, hosts=hosts, hub_host=called, hub_path=PATH, token_path=LEAVE)
    for one in beside:
        app.add_middleware(one)
    app.add_middleware(RequestBodies, refused=partial(_refuse_body, site))
    app.add_middleware(SecurityHeaders, headers=headers)
    app.add_middleware(Compressed)
    if metrics is not None:
        app.add_middleware(Counted, requests=metrics.requests)
    if proxies.path:
        app.add_middleware(UnderPath, path=proxies.path)
    if proxies.trusted:
        app.add_middleware(Forwarded, trusted=proxies.trusted)
    return app


def _answer_errors(app: FastAPI, site: Site, headers: Mapping[str, str]) -> None:
    def known(request: Request, error: Exception) -> Response:
        reply = logged_reply(error, audience_of(getattr(request.state, "visitor", None)))
        return _answer(site, request, reply.status, reply.message, reply.headers)

    def unreadable(request: Request, error: Exception) -> Response:
        lost = isinstance(error, RequestValidationError) and any(
            one["loc"][0] == "path" for one in error.errors()
        )
        status, words = (404, NOT_FOUND) if lost else (400, NOT_UNDERSTOOD)
        if is_api(request.url.path) and isinstance(error, RequestValidationError):
            return problem(
                status,
                words,
                [
                    Wrong(where=".".join(map(str, one["loc"])), what=str(one["msg"]))
                    for one in error.errors()
                ],
            )
        return _answer(site, request, status, words)

    def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        words = {404: NOT_FOUND, 405: "This method is not allowed here."}
        said = words.get(error.status_code, NOT_UNDERSTOOD)
        return _answer(site, request, error.status_code, said, error.headers)

    def broken(request: Request, _error: Exception) -> Response:
        # Starlette answers this one outside of all middlewares.
        answer = _answer(site, request, 500, OUR_FAULT)
        answer.headers.update(headers)
        return answer

    handlers: tuple[tuple[type[Exception], Callable[[Request, Exception], Response]], ...] = (
        (NewsloomError, known),
        (RequestValidationError, unreadable),
        (HTTPException, refused),
        (Exception, broken),
    )
    for kind, handler in handlers:
        app.add_exception_handler(kind, handler)


async def _moved(to: str, _request: Request) -> Response:
    return RedirectResponse(to, status_code=301)


def _refuse_body(site: Site, scope: Scope, status: int, words: str) -> Response:
    return _answer(site, Request(scope), status, words)


def _error_page(site: Site, theme: str, reply: ErrorReply) -> str:
    """An error as a page of its own: the feeds beside a usual page may be what could not be had."""
    headings = {403: "Administrators only", 404: "Not found", 503: "Busy", 507: "Disk full"}
    heading = headings.get(reply.status, "Something went wrong")
    return site.fragment("error.html", heading=heading, words=reply.message, theme=theme)


def _answer(
    site: Site, request: Request, status: int, words: str, headers: Mapping[str, str] | None = None
) -> Response:
    """An error in plain words: as a page, as a toast for htmx, as problem details for programs."""
    if is_api(request.url.path):
        return problem(status, words, headers=headers)
    if request.url.path == "/pulse":
        return Response(status_code=status)  # nobody waits for it
    if wants_fragment(request):
        return HTMLResponse(
            site.fragment("_toast_words.html", toast=Toast(words, bad=True), place=None),
            status_code=status,
            headers={"hx-retarget": "#toast", "hx-reswap": "innerHTML", **(headers or {})},
        )
    page = _error_page(site, theme_of(request), ErrorReply(status, words))
    return HTMLResponse(page, status_code=status, headers=headers)
