"""What can go wrong on the way to an answer, in words for people.

The words end a sentence that a person reads ("https://host/feed: the certificate has expired").
They name no URL, because URLs of feeds may hold passwords.
"""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass

import pycurl

from newsloom.kernel.http.values import Failure


class Stopped(Exception):
    """An expected end without an answer. Stays within this room: the client makes it a value."""

    def __init__(self, failure: Failure, words: str) -> None:
        super().__init__(words)
        self.failure = failure
        self.words = words


_ERRNO_WORDS = {
    errno.ECONNREFUSED: "the server refused the connection",
    errno.ECONNRESET: "the server closed the connection",
    errno.EPIPE: "the server closed the connection",
    errno.ECONNABORTED: "the server closed the connection",
    errno.ENETUNREACH: "the server's network cannot be reached",
    errno.EHOSTUNREACH: "the server cannot be reached",
    errno.ETIMEDOUT: "the server timed out",
    errno.EMFILE: "too many open files in this process",
    errno.ENFILE: "too many open files on this machine",
}

# OpenSSL's verify codes (x509_vfy.h); the rest is told in OpenSSL's own words.
_CERTIFICATE_WORDS = {
    9: "the certificate is not valid yet",
    10: "the certificate has expired",
    18: "the certificate is self-signed",
    19: "the certificate is signed by an unknown authority",
    20: "the certificate is signed by an unknown authority",
    21: "the certificate chain is incomplete",
    23: "the certificate was revoked",
    62: "the certificate is for another host",
    64: "the certificate is for another address",
}


def errno_words(code: int) -> str:
    """What the system's error number of a connection means."""
    return _ERRNO_WORDS.get(code) or f"the server cannot be reached ({os.strerror(code)})"


def name_words(error: OSError) -> str:
    """Why a name could not be looked up."""
    code = error.errno
    if code in {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}:
        return "host not found"
    if code == socket.EAI_AGAIN:
        return "DNS lookup failed temporarily"
    return f"DNS lookup failed ({_plain(error)})"


def _plain(error: BaseException) -> str:
    code = getattr(error, "errno", None)
    text = getattr(error, "strerror", None) or (os.strerror(code) if code else "") or str(error)
    return text[:200] or type(error).__name__


# What libcurl says went wrong: the table from its codes to Failure and words for people.
# The words name no URL and no host, because URLs of feeds may hold passwords.


@dataclass(frozen=True, slots=True)
class Broken:
    """How a transfer ended without a whole answer."""

    code: int  # curl's
    words: str  # curl's
    answered: bool  # the status and all headers had come
    errno: int = 0  # the system's, of connecting
    verified: int = 0  # OpenSSL's word on the certificate; 0: nothing wrong with it
    proxy: bool = False
    proxy_status: int = 0  # what the proxy answered instead of connecting


def of_handle(curl: pycurl.Curl, code: int, words: str, *, answered: bool, proxy: bool) -> Broken:
    """What the handle can tell besides its code."""
    return Broken(
        code=code,
        words=words,
        answered=answered,
        errno=curl.getinfo(pycurl.OS_ERRNO),
        verified=curl.getinfo(pycurl.SSL_VERIFYRESULT),
        proxy=proxy,
        proxy_status=curl.getinfo(pycurl.HTTP_CONNECTCODE) if proxy else 0,
    )


def _connect(broken: Broken) -> str:
    words = errno_words(broken.errno) if broken.errno else "the server cannot be reached"
    return f"the proxy failed: {words}" if broken.proxy else words


def _certificate(broken: Broken) -> str:
    # curl compares the names itself, when OpenSSL has found nothing wrong.
    if "subject name" in broken.words:
        return "the certificate is for another host"
    known = _CERTIFICATE_WORDS.get(broken.verified)
    return known or f"the certificate is not valid ({_plain_words(broken.words)})"


def _tls(broken: Broken) -> str:
    return f"TLS connection failed ({_plain_words(broken.words)})"


def _dropped(_broken: Broken) -> str:
    return "the server closed the connection without a response"


def _cut(_broken: Broken) -> str:
    return "the response was cut off or malformed"


def _improper(broken: Broken) -> str:
    return f"the response is not valid HTTP ({_plain_words(broken.words)})"


_TABLE: dict[int, tuple[Failure, str | Callable[[Broken], str]]] = {
    pycurl.E_COULDNT_RESOLVE_HOST: (Failure.DNS, "host not found"),
    pycurl.E_COULDNT_RESOLVE_PROXY: (Failure.CONNECT, "the proxy's name cannot be looked up"),
    pycurl.E_COULDNT_CONNECT: (Failure.CONNECT, _connect),
    pycurl.E_INTERFACE_FAILED: (Failure.CONNECT, _connect),
    pycurl.E_OPERATION_TIMEDOUT: (Failure.TIMEOUT, "the server timed out"),
    pycurl.E_PEER_FAILED_VERIFICATION: (Failure.TLS, _certificate),
    pycurl.E_SSL_CONNECT_ERROR: (Failure.TLS, _tls),
    pycurl.E_SSL_CACERT_BADFILE: (
        Failure.TLS,
        "the certificate authorities of this machine cannot be read",
    ),
    pycurl.E_SSL_CIPHER: (Failure.TLS, _tls),
    pycurl.E_SSL_INVALIDCERTSTATUS: (Failure.TLS, _tls),
    pycurl.E_GOT_NOTHING: (Failure.CONNECT, _dropped),
    pycurl.E_PARTIAL_FILE: (Failure.PROTOCOL, _cut),
    pycurl.E_UNSUPPORTED_PROTOCOL: (Failure.PROTOCOL, _improper),  # HTTP/0.9 too
    pycurl.E_URL_MALFORMAT: (Failure.URL, "the address is not valid"),
}

_BROKEN_OFF = frozenset({pycurl.E_SEND_ERROR, pycurl.E_RECV_ERROR, pycurl.E_OK})


def described(broken: Broken) -> tuple[Failure, str]:
    """The kind of failure and the words for it."""
    if broken.proxy_status >= 300:
        return Failure.CONNECT, f"the proxy returned {broken.proxy_status}"
    if broken.code in _BROKEN_OFF:
        # Within the answer's head there is nothing to tell a cut from a server that gave up.
        if broken.answered:
            return Failure.PROTOCOL, _cut(broken)
        return Failure.CONNECT, _dropped(broken)
    failure, words = _TABLE.get(broken.code, (Failure.PROTOCOL, _improper))
    return failure, words if isinstance(words, str) else words(broken)


def _plain_words(words: str) -> str:
    """One short line: servers have a say in some of curl's words."""
    line = "".join(sign if sign.isprintable() else " " for sign in words)
    return " ".join(line.split())[:100] or "no details"
