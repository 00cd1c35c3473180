"""Answers made smaller on the wire: brotli, else gzip. Decides from headers alone.

BREACH reads a secret out of the length of a compressed answer that also repeats what the attacker
sent, and needs the victim's browser to ask again and again from the attacker's page. So: nothing is
compressed that another site caused (`Sec-Fetch-Site`, which browsers send wherever there is TLS to
break), and nothing that says it must not be transformed or kept, which a page that shows a secret
has to say. Pages have no form tokens, which are the usual secret.
"""

from __future__ import annotations

import asyncio
import gzip
from dataclasses import dataclass, field

import brotli
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Below this a head costs more than is saved.
LEAST_BYTES = 800
# A list page of 96 KB: 19.1 KB in 0.16 ms at 1, 18.1 in 0.39 at 2, 16.8 in 0.79 at 4.
BROTLI_QUALITY = 1
GZIP_LEVEL = 6
# What takes longer than a millisecond is done beside the loop.
MANY_BYTES = 40_000

# Streams of events are sent as they come; pictures and fonts are small already.
KINDS = ("text/html", "text/css", "text/javascript", "application/json", "text/plain", "text/xml")
MORE_KINDS = ("application/xml", "application/atom+xml", "application/feed+json", "image/svg+xml")
UNTOUCHED = ("no-store", "no-transform")


def coding_for(headers: Headers) -> str:
    """What an answer to that request may be compressed with: "br", "gzip", or "" for not."""
    if headers.get("sec-fetch-site") == "cross-site":
        return ""
    accepted = set()
    for one in headers.get("accept-encoding", "").lower().replace(" ", "").split(","):
        name, _, weight = one.partition(";")
        if weight not in {"q=0", "q=0.0", "q=0.00", "q=0.000"}:
            accepted.add(name)
    return "br" if "br" in accepted else "gzip" if "gzip" in accepted else ""


def compressed(body: bytes, coding: str) -> bytes:
    """The body in that coding."""
    if coding == "br":
        packed: bytes = brotli.compress(body, quality=BROTLI_QUALITY)
        return packed
    return gzip.compress(body, GZIP_LEVEL, mtime=0)


def may_compress(headers: Headers, length: int) -> bool:
    """Whether an answer with those headers and a body of that length is worth it, and may be."""
    kind = headers.get("content-type", "").partition(";")[0]
    kept = headers.get("cache-control", "")
    return (
        length >= LEAST_BYTES
        and kind in (*KINDS, *MORE_KINDS)
        and "content-encoding" not in headers
        and not any(one in kept for one in UNTOUCHED)
    )


class Compressed:
    """Compresses whole answers. What comes in parts is a stream and goes out as it is."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        coding = coding_for(Headers(scope=scope))
        await self.app(scope, receive, _Answer(send, coding) if coding else send)


@dataclass(slots=True)
class _Answer:
    """One answer: its head is held back until its body is there."""

    send: Send
    coding: str
    start: Message | None = field(default=None)

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.start = message
            return
        if self.start is not None:
            head, self.start = self.start, None
            if message["type"] == "http.response.body" and not message.get("more_body"):
                message = await self._packed(head, message)
            await self.send(head)
        await self.send(message)

    async def _packed(self, head: Message, message: Message) -> Message:
        headers, body = MutableHeaders(scope=head), message.get("body", b"")
        if not may_compress(headers, len(body)):
            return message
        if len(body) > MANY_BYTES:
            body = await asyncio.to_thread(compressed, body, self.coding)
        else:
            body = compressed(body, self.coding)
        headers["content-encoding"] = self.coding
        headers["content-length"] = str(len(body))
        headers.add_vary_header("Accept-Encoding")
        return {**message, "body": body}
