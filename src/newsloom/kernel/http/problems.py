"""What can go wrong on the way to an answer, in words for people.

The words end a sentence that a person reads ("https://host/feed: the certificate has expired").
They name no URL, because URLs of feeds may hold passwords.
"""

from __future__ import annotations

import errno
import os
import socket

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


def certificate_words(code: int, detail: str) -> str:
    """What OpenSSL's verify code means."""
    return _CERTIFICATE_WORDS.get(code) or f"the certificate is not valid ({detail})"


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
