"""The server over HTTP, before the pages, whose guard and sessions are not its own.

Each request shows an app password, and is answered by itself: no session is kept, and no stream.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from mcp.server.transport_security import TransportSecuritySettings
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from newsloom.accounts.service.app_passwords import AppPasswords
from newsloom.app.reader import Reader
from newsloom.kernel.errors import Audience, NewsloomError, error_reply
from newsloom.kernel.ids import UserId
from newsloom.mcp.server import server

log = logging.getLogger(__name__)

PATH = "/mcp"

CHALLENGE = {"www-authenticate": 'Bearer realm="Newsloom"'}


@asynccontextmanager
async def mounted(
    passwords: AppPasswords,
    readers: Callable[[UserId], Reader],
    address: Callable[[Request], str],
    *,
    marks: bool,
) -> AsyncIterator[Callable[[ASGIApp], ASGIApp]]:
    """What puts the server before the pages, while the context lasts."""
    made = server(None, marks=marks)
    made.streamable_http_app(
        json_response=True,
        stateless_http=True,
        # No page of another site knows an app password, under whatever name it calls this server.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    manager = made.session_manager
    async with manager.run():
        yield lambda app: Mounted(app, manager.handle_request, passwords, readers, address)


@dataclass(frozen=True, slots=True)
class Mounted:
    """The server, and at every other address the pages."""

    pages: ASGIApp
    protocol: ASGIApp
    passwords: AppPasswords
    readers: Callable[[UserId], Reader]
    address: Callable[[Request], str]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or _path(scope) != PATH:
            await self.pages(scope, receive, send)
            return
        refused = await self._refusal(Request(scope))
        await (self.protocol if refused is None else refused)(scope, receive, send)

    async def _refusal(self, request: Request) -> Response | None:
        """Why a request goes no further; None: it may, and it is known whose it is."""
        if request.method != "POST":
            return _refused("Streaming is not supported. Use POST.", 405, {"allow": "POST"})
        scheme, _, secret = request.headers.get("authorization", "")[:2_000].partition(" ")
        if scheme.lower() != "bearer" or not secret.strip():
            return _refused("Send an app password: Authorization: Bearer ...", 401, CHALLENGE)
        ask = self.passwords.user_of_secret
        try:
            user = await run_in_threadpool(ask, secret.strip(), self.address(request))
        except NewsloomError as error:
            reply = error_reply(error, Audience.ANONYMOUS)
            if reply.to_log:
                log.error("An MCP request failed: %s", error)
            return _refused(reply.message, reply.status, reply.headers)
        if user is None:
            return _refused("Unknown app password.", 401, CHALLENGE)
        request.scope.setdefault("state", {})["reader"] = self.readers(user)
        return None


def _refused(words: str, status: int, headers: Mapping[str, str]) -> Response:
    return JSONResponse({"error": words}, status, headers)


def _path(scope: Scope) -> str:
    """The path below whatever a proxy serves us under, without a slash at its end."""
    path, root = str(scope["path"]), str(scope.get("root_path", "")).rstrip("/")
    below = path.removeprefix(root) if root and path.startswith(root + "/") else path
    return below.rstrip("/")
