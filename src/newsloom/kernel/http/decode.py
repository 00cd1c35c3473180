"""Undoes one content coding within bounds, whatever the bytes are. No network.

Memory is bounded by the largest body allowed plus one step, because no step may put out more than
STEP bytes and each is counted before the next.
"""

from __future__ import annotations

import codecs
import zlib
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Protocol

import brotli

from newsloom.kernel.http.problems import Stopped
from newsloom.kernel.http.values import Failure

# What is asked for. zstd is left out: no feed host was seen to need it, and each decoder is one
# more that hostile bytes reach.
ACCEPT_ENCODING = "gzip, deflate, br"

STEP = 64 * 1024

# Up to here the ratio is not looked at: a feed of a few hundred bytes on the wire that grows to a
# megabyte harms nobody, and long runs of one character are common in small documents. deflate
# itself ends at about 1030:1.
RATIO_FLOOR = 1024 * 1024

# A gzip body may be several members (RFC 1952); files written in blocks (BGZF: 64 KB each) have
# 240 in 15 MB. 750,000 empty members fit there too, and took 6.4 s of one core.
MOST_MEMBERS = 1000

GZIP_MAGIC = b"\x1f\x8b"
_GZIP_START = GZIP_MAGIC + b"\x08"  # deflate is the only method there is
# What zlib writes first, at its three kinds of levels. Said of no other format and of no text.
_ZLIB_STARTS = (b"\x78\x01", b"\x78\x9c", b"\x78\xda")
# How many bytes tell a compressed body from a text.
_HEAD = 32

# Codings that are known and not undone, by the registry of HTTP.
_NOT_UNDONE = frozenset({"compress", "zstd", "dcb", "dcz", "exi", "pack200-gzip"})


class _Coding(Protocol):
    def pieces(self, data: bytes) -> Iterator[bytes]:
        """What the bytes come to, in pieces of about STEP at most."""

    def complete(self) -> bool:
        """Whether the coded data has come to its own end."""


def content_coding(values: Iterable[str]) -> str:
    """The coding that Content-Encoding headers name; raises Stopped for several.

    Names of no coding ("utf-8", "none", "aws-chunked") mean nothing. Codings one in the other are
    refused: no feed uses them, and each multiplies a bomb.
    """
    named = [part.strip().lower() for value in values for part in value.split(",")]
    codings = {name.removeprefix("x-") for name in named} & (_CODINGS.keys() | _NOT_UNDONE)
    if len(codings) > 1:
        raise Stopped(Failure.ENCODING, f"it is encoded {len(codings)} times over")
    return codings.pop() if codings else ""


def _looks_like(said: str, head: bytes) -> str:
    """The coding of a body that begins so, whatever its header says: servers and the proxies before
    them name codings they did not apply, and apply some they do not name."""
    if head.startswith(_GZIP_START):
        return "gzip"
    if said != "br" and head.startswith(_ZLIB_STARTS):
        return "deflate"
    return "" if len(head) >= _HEAD and _is_text(head[:_HEAD]) else said


def _is_text(head: bytes) -> bool:
    """No compressed data is UTF-8 without control characters for as long as a head is."""
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return all(character >= " " or character in "\t\n\r" for character in text)


