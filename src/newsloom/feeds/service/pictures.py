"""The pictures of articles, fetched for a reader who looks at one, and kept for a while.

The site sees this machine and not the reader, and each picture is asked for once. What is shown is
what the bytes are found to be; what is large is made smaller by a process that may be killed.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from newsloom.feeds.service.icons import ACCEPT
from newsloom.kernel import files
from newsloom.kernel.errors import NewsloomError, NotNow, ParseError
from newsloom.kernel.http.ports import Fetcher
from newsloom.kernel.http.values import Reply, Request
from newsloom.kernel.text.pictures import described
from newsloom.kernel.workers.pool import WorkerDied, Workers

# Pictures kept on disk, up to a size: those not asked for the longest go first.
# A file each, written whole or not at all, so that processes may share a folder. What cannot be
# read or written is as if it were not kept: a full disk makes pictures slower, and breaks nothing.

log = logging.getLogger(__name__)

# What is asked for again is marked so once a day at most.
_TOUCHED = timedelta(days=1)
# After a full one is made smaller it has so much of its size left.
_LEFT = 0.9


@dataclass(frozen=True, slots=True)
class CachedPicture:
    """A picture, or why there is none."""

    type: str  # media type; empty: there is none
    body: bytes
    problem: str = ""


class PictureCache:
    """May be asked from any thread."""

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self._folder = folder
        self._most = most_bytes
        self._held: int | None = None  # bytes, as far as this process knows
        self._lock = threading.Lock()
        self._warned = False

    def get(
        self, name: str, now: datetime, good: timedelta, bad: timedelta
    ) -> CachedPicture | None:
        """What is kept under a name; None when nothing is, or it is older than it is good for."""
        path = self._path(name)
        try:
            head, _, body = path.read_bytes().partition(b"\n")
            said = json.loads(head)
            made = datetime.fromisoformat(said["at"])
            cached = CachedPicture(str(said["type"]), body, str(said["problem"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None
        if now - made > (good if cached.type else bad) or made > now + bad:
            return None
        with suppress(OSError):
            if now.timestamp() - path.stat().st_mtime > _TOUCHED.total_seconds():
                os.utime(path, (now.timestamp(), now.timestamp()))
        return cached

    def put(self, name: str, cached: CachedPicture, now: datetime) -> None:
        """Keep it, and throw away what there is no more room for."""
        said = {"at": now.isoformat(), "type": cached.type, "problem": cached.problem}
        content = json.dumps(said).encode() + b"\n" + cached.body
        if len(content) > self._most:
            return
        path = self._path(name)
        part = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.part")
        try:
            files.private_folder(path.parent)
            with open(part, "wb", opener=files.private) as file:
                file.write(content)
            os.utime(part, (now.timestamp(), now.timestamp()))
            part.replace(path)
        except OSError as error:
            if not self._warned:  # once: it will be the same for the next ones
                log.warning("pictures are fetched and not kept: %s", error)
            self._warned = True
            with suppress(OSError):
                part.unlink(missing_ok=True)
            return
        with self._lock:
            if self._held is not None:
                self._held += len(content)
            if self._held is None or self._held > self._most:
                self._held = _swept(self._folder, self._most)

    def _path(self, name: str) -> Path:
        digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
        return self._folder / digest[:2] / digest[2:]


def _swept(folder: Path, most: int) -> int:
    """Delete the ones asked for the longest ago until there is room; the bytes that are left."""
    found = []
    for path in folder.glob("*/*"):
        with suppress(OSError):
            facts = path.stat()
            found.append((facts.st_mtime, facts.st_size, path))
    held = sum(size for _at, size, _path in found)
    if held <= most:
        return held
    for _at, size, path in sorted(found):
        with suppress(OSError):
            path.unlink()
        held -= size
        if held <= most * _LEFT:
            break
    return held


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
