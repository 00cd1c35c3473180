"""Where the protocols are reached: before the pages, whose guard and sessions are not theirs.

The pages' guard asks that changes come from a page of ours; programs show an app password instead,
which no page of another site can send in a header, and which no browser adds by itself.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from newsloom.kernel.errors import Audience
from newsloom.sync.answers import failed, plain_text
from newsloom.sync.fever import routes as fever
from newsloom.sync.greader import icons
from newsloom.sync.greader import routes as greader
from newsloom.sync.miniflux import routes as miniflux
from newsloom.sync.services import Services, Terms

# Smaller answers are sent as they are.
LEAST_COMPRESSED = 1_000


@dataclass(frozen=True, slots=True)
class Mount:
    """An address and all below it. `root` is what stands before the protocol's own paths."""

    path: str
    root: str
    answer: Callable[[Services, Request, str], Awaitable[Response]]
    wanted: Callable[[Terms], bool]
    refused: Callable[..., Response] = plain_text  # of words, a status and headers


# The first that matches answers. Some clients put FreshRSS's address before each path.
MOUNTS: tuple[Mount, ...] = (
    Mount("/api/greader.php", "/api/greader.php", greader.answer, lambda terms: terms.greader),
    Mount("/accounts", "", greader.answer, lambda terms: terms.greader),
    Mount("/reader/icons", "", icons.answer, lambda terms: terms.greader),
    Mount("/reader", "", greader.answer, lambda terms: terms.greader),
    Mount("/api/fever.php", "/api/fever.php", fever.answer, lambda terms: terms.fever),
    Mount("/fever", "/fever", fever.answer, lambda terms: terms.fever),
    Mount("/v1", "/v1", miniflux.answer, lambda terms: terms.miniflux, miniflux.refused),
)


def mount_of(path: str, terms: Terms) -> Mount | None:
    """What answers a path; None: the pages do."""
    for one in MOUNTS:
        if (path == one.path or path.startswith(one.path + "/")) and one.wanted(terms):
            return one
    return None


class Mounted:
    """The protocols, and at every other address the pages."""

    def __init__(self, app: ASGIApp, services: Services) -> None:
        self.pages = app
        self.services = services
        # Streams of articles come in parts, which the pages' compression leaves as they are.
        self.protocols = GZipMiddleware(self._protocol, minimum_size=LEAST_COMPRESSED)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = _path(scope) if scope["type"] == "http" else ""
        app = self.protocols if mount_of(path, self.services.terms) else self.pages
        await app(scope, receive, send)

    async def _protocol(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = _path(scope)
        found = mount_of(path, self.services.terms)
        assert found is not None
        request = Request(scope, receive)
        try:
            answer = await found.answer(self.services, request, path.removeprefix(found.root))
        except ClientDisconnect:
            raise
        except Exception as error:  # noqa: BLE001 - told as an answer, and logged
            signed_in = hasattr(request.state, "reader")
            audience = Audience.READER if signed_in else Audience.ANONYMOUS
            answer = failed(error, audience, found.refused)
        await answer(scope, receive, send)


def _path(scope: Scope) -> str:
    """The path below whatever a proxy serves us under."""
    path, root = str(scope["path"]), str(scope.get("root_path", "")).rstrip("/")
    return path.removeprefix(root) if root and path.startswith(root + "/") else path
