"""What every request must pass and every response carries. Knows no page and no reader.

Two doors: the Host header must name this server (a page of another site that rebinds its own name
to this address is refused), and nothing changes unless the request comes from a page of ours.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection, Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from newsloom.web.api_access import is_api, program_may_change
from newsloom.web.problems import problem

_HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?")

# Names that only a local network can give: never delegated in the public DNS (RFC 6762, RFC 8375,
# ICANN's reservation of .internal), or, as .lan, long in home routers.
LOCAL_ENDINGS = (".local", ".localhost", ".home.arpa", ".internal", ".lan")

# What a program is told in place of what a person is.
FOR_PROGRAMS = (
    "Not authorised. Send an app password as Authorization: Bearer or, without accounts, "
    "Content-Type: application/json."
)

STATIC = "/static/"

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

# Only `same-origin` is a page of ours; `none` is the person at the address bar.
OUR_SITES = frozenset({"same-origin", "none"})

# Articles bring sound and video from their sites; pictures as `web.pictures` says.
_PAGE_DIRECTIVES = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "media-src 'self' http: https:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types newsloom newsloom-worker",
)

# `same-origin` and not `no-referrer`: neither tells other sites anything, but under `no-referrer` a
# browser sends `Origin: null` with our own forms, as a page of another site may too.
_PAGE_HEADERS = {
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "cache-control": "private, no-cache",
}


def page_headers(pictures: str) -> dict[str, str]:
    """The headers of every page. `pictures`: sources of pictures in articles, as a policy names
    them."""
    policy = "; ".join((*_PAGE_DIRECTIVES, f"img-src 'self' {pictures}".rstrip()))
    return {"content-security-policy": policy, **_PAGE_HEADERS}


class Guard:
    """Refuses strange hosts, and changes from elsewhere.

    `hub_host` is the name under which hubs on the internet call; empty: none do. It leads to what
    lies below `hub_path` and, unless it is among `hosts` too, to nothing else. Hubs are programs:
    what they post there is told by its token and signature. So are the mail clients that post below
    `token_path`, where the address itself is the secret (RFC 8058).
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Collection[str],
        hub_host: str,
        hub_path: str,
        token_path: str,
    ) -> None:
        self.app = app
        self.token_path = token_path
        self.hosts = frozenset(host.lower() for host in hosts)
        self.for_hubs = self.hosts | ({hub_host} if hub_host else set())
        self.hub_path = hub_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refusal = self.refusal(scope["method"], scope["path"], Headers(scope=scope))
        app = self.app if refusal is None else refusal
        await app(scope, receive, send)

    def refusal(self, method: str, path: str, headers: Headers) -> Response | None:
        """Why a request goes no further, as a response; None when it may."""
        of_hubs = path.startswith(self.hub_path)
        names = self.for_hubs if of_hubs else self.hosts
        if not known_host(headers.get("host", ""), names):
            return _refused(
                path,
                421,
                "Unknown host name. Use the IP address, localhost, a name that ends in .local or "
                ".lan, or one in the setting web.names.",
            )
        if method in SAFE_METHODS or from_our_page(headers):
            return None
        if (of_hubs or path.startswith(self.token_path)) and not from_a_page(headers):
            return None
        if program_may_change(path, headers, from_a_page=from_a_page(headers)):
            return None
        return _refused(
            path,
            403,
            "Not authorised: this request does not come from a page of this server. Programs "
            "must send a Referer header.",
        )


def _refused(path: str, status: int, words: str) -> Response:
    if is_api(path):
        return problem(status, FOR_PROGRAMS if status == 403 else words)
    return PlainTextResponse(words + "\n", status)


def known_host(host: str, names: Collection[str]) -> bool:
    """Whether a Host header names this server: a number, a local name, or one of `names`.

    To rebind, an attacker needs a name of their own in the public DNS. Top-level domains can have
    addresses there too (`ai` has one), so a name without a dot is as good as any other, but for
    localhost (RFC 6761).
    """
    parts = _HOST.fullmatch(host)
    name = parts["name"].strip("[]").lower() if parts else ""
    if name in names or name == "localhost" or name.endswith(LOCAL_ENDINGS):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def from_our_page(headers: Headers) -> bool:
    """Whether a request that changes something shows that it comes from a page of ours.

    Browsers send Sec-Fetch-Site to loopback and https, and Origin with every other POST. Older ones
    send neither with a form of the same site, but a Referer.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in OUR_SITES
    page = headers.get("origin", headers.get("referer", ""))
    return _place(page) == headers.get("host", "").lower()


def from_a_page(headers: Headers) -> bool:
    """Whether a browser made a request for a page, its own or any other's."""
    return any(name in headers for name in ("sec-fetch-site", "origin", "referer"))


def _place(url: str) -> str:
    """The host and port of an address of the web; of anything else what no Host header says."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "?"
    return parts.netloc.lower() if parts.scheme in {"http", "https"} else "?"


class SecurityHeaders:
    """Puts the headers on every response that has no others of these names. All but static files is
    of one person: nothing between may give it to another."""

    def __init__(self, app: ASGIApp, headers: Mapping[str, str]) -> None:
        self.app = app
        self.headers = headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    headers.setdefault(name, value)
                if not path.startswith(STATIC):
                    headers.add_vary_header("cookie")
            await send(message)

        await self.app(scope, receive, sending)
