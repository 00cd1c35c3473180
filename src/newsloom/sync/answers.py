"""Answers, and errors as answers: in plain words, by what went wrong."""

from __future__ import annotations

import hashlib
import logging

from starlette.responses import PlainTextResponse, Response

from newsloom.errors import MustWait, NewsloomError, NotFound, StoreBusy, StoreFull, UserError
from newsloom.sync.texts import written

log = logging.getLogger(__name__)

# Nothing here is for browsers, and nothing is kept on the way.
HEADERS = {
    "cache-control": "private, no-cache",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}

STATUS: tuple[tuple[type[NewsloomError], int], ...] = (
    (MustWait, 429),
    (NotFound, 404),
    (UserError, 400),
    (StoreBusy, 503),
    (StoreFull, 507),
)
LATER = {503: "5"}
OUR_FAULT = "Newsloom could not do this. The terminal it runs in shows what went wrong."


class Unauthorized(UserError):
    """Unauthorized"""

    def __init__(self, words: str = "Unauthorized", headers: dict[str, str] | None = None) -> None:
        super().__init__(words)
        self.headers = headers or {}


def words(text: str, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Plain text, exactly: some clients compare all of it."""
    return PlainTextResponse(text, status, {**HEADERS, **(headers or {})})


def values(value: object, status: int = 200) -> Response:
    """JSON."""
    return Response(written(value), status, HEADERS, "application/json; charset=utf-8")


def unless_known(value: object, known: str) -> Response:
    """JSON, or nothing where `known`, an If-None-Match header, says that it is there already."""
    body = written(value)
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {**HEADERS, "etag": tag}
    tags = {one.strip().removeprefix("W/") for one in known.split(",")}
    if tag in tags:
        return Response(status_code=304, headers=headers)
    return Response(body, 200, headers, "application/json; charset=utf-8")


def failed(error: Exception) -> Response:
    """An error as an answer; what nobody foresaw goes to the log."""
    if isinstance(error, Unauthorized):
        return words(str(error), 401, error.headers)
    status = next((number for kind, number in STATUS if isinstance(error, kind)), 500)
    if status == 500:
        log.error("a program asked for what failed", exc_info=error)
        return words(OUR_FAULT, 500)
    waits = str(error.seconds) if isinstance(error, MustWait) else LATER.get(status, "")
    return words(str(error), status, {"retry-after": waits} if waits else {})
