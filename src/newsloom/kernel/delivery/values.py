"""Targets, sendings, and the outcome of an attempt to send."""

from __future__ import annotations

import base64
import hmac
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
class Webhook:
    """A URL that editions are posted to."""

    url: str
    token: str  # the target's: what is posted there is signed with it

    @property
    def secret(self) -> str:
        """The token as libraries of Standard Webhooks take it."""
        return "whsec_" + base64.b64encode(self.token.encode()).decode()

    def signed(self, message: str, at: datetime, body: bytes) -> tuple[tuple[str, str], ...]:
        """The headers of a message: what it is, when it was sent, and its signature."""
        stamp = str(int(at.timestamp()))
        signed = hmac.digest(self.token.encode(), f"{message}.{stamp}.".encode() + body, "sha256")
        return (
            ("Webhook-Id", message),
            ("Webhook-Timestamp", stamp),
            ("Webhook-Signature", f"v1,{base64.b64encode(signed).decode()}"),
        )


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
