"""For who runs the server: is it alive, is it ready, how does it do. No page, and of no reader."""

from __future__ import annotations

import hmac

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from newsloom.kernel.errors import NewsloomError, StoreFull
from newsloom.web.metrics import Metrics
from newsloom.web.proxies import came_through_a_proxy, is_loopback
from newsloom.web.site import Nobody

router = APIRouter()

METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
NO_STORE = {"cache-control": "no-store"}


@router.get("/health")
async def alive() -> JSONResponse:
    """The process answers. Asks nothing of the store, which another process may hold."""
    return JSONResponse({"ok": True}, headers=NO_STORE)


@router.get("/health/ready")
def ready(site: Nobody) -> JSONResponse:
    """Whether pages can be made: the store answers."""
    try:
        site.reader.store.database.change_token(site.reader.user)
    except StoreFull:  # what is there can be read
        pass
    except NewsloomError:  # its words name files of this machine
        words = {"ok": False, "store": "does not answer"}
        return JSONResponse(words, 503, headers={**NO_STORE, "retry-after": "5"})
    return JSONResponse({"ok": True, "store": "answers"}, headers=NO_STORE)


@router.get("/metrics")
def metrics(request: Request) -> Response:
    """For Prometheus, where the settings allow it; to all others there is nothing here."""
    told: Metrics | None = request.app.state.metrics
    if told is None or not _allowed(told, request):
        return PlainTextResponse("Not found.\n", 404, headers=NO_STORE)
    return Response(told.text(), media_type=METRICS_TYPE, headers=NO_STORE)


def _allowed(metrics: Metrics, request: Request) -> bool:
    """By the token; without one, who sits at this machine. A proxy on this machine does too, and
    passes on requests of anybody: what came through one is refused (as CVE-2023-27591 was)."""
    if metrics.token:
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        return hmac.compare_digest(given.encode(), metrics.token.encode())
    return is_loopback(request.scope) and not came_through_a_proxy(request.scope)
