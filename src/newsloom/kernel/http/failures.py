"""What libcurl says went wrong: the table from its codes to Failure and words for people.

The words name no URL and no host, because URLs of feeds may hold passwords.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pycurl

from newsloom.kernel.http.problems import certificate_words, errno_words
from newsloom.kernel.http.values import Failure


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


def _name(_broken: Broken) -> str:
    return "host not found"


def _proxy_name(_broken: Broken) -> str:
    return "the proxy's name cannot be looked up"


def _late(_broken: Broken) -> str:
    return "the server timed out"


def _certificate(broken: Broken) -> str:
    # curl compares the names itself, when OpenSSL has found nothing wrong.
    if "subject name" in broken.words:
        return "the certificate is for another host"
    return certificate_words(broken.verified, _plain(broken.words))


def _tls(broken: Broken) -> str:
    return f"TLS connection failed ({_plain(broken.words)})"


def _authorities(_broken: Broken) -> str:
    return "the certificate authorities of this machine cannot be read"


def _dropped(_broken: Broken) -> str:
    return "the server closed the connection without a response"


def _cut(_broken: Broken) -> str:
    return "the response was cut off or malformed"


def _improper(broken: Broken) -> str:
    return f"the response is not valid HTTP ({_plain(broken.words)})"


def _address(_broken: Broken) -> str:
    return "the address is not valid"


_TABLE: dict[int, tuple[Failure, Callable[[Broken], str]]] = {
    pycurl.E_COULDNT_RESOLVE_HOST: (Failure.DNS, _name),
    pycurl.E_COULDNT_RESOLVE_PROXY: (Failure.CONNECT, _proxy_name),
    pycurl.E_COULDNT_CONNECT: (Failure.CONNECT, _connect),
    pycurl.E_INTERFACE_FAILED: (Failure.CONNECT, _connect),
    pycurl.E_OPERATION_TIMEDOUT: (Failure.TIMEOUT, _late),
    pycurl.E_PEER_FAILED_VERIFICATION: (Failure.TLS, _certificate),
    pycurl.E_SSL_CONNECT_ERROR: (Failure.TLS, _tls),
    pycurl.E_SSL_CACERT_BADFILE: (Failure.TLS, _authorities),
    pycurl.E_SSL_CIPHER: (Failure.TLS, _tls),
    pycurl.E_SSL_INVALIDCERTSTATUS: (Failure.TLS, _tls),
    pycurl.E_GOT_NOTHING: (Failure.CONNECT, _dropped),
    pycurl.E_PARTIAL_FILE: (Failure.PROTOCOL, _cut),
    pycurl.E_UNSUPPORTED_PROTOCOL: (Failure.PROTOCOL, _improper),  # HTTP/0.9 too
    pycurl.E_URL_MALFORMAT: (Failure.URL, _address),
}

_BROKEN_OFF = frozenset({pycurl.E_SEND_ERROR, pycurl.E_RECV_ERROR, pycurl.E_OK})


def described(broken: Broken) -> tuple[Failure, str]:
    """The kind of failure and the words for it."""
    if broken.proxy_status >= 300:
        return Failure.CONNECT, f"the proxy returned {broken.proxy_status}"
    if broken.code in _BROKEN_OFF:
        # Within the answer's head there is nothing to tell a cut from a server that gave up.
        return (Failure.PROTOCOL, _cut(broken)) if broken.answered else _without_answer(broken)
    failure, words = _TABLE.get(broken.code, (Failure.PROTOCOL, _improper))
    return failure, words(broken)


def _without_answer(broken: Broken) -> tuple[Failure, str]:
    return Failure.CONNECT, _dropped(broken)


def _plain(words: str) -> str:
    """One short line: servers have a say in some of curl's words."""
    line = "".join(sign if sign.isprintable() else " " for sign in words)
    return " ".join(line.split())[:100] or "no details"
