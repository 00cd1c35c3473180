"""Answers, and errors as answers: in plain words, by what went wrong."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping

from starlette.responses import PlainTextResponse, Response, StreamingResponse

from newsloom.kernel.errors import Audience, NewsloomError, UserError, error_reply
from newsloom.sync.texts import written

log = logging.getLogger(__name__)

JSON = "application/json; charset=utf-8"

# Nothing here is for browsers, and nothing is kept on the way.
HEADERS = {
    "cache-control": "private, no-cache",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}


class Unauthorized(UserError):
    """Unauthorized"""

    def __init__(self, words: str = "Unauthorized", headers: dict[str, str] | None = None) -> None:
        super().__init__(words)
        self.headers = headers or {}


def plain_text(text: str, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Plain text, exactly: some clients compare all of it."""
    return PlainTextResponse(text, status, {**HEADERS, **(headers or {})})


def values(value: object, status: int = 200) -> Response:
    """JSON."""
    return Response(written(value), status, HEADERS, JSON)


def streamed(head: Mapping[str, object], name: str, parts: Iterable[Iterable[object]]) -> Response:
    """JSON whose last value is a list: written in parts, as thousands need not be in memory."""
    return StreamingResponse(_streamed(head, name, parts), headers=HEADERS, media_type=JSON)


def _streamed(
    head: Mapping[str, object], name: str, parts: Iterable[Iterable[object]]
) -> Iterator[bytes]:
    yield written({**head, name: []}).removesuffix(b"]}")
    before = b""
    for part in parts:
        if text := b",".join(written(one) for one in part):
            yield before + text
            before = b","
    yield b"]}"


def unless_known(value: object, known: str) -> Response:
    """JSON, or nothing where `known`, an If-None-Match header, says that it is there already."""
    body = written(value)
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {**HEADERS, "etag": tag}
    tags = {one.strip().removeprefix("W/") for one in known.split(",")}
    if tag in tags:
        return Response(status_code=304, headers=headers)
    return Response(body, 200, headers, JSON)


def failed(
    error: Exception, audience: Audience, refused: Callable[..., Response] = plain_text
) -> Response:
    """An error as an answer, which `refused` makes of words, a status and headers."""
    if isinstance(error, Unauthorized):
        return refused(str(error), 401, error.headers)
    reply = error_reply(error, audience)
    if reply.to_log:
        unforeseen = None if isinstance(error, NewsloomError) else error
        log.error("A sync request failed: %s", error, exc_info=unforeseen)
    return refused(reply.message, reply.status, reply.headers)
