"""Who makes a request: a session's cookie says so, or a trusted proxy, or nobody needs to sign in.

Every route needs a visitor but those in OPEN; those in ADMINS need an administrator. So a route
that is new is closed until somebody opens it here.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import (
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.types import ASGIApp, Receive, Scope, Send

from newsloom.accounts import lifetimes
from newsloom.accounts.service import people, signing_in
from newsloom.accounts.service.account_service import AccountService, Principal
from newsloom.accounts.service.app_passwords import AppPasswords
from newsloom.accounts.service.openid import OpenId
from newsloom.app.reader import Reader
from newsloom.briefs.links import PODCASTS
from newsloom.digests.links import FEED, LEAVE
from newsloom.feeds.websub import PATH as PUSH
from newsloom.kernel.errors import Audience, ErrorReply, NewsloomError, UserError, error_reply
from newsloom.kernel.ids import UserId
from newsloom.web import api_access
from newsloom.web.api_access import is_api
from newsloom.web.problems import problem
from newsloom.web.proxies import Proxies, by_trusted
from newsloom.web.security import SAFE_METHODS, STATIC

log = logging.getLogger(__name__)

SIGN_IN = "/sign-in"
INVITED = "/invited/"
OPENID = "/sign-in/openid"
OPENID_BACK = OPENID + "/back"

# What nobody signs in for, and why. A row that ends in "/" opens all below it.
OPEN = {
    STATIC: "style and scripts, the same for everybody",
    "/healthz": "for what watches the server; it says nothing of anybody's reading",
    "/health": "for what watches the server; it says nothing of anybody's reading",
    "/health/ready": "the same",
    "/metrics": "it has a token of its own, and says nothing of anybody's reading",
    SIGN_IN: "where one signs in",
    OPENID: "where one is sent to the provider that the settings name",
    OPENID_BACK: "where it sends one back, with a code of its own and the cookie of the way there",
    INVITED: "the address is the secret, used once",
    LEAVE: "the address is the secret, in mails (RFC 8058)",
    FEED: "the address is the secret, for feed readers",
    PODCASTS: "the same, for podcast apps: a feed, its sound and its transcripts",
    "/list-feed/": "the same, for lists that readers keep",
    "/pictures/": "addresses that we signed, for frames to which browsers send no cookie",
    api_access.DOCUMENT: "what the API is, the same for everybody",
    "/manifest.webmanifest": "the name and pictures of the app, the same for everybody",
    "/worker.js": "a script, the same for everybody",
    "/offline": "lists what the browser itself has kept; the page is the same for everybody",
    PUSH: "for hubs, which know a token and sign what they send",
}

# What is of all readers, for administrators alone.
ADMINS = ("/admin", "/quality", api_access.PREFIX + "/quality")
_BELOW_ADMINS = tuple(f"{one}/" for one in ADMINS)

# A browser sends the first one to https alone, and no other host can set it (RFC 6265bis).
SECURE_COOKIE = "__Host-newsloom"
PLAIN_COOKIE = "newsloom-session"
COOKIE_SECONDS = int(lifetimes.SESSION_LONGEST.total_seconds())

ONLY_ADMINS = "Administrators only."
SIGN_IN_FIRST = "Sign in first."

# Who asks where nobody has an account.
ALONE = Principal()


@dataclass(frozen=True, slots=True)
class AuthServices:
    """What the pages need of accounts."""

    accounts: AccountService
    reader_of: Callable[[UserId], Reader]
    url: str = ""  # where the pages are reached from elsewhere; empty: not known
    first_here: bool = True  # whether the first account may be made on the page
    openid: OpenId | None = None  # the provider at which people sign in; None: none
    password_sign_in: bool = True  # whether passwords sign in
    passwords: AppPasswords | None = None  # of programs; None: no program has one


class AuthMiddleware:
    """Finds out who asks, and turns away who may not. Stands behind the guard."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        auth: AuthServices | None,
        proxies: Proxies,
        signed_out: str,
        error_page: Callable[[ErrorReply], str],
    ) -> None:
        """`signed_out` is the page for a form that was sent after its session had ended."""
        self.app = app
        self.services = auth
        self.proxies = proxies
        self.signed_out = signed_out
        self.error_page = error_page
        self.forbidden = error_page(ErrorReply(403, ONLY_ADMINS))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        try:
            found = await self._principal(scope)
        except NewsloomError as error:
            await self._failed(scope, error)(scope, receive, send)
            return
        scope.setdefault("state", {})["visitor"] = found
        path = scope["path"]
        app = self.app
        if found is None:
            app = _refusal(scope, self.signed_out) or self.app
        elif f"{path}/".startswith(_BELOW_ADMINS) and not found.admin:
            app = problem(403, ONLY_ADMINS) if is_api(path) else HTMLResponse(self.forbidden, 403)
        await app(scope, receive, send)

    def _failed(self, scope: Scope, error: NewsloomError) -> Response:
        """An error before it is known who asks."""
        reply = logged_reply(error, Audience.ANONYMOUS)
        if scope["method"] == "GET" and not scope["path"].startswith("/api/"):
            return HTMLResponse(self.error_page(reply), reply.status, reply.headers)
        answer = _words(scope, reply.status, reply.message)
        answer.headers.update(reply.headers)
        return answer

    async def _principal(self, scope: Scope) -> Principal | None:
        auth = self.services
        if auth is None:
            return ALONE
        accounts = auth.accounts
        needed = (
            accounts.required() if accounts.fresh() else await run_in_threadpool(accounts.required)
        )
        if not needed:
            return ALONE
        if scope["path"].startswith(STATIC):
            return None
        connection = HTTPConnection(scope)
        shown = api_access.credentials(connection.headers) if is_api(scope["path"]) else None
        if shown is not None:
            return await run_in_threadpool(
                api_access.principal_of,
                accounts.store,
                auth.passwords,
                shown,
                address_of(connection),
            )
        return await run_in_threadpool(_found, auth, self.proxies, connection)


