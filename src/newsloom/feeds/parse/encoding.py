"""Bytes to UTF-8: which encoding a document is really in, whatever it says.

Looks at the first bytes, the HTTP charset and the XML declaration, in the order that real feeds
make right, and says in words when it had to overrule them. Knows no XML beyond the declaration.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from newsloom.kernel.text.decoding import Decoding, codec_of, decode

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
    certain, mark = _by_first_bytes(body, http)
    if not certain and body.isascii() and (http or xml) in _SEVEN_BITS:
        certain = http or xml
    if certain:
        body = body[mark:]
        try:
            return Decoded(_encoded(body.decode(certain)))
        except UnicodeDecodeError:
            replaced = _encoded(body.decode(certain, "replace"))
            return Decoded(replaced, f"not valid {certain}: {_REPLACED}")
    # A label of two bytes a character is void here, because the document starts with a plain "<".
    found = decode(body, (one for one in (http, xml) if not one.startswith(_WIDE_ONES)))
    utf8 = body if found.codec == "utf-8" and found.exact else _encoded(found.text)
    return Decoded(utf8, _problem(found, http or xml, body))


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


def _problem(found: Decoding, said: str, body: bytes) -> str:
    if found.codec in {"utf-8", "cp1252"} and not found.exact:
        return f"not valid {said or 'utf-8'}: read as windows-1252"
    if not found.exact and found.codec == said:
        return f"not valid {said}: {_REPLACED}"
    if body.isascii() or found.codec == (said or "utf-8"):
        return ""
    name = found.codec.replace("cp125", "windows-125").replace("iso8859_", "iso-8859-")
    return f"declared as {said or 'utf-8'}, but is {name}"


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")  # a decoder may let lone surrogates through (UTF-7)


def _http(content_type: str) -> str:
    match = _CHARSET.search(content_type)
    return codec_of(match[1]) if match else ""


def _xml(body: bytes) -> str:
    match = _DECLARED.search(body[:512])
    return codec_of(match[1].decode("ascii")) if match else ""
