"""Pictures of articles, served by us; and how articles show their pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from newsloom.feeds.pages.icons import HEADERS
from newsloom.feeds.service.pictures import THUMBNAIL, WHOLE, Pictures
from newsloom.kernel.errors import NotFound
from newsloom.kernel.text import picture_addresses

router = APIRouter()

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
