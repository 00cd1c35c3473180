"""Pictures kept on disk, up to a size: those not asked for the longest go first.

A file each, written whole or not at all, so that processes may share a folder. What cannot be read
or written is as if it were not kept: a full disk makes pictures slower, and breaks nothing.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import threading
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from newsloom.kernel import files

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
            self._make_room(len(content))

    def _make_room(self, more: int) -> None:
        if self._held is not None:
            self._held += more
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
