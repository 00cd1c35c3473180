"""One page that was asked for, as far as it can be judged without its article."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from newsloom.pipeline.robots import Rules
from newsloom.related.failures import FailureKind, OurFailure
from newsloom.related.gates import gate
from newsloom.text.urls import canonical, shared_host
from newsloom.types import CoverageHit, Failure, PageFacts, Reply
from newsloom.workers.pool import WorkerDied

# (reply, title of the hit): raises WorkerDied, in words.
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
class Wanted:
    """A page and the hits that lead to it, one of each article."""

    key: str
    url: str
    hits: tuple[CoverageHit, ...]
    title: str
    description: int  # characters that the longest of the articles has itself


@dataclass(frozen=True, slots=True)
class Verdict:
    """What asking came to."""

    kind: FailureKind | OurFailure | None  # None: an article, or nothing that anyone is told of
    words: str = ""
    passes: bool = False  # it may be otherwise on another day
    text: str = ""
    title: str = ""
    address: str = ""

    @property
    def article(self) -> bool:
        return self.kind is None and not self.words


def refused(rules: Rules) -> Verdict:
    """By robots.txt: for good when the site says so, for now when it could not say."""
    if rules.parsed is not None:
        return Verdict(FailureKind.ROBOTS, "the site does not want robots to read its page")
    said = "the site could not say whether robots may read its page"
    return Verdict(None, said, passes=True)


async def read_reply(extract: Extract, reply: Reply, wanted: Wanted) -> Verdict:
    """What an answer holds."""
    if (problem := _problem(reply)) is not None:
        return problem
    try:
        facts = await extract(reply, wanted.title)
    except WorkerDied as error:
        return Verdict(OurFailure.PARSER, str(error), passes=True)
    broken = gate(facts, wanted.description)
    address = _address(reply.url, facts.canonical)
    if broken is not None:
        return Verdict(broken.kind, broken.words, title=facts.title, address=address)
    return Verdict(None, text=facts.text, title=facts.title, address=address)


def _problem(reply: Reply) -> Verdict | None:
    if reply.failure is not None:
        words = reply.problem or reply.failure.value
        passes = reply.failure not in _FOR_GOOD
        return Verdict(FAILURES[reply.failure], words, passes=passes)
    if reply.status != OK:
        words = f"the server answered {reply.status}"
        return Verdict(FailureKind.HTTP_ERROR, words, passes=reply.status in _LATER)
    kind = reply.header("content-type").partition(";")[0].strip().lower()
    if kind not in _HTML:
        words = f"its link leads to no web page ({kind[:60] or 'untyped'})"
        return Verdict(FailureKind.EMPTY, words)
    return None


def _address(final: str, said: str) -> str:
    """Where the page stands: as it says itself, if that is at the same publisher."""
    same = bool(said) and shared_host(said) == shared_host(final)
    return canonical(said if same else final) and (said if same else final)
