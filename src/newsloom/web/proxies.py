"""Reverse proxies before the pages: what they say of a request, and a path they put us under.

Whoever connects may write any header; only the addresses of `web.proxies` are believed.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from newsloom.kernel.errors import UserError

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_PATH = re.compile(r"(/[A-Za-z0-9._~-]+)+")

# What says that a request came through a proxy, whatever its address.
FORWARDING = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")

# Headers of answers that hold an address of ours.
_ADDRESSES = ("location", "hx-redirect", "hx-push-url", "hx-replace-url")


def checked_path(path: str) -> str:
    """`web.path` without the stroke at its end; "" for none. Raises UserError."""
    whole = path.strip().rstrip("/")
    if whole and not _PATH.fullmatch(whole):
        raise UserError(f'web.path "{path}" is not a path such as /news.')
    return whole


def networks(addresses: Sequence[str]) -> tuple[Network, ...]:
    """`web.proxies` as networks. Raises UserError."""
    try:
        return tuple(ipaddress.ip_network(one, strict=False) for one in addresses)
    except ValueError as error:
        raise UserError(f"web.proxies must list addresses or networks: {error}.") from error


@dataclass(frozen=True, slots=True)
class Proxies:
    """What stands before the pages."""

    path: str = ""  # as checked_path gives it
    trusted: tuple[Network, ...] = ()
    user_header: str = ""  # in which they name whom they signed in; empty: they sign nobody in
    make_users: bool = False  # whether whom they name first gets an account

    @property
    def sign_in(self) -> bool:
        """Whether they say who a visitor is."""
        return bool(self.trusted and self.user_header)


NONE_BEFORE = Proxies()


@dataclass(frozen=True, slots=True)
class Forwarded:
    """Takes client, scheme and host from X-Forwarded-For, -Proto and -Host of trusted proxies."""

    app: ASGIApp
    trusted: tuple[Network, ...]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and self._trusts(_peer(scope)):
            scope = self._forwarded({**scope, "newsloom.forwarded": True})
        await self.app(scope, receive, send)

    def _forwarded(self, scope: Scope) -> Scope:
        headers = Headers(scope=scope)
        hops = [one.strip() for one in headers.get("x-forwarded-for", "").split(",") if one.strip()]
        # The nearest hop was written by a proxy of ours; what stands before an untrusted address
        # was written by who sits there.
        client = next((one for one in reversed(hops) if not self._trusts(one)), None)
        if client is not None and _is_address(client):
            scope["client"] = (client, 0)
        scheme = headers.get("x-forwarded-proto", "").rpartition(",")[2].strip().lower()
        if scheme in {"http", "https"}:
            scope["scheme"] = scheme
        host = headers.get("x-forwarded-host", "").rpartition(",")[2].strip()
        if host:
            others = [pair for pair in scope["headers"] if pair[0] != b"host"]
            scope["headers"] = [(b"host", host.encode("latin-1", "ignore")), *others]
        return scope

    def _trusts(self, address: str) -> bool:
        try:
            number = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(number in network for network in self.trusted)


@dataclass(frozen=True, slots=True)
class UnderPath:
    """Lets the application live under a path and know nothing of it.

    A proxy may leave the path in what it passes on, or take it away: both work. Addresses in the
    heads of answers, and the path of cookies, get it here; those in pages get it as templates are
    compiled (templating.py).
    """

    app: ASGIApp
    path: str

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        text: str = scope["path"]
        if text == self.path:
            await RedirectResponse(f"{self.path}/", 308)(scope, receive, send)
            return
        if text.startswith(f"{self.path}/"):
            raw: bytes = scope.get("raw_path") or text.encode()
            scope = {**scope, "path": text[len(self.path) :], "raw_path": raw[len(self.path) :]}
        scope = {**scope, "app_root_path": self.path}  # what request.base_url is made with
        await self.app(scope, receive, self._sending(send))

    def _sending(self, send: Send) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [self._placed(*pair) for pair in message.get("headers", ())]
            await send(message)

        return sending

    def _placed(self, name: bytes, value: bytes) -> tuple[bytes, bytes]:
        lower, text = name.lower().decode("latin-1"), value.decode("latin-1")
        if lower in _ADDRESSES and text.startswith("/") and not text.startswith("//"):
            return name, f"{self.path}{text}".encode("latin-1")
        # Browsers take a cookie of that name for the whole host alone (RFC 6265bis, 4.1.3.2).
        if lower == "set-cookie" and not text.startswith("__Host-"):
            placed = re.sub(r"(?i)(;\s*path=)/(?=;|$)", rf"\g<1>{self.path}/", text)
            return name, placed.encode("latin-1")
        return name, value


def by_trusted(scope: Scope) -> bool:
    """Whether who connected is a proxy that is believed."""
    return bool(scope.get("newsloom.forwarded"))


def came_through_a_proxy(scope: Scope) -> bool:
    """Whether anything says that the connection is not the client's own."""
    headers = Headers(scope=scope)
    return by_trusted(scope) or any(one in headers for one in FORWARDING)


def is_loopback(scope: Scope) -> bool:
    """Whether whoever connected sits at this machine."""
    try:
        return ipaddress.ip_address(_peer(scope)).is_loopback
    except ValueError:
        return False


def _peer(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else ""


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
