"""Signing in and out, and accepting an invitation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from newsloom.accounts import names, passwords
from newsloom.accounts.pages.hashing_turns import HashingTurns
from newsloom.accounts.service import people, signing_in
from newsloom.kernel.errors import MustWait, NotFound, SignInRefused, UserError
from newsloom.web.auth import (
    INVITED,
    OPENID,
    SIGN_IN,
    AuthServices,
    keep_session,
    members_of,
    origin_of,
    ours,
    visitor_of,
)
from newsloom.web.site import Nobody, Site, theme_of

Text = Annotated[str, Form()]

router = APIRouter()

NO_ACCOUNTS = "Sign-in is off."


@router.get(SIGN_IN, response_model=None)
def form(site: Nobody, request: Request, to: str = "") -> Response:
    if visitor_of(request) is not None:
        return RedirectResponse(ours(to), status_code=303)
    return form_page(site, request, to=to)


@router.post(SIGN_IN, response_model=None)
async def sign_in(
    site: Nobody, request: Request, name: Text = "", password: Text = "", to: Text = ""
) -> Response:
    auth = _auth(request)
    _need_passwords(auth)
    turns: HashingTurns = request.app.state.turns
    try:
        token = await turns.run(
            signing_in.sign_in, auth.accounts, name, password, origin_of(auth, request)
        )
    except SignInRefused as error:
        status = 429 if isinstance(error, MustWait) else 403
        answer = await run_in_threadpool(
            form_page, site, request, to=to, name=name, problem=str(error), status=status
        )
        if isinstance(error, MustWait):
            answer.headers["retry-after"] = str(error.seconds)
        return answer
    return signed_in(auth, request, token, ours(to))


@router.post("/sign-out", response_model=None)
def sign_out(request: Request) -> Response:
    auth, principal = _auth(request), visitor_of(request)
    if principal is not None:
        signing_in.sign_out(auth.accounts, principal)
    answer = RedirectResponse(SIGN_IN, status_code=303)
    keep_session(auth, request, answer, "")
    # Pages that this browser has kept are of who signed out. Storage is of the whole origin: below
    # a path it may be others' too, and the worker clears what is ours.
    below_path = bool(request.scope.get("app_root_path"))
    answer.headers["clear-site-data"] = '"cache"' if below_path else '"cache", "storage"'
    return answer


@router.get(INVITED + "{token}", response_model=None)
def invitation(site: Nobody, request: Request, token: str) -> Response:
    auth = _auth(request)
    if not people.invited(auth.accounts, token):
        raise NotFound(people.OVER)
    return form_page(site, request, invited=token)


@router.post(INVITED + "{token}", response_model=None)
async def accept(
    site: Nobody, request: Request, token: str, name: Text = "", password: Text = ""
) -> Response:
    auth = _auth(request)
    _need_passwords(auth)
    origin = origin_of(auth, request)
    turns: HashingTurns = request.app.state.turns

    def join() -> str:
        made = people.accept(auth.accounts, token, name, password, origin.address)
        return signing_in.open_session(auth.accounts, made.user, origin)

    def again(problem: str) -> Response:
        return form_page(site, request, invited=token, name=name, problem=problem, status=400)

    return await made_here(auth, request, turns, join, again)


async def made_here(
    auth: AuthServices,
    request: Request,
    turns: HashingTurns,
    make: Callable[[], str],
    again: Callable[[str], Response],
    to: str = "/",
) -> Response:
    """An account that is made on a page: signed in at once and led `to` a page, or the form `again`
    with the error."""
    try:
        token = await turns.run(make)
    except NotFound:
        raise
    except UserError as error:
        return await run_in_threadpool(again, str(error))
    return signed_in(auth, request, token, to)


def signed_in(auth: AuthServices, request: Request, token: str, to: str) -> Response:
    answer = RedirectResponse(to, status_code=303)
    keep_session(auth, request, answer, token)
    return answer


def _need_passwords(auth: AuthServices) -> None:
    """Raises UserError where the settings let nobody sign in with one."""
    if not auth.password_sign_in:
        raise UserError("Password sign-in is off. Use the provider.")


def _through(to: str, invited: str) -> str:
    """Where the way to the provider begins."""
    query = urlencode({"invited": invited} if invited else {"to": to} if to != "/" else {})
    return OPENID + ("?" + query if query else "")


def _auth(request: Request) -> AuthServices:
    found = members_of(request)
    if found is None:
        raise NotFound(NO_ACCOUNTS)
    return found


def form_page(
    site: Site,
    request: Request,
    *,
    to: str = "",
    name: str = "",
    invited: str = "",
    problem: str = "",
    status: int = 200,
) -> HTMLResponse:
    auth = members_of(request)
    provider = auth.openid if auth else None
    body = site.fragment(
        "sign_in.html",
        provider=provider.called if provider else "",
        through=_through(ours(to), invited) if provider else "",
        passwords=auth is None or auth.password_sign_in,
        to="" if ours(to) == "/" else to,
        name=name[: names.LONGEST],
        invited=invited,
        problem=problem,
        shortest=passwords.SHORTEST,
        theme=theme_of(request),
    )
    return HTMLResponse(body, status_code=status)
