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


# Of Standard Webhooks: what follows is the key in Base64.
_PREFIX = "whsec_"


@dataclass(frozen=True, slots=True)
class Webhook:
    """A URL that editions are posted to."""

    url: str
    token: str  # the target's, or a secret of its receiver: what is posted there is signed with it

    @property
    def key(self) -> bytes:
        """What signs. Raises ValueError for a secret that begins as one, and is none."""
        if self.token.startswith(_PREFIX):
            return base64.b64decode(self.token.removeprefix(_PREFIX), validate=True)
        return self.token.encode()

    @property
    def secret(self) -> str:
        """The key as libraries of Standard Webhooks take it."""
        return _PREFIX + base64.b64encode(self.key).decode()

    def signed(self, message: str, at: datetime, body: bytes) -> tuple[tuple[str, str], ...]:
        """The headers of a message: what it is, when it was sent, and its signature."""
        stamp = str(int(at.timestamp()))
        signed = hmac.digest(self.key, f"{message}.{stamp}.".encode() + body, "sha256")
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
