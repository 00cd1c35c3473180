"""Signing in at an OpenID Connect provider: the way there, the way back, and what it opens."""

from __future__ import annotations

import logging
from typing import Annotated

from fastapi import APIRouter, Cookie, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from newsloom.accounts import openid as flow
from newsloom.accounts.openid import Attempt, Identity
from newsloom.accounts.pages.sign_in import form_page, signed_in
from newsloom.accounts.service import identities
from newsloom.accounts.service.openid import OpenId
from newsloom.kernel.errors import MustWait, NotFound, OpenIdFailed, UserError
from newsloom.web.auth import (
    OPENID,
    OPENID_BACK,
    AuthServices,
    is_secure,
    members_of,
    origin_of,
    ours,
    visitor_of,
)
from newsloom.web.list_view import Page
from newsloom.web.security import OUR_SITES
from newsloom.web.site import Nobody, Site, bare, go

log = logging.getLogger(__name__)

# The attempt under way, for ten minutes. The browser brings it along with the provider's answer,
# which comes from another site: so Lax and not Strict.
SECURE_ATTEMPT = "__Host-newsloom-openid"
PLAIN_ATTEMPT = "newsloom-openid"

NO_PROVIDER = "No OpenID Connect provider is configured."

Text = Annotated[str, Form()]

router = APIRouter()


@router.get(OPENID, response_model=None)
async def begin(
    site: Nobody, request: Request, to: str = "", invited: str = "", connect: bool = False
) -> Response:
    """Sends the browser to the provider."""
    auth, provider = _provider(request)
    try:
        if connect:
            _needs_our_page(request)
        url, attempt = await provider.begin(
            _back(auth, request),
            to=ours(to),
            invited=invited if invited.isascii() else "",
            connects=connect,
        )
    except OpenIdFailed as error:
        return await run_in_threadpool(_failed, site, request, error)
    answer = RedirectResponse(url, status_code=303)
    _keep_attempt(auth, request, answer, attempt)
    return answer


@router.get(OPENID_BACK, response_model=None)
async def back(
    site: Nobody,
    request: Request,
    code: str = "",
    state: str = "",
    iss: str | None = None,
    error: str = "",
    secure: Annotated[str, Cookie(alias=SECURE_ATTEMPT)] = "",
    plain: Annotated[str, Cookie(alias=PLAIN_ATTEMPT)] = "",
) -> Response:
    """What the provider sends back. The cookie of the attempt is used up."""
    auth, provider = _provider(request)
    origin = origin_of(auth, request)
    answer: Response
    try:
        cookie = secure if secure or is_secure(auth, request) else plain
        attempt = provider.returned(cookie, state, iss, error)
        counts = await run_in_threadpool(identities.take_turn, auth.accounts, origin)
        identity = await provider.identity(attempt, code, _back(auth, request))
        await run_in_threadpool(auth.accounts.store.accounts.attempt_succeeded, counts)
        answer = await run_in_threadpool(_opened, auth, provider, request, attempt, identity)
    except UserError as failure:
        if isinstance(failure, OpenIdFailed):
            log.warning("%s", failure)
        answer = await run_in_threadpool(_failed, site, request, failure)
    _keep_attempt(auth, request, answer, "")
    return answer


def _opened(
    auth: AuthServices, provider: OpenId, request: Request, attempt: Attempt, identity: Identity
) -> Response:
    origin, principal = origin_of(auth, request), visitor_of(request)
    if attempt.connects:
        if principal is None or not principal.name:
            raise OpenIdFailed("you signed out meanwhile")
        identities.connect(auth.accounts, principal, identity)
        return go(bare(Page.ACCOUNT), "connected")
    token = identities.sign_in(
        auth.accounts, identity, origin, make=provider.make_users, invited=attempt.invited
    )
    return signed_in(auth, request, token, ours(attempt.to))


@router.post("/account/openid/disconnect")
def disconnect(request: Request, issuer: Text = "", subject: Text = "") -> Response:
    auth, _provider_there = _provider(request)
    principal = visitor_of(request)
    if principal is None or not principal.name:
        raise NotFound("There are no accounts yet.")
    identities.disconnect(auth.accounts, principal, issuer, subject)
    return go(bare(Page.ACCOUNT), "disconnected")


def _provider(request: Request) -> tuple[AuthServices, OpenId]:
    """Raises NotFound where the settings name no provider."""
    auth = members_of(request)
    if auth is None or auth.openid is None:
        raise NotFound(NO_PROVIDER)
    return auth, auth.openid


def _needs_our_page(request: Request) -> None:
    """Only a page of ours may begin to connect: another site could have its own identity open the
    account of who visits it. Browsers too old to say which page it was are refused."""
    if request.headers.get("sec-fetch-site", "") not in OUR_SITES:
        raise OpenIdFailed("start it on the Account page")


def _back(auth: AuthServices, request: Request) -> str:
    """The address that the provider sends browsers back to, the same at both ends of the way."""
    return (auth.url or str(request.base_url)).rstrip("/") + OPENID_BACK


def _keep_attempt(auth: AuthServices, request: Request, answer: Response, attempt: str) -> None:
    """Give the browser its attempt; an empty one takes it back."""
    secure = is_secure(auth, request)
    name = SECURE_ATTEMPT if secure else PLAIN_ATTEMPT
    if attempt:
        answer.set_cookie(
            name,
            attempt,
            max_age=int(flow.ATTEMPT.total_seconds()),
            path="/",
            secure=secure,
            httponly=True,
            samesite="lax",
        )
    elif name in request.cookies:
        answer.delete_cookie(name, path="/", secure=secure, httponly=True, samesite="lax")


def _failed(site: Site, request: Request, error: UserError) -> HTMLResponse:
    """The page to sign in, with what went wrong; who is signed in gets the usual page of errors."""
    principal = visitor_of(request)
    if principal is not None and principal.name:
        raise error
    status = 429 if isinstance(error, MustWait) else 403
    answer = form_page(site, request, problem=str(error), status=status)
    if isinstance(error, MustWait):
        answer.headers["retry-after"] = str(error.seconds)
    return answer
