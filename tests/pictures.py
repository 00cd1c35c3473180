"""Small pictures of every kind, made to order: as large as they say, or only claiming to be."""

from __future__ import annotations

import struct
import zlib


def png(width: int = 16, height: int = 16) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        )

    lines = b"".join(b"\0" + b"\x20\x80\x60" * width for _ in range(min(height, 64)))
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(lines))
        + chunk(b"IEND", b"")
    )


def gif(width: int = 16, height: int = 16) -> bytes:
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\x80\0\0" + b"\0" * 20


def jpeg(width: int = 16, height: int = 16) -> bytes:
    frame = struct.pack(">HBHHB", 11, 8, height, width, 1) + b"\x01\x11\0"
    return b"\xff\xd8\xff\xe0\0\x10JFIF" + b"\0" * 10 + b"\xff\xff\xc0" + frame


def webp(width: int = 16, height: int = 16) -> bytes:
    size = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0" + size


def lossless(width: int = 16, height: int = 16) -> bytes:
    bits = (width - 1) & 0x3FFF | ((height - 1) & 0x3FFF) << 14
    return b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f" + struct.pack("<I", bits)


def lossy(width: int = 16, height: int = 16) -> bytes:
    return b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a" + struct.pack("<HH", width, height)


def ico(width: int = 16, height: int = 16, inside: bytes | None = None) -> bytes:
    picture = inside or struct.pack("<Iii", 40, width, 2 * height) + b"\0" * 60
    entry = struct.pack("<BBBBHHII", 16, 16, 0, 0, 1, 32, len(picture), 22)
    return b"\0\0\1\0\1\0" + entry + picture


def avif(width: int = 16, height: int = 16) -> bytes:
    box = b"\0\0\0\x14ispe\0\0\0\0" + struct.pack(">II", width, height)
    return b"\0\0\0\x1cftypavif\0\0\0\0avifmif1" + box
