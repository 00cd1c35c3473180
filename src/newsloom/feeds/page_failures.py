"""Why a page of another publisher was of no use: seventeen kinds, and whose fault each one is.

Sixteen are the kinds that the system described in seed 002 counted (it spoke of seventeen);
refusal by robots.txt, which it never asked for, is the seventeenth. What failed at our own end is
an OurFailure: another type, so that it cannot be counted against a publisher by mistake.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, StrEnum
from types import MappingProxyType


class FailureKind(StrEnum):
    """Why a candidate did not become related coverage."""

    TOO_SHORT = "content too short"
    PAYWALL = "paywall"
    CODE = "css/js instead of content"
    UNAVAILABLE = "copyright or unavailable"
    REPEATED = "repeated content"
    EMPTY = "empty content"
    HTTP_ERROR = "http error"
    SOCIAL_MEDIA = "social media"
    TOO_MANY_LINKS = "too many links"
    NAVIGATION = "navigation or menu content"
    BOILERPLATE = "boilerplate content"
    TOO_LONG = "content too long"
    NETWORK = "timeout or network error"
    DOMAIN_BLOCKED = "domain blocked"
    LOW_RELEVANCE = "low relevance"
    REJECTED_BY_MODEL = "llm rejected"
    ROBOTS = "robots refused"


class OurFailure(StrEnum):
    """What failed at our end. It says nothing of a publisher, and changes no standing."""

    PARSER = "our parser died"
    DISK = "our disk or database failed"
    LANGUAGE_MODEL = "our language model was down"
    NETWORK = "our network was down"  # no host answers, not one host
    STOPPED = "we were stopped"


class Fault(Enum):
    """Whose fault a failure is."""

    DOMAIN = "the publisher's server or rules"
    PAGE = "the page or its parsing"
    MATCH = "the search: the page is off topic"
    OURS = "ours"


@dataclass(frozen=True, slots=True)
class Nature:
    """What follows from a failure of one kind."""

    fault: Fault
    blockable: bool  # counts towards deprioritising and blocking the domain
    words: str  # for readers


def _blockable(words: str) -> Nature:
    return Nature(Fault.DOMAIN, True, words)


def _page(words: str) -> Nature:
    return Nature(Fault.PAGE, False, words)


# Only what a server does to each of our requests is held against its domain, as in seed 002, which
# counted http errors and network errors. What a page looks like to us may be a fault of our
# extraction, what it is about is the search's, and robots.txt is a wish to be kept, not a failure.
# Paywalls and social media are blockable too, though seed 002 left them out: no better reading of
# ours will ever find a text there.
NATURES: Mapping[FailureKind, Nature] = MappingProxyType(
    {
        FailureKind.TOO_SHORT: _page("too little text"),
        FailureKind.PAYWALL: _blockable("behind a paywall"),
        FailureKind.CODE: _page("code instead of text"),
        FailureKind.UNAVAILABLE: _page("not available"),
        FailureKind.REPEATED: _page("repeated text"),
        FailureKind.EMPTY: _page("no text"),
        FailureKind.HTTP_ERROR: _blockable("server error"),
        FailureKind.SOCIAL_MEDIA: _blockable("social media"),
        FailureKind.TOO_MANY_LINKS: _page("mostly links"),
        FailureKind.NAVIGATION: _page("a menu"),
        FailureKind.BOILERPLATE: _page("boilerplate"),
        FailureKind.TOO_LONG: _page("too much text"),
        FailureKind.NETWORK: _blockable("no response or timeout"),
        FailureKind.DOMAIN_BLOCKED: Nature(Fault.OURS, False, "domain blocked"),
        FailureKind.LOW_RELEVANCE: Nature(Fault.MATCH, False, "off topic"),
        FailureKind.REJECTED_BY_MODEL: Nature(Fault.MATCH, False, "rejected by the language model"),
        FailureKind.ROBOTS: Nature(Fault.DOMAIN, False, "refused by robots.txt"),
    }
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one candidate.

    A success was fetched and judged relevant; `host` is the host of the page or its address.
    """

    host: str
    at: datetime
    kind: FailureKind | OurFailure | None  # None: a success
    judged: float | None = None  # the judge's score, 0 to 10, where one was given


def counts(kind: FailureKind | OurFailure | None) -> bool:
    """Whether an outcome is kept at all: not what is ours, and not what was never asked."""
    if kind is None:
        return True
    return isinstance(kind, FailureKind) and NATURES[kind].fault is not Fault.OURS


def blockable(kind: FailureKind | OurFailure | None) -> bool:
    """Whether it counts against the domain."""
    return isinstance(kind, FailureKind) and NATURES[kind].blockable
