"""How far one request has come: from hop to hop, what was answered last. Asks nobody."""

from __future__ import annotations

from dataclasses import dataclass, field

from yarl import URL

from newsloom.kernel.http.destination import redirected
from newsloom.kernel.http.problems import Stopped
from newsloom.kernel.http.transfer import Transfer
from newsloom.kernel.http.values import Failure, Redirect, Request

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
