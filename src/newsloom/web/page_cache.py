"""A cache of rendered pages, compressed and bounded. Knows no page.

A page depends on the store, the time and work in progress. A caller passes a version of these
(Site.page_version); a cached page is used while its version is the current one.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING

from fastapi import Request, Response

from newsloom.web.compression import coding_for, compressed

if TYPE_CHECKING:
    from collections.abc import Iterator

# Of all kept pages together; a list of fifty rows takes some 20 KB.
MOST_BYTES = 16_000_000
# Pages made at once, of all kinds. Threads of Python take turns, and with SQLite give theirs up at
# each row: with two at once a page took 14.9 ms of processor time, with one 13.8
# (docs/work/decisions/pages.md), and what is kept already waited behind both.
AT_ONCE = 1
# Who waited that long makes its page beside the others: one that is slow must not hold up all.
MOST_WAITED = 0.25


@dataclass(frozen=True, slots=True)
class _Page:
    """A page in one coding."""

    version: Hashable
    headers: dict[str, str]
    etag: str
    body: bytes


@dataclass(slots=True)
class PageCache:
    """The last pages asked for, by what was asked and by whom. Used from any thread."""

    most: int = MOST_BYTES
    waited: float = MOST_WAITED  # seconds
    _pages: OrderedDict[Hashable, _Page] = field(default_factory=OrderedDict)
    _held: int = 0  # bytes: to add up eight hundred pages for each new one took .4 ms
    _making: tuple[threading.Lock, ...] = field(
        default_factory=lambda: tuple(threading.Lock() for _ in range(256))
    )
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _few: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(AT_ONCE))

    def answer(
        self,
        request: Request,
        whose: Hashable,
        version: Callable[[], Hashable],
        make: Callable[[], Response],
    ) -> Response:
        """A page that is still right, or one made now. 304 where the browser has the same.

        `whose`: the reader. `version` changes whenever anything shown may have. Only a page with
        status 200 is kept; redirects and the like are not.
        """
        headers = request.headers
        coding = coding_for(headers)
        key = (  # everything of a request that a page may depend on
            whose,
            request.scope["path"],
            request.scope["query_string"],
            headers.get("cookie", ""),
            headers.get("hx-request", ""),
            coding,
        )
        # Read before the page is made: what changes meanwhile is not in this version.
        wanted = version()
        page = self._cached(key, wanted)
        if page is None:
            # Who waited for another's page takes that one.
            with self._making[hash(key) % len(self._making)]:
                page = self._cached(key, wanted)
                if page is None:
                    with self.slot():
                        answer = make()
                    if answer.status_code != HTTPStatus.OK:
                        return answer
                    page = self._store(key, wanted, answer, coding)
        known = headers.get("if-none-match", "").replace("W/", "").split(",")
        if page.etag.removeprefix("W/") in map(str.strip, known):
            unchanged = page.headers.copy()
            unchanged.pop("content-type", None)
            unchanged.pop("content-encoding", None)
            return Response(status_code=304, headers=unchanged)
        return Response(page.body, headers=page.headers)

    @contextmanager
    def slot(self) -> Iterator[bool]:
        """Make a page, of whatever kind, while no more than AT_ONCE are made. False: it waited long
        enough, and is made beside them."""
        ours = self._few.acquire(timeout=self.waited)
        try:
            yield ours
        finally:
            if ours:
                self._few.release()

    def _cached(self, key: Hashable, version: Hashable) -> _Page | None:
        with self._lock:
            page = self._pages.get(key)
            if page is None or page.version != version:
                return None
            self._pages.move_to_end(key)
            return page

    def _store(self, key: Hashable, version: Hashable, answer: Response, coding: str) -> _Page:
        """The page of an answer; those asked for longest ago make room for it."""
        body = bytes(answer.body)
        # Weak: the same page in another coding has the same tag.
        etag = f'W/"{hashlib.sha256(body).hexdigest()[:24]}"'
        headers = {**answer.headers, "etag": etag, "vary": "Accept-Encoding, Cookie"}
        del headers["content-length"]
        if coding:
            headers["content-encoding"] = coding
            body = compressed(body, coding)
        page = _Page(version, headers, etag, body)
        with self._lock:
            old = self._pages.pop(key, None)
            self._pages[key] = page
            self._held += len(page.body) - (len(old.body) if old else 0)
            while self._held > self.most and len(self._pages) > 1:
                self._held -= len(self._pages.popitem(last=False)[1].body)
        return page
