"""Which URL to ask: checks one as given, and follows where a redirect points. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from ipaddress import IPv6Address

from yarl import URL

from newsloom.kernel.http.problems import Stopped
from newsloom.kernel.http.transfer import Transfer
from newsloom.kernel.http.values import Failure, Redirect, Request

# A URL made of these only is sent byte for byte: rewriting %7E to ~ is harmless to most servers
# and breaks the signed URLs of a few. Any other is quoted first, as browsers do.
_PLAIN = re.compile(r"(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+")

_HOST_LABEL = re.compile(r"[A-Za-z0-9_-]{1,63}")
_LONGEST_HOST = 253  # RFC 1035
_LONGEST_URL = 8000  # RFC 9110 asks servers for 8,000; longer ones do not fit their line limit


def destination(text: str) -> URL:
    """The URL to ask, without its fragment. Raises Stopped when it is no http(s) URL."""
    if len(text) > _LONGEST_URL:
        raise Stopped(Failure.URL, f"the address is longer than {_LONGEST_URL} characters")
    try:
        return _checked(_url(text.strip()), Failure.URL)
    except ValueError as error:  # UnicodeError of a host name too
        raise Stopped(Failure.URL, "the address is not valid") from error


def redirected(base: URL, location: str, answered: int) -> URL:
    """Where a redirect points. Raises Stopped when that must not be followed."""
    if not location:
        raise Stopped(Failure.REDIRECTS, f"the server returned {answered} without a location")
    if len(location) > _LONGEST_URL:
        raise Stopped(Failure.REDIRECTS, "it redirects to an overlong address")
    try:
        there = _url(location.strip())
        url = _checked(there if there.scheme else base.join(there), Failure.REDIRECTS)
        if url.origin() != base.origin():
            url = url.with_user(None)
        elif base.raw_user is not None and url.raw_user is None:
            url = url.with_user(base.user).with_password(base.password)
    except ValueError as error:
        raise Stopped(Failure.REDIRECTS, "it redirects to an invalid address") from error
    if base.scheme == "https" and url.scheme == "http":
        raise Stopped(Failure.REDIRECTS, "it redirects from https to http")
    return url


def _url(text: str) -> URL:
    quoted = URL(text)  # also brings the host into its ASCII form
    if not _PLAIN.fullmatch(text):
        return quoted
    as_given = URL(text, encoded=True)
    return as_given if as_given.raw_host == quoted.raw_host else quoted


def _checked(url: URL, failure: Failure) -> URL:
    said = "the address" if failure is Failure.URL else "it redirects to an address that"
    if url.scheme not in {"http", "https"}:
        raise Stopped(failure, f"{said} does not begin with http:// or https://")
    # `host` decodes the name and raises ValueError for a damaged international one.
    if not url.host or not _is_host(url.raw_host or "") or not url.port:
        raise Stopped(failure, f"{said} has no valid host")
    # They are sent in UTF-8, which has no place for half a character.
    credentials = f"{url.user or ''}{url.password or ''}"
    if any("\ud800" <= sign <= "\udfff" for sign in credentials):
        raise Stopped(failure, f"{said} has an invalid user name or password")
    return url.with_fragment(None)


def _is_host(host: str) -> bool:
    if ":" in host:
        try:
            IPv6Address(host)
        except ValueError:
            return False
        return "%" not in host  # a zone names a network card of this machine
    labels = host.removesuffix(".").split(".")
    return len(host) <= _LONGEST_HOST and all(_HOST_LABEL.fullmatch(label) for label in labels)


# The redirects that a GET follows; 300 offers a choice, 304 is an answer, 305 and 306 are retired.
REDIRECTS = frozenset({301, 302, 303, 307, 308})


@dataclass(slots=True)
class Journey:
    """One request, with its redirects."""

    request: Request
    start: str = ""  # the request's URL as it is sent
    url: str = ""
    status: int = 0
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    redirects: list[Redirect] = field(default_factory=list)
    seen: set[URL] = field(default_factory=set)
    addresses: dict[str, tuple[str, ...]] = field(default_factory=dict)
    wire_bytes: int = 0
    seconds: float = 0.0

    def arrived_at(self, url: URL) -> None:
        """The next hop begins."""
        self.url = str(url)
        self.seen.add(url)
        self.status, self.headers = 0, ()

    def onward(self, url: URL, most: int) -> URL | None:
        """Where the answer leads; None when it is the last. Raises Stopped for nowhere to go."""
        request = self.request
        # What was sent to one address is not sent on to another; a redirect of it is the answer.
        if not request.follow or request.method == "POST" or self.status not in REDIRECTS:
            return None
        location = next((value for name, value in self.headers if name == "location"), "")
        there = redirected(url, location, self.status)
        self.redirects.append(Redirect(self.status, str(there)))
        if there in self.seen:
            raise Stopped(Failure.REDIRECTS, "it redirects in a circle")
        if len(self.redirects) > most:
            raise Stopped(Failure.REDIRECTS, f"it redirects more than {most} times")
        return there

    def came(self, transfer: Transfer) -> None:
        """What a hop was answered, whole or not."""
        self.status, self.headers = transfer.status, transfer.headers
        self.wire_bytes += transfer.wire_bytes
