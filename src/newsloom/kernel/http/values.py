"""One request and what it came to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Request:
    """One conditional request. Validators are opaque and echoed byte for byte."""

    url: str
    etag: str = ""
    last_modified: str = ""
    validated_url: str = ""  # the Reply.url that gave the validators; empty: `url` itself
    accept: str = ""  # empty: the feed types
    method: str = "GET"  # or "HEAD", "POST"
    follow: bool = True  # False: the first answer is wanted, without a body; a redirect is one
    body: bytes = b""  # of a POST
    content_type: str = ""  # of that body
    headers: tuple[tuple[str, str], ...] = ()  # besides those of every request
    max_megabytes: float = 0.0  # largest body after decoding; 0: as the settings say


class Failure(StrEnum):
    """Why there is no answer, in the order a reader would ask."""

    BLOCKED = "blocked"  # the address guard
    DNS = "dns"
    CONNECT = "connect"
    TLS = "tls"
    TIMEOUT = "timeout"
    TOO_LARGE = "too large"
    ENCODING = "encoding"  # unknown, stacked or broken content coding, or a bomb
    REDIRECTS = "redirects"
    PROTOCOL = "protocol"
    URL = "url"  # not an http(s) address


@dataclass(frozen=True, slots=True)
class Redirect:
    status: int
    url: str  # where it pointed, absolute


@dataclass(frozen=True, slots=True)
class Reply:
    """What one request came to: a response, or a failure with words for a person."""

    request: Request
    received: datetime
    seconds: float
    status: int = 0  # of the last hop; 0 when there was no answer
    url: str = ""  # of the last hop
    redirects: tuple[Redirect, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()  # names in lower case, order kept
    body: bytes = b""  # decoded
    wire_bytes: int = 0
    failure: Failure | None = None
    problem: str = ""

    @property
    def reached(self) -> bool:
        """Whether any server was asked: what ends before that burdens nobody."""
        return self.failure not in _UNREACHED or bool(self.status or self.redirects)

    def header(self, name: str) -> str:
        """The first value of a header, or an empty string."""
        return next((value for key, value in self.headers if key == name), "")


_UNREACHED = frozenset({Failure.BLOCKED, Failure.DNS, Failure.URL})


@dataclass(frozen=True, slots=True)
class KnownRedirect:
    """What asking an address that only forwards came to."""

    url: str
    target: str  # "" when it could not be found out
    at: datetime  # when it was asked last
    tries: int = 1
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """One call of a service that the owner of this machine named in the settings."""

    method: str  # "GET" or "POST"
    url: str
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    timeout_seconds: float = 30.0  # whole deadline
    max_bytes: int = 1_000_000  # largest body after decoding


@dataclass(frozen=True, slots=True)
class ApiReply:
    """What a call came to: any status with its body, or a failure with words for a person."""

    status: int = 0  # 0 when there was no answer
    headers: tuple[tuple[str, str], ...] = ()  # names in lower case
    body: bytes = b""
    seconds: float = 0.0
    failure: Failure | None = None
    problem: str = ""
    sent: bool = True  # False: the request certainly never reached the server

    def header(self, name: str) -> str:
        """The first value of a header, or an empty string."""
        return next((value for key, value in self.headers if key == name), "")


@dataclass(frozen=True, slots=True)
class Downloaded:
    """What a download came to: a file with its SHA-256, or a problem in words for a person."""

    status: int = 0  # of the last answer; 0 when there was none
    sha256: str = ""  # of the whole file, which is in its place now
    bytes: int = 0
    resumed: int = 0  # bytes that an earlier try had brought
    problem: str = ""
    advice: str = ""