def _found(auth: AuthServices, proxies: Proxies, connection: HTTPConnection) -> Principal | None:
    """Who is signed in: the proxy's word first, where it is believed."""
    said = _named_by_proxy(proxies.user_header, connection)
    if said:
        try:
            return people.of_proxy(
                auth.accounts, said, address_of(connection), make=proxies.make_users
            )
        except UserError:
            return None  # a name that nobody can have
    token = session_token(auth, connection)
    return signing_in.principal_of(auth.accounts, token) if token else None


def _named_by_proxy(header: str, connection: HTTPConnection) -> str:
    """The name that a trusted proxy sends; "" for none. Raises UserError for two: one may be what
    the visitor sent, which the proxy passed on."""
    if not header or not by_trusted(connection.scope):
        return ""
    sent = connection.headers.getlist(header)
    if len(sent) > 1:
        raise UserError(
            f"The proxy sent {header} more than once. Configure it to replace the header of "
            f"incoming requests."
        )
    raw = "".join(sent).encode("latin-1")
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _refusal(scope: Scope, signed_out: str) -> Response | None:
    """Why nobody in particular may not ask for that, as a response; None when they may."""
    path = scope["path"]
    if any(path == one or (one.endswith("/") and path.startswith(one)) for one in OPEN):
        return None
    headers = Headers(scope=scope)
    if headers.get("hx-request") == "true":
        return Response(status_code=401, headers={"hx-redirect": SIGN_IN})
    if scope["method"] not in SAFE_METHODS and not path.startswith("/api/"):
        return HTMLResponse(signed_out, status_code=401)
    if scope["method"] not in SAFE_METHODS or (
        path.split("/", 2)[1] in _PROGRAMS and path != api_access.PAGE
    ):
        return _words(scope, 401, SIGN_IN_FIRST)
    query = scope.get("query_string", b"").decode("latin-1")
    wanted = path + ("?" + query if query else "")
    to = "" if wanted == "/" else "?to=" + quote(wanted, safe="")
    return RedirectResponse(SIGN_IN + to, status_code=303)


# Below these no page is, whether anything answers there or not.
_PROGRAMS = ("api", "accounts", "reader", "fever", "v1", "mcp")


def _words(scope: Scope, status: int, words: str) -> Response:
    if is_api(scope["path"]):
        return problem(status, words, headers=api_access.CHALLENGE if status == 401 else None)
    return PlainTextResponse(words + "\n", status_code=status)


def audience_of(principal: Principal | None) -> Audience:
    if principal is None:
        return Audience.ANONYMOUS
    return Audience.OWNER if principal.admin else Audience.READER


def logged_reply(error: Exception, audience: Audience) -> ErrorReply:
    """What an error says; where that is not all of it, the log says the rest."""
    reply = error_reply(error, audience)
    if reply.to_log:
        log.warning("A request failed: %s", error)
    return reply


def visitor_of(request: Request) -> Principal | None:
    """Who makes a request; None: nobody, at an address that is open."""
    found: Principal | None = request.state.visitor
    return found


def members_of(request: Request) -> AuthServices | None:
    found: AuthServices | None = request.app.state.members
    return found


def address_of(connection: HTTPConnection) -> str:
    """Where a request comes from; what trusted proxies say of it stands there already."""
    return connection.client.host[:60] if connection.client else ""


def is_secure(auth: AuthServices, connection: HTTPConnection) -> bool:
    """Whether the browser came by https, as far as one can tell behind a proxy."""
    if connection.url.scheme == "https":
        return True
    headers = connection.headers
    given = urlsplit(auth.url)
    if given.scheme == "https" and given.netloc.lower() == headers.get("host", "").lower():
        return True
    # The guard has compared it with the host, and only browsers have cookies to guard.
    return headers.get("origin", "").startswith("https://")


def session_token(auth: AuthServices, connection: HTTPConnection) -> str:
    """The token in the cookie; over https never the one that another host could have set."""
    cookies = connection.cookies
    secure = cookies.get(SECURE_COOKIE, "")
    return secure if secure or is_secure(auth, connection) else cookies.get(PLAIN_COOKIE, "")


def keep_session(auth: AuthServices, request: Request, answer: Response, token: str) -> None:
    """Give the browser its token; an empty one takes it back."""
    secure = is_secure(auth, request)
    for name, fits in ((SECURE_COOKIE, secure), (PLAIN_COOKIE, not secure)):
        if fits and token:
            answer.set_cookie(
                name,
                token,
                max_age=COOKIE_SECONDS,
                path="/",
                secure=secure,
                httponly=True,
                samesite="lax",
            )
        elif name in request.cookies:
            answer.delete_cookie(
                name, path="/", secure=name == SECURE_COOKIE, httponly=True, samesite="lax"
            )


def origin_of(auth: AuthServices, request: Request) -> signing_in.Origin:
    return signing_in.Origin(
        address_of(request),
        request.headers.get("user-agent", ""),
        session_token(auth, request),
    )


def ours(to: str) -> str:
    """An address of ours to go to after signing in; of any other, the front page.

    Browsers take `//host` and `/\\host` for other hosts, and drop control characters.
    """
    plain = to.isascii() and to.isprintable() and "\\" not in to
    return to if plain and to.startswith("/") and not to.startswith("//") else "/"
