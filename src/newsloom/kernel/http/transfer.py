"""One request on one connection through libcurl: guarded where it connects, bounded as it comes.

Knows no redirects and no deadline of a journey. What it may connect to is judged for each socket
that libcurl wants, so the address is the one that is connected to: after the name was looked up,
and in whatever form a URL wrote it.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import pycurl

from newsloom.kernel.http.authorities import Authorities
from newsloom.kernel.http.decode import BoundedDecoder, content_coding
from newsloom.kernel.http.guard import written_address
from newsloom.kernel.http.handle import Ask, made
from newsloom.kernel.http.headers import announced, fields, reply_headers, status_of
from newsloom.kernel.http.problems import Stopped, errno_words, name_words
from newsloom.kernel.http.values import Failure

AddressRule = Callable[[str], str | None]

# Content-Security-Policy headers of large sites pass 8 KB. libcurl itself ends at 300 KB in all.
LONGEST_HEADER_LINE = 16 * 1024
MOST_HEADERS = 128

# The page that comes with a redirect is a few hundred bytes. Read, it leaves the connection to the
# next hop; above this a new connection is cheaper for both sides.
REDIRECT_PAGE = 16 * 1024

SWITCHING = 101


@dataclass(slots=True)
class Transfer:
    """One `Ask` under way. libcurl calls back; what goes wrong in there is kept in `error`."""

    ask: Ask
    rule: AddressRule
    status: int = 0
    headers: tuple[tuple[str, str], ...] = ()
    wire_bytes: int = 0
    answered: bool = False  # the status and all headers are here
    left: bool = False  # the rest is not wanted, and was not read to its end
    error: BaseException | None = None
    tried: int = 0
    refused: list[tuple[str, str]] = field(default_factory=list)  # the address, and what it is
    _lines: list[bytes] = field(default_factory=list)
    _decoder: BoundedDecoder | None = None

    @property
    def all_refused(self) -> bool:
        return 0 < self.tried == len(self.refused)

    def whole(self, code: int) -> bool:
        """Whether all that is wanted came, by curl's code."""
        return self.error is None and self.answered and (self.left or code == pycurl.E_OK)

    def body(self) -> bytes:
        """Decoded, once the wire has ended."""
        return self._decoder.finish() if self._decoder else b""

    def handle(self, authorities: Authorities) -> pycurl.Curl:
        """What libcurl performs."""
        curl = made(self.ask, authorities)
        curl.setopt(pycurl.OPENSOCKETFUNCTION, self._open_socket)
        curl.setopt(pycurl.HEADERFUNCTION, self._took(self._header))
        curl.setopt(pycurl.WRITEFUNCTION, self._took(self._data))
        return curl

    def _open_socket(self, _purpose: int, address: Any) -> Any:
        family, kind, protocol, where = address
        self.tried += 1
        try:
            words = self.rule(where[0]) if family in _INTERNET else "not a network address"
            if words is None:
                return _Given(socket.socket(family, kind, protocol))
            self.refused.append((str(where[0]), words))
        except OSError as error:  # too many open files
            self.error = Stopped(Failure.CONNECT, errno_words(error.errno or 0))
        return pycurl.SOCKET_BAD

    def _took(self, take: Callable[[bytes], bool]) -> Callable[[bytes], int | None]:
        """A callback that ends the transfer when `take` says so or raises: libcurl would print
        what is raised, and forget it."""

        def took(data: bytes) -> int | None:
            try:
                return None if take(data) else -1
            except BaseException as error:  # noqa: BLE001 - raised again by whoever waits
                self.error = error
                return -1

        return took

    def _header(self, line: bytes) -> bool:
        if self.answered:
            return True  # a trailer
        if line.strip(b"\r\n"):
            if len(line) > LONGEST_HEADER_LINE or len(self._lines) > MOST_HEADERS:
                raise Stopped(Failure.PROTOCOL, "the response is not valid HTTP (endless headers)")
            self._lines.append(line)
            return True
        lines, self._lines = self._lines, []
        status = status_of(lines[0]) if lines else 0
        if status < 200 and status != SWITCHING:
            return True  # an interim answer
        self.status = status
        self.headers = reply_headers(fields(lines[1:]))
        self.answered = True
        return self._goes_on()

    def _goes_on(self) -> bool:
        """Whether the body is read."""
        lengths = {value for name, value in self.headers if name == "content-length"}
        if len(lengths) > 1:
            raise Stopped(Failure.PROTOCOL, "the response is not valid HTTP (two lengths)")
        size = announced(lengths.pop() if lengths else "")
        if self.ask.method == "HEAD" or self.status in {204, 304}:
            return True  # there is none
        success = 200 <= self.status < 300
        if self.ask.wants_body and (success or self.ask.wants_every_body):
            coding = content_coding(v for k, v in self.headers if k == "content-encoding")
            self._decoder = BoundedDecoder(
                coding, most_bytes=self.ask.most_bytes, most_ratio=self.ask.most_ratio
            )
            if size > self.ask.most_bytes:
                raise self._decoder.too_large()
            return True
        # An error page says nothing that its status does not.
        page = REDIRECT_PAGE if self.ask.wants_body and 300 <= self.status < 400 else 0
        self.left = not 0 <= size <= page
        return not self.left

    def _data(self, data: bytes) -> bool:
        if self._decoder is None:
            return True  # a redirect's page
        self.wire_bytes += len(data)
        self._decoder.feed(data)
        return True


_INTERNET = frozenset({socket.AF_INET, socket.AF_INET6})


class _Given:
    """A socket that pycurl duplicates; ours is closed as soon as it has."""

    def __init__(self, ours: socket.socket) -> None:
        self._ours = ours

    def fileno(self) -> int:
        return self._ours.fileno()

    def __del__(self) -> None:
        self._ours.close()


class Resolver:
    """The system's lookup in threads of its own.

    asyncio's shared threads (6 on two cores) also parse and store; 32 feeds of dead hosts would
    hold them all for as long as the system's resolver keeps trying.
    """

    def __init__(self, threads: int) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="newsloom-lookup")

    async def resolve(self, host: str, port: int) -> tuple[str, ...]:
        """The addresses of a name, each once. Raises OSError when it has none."""
        found = await asyncio.get_running_loop().run_in_executor(
            self._threads, _look_up, host, port
        )
        addresses = (str(address[0]) for _family, _kind, _protocol, _name, address in found)
        # libcurl takes no zone ("fe80::1%eth0"); left with nothing, it looks up by itself.
        return tuple(dict.fromkeys(one for one in addresses if "%" not in one))

    async def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


async def addresses_of(lookup: Resolver, host: str, port: int) -> tuple[str, ...]:
    """Of a name; none for what is an address already. Raises Stopped."""
    if written_address(host):
        return ()
    try:
        return await lookup.resolve(host, port)
    except OSError as error:
        raise Stopped(Failure.DNS, name_words(error)) from error


def _look_up(host: str, port: int) -> list[Any]:
    if host.rstrip(".").endswith(".localhost"):
        # This machine, as for browsers (RFC 6761); not every system's resolver knows it.
        host = "localhost"
    try:
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:
        # A label too long for DNS; the client knows how to say OSError.
        raise socket.gaierror(socket.EAI_NONAME, "not a valid host name") from error
