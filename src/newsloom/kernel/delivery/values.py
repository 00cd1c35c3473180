"""Where something is sent, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Way(StrEnum):
    """How a digest is sent."""

    MAIL = "mail"
    WEBHOOK = "webhook"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class Target:
    """Where a digest is sent: a mail address, a URL, or a folder."""

    way: Way
    to: str


@dataclass(frozen=True, slots=True)
class Sent:
    """What came of one attempt to send."""

    problem: str = ""  # in words; empty: the other side has taken it
    final: bool = False  # trying again is of no use
