"""One request as libcurl is told of it: every option that is set, and why. Opens nothing."""

from __future__ import annotations

from dataclasses import dataclass

import pycurl

from newsloom.kernel.http.authorities import Authorities
from newsloom.kernel.http.engine import IDLE_SECONDS

SUPPRESS_CONNECT_HEADERS = 265  # of curl.h; pycurl has no name for it


@dataclass(frozen=True, slots=True)
class Ask:
    """What is sent, and what of the answer is wanted."""

    method: str
    url: str  # without user and password
    headers: tuple[tuple[str, str], ...]
    seconds: float
    most_bytes: int
    most_ratio: int
    body: bytes = b""
    wants_body: bool = True
    wants_every_body: bool = False  # also that of an error
    addresses: tuple[str, ...] = ()  # of the host that is connected to
    connects_to: tuple[str, int] = ("", 0)  # that host, and its port
    proxy: str = ""


def made(ask: Ask, authorities: Authorities) -> pycurl.Curl:
    """A new handle: a used one keeps what was set, and making one costs a few microseconds."""
    curl = pycurl.Curl()
    curl.setopt(pycurl.URL, ask.url.encode("ascii"))
    curl.setopt(pycurl.PATH_AS_IS, 1)
    curl.setopt(pycurl.PROTOCOLS, pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS)
    curl.setopt(pycurl.FOLLOWLOCATION, 0)
    # One request at a time goes to a host, so HTTP/2 has nothing to share a connection for, and
    # every server speaks 1.1; its frames and header tables would be one more thing to attack.
    curl.setopt(pycurl.HTTP_VERSION, pycurl.CURL_HTTP_VERSION_1_1)
    curl.setopt(pycurl.HTTP_CONTENT_DECODING, 0)
    curl.setopt(pycurl.PROXY, ask.proxy)  # empty: none, whatever the environment says
    curl.setopt(pycurl.NOPROXY, "")
    curl.setopt(SUPPRESS_CONNECT_HEADERS, 1)
    curl.setopt(pycurl.NETRC, pycurl.NETRC_IGNORED)
    curl.setopt(pycurl.NOSIGNAL, 1)
    curl.setopt(pycurl.MAXAGE_CONN, IDLE_SECONDS)
    # libcurl shares what is left among the addresses of a host by this.
    curl.setopt(pycurl.TIMEOUT_MS, max(1, round(ask.seconds * 1000)))
    _ask(curl, ask)
    _trust(curl, authorities)
    if ask.addresses:
        host, port = ask.connects_to
        shown = ",".join(f"[{one}]" if ":" in one else one for one in ask.addresses)
        curl.setopt(pycurl.RESOLVE, [f"+{host}:{port}:{shown}"])
    return curl


def _ask(curl: pycurl.Curl, ask: Ask) -> None:
    lines = [f"{name}: {value}".encode() for name, value in ask.headers]
    if ask.method == "POST":
        curl.setopt(pycurl.POST, 1)
        curl.setopt(pycurl.POSTFIELDSIZE, len(ask.body))
        curl.setopt(pycurl.POSTFIELDS, ask.body)
        # What breaks off on a kept connection is asked again; of a POST nobody knows what it did.
        curl.setopt(pycurl.FRESH_CONNECT, 1)
        lines.append(b"Expect:")
    elif ask.method == "HEAD":
        curl.setopt(pycurl.NOBODY, 1)
    else:
        curl.setopt(pycurl.HTTPGET, 1)
    curl.setopt(pycurl.HTTPHEADER, lines)


def _trust(curl: pycurl.Curl, authorities: Authorities) -> None:
    for option, place in (
        (pycurl.CAINFO, authorities.file),
        (pycurl.PROXY_CAINFO, authorities.file),
        (pycurl.CAPATH, authorities.folder),
        (pycurl.PROXY_CAPATH, authorities.folder),
    ):
        if place:
            curl.setopt(option, place)
        else:
            curl.unsetopt(option)
