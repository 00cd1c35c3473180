"""Bytes to UTF-8: which encoding a document is really in, whatever it says.

Looks at the first bytes, the HTTP charset and the XML declaration, in the order that real feeds
make right, and says in words when it had to overrule them. Knows no XML beyond the declaration.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

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
_DECLARED = re.compile(rb"""<\?xml\s[^>]{0,200}?encoding\s*=\s*["']\s*([A-Za-z0-9._:-]{1,40})""")
_CHARSET = re.compile(r"""charset\s*=\s*["']?\s*([A-Za-z0-9._:-]{1,40})""", re.IGNORECASE)
# Labels that mean a larger set than they say (WHATWG Encoding Standard).
_WIDER = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
}
# Encodings that look like ASCII and are not.
_SEVEN_BITS = frozenset({"utf-7", "hz", "iso2022_jp", "iso2022_kr", "iso2022_jp_2"})
# Python's text codecs that are no character encoding of documents.
_NO_CHARSETS = frozenset(
    {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"}
)


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
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return _decoded(body[len(mark) :], encoding, "")
    for start, encoding in _WIDE:
        if body.startswith(start):
            return _decoded(body, encoding, "")
    http, xml = _http(content_type), _xml(body)
    said = http or xml or "utf-8"
    if body.isascii() and said in _SEVEN_BITS:
        return _decoded(body, said, "")
    # UTF-8 that is not ASCII is never valid by accident, so it wins over any label; a label of two
    # bytes a character is void here, because the document starts with a plain "<".
    for encoding in ("utf-8", http, xml):
        if not encoding or encoding.startswith(("utf-16", "utf-32")):
            continue
        try:
            text = body.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
        utf8 = body if encoding == "utf-8" else _encoded(text)
        return Decoded(utf8, _overruled(said, encoding, body))
    return Decoded(
        _encoded(body.decode("utf-8", "newsloom-windows-1252")),
        f"not valid {said}: single bytes were read as windows-1252",
    )


def _decoded(body: bytes, encoding: str, problem: str) -> Decoded:
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError:
        text = body.decode(encoding, "replace")
        problem = f"not valid {encoding}: unreadable characters were replaced"
    return Decoded(_encoded(text), problem)


def _overruled(said: str, encoding: str, body: bytes) -> str:
    if said == encoding or body.isascii():
        return ""
    return f"says it is {said}, but is {encoding}"


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")  # a decoder may let lone surrogates through (UTF-7)


def _http(content_type: str) -> str:
    match = _CHARSET.search(content_type)
    return _known(match[1]) if match else ""


def _xml(body: bytes) -> str:
    match = _DECLARED.search(body[:512])
    return _known(match[1].decode("ascii")) if match else ""


def _known(label: str) -> str:
    """The codec a label means, or "" when there is none."""
    try:
        codec = codecs.lookup(label)
    except LookupError:
        return ""
    if codec.name in _NO_CHARSETS or not getattr(codec, "_is_text_encoding", True):
        return ""
    return _WIDER.get(codec.name, codec.name)


def _windows_byte(error: UnicodeError) -> tuple[str, int]:
    """A byte that is no UTF-8 is most likely a letter of the encoding used before it."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    wrong = error.object[error.start : error.start + 1]
    return wrong.decode("windows-1252", "replace"), error.start + 1


codecs.register_error("newsloom-windows-1252", _windows_byte)
