"""Bytes that are not quite what they say: how nearly they are, and how the rest is read."""

from __future__ import annotations

import codecs

# An error handler: a byte that is no UTF-8 is most likely a letter of the encoding used before it.
WINDOWS_BYTES = "newsloom-windows-1252"

# Of the characters beyond ASCII at most one in so many may be unreadable for an encoding to be
# believed: a text cut inside a character is common in Chinese and Japanese feeds.
_READABLE = 20


def nearly(body: bytes, codec: str) -> str:
    """The text in an encoding that a few characters are not in; "" when too many are not."""
    text = body.decode(codec, "replace")
    beyond = len(text) - len(text.encode("ascii", "ignore"))
    return text if text.count("\ufffd") * _READABLE <= beyond else ""


def _windows_byte(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    wrong = error.object[error.start : error.start + 1]
    return wrong.decode("windows-1252", "replace"), error.start + 1


codecs.register_error(WINDOWS_BYTES, _windows_byte)
