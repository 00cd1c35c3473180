"""Headers sent and headers received, as text. Pure."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable

from yarl import URL

from newsloom.kernel.http.decode import ACCEPT_ENCODING
from newsloom.kernel.http.values import Request

FEED_TYPES = (
    "application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml;q=0.9, "
    "application/xml;q=0.8, text/xml;q=0.8, text/html;q=0.5, */*;q=0.1"
)

_VALIDATORS = frozenset({"etag", "last-modified"})


def user_agent(version: str, contact: str, subscribers: int) -> str:
    """Who asks, how to reach them, and for how many readers: what publishers ask pollers to say."""
    # A comment of the header (RFC 9110): printable ASCII without brackets.
    contact = re.sub(r"[^!-'*-~ ]", "", contact).strip()
    who = f"+{contact}" if contact else "self-hosted feed reader"
    return f"Newsloom/{version} ({who}; {subscribers} subscriber{'' if subscribers == 1 else 's'})"


def request_headers(request: Request, agent: str, *, conditional: bool) -> dict[str, str]:
    """All that is sent besides the host: no cookies, no referer, validators as they came."""
    headers = {
        "User-Agent": agent,
        "Accept": request.accept or FEED_TYPES,
        "Accept-Encoding": ACCEPT_ENCODING,
    }
    if conditional and sendable(request.etag):
        headers["If-None-Match"] = request.etag
    if conditional and sendable(request.last_modified):
        headers["If-Modified-Since"] = request.last_modified
    if request.body and sendable(request.content_type):
        headers["Content-Type"] = request.content_type
    return headers | dict(request.headers)


def is_conditional(headers: Iterable[tuple[str, str]]) -> bool:
    """Whether a request with these may be answered "not modified" (RFC 9110, 15.4.5)."""
    return any(name in {"If-None-Match", "If-Modified-Since"} for name, _value in headers)


def credentials(url: URL) -> tuple[tuple[str, str], ...]:
    """The header for a name and password in the URL, in UTF-8, as RFC 7617 advises."""
    if url.raw_user is None and url.raw_password is None:
        return ()
    both = f"{url.user or ''}:{url.password or ''}".encode()
    return (("Authorization", f"Basic {base64.b64encode(both).decode('ascii')}"),)


def status_of(line: bytes) -> int:
    """Of "HTTP/1.1 200 OK"; libcurl has read it before."""
    words = line.split(None, 2)
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else 0


def announced(length: str) -> int:
    """What a length announces; -1: nothing."""
    if not (length.isascii() and length.isdigit()):
        return -1
    return int(length) if len(length) < 19 else 10**18  # Python takes no number of 16 KB


def fields(lines: Iterable[bytes]) -> list[tuple[bytes, bytes]]:
    """Names and values; a line that begins with a blank continues the one before."""
    found: list[tuple[bytes, bytes]] = []
    for line in lines:
        if line[:1] in {b" ", b"\t"} and found:
            name, value = found[-1]
            found[-1] = (name, value + b" " + line.strip())
            continue
        name, _, value = line.partition(b":")
        found.append((name.strip(), value.strip(b" \t\r\n")))
    return found


def reply_headers(raw: Iterable[tuple[bytes, bytes]]) -> tuple[tuple[str, str], ...]:
    """Names in lower case, values as text that a database can hold.

    Stored as text and sent as UTF-8, a validator in any other encoding cannot be sent back byte for
    byte; it is left out, and the feed is asked for unconditionally.
    """
    headers = []
    for raw_name, raw_value in raw:
        name = raw_name.decode("latin-1").lower()
        try:
            headers.append((name, raw_value.decode("utf-8")))
        except UnicodeDecodeError:
            if name not in _VALIDATORS:
                headers.append((name, raw_value.decode("latin-1")))
    return tuple(headers)


def sendable(value: str) -> bool:
    """Whether a stored validator, or a key of the settings, can stand in a header line."""
    return bool(value) and all(sign == "\t" or (sign >= " " and sign != "\x7f") for sign in value)
