"""How an address is written inside another: parameters, paths, base64 and the like. Knows no host.

Every reader takes the parts of a forwarding address and gives what may be an address, or "".
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import unescape
from urllib.parse import unquote

# Escaped more often than any chain of trackers does.
_MOST_ESCAPES = 3
_ESCAPED_SCHEME = re.compile(r"https?%", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Parts:
    """A forwarding address, as written but for the host, which is in lower case."""

    host: str
    path: str
    query: str

    @property
    def beyond_host(self) -> str:
        """All that follows the host; an address may be written there with a query of its own."""
        return f"{self.path}?{self.query}" if self.query else self.path


Find = Callable[[Parts], str]


def unescaped(text: str) -> str:
    """Without percent escapes, as often as an address was escaped."""
    text = unquote(text)
    for _ in range(_MOST_ESCAPES):
        if not _ESCAPED_SCHEME.match(text):
            break
        text = unquote(text)
    return text


def _values(parts: Parts, names: Sequence[str]) -> list[str]:
    """The raw values of parameters, in the order of the names; escaped ampersands count.

    An address written bare, with a query of its own, ends nobody knows where: all that follows is
    taken. Cut at the next "&", two articles told apart by a second parameter would be one.
    """
    pairs = parts.query.replace("&amp;", "&").split("&")
    found: dict[str, str] = {}
    for place, pair in enumerate(pairs):
        name, _, value = pair.partition("=")
        if "?" in value and _BARE.match(value):
            value = "&".join((value, *pairs[place + 1 :]))
        found.setdefault(unquote(name), value)
    return [found[name] for name in names if found.get(name)]


_BARE = re.compile(r"https?:/", re.IGNORECASE)


def parameter(*names: str) -> Find:
    """The value of a parameter of the query, the first of those named that is there."""

    def find(parts: Parts) -> str:
        return next((unescaped(value) for value in _values(parts, names)), "")

    return find


def shareasale(parts: Parts) -> str:
    """An address that may leave the scheme out."""
    value = parameter("urllink")(parts)
    return value if not value or value.startswith("http") else f"http://{value}"


def in_base64(*names: str, skip: int = 0) -> Find:
    """The value of a parameter, after `skip` signs in base64."""

    def find(parts: Parts) -> str:
        return next((text(value[skip:]) for value in _values(parts, names)), "")

    return find


def rest(after: str) -> Find:
    """All that follows a pattern in path and query; bare, or escaped."""
    pattern = re.compile(after)

    def find(parts: Parts) -> str:
        match = pattern.match(parts.beyond_host)
        return unescaped(parts.beyond_host[match.end() :]) if match else ""

    return find


def segment(pattern: str, scheme: str = "") -> Find:
    """The groups of a pattern in the path, escaped; `scheme` where it is left out."""
    compiled = re.compile(pattern)

    def find(parts: Parts) -> str:
        match = compiled.match(parts.path)
        found = unescaped("".join(match.groups())) if match else ""
        return f"{scheme}{found}" if found else ""

    return find


def whole_query(parts: Parts) -> str:
    return unescaped(parts.query)


def in_token(pattern: str, *names: str) -> Find:
    """A field of the JSON that stands in base64 in the path, such as the claims of a JWT."""
    compiled = re.compile(pattern)

    def find(parts: Parts) -> str:
        match = compiled.match(parts.path)
        return field(text(match[1]), *names) if match else ""

    return find


def field(document: str, *names: str) -> str:
    """A text of a JSON object."""
    try:
        tree = json.loads(document)
    except (ValueError, RecursionError):
        return ""
    values = [tree.get(name) for name in names] if isinstance(tree, dict) else []
    return next((value for value in values if isinstance(value, str)), "")


def decoded(encoded: str) -> bytes:
    """Base64 of either alphabet, padded or not; nothing for what is none."""
    raw = unquote(encoded).rstrip("=").translate(_ALPHABET)
    try:
        return base64.b64decode(raw + "=" * (-len(raw) % 4), validate=True)
    except (binascii.Error, ValueError):
        return b""


_ALPHABET = str.maketrans("-_", "+/")


def text(encoded: str) -> str:
    return decoded(encoded).decode("utf-8", "replace")


def google_news(parts: Parts) -> str:
    """The address that the older ids of articles carry; the newer ones ("AU_yqL...") carry none.

    An id is a protocol buffer in base64: field 1 a kind, mostly 19; field 4 the address; and field
    26 that of its AMP form, which may be empty.
    """
    data = decoded(parts.path.rpartition("/")[2])
    if data[:1] != b"\x08" or data[2:3] != b'"':
        return ""
    length, start = _varint(data, 3)
    return data[start : start + length].decode("utf-8", "replace")


def _varint(data: bytes, place: int) -> tuple[int, int]:
    """A number of a protocol buffer and where the next thing begins."""
    value = 0
    for shift in range(0, 28, 7):
        if place >= len(data):
            break
        byte = data[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, place
    return 0, place


def translated(parts: Parts) -> str:
    """The page behind one of Google's translations, by Google's own description of the host."""
    name = parts.host.removesuffix(".translate.goog")
    encoding = "".join(_values(parts, ("_x_tr_enc",))).split(",")
    name = "".join(_values(parts, ("_x_tr_hp",))) + name
    if "1" in encoding:
        name = name.removeprefix("1-")
    international = "0" in encoding and name.startswith("0-")
    name = name.removeprefix("0-") if international else name
    name = re.sub(r"\b-\b", ".", name).replace("--", "-")
    scheme = "".join(_values(parts, ("_x_tr_sch",))) or "https"
    own = [pair for pair in parts.query.split("&") if pair and not pair.startswith("_x_tr_")]
    query = f"?{'&'.join(own)}" if own else ""
    return f"{scheme}://{'xn--' if international else ''}{name}{parts.path}{query}"


def proofpoint_2(parts: Parts) -> str:
    """Percent signs are written as "-", slashes as "_"."""
    return next(
        (unescape(unquote(one.translate(_PROOFPOINT))) for one in _values(parts, ("u",))), ""
    )


_PROOFPOINT = str.maketrans("-_", "%/")
_RUNS = {
    sign: length
    for length, sign in enumerate(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", start=2
    )
}
_DEFENDED = re.compile(r"/v3/__(.+?)__;([^!]*)!")
_LEFT_OUT = re.compile(r"\*\*([A-Za-z0-9_-])|\*")


def proofpoint_3(parts: Parts) -> str:
    """Special signs are taken out in runs, "*" or "**" and a length, and follow in base64."""
    match = _DEFENDED.match(parts.beyond_host)
    if match is None:
        return ""
    signs = iter(text(match[2]))

    def put_back(run: re.Match[str]) -> str:
        length = _RUNS[run[1]] if run[1] else 1
        return "".join(sign for _, sign in zip(range(length), signs, strict=False))

    return unquote(_LEFT_OUT.sub(put_back, match[1]))


def mandrill(parts: Parts) -> str:
    """JSON in JSON in base64."""
    return next((field(field(text(one), "p"), "url") for one in _values(parts, ("p",))), "")


def disqus(parts: Parts) -> str:
    """The address and, after a colon, its signature."""
    found = parameter("url")(parts)
    return re.sub(r":[\w-]{10,}$", "", found)


def youtube_video(parts: Parts) -> str:
    video = parts.path[1:]
    return f"https://www.youtube.com/watch?v={video}" if re.fullmatch(r"[\w-]{11}", video) else ""


def youtube_attribution(parts: Parts) -> str:
    """A path of the same host."""
    path = parameter("u")(parts)
    return f"https://{parts.host}{path}" if path.startswith("/") else ""
