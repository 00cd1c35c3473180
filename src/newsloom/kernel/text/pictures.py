"""What kind of picture bytes hold, told by their first bytes alone, and how large it is. Pure.

SVG is none of them: it is a document that can hold scripts and addresses.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass

# A picture of a few kilobytes can claim a side of 65,535 and make a browser take 16 GB for it.
LONGEST_SIDE = 2_048

Size = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Kind:
    """A type of picture: how it begins, and where it says its size."""

    type: str
    begins: Callable[[bytes], bool]
    size: Callable[[bytes], Size | None]


def picture_type(body: bytes) -> str:
    """The media type of a picture that may be shown as it is; "" for all else."""
    type_, size = described(body)
    return type_ if all(0 < side <= LONGEST_SIDE for side in size) else ""


def described(body: bytes) -> tuple[str, Size]:
    """The media type of a picture and what it says of its size; "" and (0, 0) for all else."""
    for kind in KINDS:
        if kind.begins(body):
            try:
                size = kind.size(body)
            except (struct.error, IndexError):
                return "", (0, 0)
            return (kind.type, size) if size is not None else ("", (0, 0))
    return "", (0, 0)


def _starts(*beginnings: bytes) -> Callable[[bytes], bool]:
    return lambda body: body.startswith(beginnings)


def _png(body: bytes) -> Size | None:
    return struct.unpack_from(">II", body, 16) if body[12:16] == b"IHDR" else None


def _gif(body: bytes) -> Size | None:
    return struct.unpack_from("<HH", body, 6)


# Start-of-frame markers; C4, C8 and CC among these numbers mean something else.
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})


def _jpeg(body: bytes) -> Size | None:
    at = 2
    while at + 4 <= len(body):
        if body[at] != 0xFF:
            return None
        marker = body[at + 1]
        if marker in _FRAMES:
            height, width = struct.unpack_from(">HH", body, at + 5)
            return width, height
        if marker == 0xFF:
            at += 1
        elif marker in _ALONE:
            at += 2
        else:
            at += 2 + max(struct.unpack_from(">H", body, at + 2)[0], 2)
    return None


def _webp(body: bytes) -> Size | None:
    form = body[12:16]
    if form == b"VP8X":
        width, height = (int.from_bytes(body[at : at + 3], "little") + 1 for at in (24, 27))
        return width, height
    if form == b"VP8L":
        bits = struct.unpack_from("<I", body, 21)[0]
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if form == b"VP8 ":
        width, height = struct.unpack_from("<HH", body, 26)
        return width & 0x3FFF, height & 0x3FFF
    return None


_MOST_ICONS = 64
_PNG = b"\x89PNG\r\n\x1a\n"


def _ico(body: bytes) -> Size | None:
    """The largest of those inside, by what they say themselves: the directory cannot be trusted."""
    count = struct.unpack_from("<H", body, 4)[0]
    if not 0 < count <= _MOST_ICONS:
        return None
    sides = [_inside(body, 6 + 16 * index) for index in range(count)]
    return max(width for width, _height in sides), max(height for _width, height in sides)


def _inside(body: bytes, at: int) -> Size:
    start = struct.unpack_from("<I", body, at + 12)[0]
    if body[start : start + 8] == _PNG:
        return struct.unpack_from(">II", body, start + 16)
    _header, width, height = struct.unpack_from("<Iii", body, start)
    return abs(width), abs(height) // 2  # the colours and, below them, what is transparent


def _avif(body: bytes) -> Size | None:
    """The largest of the boxes that say a size, among which is the picture's."""
    found: list[Size] = []
    at = body.find(b"ispe")
    while at >= 0 and len(found) < _MOST_ICONS:
        found.append(struct.unpack_from(">II", body, at + 8))
        at = body.find(b"ispe", at + 4)
    return max(found, key=max) if found else None


KINDS = (
    Kind("image/png", _starts(_PNG), _png),
    Kind("image/jpeg", _starts(b"\xff\xd8\xff"), _jpeg),
    Kind("image/gif", _starts(b"GIF87a", b"GIF89a"), _gif),
    Kind("image/webp", lambda body: body[:4] == b"RIFF" and body[8:12] == b"WEBP", _webp),
    Kind("image/x-icon", _starts(b"\0\0\1\0"), _ico),
    Kind("image/avif", lambda body: body[4:12] in {b"ftypavif", b"ftypavis"}, _avif),
)
TYPES = frozenset(kind.type for kind in KINDS)
