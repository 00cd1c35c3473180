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
from newsloom.web.site import Nobody, Site, theme_of
from newsloom.web.visiting import (
    INVITED,
    OPENID,
    SIGN_IN,
    Members,
    keep_session,
    members_of,
    ours,
    place_of,
    visitor_of,
)

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
    members = _members(request)
    _need_passwords(members)
    turns: HashingTurns = request.app.state.turns
    try:
        token = await turns.run(
            signing_in.sign_in, members.desk, name, password, place_of(members, request)
        )
    except SignInRefused as error:
        status = 429 if isinstance(error, MustWait) else 403
        answer = await run_in_threadpool(
            form_page, site, request, to=to, name=name, problem=str(error), status=status
        )
        if isinstance(error, MustWait):
            answer.headers["retry-after"] = str(error.seconds)
        return answer
    return signed_in(members, request, token, ours(to))


@router.post("/sign-out", response_model=None)
def sign_out(request: Request) -> Response:
    members, visitor = _members(request), visitor_of(request)
    if visitor is not None:
        signing_in.sign_out(members.desk, visitor)
    answer = RedirectResponse(SIGN_IN, status_code=303)
    keep_session(members, request, answer, "")
    # Pages that this browser has kept are of who signed out. Storage is of the whole origin: below
    # a path it may be others' too, and the worker clears what is ours.
    below_path = bool(request.scope.get("app_root_path"))
    answer.headers["clear-site-data"] = '"cache"' if below_path else '"cache", "storage"'
    return answer


@router.get(INVITED + "{token}", response_model=None)
def invitation(site: Nobody, request: Request, token: str) -> Response:
    members = _members(request)
    if not people.invited(members.desk, token):
        raise NotFound(people.OVER)
    return form_page(site, request, invited=token)


@router.post(INVITED + "{token}", response_model=None)
async def accept(
    site: Nobody, request: Request, token: str, name: Text = "", password: Text = ""
) -> Response:
    members = _members(request)
    _need_passwords(members)
    place = place_of(members, request)
    turns: HashingTurns = request.app.state.turns

    def join() -> str:
        made = people.accept(members.desk, token, name, password, place.address)
        return signing_in.open_session(members.desk, made.user, place)

    def again(problem: str) -> Response:
        return form_page(site, request, invited=token, name=name, problem=problem, status=400)

    return await made_here(members, request, turns, join, again)


async def made_here(
    members: Members,
    request: Request,
    turns: HashingTurns,
    make: Callable[[], str],
    again: Callable[[str], Response],
) -> Response:
    """An account that is made on a page: signed in at once, or the form `again` with the error."""
    try:
        token = await turns.run(make)
    except NotFound:
        raise
    except UserError as error:
        return await run_in_threadpool(again, str(error))
    return signed_in(members, request, token, "/")


def signed_in(members: Members, request: Request, token: str, to: str) -> Response:
    answer = RedirectResponse(to, status_code=303)
    keep_session(members, request, answer, token)
    return answer


def _need_passwords(members: Members) -> None:
    """Raises UserError where the settings let nobody sign in with one."""
    if not members.password_sign_in:
        raise UserError("Password sign-in is off. Use the provider.")


def _through(to: str, invited: str) -> str:
    """Where the way to the provider begins."""
    query = urlencode({"invited": invited} if invited else {"to": to} if to != "/" else {})
    return OPENID + ("?" + query if query else "")


def _members(request: Request) -> Members:
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
    members = members_of(request)
    provider = members.openid if members else None
    body = site.fragment(
        "sign_in.html",
        provider=provider.called if provider else "",
        through=_through(ours(to), invited) if provider else "",
        passwords=members is None or members.password_sign_in,
        to="" if ours(to) == "/" else to,
        name=name[: names.LONGEST],
        invited=invited,
        problem=problem,
        shortest=passwords.SHORTEST,
        theme=theme_of(request),
    )
    return HTMLResponse(body, status_code=status)
