"""What a page that was fetched is, for full texts and for coverage: an article, or why not."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from newsloom.feeds.page_failures import FailureKind, OurFailure
from newsloom.feeds.page_gates import RULES, Rule, gate
from newsloom.feeds.service.robots import Rules
from newsloom.feeds.values.pages import PageFacts
from newsloom.kernel.http.values import Failure, Reply
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
