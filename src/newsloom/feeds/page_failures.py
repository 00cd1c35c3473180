"""Why a page of another publisher was of no use, whose fault that is, and how much it counts.

Seventeen kinds count against a domain: those of seed 002, and refusal by robots.txt, which it never
asked for. That we blocked a domain ourselves does not. What failed at our own end is an OurFailure:
another type, so that it cannot be counted against a publisher by mistake.
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
    WRONG_LANGUAGE = "wrong language"
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


# How much one failure counts against its domain, where a success counts 1 for it. A server's answer
# counts whole. A page that cannot be used may be our extraction's fault, and another page, or an
# article in another language, may do: half. What a page is about is the search's fault more than
# the publisher's; but of fifty pages that are all off topic nothing is to be expected.
WEIGHTS: Mapping[Fault, float] = MappingProxyType(
    {Fault.DOMAIN: 1.0, Fault.PAGE: 0.5, Fault.MATCH: 0.1, Fault.OURS: 0.0}
)

# Whose fault a failure is, and what pages call it.
NATURES: Mapping[FailureKind, tuple[Fault, str]] = MappingProxyType(
    {
        FailureKind.TOO_SHORT: (Fault.PAGE, "too little text"),
        FailureKind.PAYWALL: (Fault.DOMAIN, "behind a paywall"),
        FailureKind.CODE: (Fault.PAGE, "code instead of text"),
        FailureKind.UNAVAILABLE: (Fault.PAGE, "not available"),
        FailureKind.REPEATED: (Fault.PAGE, "repeated text"),
        FailureKind.EMPTY: (Fault.PAGE, "no text"),
        FailureKind.HTTP_ERROR: (Fault.DOMAIN, "server error"),
        FailureKind.SOCIAL_MEDIA: (Fault.DOMAIN, "social media"),
        FailureKind.TOO_MANY_LINKS: (Fault.PAGE, "mostly links"),
        FailureKind.NAVIGATION: (Fault.PAGE, "a menu"),
        FailureKind.BOILERPLATE: (Fault.PAGE, "boilerplate"),
        FailureKind.TOO_LONG: (Fault.PAGE, "too much text"),
        FailureKind.NETWORK: (Fault.DOMAIN, "no response or timeout"),
        FailureKind.WRONG_LANGUAGE: (Fault.PAGE, "in another language"),
        FailureKind.LOW_RELEVANCE: (Fault.MATCH, "off topic"),
        FailureKind.REJECTED_BY_MODEL: (Fault.MATCH, "rejected by the language model"),
        FailureKind.ROBOTS: (Fault.DOMAIN, "refused by robots.txt"),
        FailureKind.DOMAIN_BLOCKED: (Fault.OURS, "domain blocked"),
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


def weight(kind: FailureKind | OurFailure | None) -> float:
    """How much an outcome counts against its domain, 0 to 1."""
    return WEIGHTS[NATURES[kind][0]] if isinstance(kind, FailureKind) else 0.0


def counts(kind: FailureKind | OurFailure | None) -> bool:
    """Whether an outcome is recorded: not what is ours, and not what was never asked."""
    return kind is None or weight(kind) > 0
