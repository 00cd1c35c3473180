"""Values about the processes that serve pages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Presence:
    """How this process stands among those that serve pages."""

    leads: bool
    together: int = 1  # so many serve, this one included
    nudges: int = 0  # how often others asked this one, which leads, for a pass


@dataclass(frozen=True, slots=True)
class Serve:
    """A process that serves pages."""

    owner: str
    leads: bool
    version: str
    seen_at: datetime
    nudges: int
    followed: int  # so many of them are done


@dataclass(frozen=True, slots=True)
class ActivityRow:
    """What a process does for a reader, or what came of it."""

    state: str  # JSON
    under_way: bool
    mine: bool  # it is this process
    at: datetime
