"""Limits of request bodies, for pages, APIs, sync protocols and MCP alike. Knows no page.

A body is read whole before anything parses it, and never written to disk. How long a client may
take is limited in server.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from newsloom.feeds.parse.opml import LARGEST_BODY as LARGEST_OPML
from newsloom.feeds.websub import PATH as PUSH
from newsloom.rules.written import LONGEST_FILE as LARGEST_RULES

# Of whoever has not signed in yet: forms for signing in, and the Fever API, whose key is in a form.
ANONYMOUS_BYTES = 64_000
FORM_BYTES = 1_000_000
# 10,000 ids in their long form, percent-encoded, are 800 KB.
SYNC_BYTES = 4_000_000
# An MCP call names fifty articles at most.
MCP_BYTES = 100_000


@dataclass(frozen=True, slots=True)
class BodyLimit:
    """What may be sent to an address and all below it."""

    path: str  # with a slash at its end; "": all others
    most_bytes: int | None  # None: the route reads in parts, with a limit of its own
    multipart: bool = False  # all other forms are urlencoded, so nobody else sends a file


# The first that matches holds.
LIMITS = (
    BodyLimit("/feeds/import/", LARGEST_OPML, multipart=True),
    BodyLimit("/rules/import/", LARGEST_RULES, multipart=True),
    BodyLimit("/api/v1/opml/", LARGEST_OPML),
    BodyLimit("/api/greader.php/reader/api/0/subscription/import/", LARGEST_OPML),
    BodyLimit("/reader/api/0/subscription/import/", LARGEST_OPML),
    # Some apps send forms as multipart; the protocols refuse files in them.
    BodyLimit("/api/greader.php/", SYNC_BYTES, multipart=True),
    BodyLimit("/reader/api/0/", SYNC_BYTES, multipart=True),
    BodyLimit("/accounts/ClientLogin/", SYNC_BYTES, multipart=True),
    BodyLimit("/api/fever.php/", SYNC_BYTES, multipart=True),
    BodyLimit("/fever/", SYNC_BYTES, multipart=True),
    BodyLimit("/v1/import/", LARGEST_OPML),
    BodyLimit("/v1/", SYNC_BYTES),
    BodyLimit("/mcp/", MCP_BYTES),
    # As large as a feed may be; a subscription whose hub sends more is polled instead.
    BodyLimit(PUSH, None),
    BodyLimit("", FORM_BYTES),
)


class RequestBodies:
    """Reads the body when the application wants it; answers 413 or 415 itself."""

    def __init__(self, app: ASGIApp, refused: Callable[[Scope, int, str], Response]) -> None:
        self.app = app
        self.refused = refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope) if scope["type"] == "http" else {}
        if "content-length" not in headers and "transfer-encoding" not in headers:
            await self.app(scope, receive, send)
            return
        path = f"{scope['path']}/"
        limit = next(one for one in LIMITS if path.startswith(one.path))
        state = scope.setdefault("state", {})  # one object, also in copies of the scope
        body_read = refused = response_started = False

        async def receive_whole() -> Message:
            nonlocal body_read, refused
            if refused:
                return {"type": "http.disconnect"}
            if body_read or limit.most_bytes is None:
                return await receive()
            body_read = True
            most = limit.most_bytes
            # Unless the pages know a visitor, or a protocol whose articles are asked for.
            if state.get("visitor") is None and "reader" not in state:
                most = min(most, ANONYMOUS_BYTES)
            try:
                return await _whole(receive, headers, most, multipart=limit.multipart)
            except _RefusedError as error:
                refused = True
                if not response_started:
                    await self.refused(scope, error.status, str(error))(scope, receive, send)
                return {"type": "http.disconnect"}

        async def send_unless_refused(message: Message) -> None:
            nonlocal response_started
            response_started = True
            if not refused:
                await send(message)

        await self.app(scope, receive_whole, send_unless_refused)


class _RefusedError(Exception):
    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


async def _whole(
    receive: Receive, headers: Mapping[str, str], most: int, *, multipart: bool
) -> Message:
    """The body as one message. Raises _RefusedError."""
    if headers.get("content-type", "").lower().startswith("multipart/") and not multipart:
        raise _RefusedError(415, "This address does not accept files.")
    too_large = f"The request is larger than {most:,} bytes."
    declared = headers.get("content-length", "")
    if declared.isdecimal() and int(declared[:20]) > most:
        raise _RefusedError(413, too_large)
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return message
        body += message.get("body", b"")
        if len(body) > most:
            raise _RefusedError(413, too_large)
        if not message.get("more_body", False):
            return {"type": "http.request", "body": bytes(body), "more_body": False}
