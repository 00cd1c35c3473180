"""Wires what fetches pictures for readers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from newsloom import __version__

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.feeds.service.pictures import Pictures

# Somebody waits for these, so a host is asked as a browser asks it: several at once, without the
# pauses that polling keeps.
AT_ONCE, PER_HOST, SECONDS = 16, 6, 15.0
FOLDER = "pictures"
_MEGABYTE = 1_000_000


@asynccontextmanager
async def fetching_pictures(app: App) -> AsyncIterator[Pictures]:
    """While in use. The address guard is that of feeds."""
    from newsloom.feeds.service.pictures import PictureCache, Pictures
    from newsloom.kernel.http.client import HttpFetcher

    settings = replace(
        app.settings.fetch,
        concurrency=AT_ONCE,
        per_host=PER_HOST,
        host_seconds=0,
        timeout_seconds=min(app.settings.fetch.timeout_seconds, SECONDS),
    )
    folder = app.settings.pages.picture_folder
    cache = PictureCache(folder, app.settings.pages.picture_megabytes * _MEGABYTE)
    async with HttpFetcher(settings, version=__version__, now=app.now) as fetcher:
        pictures = Pictures(fetcher, app.workers, cache, app.now)
        try:
            yield pictures
        finally:
            await pictures.close()
