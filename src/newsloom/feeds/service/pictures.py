"""The pictures of articles, fetched for a reader who looks at one, and kept for a while.

The site sees this machine and not the reader, and each picture is asked for once. What is shown is
what the bytes are found to be; what is large is made smaller by a process that may be killed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from newsloom.feeds.service.icons import ACCEPT
from newsloom.feeds.service.picture_cache import CachedPicture, PictureCache
from newsloom.kernel.errors import NewsloomError, NotNow, ParseError
from newsloom.kernel.http.ports import Fetcher
from newsloom.kernel.http.values import Reply, Request
from newsloom.kernel.text.pictures import described
from newsloom.kernel.workers.pool import WorkerDied, Workers

TASK = "picture"  # of newsloom.kernel.workers.tasks

# Pixels of the longest side. An article's column is some 700 px wide, and many screens have two
# pixels for one; a thumbnail is shown at 160.
WHOLE, THUMBNAIL = 1_600, 320
# In a mail, at 120 pixels, as JPEG: many mail programs show no WebP.
MAIL = 240
# A picture no longer than that and no larger in bytes stays as it is.
MOST_BYTES = {WHOLE: 300_000, THUMBNAIL: 30_000}
MOST_FETCHED_MEGABYTES = 15.0
# A moving picture cannot be made smaller: it is shown up to so many bytes, and not above.
MOST_MOVING_BYTES = 5_000_000

GOOD = timedelta(days=30)
BAD = timedelta(hours=1)  # that there is none is believed for so long

# Markers of GIF, animated PNG, WebP and AVIF, rare in other formats. Even a small file with one may
# have many frames, so the worker counts them.
_MOVING = (b"GIF8", b"acTL", b"ANIM", b"avis")

SVG = "image/svg+xml"
OK = 200


@dataclass(slots=True)
class Pictures:
    """Use on one event loop. `at_once`: so many are fetched at the same time, whoever asks."""

    fetcher: Fetcher
    workers: Workers
    cache: PictureCache
    now: Callable[[], datetime]
    at_once: int = 12
    _under_way: dict[tuple[str, int], asyncio.Task[CachedPicture]] = field(default_factory=dict)
    _gate: asyncio.Semaphore | None = None

    async def get(self, url: str, longest: int) -> CachedPicture:
        """The picture at an address, no longer than that on any side. Never raises: one without a
        type is none, and says why. Two who ask at once share an answer, also if one goes away."""
        key = (url, longest)
        task = self._under_way.get(key)
        if task is None:
            task = asyncio.create_task(self._get(url, longest))
            self._under_way[key] = task
            task.add_done_callback(lambda _done: self._under_way.pop(key, None))
        return await asyncio.shield(task)

    async def close(self) -> None:
        """End what is under way."""
        tasks = list(self._under_way.values())
        for one in tasks:
            one.cancel()
        for one in tasks:
            with suppress(asyncio.CancelledError):
                await one

    async def _get(self, url: str, longest: int) -> CachedPicture:
        name = f"{longest} {url}"
        cached = await asyncio.to_thread(self.cache.get, name, self.now(), GOOD, BAD)
        if cached is not None:
            return cached
        if self._gate is None:
            self._gate = asyncio.Semaphore(self.at_once)
        async with self._gate:
            try:
                reply = await self.fetcher.get(
                    Request(url=url, accept=ACCEPT, max_megabytes=MOST_FETCHED_MEGABYTES)
                )
            except NotNow as error:
                return CachedPicture("", b"", str(error))  # asked of nobody, so not remembered
            except NewsloomError as error:
                cached = CachedPicture("", b"", str(error))
            else:
                cached = await self._shown(reply, longest)
        await asyncio.to_thread(self.cache.put, name, cached, self.now())
        return cached

    async def _shown(self, reply: Reply, longest: int) -> CachedPicture:
        if reply.failure is not None:
            return CachedPicture("", b"", reply.problem or reply.failure.value)
        if reply.status != OK:
            return CachedPicture("", b"", f"the server returned {reply.status}")
        body = reply.body
        if longest == MAIL:
            return await self._jpeg(body)
        if _is_svg(reply):
            return CachedPicture(SVG, body) if len(body) <= MOST_BYTES[WHOLE] else _TOO_LARGE
        kind, size = described(body)
        if not kind:
            return CachedPicture("", b"", "it is not a picture")
        small = max(size) <= longest and len(body) <= MOST_BYTES[longest]
        if small and not any(one in body for one in _MOVING):
            return CachedPicture(kind, body)
        try:
            made = await self.workers.call(TASK, [longest, "WEBP"], body, bytes)
        except (ParseError, WorkerDied) as error:
            return CachedPicture("", b"", str(error))
        if made:
            return CachedPicture("image/webp", made)
        return CachedPicture(kind, body) if len(body) <= MOST_MOVING_BYTES else _TOO_LARGE

    async def _jpeg(self, body: bytes) -> CachedPicture:
        try:
            made = await self.workers.call(TASK, [MAIL, "JPEG"], body, bytes)
        except (ParseError, WorkerDied) as error:
            return CachedPicture("", b"", str(error))
        return CachedPicture("image/jpeg", made)


_TOO_LARGE = CachedPicture("", b"", "it is too large")


def _is_svg(reply: Reply) -> bool:
    """Drawn by a browser as a picture it runs nothing and asks for nothing, and we send it so that
    it does no more when it is opened by itself."""
    kind = reply.header("content-type").partition(";")[0].strip().lower()
    return kind == SVG and b"<svg" in reply.body[:4_000]
