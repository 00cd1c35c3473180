"""Pictures of articles, served by us, and how articles show them; icons of feeds' sites, from the
store: no page waits for one to be fetched, and none is run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response

from newsloom.feeds.service import subscribing
from newsloom.feeds.service.pictures import THUMBNAIL, WHOLE, Pictures
from newsloom.kernel.errors import NotFound
from newsloom.kernel.ids import FeedId
from newsloom.kernel.text import picture_addresses
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
_ICON_KEPT = "private, max-age=31536000, immutable"  # at an address that changes with the picture

# A day for who was shown it; what is at an address may change, if it seldom does.
_KEPT = "private, max-age=86400"
_MISSING = "private, max-age=600"
_SIDES = {"whole": WHOLE, "thumbnail": THUMBNAIL}


@dataclass(frozen=True, slots=True)
class ShownPictures:
    """How pictures of articles are shown: through us, from their sites, or as links."""

    through_us: Pictures | None = None
    key: bytes = b""  # of the addresses that we serve pictures under
    path: str = ""  # that all our pages stand under
    links_only: bool = False

    def html(self, html: str) -> str:
        """Sanitised HTML with pictures as they are shown."""
        if self.links_only:
            return picture_addresses.without_pictures(html)
        if self.through_us is None:
            return html
        return picture_addresses.through_us(html, self.key, self.path)

    def thumbnail(self, url: str) -> str:
        """Where we serve a small one; "" when we serve none."""
        if self.through_us is None:
            return ""
        return picture_addresses.address(self.key, url, thumbnail=True)

    @property
    def sources(self) -> str:
        """What the policy of pages allows as sources of pictures, beside this server."""
        if self.links_only:
            return ""
        return "http: https: data:" if self.through_us is None else "data:"


@router.get("/pictures/{kind}/{given}")
async def picture(
    request: Request,
    kind: Literal["whole", "thumbnail"],
    given: str,
    url: Annotated[str, Query(max_length=picture_addresses.LONGEST)],
) -> Response:
    shown: ShownPictures = request.app.state.pictures
    if shown.through_us is None or not picture_addresses.signed(shown.key, url, given):
        raise NotFound("There is no such picture.")
    found = await shown.through_us.get(url, _SIDES[kind])
    headers = {
        **HEADERS,
        "cache-control": _KEPT if found.type else _MISSING,
    }
    if not found.type:
        words = f"This picture cannot be shown: {found.problem}."
        return Response(words, status_code=404, media_type="text/plain", headers=headers)
    return Response(found.body, media_type=found.type, headers=headers)


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
        "cache-control": _ICON_KEPT if v == found.tag else "private, no-cache",
    }
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(found.body, media_type=found.type, headers=headers)
