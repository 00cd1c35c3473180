"""The administrator's page: who has an account, invitations, the audit of sign-ins."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Path, Request
from fastapi.responses import HTMLResponse, Response

from newsloom.accounts.service import people
from newsloom.accounts.values import Role
from newsloom.engines import pages as jobs
from newsloom.kernel.errors import NotFound, UserError
from newsloom.web.list_view import LARGEST_ID, Page
from newsloom.web.site import Here, Site, bare, go
from newsloom.web.visiting import INVITED, Members, members_of, visitor_of

ADMIN = bare(Page.ADMIN)

MOST_SIGN_INS = 200

Text = Annotated[str, Form()]
Number = Annotated[int, Path(ge=1, le=LARGEST_ID)]

router = APIRouter()


@router.get("/admin")
def admin(site: Here, request: Request) -> HTMLResponse:
    return _page(site, request)


@router.post("/admin/invitations", response_model=None)
def invite(site: Here, request: Request, role: Text = "reader") -> Response:
    """The link is shown on this one page, and nowhere again."""
    members, visitor = _members(request), visitor_of(request)
    if visitor is None or not visitor.name:
        raise UserError("Create your own account first.")
    wanted = Role.ADMIN if role == Role.ADMIN.value else Role.READER
    token, _over = people.invite(members.desk, wanted, visitor.user)
    base = members.url.rstrip("/") or str(request.base_url).rstrip("/")
    return _page(site, request, link=base + INVITED + token)


@router.post("/admin/invitations/{number}/withdraw")
def withdraw(request: Request, number: Number) -> Response:
    people.withdraw(_members(request).desk, number)
    return go(ADMIN, "forgotten")


@router.post("/admin/users/{number}/role", response_model=None)
def set_role(site: Here, request: Request, number: Number, role: Text = "") -> Response:
    desk = _members(request).desk
    if role not in {one.value for one in Role}:
        raise UserError("The role must be admin or reader.")
    try:
        people.set_role(desk, people.numbered(desk, number), Role(role))
    except NotFound:
        raise
    except UserError as error:
        return _page(site, request, problem=str(error), code=400)
    return go(ADMIN, "edited")


@router.post("/admin/users/{number}/remove", response_model=None)
def remove(site: Here, request: Request, number: Number, name: Text = "") -> Response:
    """Delete an account and everything of it; its name is typed, for nothing takes this back."""
    desk = _members(request).desk
    account = people.numbered(desk, number)
    try:
        if people.named(desk, name).user != account.user:
            raise UserError("Type the name of the account to remove it.")
        people.remove(desk, account)
    except UserError as error:
        wrong = isinstance(error, NotFound)
        words = "Type the name of the account to remove it." if wrong else str(error)
        return _page(site, request, problem=words, code=400)
    request.app.state.sites.forget(account.user)
    return go(ADMIN, "forgotten")


def _members(request: Request) -> Members:
    found = members_of(request)
    if found is None:
        raise NotFound("Accounts are turned off.")
    return found


def _page(
    site: Site, request: Request, *, problem: str = "", code: int = 200, link: str = ""
) -> HTMLResponse:
    desk = _members(request).desk
    store = desk.store.accounts
    return site.page(
        request,
        "admin.html",
        ADMIN,
        status=code,
        problem=problem,
        link=link,
        accounts=store.accounts(),
        invitations=store.invitations(desk.now()),
        sign_ins=store.sign_ins(MOST_SIGN_INS),
        jobs=jobs.shown(site.reader.store),
    )
