"""Bytes to UTF-8: which encoding a document is really in, whatever it says.

Looks at the first bytes, the HTTP charset and the XML declaration, in the order that real feeds
make right, and says in words when it had to overrule them. Knows no XML beyond the declaration.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from newsloom.text.charsets import codec_of
from newsloom.text.decoding import WINDOWS_BYTES, nearly

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# "<" and its neighbour in encodings of two and four bytes (XML 1.0, appendix F).
_WIDE = (
    (b"<\x00\x00\x00", "utf-32-le"),
    (b"\x00\x00\x00<", "utf-32-be"),
    (b"<\x00", "utf-16-le"),
    (b"\x00<", "utf-16-be"),
)
# "<?xml" in every EBCDIC, whose letters beyond the first are each country's own.
_EBCDIC = "<?xm".encode("cp037")
_DECLARED = re.compile(rb"""<\?xml\s[^>]{0,200}?encoding\s*=\s*["']\s*([A-Za-z0-9._:-]{1,40})""")
_CHARSET = re.compile(r"""charset\s*=\s*["']?\s*([A-Za-z0-9._:-]{1,40})""", re.IGNORECASE)
_WIDE_ONES = ("utf-16", "utf-32")
# Encodings that look like ASCII and are not.
_SEVEN_BITS = frozenset(
    {
        "utf-7", "hz", "iso2022_kr", "iso2022_jp", "iso2022_jp_1", "iso2022_jp_2",
        "iso2022_jp_2004", "iso2022_jp_3", "iso2022_jp_ext",
    }
)  # fmt: skip
_REPLACED = "unreadable characters were replaced"


@dataclass(frozen=True, slots=True)
class Decoded:
    """A document in UTF-8, with or without its now meaningless declaration."""

    utf8: bytes
    problem: str = ""


def declared_utf8(body: bytes, content_type: str) -> bool:
    """Whether all labels agree on UTF-8, so that the bytes may go to the XML parser as they are."""
    if body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\x00" in body[:4]:
        return False
    labels = {_http(content_type), _xml(body)} - {""}
    return labels <= {"utf-8"}


def to_utf8(body: bytes, content_type: str) -> Decoded:
    """The document in UTF-8. Never fails: what cannot be decoded is replaced, and said."""
    http, xml = _http(content_type), _xml(body)
    said = http or xml or "utf-8"
    certain, mark = _by_first_bytes(body, http)
    if not certain and body.isascii() and said in _SEVEN_BITS:
        certain = said
    if certain:
        return _decoded(body[mark:], certain)
    # UTF-8 that is not ASCII is never valid by accident, so it wins over any label; a label of two
    # bytes a character is void here, because the document starts with a plain "<".
    for encoding in ("utf-8", http, xml):
        if not encoding or encoding.startswith(_WIDE_ONES):
            continue
        try:
            text = body.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
        utf8 = body if encoding == "utf-8" else _encoded(text)
        return Decoded(utf8, _overruled(said, encoding, body))
    if not nearly(body, "utf-8"):
        for encoding in (http, xml):
            if _is_of_its_own(encoding) and (text := nearly(body, encoding)):
                return Decoded(_encoded(text), f"not valid {encoding}: {_REPLACED}")
    return Decoded(
        _encoded(body.decode("utf-8", WINDOWS_BYTES)),
        f"not valid {said}: single bytes were read as windows-1252",
    )


def _by_first_bytes(body: bytes, http: str) -> tuple[str, int]:
    """The encoding that a document can only be in, and how long its mark is; "" for most."""
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return encoding, len(mark)
    for start, encoding in _WIDE:
        if body.startswith(start):
            return encoding, 0
    if body.startswith(_EBCDIC):
        return _xml(body[:512].decode("cp037").encode("utf-8")) or http or "cp037", 0
    return "", 0


def _decoded(body: bytes, encoding: str) -> Decoded:
    try:
        return Decoded(_encoded(body.decode(encoding)))
    except UnicodeDecodeError:
        replaced = _encoded(body.decode(encoding, "replace"))
        return Decoded(replaced, f"not valid {encoding}: {_REPLACED}")


def _is_of_its_own(encoding: str) -> bool:
    """Whether it is none of the two that are read side by side, byte by byte."""
    return encoding not in {"", "utf-8", "cp1252"} and not encoding.startswith(_WIDE_ONES)


def _overruled(said: str, encoding: str, body: bytes) -> str:
    if said == encoding or body.isascii():
        return ""
    return f"says it is {said}, but is {encoding}"


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")  # a decoder may let lone surrogates through (UTF-7)


def _http(content_type: str) -> str:
    match = _CHARSET.search(content_type)
    return codec_of(match[1]) if match else ""


def _xml(body: bytes) -> str:
    match = _DECLARED.search(body[:512])
    return codec_of(match[1].decode("ascii")) if match else ""
