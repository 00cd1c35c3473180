"""One's own account: password, sessions, app passwords, everything to take along, leaving."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Path, Request
from fastapi.responses import HTMLResponse, Response, StreamingResponse
from starlette.concurrency import run_in_threadpool

from newsloom.accounts import names, passwords
from newsloom.accounts.pages.hashing_turns import HashingTurns
from newsloom.accounts.pages.sign_in import made_here
from newsloom.accounts.service import exporting, identities, people, signing_in
from newsloom.accounts.service.account_service import Principal
from newsloom.feeds.service import subscribing
from newsloom.kernel.errors import MustWait, NotFound, SignInRefused, UserError
from newsloom.web.auth import (
    AuthServices,
    keep_session,
    members_of,
    origin_of,
    visitor_of,
)
from newsloom.web.list_view import LARGEST_ID, Page
from newsloom.web.site import Here, Site, bare, go

ACCOUNT = bare(Page.ACCOUNT)

# What the page shows of an own sign-ins; the administrator's page has those of all.
MOST_SIGN_INS = 20

Text = Annotated[str, Form()]
Number = Annotated[int, Path(ge=1, le=LARGEST_ID)]

router = APIRouter()


@router.get("/account")
def account(site: Here, request: Request) -> HTMLResponse:
    return _page(site, request)


@router.post("/account/first", response_model=None)
async def first(site: Here, request: Request, name: Text = "", password: Text = "") -> Response:
    """The first account, of who reads here; from then on everybody signs in."""
    auth = auth_services(request)
    if not auth.first_here:
        raise UserError("To create the first account, run `newsloom user add NAME` on the server.")
    origin = origin_of(auth, request)

    def make() -> str:
        made = people.first(auth.accounts, name, password, origin.address)
        return signing_in.open_session(auth.accounts, made.user, origin)

    def again(problem: str) -> Response:
        return _page(site, request, problem=problem, code=400)

    return await made_here(auth, request, request.app.state.turns, make, again, "/admin")


@router.post("/account/password", response_model=None)
async def change_password(
    site: Here, request: Request, old: Text = "", new: Text = "", revoke: Text = ""
) -> Response:
    auth, principal = _signed_in(request)
    turns: HashingTurns = request.app.state.turns
    origin = origin_of(auth, request)

    def change() -> str:
        if people.numbered(auth.accounts, principal.user).password_hash:
            token = signing_in.change_password(auth.accounts, principal, old, new, origin)
        else:
            token = identities.set_first_password(auth.accounts, principal, new, origin)
        if revoke == "yes":
            people.revoke_app_passwords(auth.accounts, principal.user)
        return token

    try:
        token = await turns.run(change)
    except UserError as error:
        code = 429 if isinstance(error, MustWait) else 400
        return await run_in_threadpool(_page, site, request, problem=str(error), code=code)
    answer = go(ACCOUNT, "password")
    keep_session(auth, request, answer, token)
    return answer


@router.post("/account/sessions/{number}/end")
def end_session(request: Request, number: Number) -> Response:
    auth, principal = _signed_in(request)
    signing_in.end_session(auth.accounts, principal, number)
    return go(ACCOUNT, "ended")


@router.post("/account/sessions/end")
def end_others(request: Request) -> Response:
    auth, principal = _signed_in(request)
    signing_in.end_others(auth.accounts, principal)
    return go(ACCOUNT, "ended")


@router.post("/account/app-passwords", response_model=None)
def add_app_password(site: Here, request: Request, name: Text = "") -> Response:
    """Shown on this one page, and nowhere again."""
    auth, principal = _signed_in(request)
    mine = people.numbered(auth.accounts, principal.user)
    try:
        made = people.add_app_password(auth.accounts, mine, name)
    except UserError as error:
        return _page(site, request, problem=str(error), code=400)
    return _page(site, request, made=made)


@router.post("/account/app-passwords/{number}/revoke")
def revoke(request: Request, number: Number) -> Response:
    auth, principal = _signed_in(request)
    people.revoke_app_password(auth.accounts, principal.user, number)
    return go(ACCOUNT, "revoked")


@router.get("/account/export")
def export(site: Here, request: Request) -> Response:
    """Everything of who asks, as one file."""
    reader = site.reader
    sounds = request.app.state.briefs.folder
    pieces = exporting.archive(reader.store, reader.user, subscribing.export_opml(reader), sounds)
    kept = {"content-disposition": 'attachment; filename="newsloom.zip"'}
    return StreamingResponse(pieces, media_type="application/zip", headers=kept)


@router.post("/account/remove", response_model=None)
async def remove(site: Here, request: Request, password: Text = "") -> Response:
    """Delete the account and everything of it, once the password is given again, or, where there
    is none, after a sign-in of the last minutes."""
    auth, principal = _signed_in(request)
    turns: HashingTurns = request.app.state.turns
    origin = origin_of(auth, request)

    def leave() -> None:
        mine = people.numbered(auth.accounts, principal.user)
        if mine.password_hash:
            mine = signing_in.checked(auth.accounts, principal.name, password, origin)
        else:
            mine = identities.recent(auth.accounts, principal)
        people.remove(auth.accounts, mine)

    try:
        await turns.run(leave)
    except UserError as error:
        wait = isinstance(error, MustWait)
        wrong = isinstance(error, SignInRefused) and not wait
        words = "Wrong password." if wrong else str(error)
        return await run_in_threadpool(
            _page, site, request, problem=words, code=429 if wait else 400
        )
    request.app.state.sites.forget(principal.user)
    answer = go(bare(Page.LIST))
    keep_session(auth, request, answer, "")
    return answer


def auth_services(request: Request) -> AuthServices:
    """Raises NotFound where there are no accounts."""
    found = members_of(request)
    if found is None:
        raise NotFound("Accounts are turned off.")
    return found


def _signed_in(request: Request) -> tuple[AuthServices, Principal]:
    """Raises NotFound where nobody has an account."""
    auth, principal = auth_services(request), visitor_of(request)
    if principal is None or not principal.name:
        raise NotFound("There are no accounts yet.")
    return auth, principal


def _page(
    site: Site, request: Request, *, problem: str = "", code: int = 200, made: str = ""
) -> HTMLResponse:
    auth, principal = members_of(request), visitor_of(request)
    facts: dict[str, object] = {
        "sessions": (),
        "app_passwords": (),
        "sign_ins": (),
        "identities": (),
        "provider": "",
        "has_password": True,
    }
    if auth is not None and principal is not None and principal.name:
        store = auth.accounts.store.accounts
        facts = {
            "sessions": signing_in.sessions(auth.accounts, principal),
            "app_passwords": store.app_passwords(principal.user),
            "sign_ins": store.sign_ins(MOST_SIGN_INS, principal.user),
            "identities": store.identities_of(principal.user),
            "provider": auth.openid.called if auth.openid else "",
            "has_password": bool(people.numbered(auth.accounts, principal.user).password_hash),
        }
    return site.page(
        request,
        "account.html",
        ACCOUNT,
        status=code,
        problem=problem,
        made=made,
        first_here=auth is not None and auth.first_here,
        shortest=passwords.SHORTEST,
        longest_name=names.LONGEST,
        **facts,
    )
