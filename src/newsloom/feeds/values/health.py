"""How a feed is: its state, what became of its address, what is held back of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class FeedState(StrEnum):
    """What a feed is for its readers, the best first."""

    HEALTHY = "healthy"
    SLOW = "slow"  # it answers late, or failed lately; asked less often
    UNHEALTHY = "unhealthy"  # it fails, or cannot be read, again and again
    MOVED = "moved"  # its address is another's now; see Move
    HELD = "quarantined"  # it may have changed hands: nothing new of it is shown
    DEAD = "dead"  # gone for good: not polled


@dataclass(frozen=True, slots=True)
class Moving:
    """Where a feed's address permanently redirects to, not believed yet."""

    url: str
    since: datetime  # of the first of the polls in a row
    times: int = 1


@dataclass(frozen=True, slots=True)
class FeedIdentity:
    """Who a feed is, as far as its last document told besides its title, site and language."""

    authors: tuple[str, ...] = ()  # folded, sorted
    hosts: tuple[str, ...] = ()  # text.urls.shared_host of its articles' links, sorted


@dataclass(frozen=True, slots=True)
class HeldDocument:
    """A feed document as it came, kept while its feed is in quarantine."""

    at: datetime
    url: str  # of the last hop
    content_type: str
    body: bytes


class PushState(StrEnum):
    """How far a WebSub subscription is."""

    WANTED = "wanted"  # the hub has not been asked, or is asked again later
    ASKED = "asked"  # it has not called back
    ACTIVE = "active"  # it tells
    DENIED = "denied"  # it said no
    ENDING = "ending"  # nobody follows the feed any more: it is told so
