"""Icons of feeds' sites, at addresses that we sign: apps load pictures without an app password."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from newsloom.feeds.site_icons import home_of, site_key
from newsloom.kernel.errors import NotFound
from newsloom.kernel.ids import FeedId
from newsloom.kernel.text.picture_addresses import signature, signed
from newsloom.kernel.text.pictures import TYPES
from newsloom.reading.values.reading import Subscription
from newsloom.sync.answers import HEADERS
from newsloom.sync.services import Services

PATH = "/reader/icons/"

# The address changes with the picture.
_CACHED = {"cache-control": "private, max-age=31536000, immutable"}
_SHOWN = {"cross-origin-resource-policy": "cross-origin"}


def addresses(
    services: Services, base: str, subscriptions: Sequence[Subscription], tags: Mapping[FeedId, str]
) -> Mapping[FeedId, str]:
    """Where the icon of each feed is that has one. `tags` change with the pictures."""
    key = services.picture_key() if tags else b""
    return {
        one.feed_id: f"{base}{PATH}{signature(key, f'{site}/{tag}')}/{tag}/{quote(site, safe='')}"
        for one in subscriptions
        if (tag := tags.get(one.feed_id)) and (site := site_key(home_of(one.url, one.site_url)))
    }


async def answer(services: Services, _request: Request, path: str) -> Response:
    """The icon at an address that we gave. Raises NotFound."""
    return await run_in_threadpool(_icon, services, path)


def _icon(services: Services, path: str) -> Response:
    given, _, rest = path.removeprefix(PATH).partition("/")
    tag, _, site = rest.partition("/")
    known = signed(services.picture_key(), f"{site}/{tag}", given)
    found = services.icon(site) if known else None
    if found is None or found.type not in TYPES:
        raise NotFound("There is no icon at this address.")
    return Response(found.body, 200, {**HEADERS, **_SHOWN, **_CACHED}, found.type)
