"""The administrator's page: who has an account, invitations, the audit of sign-ins."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Path, Request
from fastapi.responses import HTMLResponse, Response

from newsloom.accounts.pages.account import auth_services
from newsloom.accounts.service import people
from newsloom.accounts.values import Role
from newsloom.engines import pages as jobs
from newsloom.kernel.errors import NotFound, UserError
from newsloom.web.auth import INVITED, visitor_of
from newsloom.web.list_view import LARGEST_ID, Page
from newsloom.web.site import Here, Site, bare, go

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
    auth, principal = auth_services(request), visitor_of(request)
    if principal is None or not principal.name:
        raise UserError("Create your own account first.")
    wanted = Role.ADMIN if role == Role.ADMIN.value else Role.READER
    token, _over = people.invite(auth.accounts, wanted, principal.user)
    base = auth.url.rstrip("/") or str(request.base_url).rstrip("/")
    return _page(site, request, link=base + INVITED + token)


@router.post("/admin/invitations/{number}/withdraw")
def withdraw(request: Request, number: Number) -> Response:
    people.withdraw(auth_services(request).accounts, number)
    return go(ADMIN, "forgotten")


@router.post("/admin/users/{number}/role", response_model=None)
def set_role(site: Here, request: Request, number: Number, role: Text = "") -> Response:
    accounts = auth_services(request).accounts
    if role not in {one.value for one in Role}:
        raise UserError("The role must be admin or reader.")
    try:
        people.set_role(accounts, people.numbered(accounts, number), Role(role))
    except NotFound:
        raise
    except UserError as error:
        return _page(site, request, problem=str(error), code=400)
    return go(ADMIN, "edited")


@router.post("/admin/users/{number}/remove", response_model=None)
def remove(site: Here, request: Request, number: Number, name: Text = "") -> Response:
    """Delete an account and everything of it; its name is typed, for nothing takes this back."""
    accounts = auth_services(request).accounts
    account = people.numbered(accounts, number)
    try:
        if people.named(accounts, name).user != account.user:
            raise UserError("Type the name of the account to remove it.")
        people.remove(accounts, account)
    except UserError as error:
        wrong = isinstance(error, NotFound)
        words = "Type the name of the account to remove it." if wrong else str(error)
        return _page(site, request, problem=words, code=400)
    request.app.state.sites.forget(account.user)
    return go(ADMIN, "forgotten")


def _page(
    site: Site, request: Request, *, problem: str = "", code: int = 200, link: str = ""
) -> HTMLResponse:
    account_service = auth_services(request).accounts
    store = account_service.store.accounts
    return site.page(
        request,
        "admin.html",
        ADMIN,
        status=code,
        problem=problem,
        link=link,
        accounts=store.accounts(),
        invitations=store.invitations(account_service.now()),
        sign_ins=store.sign_ins(MOST_SIGN_INS),
        jobs=jobs.shown(site.reader.store),
    )
