"""One's own account: password, sessions, app passwords, everything to take along, leaving."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Path, Request
from fastapi.responses import HTMLResponse, Response
from starlette.concurrency import run_in_threadpool

from newsloom.accounts import names, passwords
from newsloom.accounts.pages.hashing_turns import HashingTurns
from newsloom.accounts.pages.sign_in import made_here
from newsloom.accounts.service import exporting, identities, people, signing_in
from newsloom.accounts.service.desk import Visitor
from newsloom.kernel.errors import MustWait, NotFound, SignInRefused, UserError
from newsloom.web.list_view import LARGEST_ID, Page
from newsloom.web.site import Here, Site, bare, go
from newsloom.web.visiting import (
    Members,
    keep_session,
    members_of,
    place_of,
    visitor_of,
)

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
    members = _members(request)
    if not members.first_here:
        raise UserError("To create the first account, run `newsloom user add NAME` on the server.")
    place = place_of(members, request)

    def make() -> str:
        made = people.first(members.desk, name, password, place.address)
        return signing_in.open_session(members.desk, made.user, place)

    def again(problem: str) -> Response:
        return _page(site, request, problem=problem, code=400)

    return await made_here(members, request, request.app.state.turns, make, again)


@router.post("/account/password", response_model=None)
async def change_password(
    site: Here, request: Request, old: Text = "", new: Text = "", revoke: Text = ""
) -> Response:
    members, visitor = _signed_in(request)
    turns: HashingTurns = request.app.state.turns
    place = place_of(members, request)

    def change() -> str:
        if people.numbered(members.desk, visitor.user).password_hash:
            token = signing_in.change_password(members.desk, visitor, old, new, place)
        else:
            token = identities.set_first_password(members.desk, visitor, new, place)
        if revoke == "yes":
            people.revoke_app_passwords(members.desk, visitor.user)
        return token

    try:
        token = await turns.run(change)
    except UserError as error:
        code = 429 if isinstance(error, MustWait) else 400
        return await run_in_threadpool(_page, site, request, problem=str(error), code=code)
    answer = go(ACCOUNT, "password")
    keep_session(members, request, answer, token)
    return answer


@router.post("/account/sessions/{number}/end")
def end_session(request: Request, number: Number) -> Response:
    members, visitor = _signed_in(request)
    signing_in.end_session(members.desk, visitor, number)
    return go(ACCOUNT, "ended")


@router.post("/account/sessions/end")
def end_others(request: Request) -> Response:
    members, visitor = _signed_in(request)
    signing_in.end_others(members.desk, visitor)
    return go(ACCOUNT, "ended")


@router.post("/account/app-passwords", response_model=None)
def add_app_password(site: Here, request: Request, name: Text = "") -> Response:
    """Shown on this one page, and nowhere again."""
    members, visitor = _signed_in(request)
    mine = people.numbered(members.desk, visitor.user)
    try:
        made = people.add_app_password(members.desk, mine, name)
    except UserError as error:
        return _page(site, request, problem=str(error), code=400)
    return _page(site, request, made=made)


@router.post("/account/app-passwords/{number}/revoke")
def revoke(request: Request, number: Number) -> Response:
    members, visitor = _signed_in(request)
    people.revoke_app_password(members.desk, visitor.user, number)
    return go(ACCOUNT, "revoked")


@router.get("/account/export")
def export(site: Here) -> Response:
    """Everything of who asks, as one file."""
    reader = site.reader
    body = exporting.archive(reader.store, reader.user, reader.export_opml())
    kept = {"content-disposition": 'attachment; filename="newsloom.zip"'}
    return Response(body, media_type="application/zip", headers=kept)


@router.post("/account/remove", response_model=None)
async def remove(site: Here, request: Request, password: Text = "") -> Response:
    """Delete the account and everything of it, once the password is given again, or, where there
    is none, after a sign-in of the last minutes."""
    members, visitor = _signed_in(request)
    turns: HashingTurns = request.app.state.turns
    place = place_of(members, request)

    def leave() -> None:
        mine = people.numbered(members.desk, visitor.user)
        if mine.password_hash:
            mine = signing_in.checked(members.desk, visitor.name, password, place)
        else:
            mine = identities.recent(members.desk, visitor)
        people.remove(members.desk, mine)

    try:
        await turns.run(leave)
    except UserError as error:
        wait = isinstance(error, MustWait)
        wrong = isinstance(error, SignInRefused) and not wait
        words = "Wrong password." if wrong else str(error)
        return await run_in_threadpool(
            _page, site, request, problem=words, code=429 if wait else 400
        )
    request.app.state.sites.forget(visitor.user)
    answer = go(bare(Page.LIST))
    keep_session(members, request, answer, "")
    return answer


def _members(request: Request) -> Members:
    found = members_of(request)
    if found is None:
        raise NotFound("Accounts are turned off.")
    return found


def _signed_in(request: Request) -> tuple[Members, Visitor]:
    """Raises NotFound where nobody has an account."""
    members, visitor = _members(request), visitor_of(request)
    if visitor is None or not visitor.name:
        raise NotFound("There are no accounts yet.")
    return members, visitor


def _page(
    site: Site, request: Request, *, problem: str = "", code: int = 200, made: str = ""
) -> HTMLResponse:
    members, visitor = members_of(request), visitor_of(request)
    facts: dict[str, object] = {
        "sessions": (),
        "app_passwords": (),
        "sign_ins": (),
        "identities": (),
        "provider": "",
        "has_password": True,
    }
    if members is not None and visitor is not None and visitor.name:
        store = members.desk.store.accounts
        facts = {
            "sessions": signing_in.sessions(members.desk, visitor),
            "app_passwords": store.app_passwords(visitor.user),
            "sign_ins": store.sign_ins(MOST_SIGN_INS, visitor.user),
            "identities": store.identities_of(visitor.user),
            "provider": members.openid.called if members.openid else "",
            "has_password": bool(people.numbered(members.desk, visitor.user).password_hash),
        }
    return site.page(
        request,
        "account.html",
        ACCOUNT,
        status=code,
        problem=problem,
        made=made,
        first_here=members is not None and members.first_here,
        shortest=passwords.SHORTEST,
        longest_name=names.LONGEST,
        **facts,
    )
