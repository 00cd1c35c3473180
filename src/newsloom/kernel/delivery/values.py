"""Targets, sendings, and the outcome of an attempt to send."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from newsloom.kernel.ids import SendingId


class Way(StrEnum):
    """How an edition is sent."""

    MAIL = "mail"
    WEBHOOK = "webhook"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class Target:
    """A mail address, a URL, or the format of a file."""

    way: Way
    to: str


@dataclass(frozen=True, slots=True)
class Sent:
    """What came of one attempt to send."""

    problem: str = ""  # in words; empty: the other side has taken it
    final: bool = False  # trying again is of no use


@dataclass(frozen=True, slots=True)
class Sending:
    """One edition to one target, to be sent or tried again."""

    id: SendingId
    edition: int  # a DigestId or a BriefId
    target: Target
    token: str  # the secret that unsubscribes this target
    attempts: int  # that failed


@dataclass(frozen=True, slots=True)
class SendingState:
    """The state of one sending."""

    target: Target
    state: str  # "waiting", "sent" or "failed"
    attempts: int
    at: datetime  # of the state, or of the next attempt
    error: str
