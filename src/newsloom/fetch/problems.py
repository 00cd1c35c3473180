"""What can go wrong on the way to an answer: words for people, and aiohttp's exceptions as them.

The words end a sentence that a person reads ("https://host/feed: the certificate has expired").
They name no URL, because URLs of feeds may hold passwords.
"""

from __future__ import annotations

import errno
import os
import socket
import ssl
from collections.abc import Callable
from typing import Any

import aiohttp

from newsloom.types import Failure


class Stopped(Exception):
    """An expected end without an answer. Stays within this room: the client makes it a value."""

    def __init__(self, failure: Failure, words: str) -> None:
        super().__init__(words)
        self.failure = failure
        self.words = words


class Dropped(aiohttp.ClientError):
    """The server closed a fresh connection without an answer."""


_ERRNO_WORDS = {
    errno.ECONNREFUSED: "the server refused the connection",
    errno.ECONNRESET: "the server broke the connection off",
    errno.EPIPE: "the server broke the connection off",
    errno.ECONNABORTED: "the server broke the connection off",
    errno.ENETUNREACH: "the server's network cannot be reached",
    errno.EHOSTUNREACH: "the server cannot be reached",
    errno.ETIMEDOUT: "the server did not answer in time",
    errno.EMFILE: "this process has too many files and connections open",
    errno.ENFILE: "this machine has too many files and connections open",
}

# OpenSSL's verify codes (x509_vfy.h); the rest is told in OpenSSL's own words.
_CERTIFICATE_WORDS = {
    9: "the certificate is not valid yet",
    10: "the certificate has expired",
    18: "the certificate is signed by itself, not by an authority",
    19: "the certificate is signed by an unknown authority",
    20: "the certificate is signed by an unknown authority",
    21: "the certificate cannot be checked: the server left out a part of its chain",
    23: "the certificate was revoked",
    62: "the certificate is for another host",
    64: "the certificate is for another address",
}


def errno_words(code: int) -> str:
    """What the system's error number of a connection means."""
    return _ERRNO_WORDS.get(code) or f"the server cannot be reached ({os.strerror(code)})"


def certificate_words(code: int, detail: str) -> str:
    """What OpenSSL's verify code means."""
    return _CERTIFICATE_WORDS.get(code) or f"the certificate is not valid ({detail})"


def _connect_words(error: Any) -> str:
    cause = error.os_error if isinstance(error, aiohttp.ClientConnectorError) else error
    if cause.errno in _ERRNO_WORDS:
        return _ERRNO_WORDS[cause.errno]
    return f"the server cannot be reached ({_plain(cause)})"


def _name_words(error: Any) -> str:
    return name_words(error.os_error)


def name_words(error: OSError) -> str:
    """Why a name could not be looked up."""
    code = error.errno
    if code in {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}:
        return "there is no such host"
    if code == socket.EAI_AGAIN:
        return "the host's name cannot be looked up right now"
    return f"the host's name cannot be looked up ({_plain(error)})"


def _certificate_words(error: Any) -> str:
    cause = getattr(error, "certificate_error", error)
    code = getattr(cause, "verify_code", 0)
    return certificate_words(code, getattr(cause, "verify_message", "") or str(cause))


def _tls_words(error: Any) -> str:
    # "[SSL: WRONG_VERSION_NUMBER] wrong version number (_ssl.c:1006)" without where in the source.
    cause = getattr(error, "os_error", error)
    reason = (getattr(cause, "reason", None) or "").replace("_", " ").lower()
    return f"no secure connection could be made ({reason or _plain(cause)})"


def _protocol_words(error: Any) -> str:
    detail = getattr(error, "message", "") or str(error)
    lines = [line.strip() for line in str(detail).splitlines() if line.strip()]
    return f"the answer is not proper HTTP ({lines[0][:100] if lines else type(error).__name__})"


def _cut_words(_error: Any) -> str:
    return "the answer was cut off or its framing is broken"


def _dropped_words(_error: Any) -> str:
    return "the server closed the connection without an answer"


def _late_words(_error: Any) -> str:
    return "the server did not answer in time"


def _proxy_words(error: Any) -> str:
    return f"the proxy cannot be used: {_connect_words(error)}"


def _proxy_status_words(error: Any) -> str:
    return f"the proxy answered {error.status}"


def _url_words(error: Any) -> str:
    detail = getattr(error, "description", None)
    return f"the address is not valid ({detail})" if detail else "the address is not valid"


# First match wins: a class stands before the classes it derives from.
_TABLE: tuple[tuple[type[BaseException], Failure, Callable[[Any], str]], ...] = (
    (aiohttp.ClientConnectorDNSError, Failure.DNS, _name_words),
    (aiohttp.ClientConnectorCertificateError, Failure.TLS, _certificate_words),
    (aiohttp.ClientConnectorSSLError, Failure.TLS, _tls_words),
    (aiohttp.ClientProxyConnectionError, Failure.CONNECT, _proxy_words),
    (aiohttp.ClientHttpProxyError, Failure.CONNECT, _proxy_status_words),
    (aiohttp.ClientConnectorError, Failure.CONNECT, _connect_words),
    (aiohttp.ServerTimeoutError, Failure.TIMEOUT, _late_words),
    (aiohttp.ServerDisconnectedError, Failure.CONNECT, _dropped_words),
    (Dropped, Failure.CONNECT, _dropped_words),
    (aiohttp.ClientPayloadError, Failure.PROTOCOL, _cut_words),
    (aiohttp.ClientResponseError, Failure.PROTOCOL, _protocol_words),
    (aiohttp.InvalidURL, Failure.URL, _url_words),
    (aiohttp.NonHttpUrlClientError, Failure.URL, _url_words),
    (ssl.SSLCertVerificationError, Failure.TLS, _certificate_words),
    (ssl.SSLError, Failure.TLS, _tls_words),
    (aiohttp.ClientOSError, Failure.CONNECT, _connect_words),
    (aiohttp.ClientError, Failure.PROTOCOL, _protocol_words),
    (OSError, Failure.CONNECT, _connect_words),
)

# What the client turns into a value. Everything else is a mistake of ours and is raised.
NETWORK_ERRORS = (aiohttp.ClientError, OSError)


def described(error: BaseException) -> tuple[Failure, str]:
    """The kind of failure and the words for it."""
    if isinstance(error, Stopped):
        return error.failure, error.words
    for kind, failure, words in _TABLE:
        if isinstance(error, kind):
            return failure, words(error)
    raise error


def _plain(error: BaseException) -> str:
    code = getattr(error, "errno", None)
    text = getattr(error, "strerror", None) or (os.strerror(code) if code else "") or str(error)
    return text[:200] or type(error).__name__
