"""Icons of feeds' sites, from our own store: never asked for while a page is made, never run."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response

from newsloom.feeds.service import subscribing
from newsloom.kernel.errors import NotFound
from newsloom.kernel.ids import FeedId
from newsloom.kernel.text.pictures import TYPES
from newsloom.web.list_view import LARGEST_ID
from newsloom.web.site import Here

router = APIRouter()

# What a publisher sent is served by us: as the picture it was found to be, and nothing more.
HEADERS = {
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "content-disposition": "inline",
}
_KEPT = "private, max-age=31536000, immutable"  # at an address that changes with the picture


@router.get("/icons/{number}")
def icon(
    site: Here,
    request: Request,
    number: Annotated[int, Path(ge=1, le=LARGEST_ID)],
    v: str = "",
) -> Response:
    found = subscribing.icon(site.reader, FeedId(number))
    if found.type not in TYPES:
        raise NotFound(f"Feed {number} has no icon.")
    tag = f'"{found.tag}"'
    headers = {
        **HEADERS,
        "etag": tag,
        "cache-control": _KEPT if v == found.tag else "private, no-cache",
    }
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(found.body, media_type=found.type, headers=headers)
