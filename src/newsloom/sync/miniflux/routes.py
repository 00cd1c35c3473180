"""The Miniflux API: one row for each operation. Thin: authenticate, parse, answer.

An app password is the token (`X-Auth-Token`), or the password of basic authentication.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from newsloom.kernel.errors import NotFound
from newsloom.kernel.ids import UserId
from newsloom.sync import bodies
from newsloom.sync.answers import HEADERS, Unauthorized, values
from newsloom.sync.fields import LARGEST
from newsloom.sync.miniflux import entries, feeds
from newsloom.sync.miniflux.request import MinifluxRequest
from newsloom.sync.request import Answer, answered
from newsloom.sync.service import Syncing
from newsloom.sync.services import Services

VIA = "miniflux"

CHALLENGE = {"www-authenticate": 'Basic realm="Restricted"'}

# Clients that are web pages of other sites may read what they authenticate for: no cookie does.
CORS = {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, POST, PUT, DELETE, OPTIONS",
    "access-control-allow-headers": "X-Auth-Token, Authorization, Content-Type, Accept",
}


@dataclass(frozen=True, slots=True)
class Row:
    """An operation; each N of its path is a number, which the answer is given."""

    method: str
    path: str
    answer: Answer


def _forbids(words: str) -> Callable[..., Response]:
    """Operations of Miniflux that an app password is no right to, or that Newsloom has not."""
    return lambda _request, *_numbers: refused(words, 403)


_ACCOUNTS = _forbids("An app password manages no accounts and passwords. Use the pages.")
_HISTORY = _forbids("Newsloom removes old articles automatically; see the settings keep.")
_SHARED = _forbids(entries.AS_PUBLISHED)

ROWS: tuple[Row, ...] = (
    Row("GET", "/version", feeds.version),
    Row("GET", "/me", feeds.me),
    *(Row(method, "/users", _ACCOUNTS) for method in ("GET", "POST")),
    *(Row(method, "/users/N", _ACCOUNTS) for method in ("GET", "PUT", "DELETE")),
    *(Row(method, "/api-keys", _ACCOUNTS) for method in ("GET", "POST")),
    Row("DELETE", "/api-keys/N", _ACCOUNTS),
    *(Row(method, "/flush-history", _HISTORY) for method in ("PUT", "DELETE")),
    Row("POST", "/feeds/N/entries/import", _SHARED),
    Row("PUT", "/entries/N", entries.edit),
    Row("PUT", "/users/N/mark-all-as-read", entries.mark_all),
    Row("GET", "/integrations/status", feeds.integrations),
    Row("GET", "/categories", feeds.categories),
    Row("POST", "/categories", feeds.create_category),
    Row("GET", "/categories/N", feeds.category),  # which Capy asks for
    Row("PUT", "/categories/N", feeds.rename_category),
    Row("DELETE", "/categories/N", feeds.remove_category),
    Row("GET", "/categories/N/feeds", feeds.category_feeds),
    Row("PUT", "/categories/N/refresh", feeds.refresh_category),
    Row("PUT", "/categories/N/mark-all-as-read", entries.mark_category),
    Row("GET", "/categories/N/entries", entries.of_category),
    Row("GET", "/categories/N/entries/N", entries.one_of_category),
    Row("POST", "/discover", feeds.discover),
    Row("GET", "/feeds", feeds.feeds),
    Row("POST", "/feeds", feeds.follow),
    Row("GET", "/feeds/counters", feeds.counters),
    Row("PUT", "/feeds/refresh", feeds.refresh_all),
    Row("GET", "/feeds/N", feeds.feed),
    Row("PUT", "/feeds/N", feeds.edit),
    Row("DELETE", "/feeds/N", feeds.leave),
    Row("PUT", "/feeds/N/refresh", feeds.refresh),
    Row("GET", "/feeds/N/icon", feeds.icon),
    Row("PUT", "/feeds/N/mark-all-as-read", entries.mark_feed),
    Row("GET", "/feeds/N/entries", entries.of_feed),
    Row("GET", "/feeds/N/entries/N", entries.one_of_feed),
    Row("GET", "/icons/N", feeds.icon),
    Row("GET", "/export", feeds.export),
    Row("POST", "/import", feeds.import_opml),
    Row("GET", "/entries", entries.listed),
    Row("PUT", "/entries", entries.mark),
    Row("GET", "/entries/ids", entries.ids),
    Row("GET", "/entries/N", entries.one),
    Row("PUT", "/entries/N/bookmark", entries.toggle_star),
    Row("PUT", "/entries/N/star", entries.toggle_star),
    Row("POST", "/entries/N/save", entries.save),
    Row("GET", "/entries/N/fetch-content", entries.content),
    Row("GET", "/enclosures/N", entries.enclosure),
    Row("PUT", "/enclosures/N", entries.listened),
)
_PATHS = tuple((one, re.compile(one.path.replace("N", "([0-9]{1,19})"))) for one in ROWS)


def refused(message: str, status: int, headers: dict[str, str] | None = None) -> Response:
    """An error as Miniflux tells one."""
    answer = values({"error_message": message}, status)
    answer.headers.update({**CORS, **(headers or {})})
    return answer


async def answer(services: Services, request: Request, path: str) -> Response:
    """One request, at its path below /v1. Raises NewsloomError."""
    if request.method == "OPTIONS":
        return Response(status_code=204, headers={**HEADERS, **CORS})
    user = await run_in_threadpool(_user, services, request)
    if user is None:
        raise Unauthorized("access unauthorized", CHALLENGE)
    request.state.reader = services.reader(user)
    rows = [(row, found) for row, pattern in _PATHS if (found := pattern.fullmatch(path))]
    if not rows:
        raise NotFound("resource not found")
    method = "GET" if request.method == "HEAD" else request.method
    chosen = next(((row, found) for row, found in rows if row.method == method), None)
    if chosen is None:
        allowed = ", ".join(row.method for row, _found in rows)
        return refused("method not allowed", 405, {"allow": allowed})
    row, found = chosen
    numbers = [int(one) for one in found.groups()]
    if any(not 0 < one <= LARGEST for one in numbers):
        raise NotFound("resource not found")
    body, query = await bodies.read(request, document=True)
    made = MinifluxRequest(services, Syncing(request.state.reader, VIA), query, body)
    given = await answered(row.answer, made, *numbers)
    given.headers.update(CORS)
    return given


def _user(services: Services, request: Request) -> UserId | None:
    """Who authenticates; None: nobody. Raises MustWait."""
    address = services.address(request)
    if token := request.headers.get("x-auth-token"):
        return services.passwords.user_of_secret(token, address)
    kind, _space, given = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "basic":
        return None
    try:
        name, _colon, secret = base64.b64decode(given, validate=True).decode().partition(":")
    except (binascii.Error, ValueError):
        return None
    return services.passwords.user_of(name, secret, address)
