"""The network: feeds, and services named in the settings."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, Protocol

from newsloom.types import ApiReply, ApiRequest, Completion, Downloaded, Reply, Request, Sent

if TYPE_CHECKING:
    from email.message import EmailMessage
    from pathlib import Path


class Hosts(Protocol):
    """Whose turn a host is."""

    def turn(self, host: str) -> AbstractAsyncContextManager[float]:
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


class ChatModel(Protocol):
    """A language model behind a server. Never raises for what a network or a server does."""

    @property
    def service(self) -> str:
        """The server and the model, in words without any key."""

    @property
    def model(self) -> str: ...

    @property
    def forms(self) -> int:
        """How many ways there are to say which form the answer must have, the strictest first."""

    async def complete(
        self,
        system: str,
        user: str,
        schema: Mapping[str, Any],
        *,
        form: int,
        max_tokens: int,
        timeout_seconds: float,
    ) -> Completion:
        """One call."""
