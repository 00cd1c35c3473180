"""The network: feeds, and services named in the settings."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Protocol

from newsloom.kernel.delivery.values import Sent
from newsloom.kernel.http.values import ApiReply, ApiRequest, Downloaded, Reply, Request

if TYPE_CHECKING:
    from email.message import EmailMessage
    from pathlib import Path


class Hosts(Protocol):
    """Whose turn a host is."""

    def slot(self, host: str) -> AbstractAsyncContextManager[float]:
        """While it lasts nobody else asks the host. Gives how many seconds ago it was asked last,
        by whomever; inf: long ago, or never. Raises NotNow for a host that is left alone, or that
        another process has all the time."""


class Fetcher(Protocol):
    """One request. Never raises for what a network or a server does: see Reply.failure. Raises
    NotNow for a host that must not be asked now; then nothing was asked.
    """

    async def get(self, request: Request) -> Reply: ...


class ApiCaller(Protocol):
    """One call of a service named in the settings. Follows no redirect; never raises for what a
    network or a server does: see ApiReply.failure."""

    async def call(self, request: ApiRequest) -> ApiReply: ...


class Downloader(Protocol):
    """A file too large for memory. Never raises for what a network, a server or a full disk does:
    see Downloaded.problem."""

    async def download(self, url: str, target: Path, *, most_bytes: int) -> Downloaded:
        """To `target`, whole or not at all; what came is kept beside it for the next try."""


class Mailer(Protocol):
    """A mail server. Never raises for what a network or a server does."""

    def send(self, mail: EmailMessage) -> Sent:
        """One mail to its one receiver; it may take as long as the settings let it."""