class BoundedDecoder:
    """Takes a body as it comes; raises Stopped the moment it is too large or not what it says."""

    def __init__(self, said: str, *, most_bytes: int, most_ratio: int) -> None:
        self._said = said
        self._head: bytes | None = b""  # until it is long enough to tell the coding by
        self._coding: _Coding | None = None
        self._most = most_bytes
        self._ratio = most_ratio
        self._taken = 0
        # BytesIO hands its buffer out without copying it, so a body is never in memory twice.
        self._body = BytesIO()

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the wire."""
        self._taken += len(data)
        if self._taken > self._most:
            raise self.too_large()
        if self._head is not None:
            self._head += data
            if len(self._head) < _HEAD:
                return
            data = self._begin(self._head)
        self._decode(data)

    def finish(self) -> bytes:
        """The body, once the wire has ended."""
        if self._head:
            self._decode(self._begin(self._head))
        # Some servers name a coding and send no body at all; that is an empty body.
        if self._coding is not None and self._taken and not self._coding.complete():
            raise Stopped(Failure.ENCODING, "its compressed data is cut off")
        if self._coding is not None and self._body.getbuffer()[:3] == _GZIP_START:
            raise Stopped(Failure.ENCODING, "it is encoded 2 times over")
        return self._body.getvalue()

    def _begin(self, head: bytes) -> bytes:
        self._head = None
        if coding := _looks_like(self._said, head):
            if coding in _NOT_UNDONE:
                words = f"it is compressed with {coding!r}, which was not requested"
                raise Stopped(Failure.ENCODING, words)
            self._coding = _CODINGS[coding]()
        return head

    def _decode(self, data: bytes) -> None:
        if self._coding is None:
            self._body.write(data)
            return
        try:
            for piece in self._coding.pieces(data):
                self._keep(piece)
        except (zlib.error, brotli.error) as error:
            raise Stopped(Failure.ENCODING, "its compressed data is broken") from error

    def _keep(self, piece: bytes) -> None:
        size = self._body.tell() + len(piece)
        if size > self._most:
            raise self.too_large()
        if size > RATIO_FLOOR and size > self._ratio * self._taken:
            times = size // self._taken
            raise Stopped(Failure.ENCODING, f"it is a compression bomb: grew {times}-fold")
        self._body.write(piece)

    def too_large(self) -> Stopped:
        """What is raised for a body over the limit."""
        return Stopped(Failure.TOO_LARGE, f"it is larger than {self._most / 1e6:g} MB")


class _Gzip:
    def __init__(self) -> None:
        self._member = zlib.decompressobj(wbits=31)
        self._members = 1
        self._between = b""  # after a member: too few bytes to tell whether another follows
        self._ended = False  # what follows the last member is padding

    def pieces(self, data: bytes) -> Iterator[bytes]:
        while data and not self._ended:
            if self._member.eof:
                data, self._between = self._between + data, b""
                if len(data) < len(GZIP_MAGIC):
                    self._between = data
                    return
                if not data.startswith(GZIP_MAGIC):
                    self._ended = True
                    return
                self._members += 1
                if self._members > MOST_MEMBERS:
                    raise Stopped(
                        Failure.ENCODING, f"it is more than {MOST_MEMBERS} gzip files in one"
                    )
                self._member = zlib.decompressobj(wbits=31)
            yield from _inflate(self._member, data)
            data = self._member.unused_data

    def complete(self) -> bool:
        return self._member.eof


class _Deflate:
    """HTTP's deflate is zlib's format; some servers send the bare stream within it (RFC 9110)."""

    def __init__(self) -> None:
        self._stream: zlib._Decompress | None = None
        self._head = b""

    def pieces(self, data: bytes) -> Iterator[bytes]:
        if self._stream is None:
            self._head += data
            if len(self._head) < 2:
                return
            data = self._head
            self._stream = zlib.decompressobj(wbits=15 if _zlib_header(data) else -15)
        if not self._stream.eof:
            yield from _inflate(self._stream, data)

    def complete(self) -> bool:
        return self._stream is not None and self._stream.eof


def _zlib_header(data: bytes) -> bool:
    """RFC 1950: method 8, a window of at most 32 KB, and a check. No encoder starts a bare stream
    so: it would be a stored block with a padding bit set."""
    return data[0] & 0x0F == 8 and data[0] >> 4 <= 7 and (data[0] * 256 + data[1]) % 31 == 0


def _inflate(stream: zlib._Decompress, data: bytes) -> Iterator[bytes]:
    while True:
        piece = stream.decompress(data, STEP)
        if piece:
            yield piece
        data = stream.unconsumed_tail
        # A full piece may leave output inside the stream with no input left to push it out.
        if stream.eof or (not data and len(piece) < STEP):
            return


class _Brotli:
    def __init__(self) -> None:
        self._stream = brotli.Decompressor()

    def pieces(self, data: bytes) -> Iterator[bytes]:
        # can_accept_more_data() is True as soon as the input is read, with output still to come; an
        # empty piece is the only sign that there is none.
        while not self._stream.is_finished():
            piece = self._stream.process(data, output_buffer_limit=STEP)
            if not piece:
                return
            yield piece
            data = b""

    def complete(self) -> bool:
        return bool(self._stream.is_finished())


_CODINGS: dict[str, type[_Coding]] = {"gzip": _Gzip, "deflate": _Deflate, "br": _Brotli}
