"""Large files to disk: guarded as feeds are at every hop, resumed where an earlier try ended.

What came is kept as `NAME.part` with the validator it goes with; a server that answers a range of
another version sends all of it again. The file takes its name only when it is whole.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import pycurl
from yarl import URL

from newsloom.kernel import files
from newsloom.kernel.http import problems
from newsloom.kernel.http.authorities import Authorities, trusted
from newsloom.kernel.http.destination import REDIRECTS, destination, redirected
from newsloom.kernel.http.engine import Engine
from newsloom.kernel.http.guard import (
    AllowList,
    literal_refusal,
    port_refusal,
    private_refusal,
    refusal,
    refusal_words,
)
from newsloom.kernel.http.handle import Ask
from newsloom.kernel.http.headers import user_agent
from newsloom.kernel.http.problems import Stopped
from newsloom.kernel.http.transfer import AddressRule, Resolver, Transfer, addresses_of
from newsloom.kernel.http.values import Downloaded, Failure
from newsloom.kernel.settings import FetchSettings

# To the first byte of an answer's headers, at each hop.
FIRST_BYTE = 30.0
# Without this many bytes in so many seconds the transfer ends; what came is kept.
LEAST_BYTES, STALLED = 1_000, 60
# The longest a file may take: 1.3 GB at 60 kB a second.
LONGEST = 6 * 3600.0

PART = ".part"
_RANGE = re.compile(r"bytes (\d{1,15})-(\d{1,15})/(\d{1,15})")
_STRONG = re.compile(r'"[\x21\x23-\x7e]{1,200}"')
_AGAIN = "The partial download is kept; run the same command to continue."


@dataclass(slots=True)
class _Streamed(Transfer):
    """A transfer whose body goes to a file as it comes."""

    file: BinaryIO | None = None
    began: int = 0  # bytes that were there, and asked for no more
    came: int = 0
    total: int = -1  # of the whole file, where the server says so
    first: asyncio.Event = field(default_factory=asyncio.Event)

    def _goes_on(self) -> bool:
        self.first.set()
        if self.status not in {200, 206}:
            self.left = True
            return False
        coded = self.value("content-encoding").lower()
        if coded not in {"", "identity"}:
            raise Stopped(Failure.PROTOCOL, f"the server sent unrequested compression ({coded})")
        self._begin()
        if max(self.total, 0) > self.ask.most_bytes:
            raise _too_large(self.ask.most_bytes)
        return True

    def _begin(self) -> None:
        assert self.file is not None
        length = self.value("content-length")
        size = int(length) if re.fullmatch(r"\d{1,15}", length) else -1
        if self.status == 206:
            span = _RANGE.fullmatch(self.value("content-range"))
            if span is None or int(span[1]) != self.began or int(span[2]) + 1 != int(span[3]):
                raise Stopped(Failure.PROTOCOL, "the server sent the wrong range")
            self.total = int(span[3])
            return
        self.began, self.total = 0, size
        self.file.seek(0)
        self.file.truncate()

    def _data(self, data: bytes) -> bool:
        assert self.file is not None
        self.came += len(data)
        if self.began + self.came > self.ask.most_bytes:
            raise _too_large(self.ask.most_bytes)
        self.file.write(data)
        return True

    def value(self, name: str) -> str:
        return next((value for key, value in self.headers if key == name), "")


class HttpDownloader:
    """Implements ports.Downloader with libcurl. An async context manager, for one event loop.

    `first_byte` and `stalled` are for tests of slow servers.
    """

    def __init__(
        self,
        settings: FetchSettings,
        *,
        version: str,
        authorities: Authorities | None = None,
        resolver: Resolver | None = None,
        first_byte: float = FIRST_BYTE,
        stalled: int = STALLED,
    ) -> None:
        self._settings = settings
        self._agent = user_agent(version, settings.contact, 1)
        self._authorities = authorities or trusted()
        self._resolver = resolver
        self._allowed = AllowList.of(settings.private_hosts)
        self._first_byte = first_byte
        self._stalled = stalled
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> HttpDownloader:
        self._lookup = self._resolver or Resolver(1)
        self._stack.push_async_callback(self._lookup.close)
        self._engine = Engine(connections=1)
        self._stack.callback(self._engine.close)
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._stack.aclose()

    async def download(self, url: str, target: Path, *, most_bytes: int) -> Downloaded:
        """See ports.Downloader."""
        part = target.with_name(target.name + PART)
        status, resumed = 0, 0
        try:
            files.private_folder(target.parent)
            with part.open("r+b" if part.exists() else "w+b") as file:
                transfer = await self._arrived(url, file, part, most_bytes)
                status, resumed = transfer.status, transfer.began
                if status not in {200, 206}:
                    return Downloaded(status, problem=f"the server returned {status}")
                file.flush()
                os.fsync(file.fileno())
            return _placed(part, target, status, resumed)
        except Stopped as stopped:
            return Downloaded(status, problem=stopped.words, advice=_AGAIN)
        except OSError as error:
            words = f"{target} cannot be written: {error.strerror or error}"
            return Downloaded(status, problem=words, advice=_AGAIN)
        finally:
            if part.exists() and part.stat().st_size == 0:
                part.unlink(missing_ok=True)
                _notes(part).unlink(missing_ok=True)

    async def _arrived(self, url: str, file: BinaryIO, part: Path, most: int) -> _Streamed:
        """The last answer of a journey. A range that is not to be had is asked for as a whole."""
        there, seen = destination(url), 0
        etag = _validator(part, url)
        began = os.fstat(file.fileno()).st_size if etag else 0
        while True:
            transfer = await self._hop(there, file, part, most, url, began, etag)
            if transfer.status == 416 and began:
                began, etag = 0, ""
            elif transfer.status in REDIRECTS:
                seen += 1
                if seen > self._settings.max_redirects:
                    raise Stopped(Failure.REDIRECTS, f"it redirects more than {seen - 1} times")
                location = transfer.value("location")
                there = redirected(there, location, transfer.status)
            else:
                return transfer

    async def _hop(
        self, there: URL, file: BinaryIO, part: Path, most: int, url: str, began: int, etag: str
    ) -> _Streamed:
        headers = [("User-Agent", self._agent), ("Accept-Encoding", "identity")]
        if began:
            headers += [("Range", f"bytes={began}-"), ("If-Range", etag)]
        file.seek(began)
        connects_to = URL(self._settings.proxy) if self._settings.proxy else there
        host, port = connects_to.raw_host or "", connects_to.port or 0
        ask = Ask(
            method="GET",
            url=str(there.with_user(None)),
            headers=tuple(headers),
            seconds=LONGEST,
            most_bytes=most,
            most_ratio=self._settings.max_ratio,
            addresses=await addresses_of(self._lookup, host, port),
            connects_to=(host, port),
            proxy=self._settings.proxy,
        )
        transfer = _Streamed(ask, self._rule(there), file=file, began=began)
        handle = transfer.handle(self._authorities)
        # One rule lets hosts through that the other does not, so no connection is kept.
        handle.setopt(pycurl.FORBID_REUSE, 1)
        handle.setopt(pycurl.LOW_SPEED_LIMIT, LEAST_BYTES)
        handle.setopt(pycurl.LOW_SPEED_TIME, self._stalled)
        try:
            code, words = await self._performed(handle, transfer, part, url)
            if not transfer.whole(code):
                raise transfer.error or self._broken(handle, transfer, code, words)
        finally:
            handle.close()
        if 0 <= transfer.total != transfer.began + transfer.came and transfer.status in {200, 206}:
            raise Stopped(Failure.PROTOCOL, "the response was cut off")
        return transfer

    async def _performed(
        self, handle: pycurl.Curl, transfer: _Streamed, part: Path, url: str
    ) -> tuple[int, str]:
        work = asyncio.create_task(self._engine.perform(handle))
        try:
            waiting = asyncio.create_task(transfer.first.wait())
            await asyncio.wait(
                {work, waiting}, timeout=self._first_byte, return_when=asyncio.FIRST_COMPLETED
            )
            waiting.cancel()
            if not work.done() and not transfer.first.is_set():
                raise Stopped(Failure.TIMEOUT, f"no response within {self._first_byte:g} seconds")
            if transfer.status in {200, 206}:
                # What goes on needs a validator that changes with every byte.
                etag = transfer.value("etag")
                strong = etag if _STRONG.fullmatch(etag) else ""
                _notes(part).write_text(json.dumps({"url": url, "etag": strong}), encoding="utf-8")
            return await work
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)

    def _rule(self, url: URL) -> AddressRule:
        host, port = url.raw_host or "", url.port or 0
        if self._allowed.grants(host, port):
            return private_refusal
        proxied = bool(self._settings.proxy)
        if words := literal_refusal(host, port) if proxied else port_refusal(port):
            raise Stopped(Failure.BLOCKED, words)
        return (lambda _address: None) if proxied else refusal

    def _broken(self, handle: pycurl.Curl, transfer: Transfer, code: int, words: str) -> Exception:
        if transfer.all_refused:
            return Stopped(Failure.BLOCKED, refusal_words(*transfer.refused[0]))
        if code == pycurl.E_OPERATION_TIMEDOUT:
            return Stopped(Failure.TIMEOUT, f"no data for {self._stalled} seconds")
        if code == pycurl.E_PARTIAL_FILE:
            return Stopped(Failure.PROTOCOL, "the response was cut off")
        broken = problems.of_handle(
            handle, code, words, answered=transfer.answered, proxy=bool(self._settings.proxy)
        )
        return Stopped(*problems.described(broken))


def _placed(part: Path, target: Path, status: int, resumed: int) -> Downloaded:
    with part.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    size = part.stat().st_size
    part.replace(target)
    _notes(part).unlink(missing_ok=True)
    return Downloaded(status, digest, size, resumed)


def _notes(part: Path) -> Path:
    return part.with_name(part.name + ".json")


def _validator(part: Path, url: str) -> str:
    """Of what is there, if it came from that address; else it counts for nothing."""
    try:
        said = json.loads(_notes(part).read_bytes())
        etag = said["etag"] if said["url"] == url else ""
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    return etag if isinstance(etag, str) and _STRONG.fullmatch(etag) else ""


def _too_large(most: int) -> Stopped:
    return Stopped(Failure.TOO_LARGE, f"it is larger than {most // 1_000_000:,} MB")
