"""What a page that was fetched is, for full texts and for coverage: an article, or why not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TypeVar

from newsloom.feeds.page_failures import FailureKind, OurFailure
from newsloom.feeds.page_gates import RULES, Rule, gate
from newsloom.feeds.service.robots import Robots, Rules
from newsloom.feeds.values.pages import PageFacts
from newsloom.kernel.errors import NotNow
from newsloom.kernel.http.ports import Fetcher
from newsloom.kernel.http.values import Failure, Reply, Request
from newsloom.kernel.text.urls import canonical, shared_host
from newsloom.kernel.workers.pool import WorkerDied

# (reply, title of the article): raises WorkerDied, in words.
Extract = Callable[[Reply, str], Awaitable[PageFacts]]

OK = 200
_LATER = frozenset({408, 425, 429, *range(500, 600)})
_HTML = ("text/html", "application/xhtml+xml")

# What each failure of a request is told as; None: nobody was asked.
FAILURES: dict[Failure, FailureKind | None] = {
    Failure.BLOCKED: None,
    Failure.URL: None,
    Failure.DNS: FailureKind.NETWORK,
    Failure.CONNECT: FailureKind.NETWORK,
    Failure.TLS: FailureKind.NETWORK,
    Failure.TIMEOUT: FailureKind.NETWORK,
    Failure.PROTOCOL: FailureKind.NETWORK,
    Failure.TOO_LARGE: FailureKind.TOO_LONG,
    Failure.ENCODING: FailureKind.HTTP_ERROR,
    Failure.REDIRECTS: FailureKind.HTTP_ERROR,
}
_FOR_GOOD = frozenset({Failure.BLOCKED, Failure.URL, Failure.TOO_LARGE, Failure.ENCODING})
# What may as well be our own network, while nobody else answers.
UNCERTAIN = frozenset({Failure.DNS, Failure.CONNECT, Failure.TIMEOUT})


@dataclass(frozen=True, slots=True)
class Verdict:
    """What asking came to."""

    kind: FailureKind | OurFailure | None  # None: an article, or nothing that anyone is told of
    words: str = ""
    passes: bool = False  # it may be otherwise on another day
    text: str = ""
    html: str = ""
    title: str = ""
    address: str = ""

    @property
    def article(self) -> bool:
        return self.kind is None and not self.words


def refused(rules: Rules) -> Verdict:
    """By robots.txt: for good when the site says so, for now when it could not say."""
    if rules.parsed is not None:
        return Verdict(FailureKind.ROBOTS, "robots.txt forbids the page")
    said = "robots.txt could not be read"
    return Verdict(None, said, passes=True)


async def read_reply(
    extract: Extract,
    reply: Reply,
    url: str,
    title: str,
    *,
    known: int = 0,
    rules: Sequence[Rule] = RULES,
) -> Verdict:
    """What the answer to a request for the page at `url` holds. `known`: characters of the article
    that are known already."""
    if (problem := _problem(reply)) is not None:
        return problem
    try:
        facts = await extract(reply, title)
    except WorkerDied as error:
        return Verdict(OurFailure.PARSER, str(error), passes=True)
    facts = replace(facts, led_to=reply.url if reply.url != url else "")
    broken = gate(facts, known, rules=rules)
    address = _address(reply.url, facts.canonical)
    if broken is not None:
        words = (
            facts.problem if broken.kind is FailureKind.EMPTY and facts.problem else broken.words
        )
        return Verdict(broken.kind, words, title=facts.title, address=address)
    return Verdict(None, text=facts.text, html=facts.html, title=facts.title, address=address)


def _problem(reply: Reply) -> Verdict | None:
    if reply.failure is not None:
        words = reply.problem or reply.failure.value
        passes = reply.failure not in _FOR_GOOD
        return Verdict(FAILURES[reply.failure], words, passes=passes)
    if reply.status != OK:
        words = f"the server returned {reply.status}"
        return Verdict(FailureKind.HTTP_ERROR, words, passes=reply.status in _LATER)
    kind = reply.header("content-type").partition(";")[0].strip().lower()
    if kind not in _HTML:
        words = f"its link is not a web page ({kind[:60] or 'untyped'})"
        return Verdict(FailureKind.EMPTY, words)
    return None


def _address(final: str, said: str) -> str:
    """Where the page stands: as it says itself, if that is at the same publisher."""
    same = bool(said) and shared_host(said) == shared_host(final)
    return canonical(said if same else final) and (said if same else final)


# Asking hosts for pages, politely: all hosts at once, the pages of one host one after another.
# What robots.txt says of pauses is kept, also since the last pass; a server that says that it is
# busy is left alone for the rest of the pass. What the pages are wanted for is whoever's asks.

ACCEPT = "text/html, application/xhtml+xml, */*;q=0.1"
MOST_MEGABYTES = 5.0

# Seconds between two pages that a site may ask for and that are waited for; who asks for more gets
# one page, and the next when so much time has passed.
LONGEST_WAIT = 10.0


_LEAVE_ALONE = frozenset({429, 503})

Page = TypeVar("Page")


class _Enough(Exception):
    """The host is left alone for the rest of this pass."""


@dataclass(slots=True)
class PageVisits:
    """One pass over some hosts."""

    fetcher: Fetcher
    robots: Robots
    now: Callable[[], datetime]
    patience: timedelta  # for so long new pages are begun
    pause: Callable[[float], Awaitable[None]]
    _clock: Callable[[], float] = field(default_factory=lambda: asyncio.get_running_loop().time)
    _ends: float = 0.0

    async def run(
        self, hosts: Sequence[Sequence[Page]], visit: Callable[[Page], Awaitable[int]]
    ) -> int:
        """Visit the pages, given host by host: the sum of what the visits came to."""
        self._ends = self._clock() + self.patience.total_seconds()
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._host(pages, visit)) for pages in hosts]
        return sum(task.result() for task in tasks)

    async def _host(self, pages: Sequence[Page], visit: Callable[[Page], Awaitable[int]]) -> int:
        done = 0
        try:
            for page in pages:
                if self._clock() >= self._ends:
                    break
                done += await visit(page)
        except (_Enough, NotNow):  # the rest is for another pass
            pass
        return done

    async def wait(self, rules: Rules) -> None:
        """Keep the pauses that a site asks for; ends the visit of its host where they are long."""
        last, left = rules.known.page_at, rules.delay
        if last is not None:
            left -= max((self.now() - last).total_seconds(), 0.0)
        if rules.delay <= LONGEST_WAIT:
            await self.pause(max(left, 0.0))
        elif last is not None and left > 0:
            raise _Enough

    async def ask(self, url: str, rules: Rules) -> Reply:
        """The page at an address that the rules allow."""
        if rules.delay:
            await self.robots.record_page_request(url)
        return await self.fetcher.get(Request(url=url, accept=ACCEPT, max_megabytes=MOST_MEGABYTES))

    def go_on(self, reply: Reply, rules: Rules) -> None:
        """After a page was kept: end the visit of a host that wants to be left alone."""
        if reply.status in _LEAVE_ALONE or rules.delay > LONGEST_WAIT:
            raise _Enough
