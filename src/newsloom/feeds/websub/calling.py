"""What a hub says when it calls (WebSub 5.2, 5.3, 8): whether it may, and what it means. Pure."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from newsloom.feeds.values.health import PushState
from newsloom.feeds.values.polling import DueFeed
from newsloom.feeds.values.published import ParsedFeed
from newsloom.feeds.values.pushes import Push
from newsloom.feeds.websub.wording import shown
from newsloom.kernel.text.urls import canonical, source

# By section 8.1. SHA-1 is what most hubs still sign with: in an HMAC it has not been forged.
ALGORITHMS = {
    "sha1": hashlib.sha1,
    "sha256": hashlib.sha256,
    "sha384": hashlib.sha384,
    "sha512": hashlib.sha512,
}

# A shorter lease would cost more requests than it saves polls; polls are an hour apart.
SHORTEST_LEASE = timedelta(hours=1)
# Longer ones are renewed as if they were this long: a hub that forgets us is noticed in a month.
LONGEST_LEASE = timedelta(days=30)
# PubSubHubbub 0.3 hubs say none.
UNSAID_LEASE = timedelta(days=1)
RENEWED_AFTER = 2 / 3  # of a lease: time for several tries before its end

# Hubs send 20 to 100 random characters.
LONGEST_CHALLENGE = 1_024

_DIGITS = re.compile(r"[0-9]{1,18}")
_TOKEN = re.compile(r"[A-Za-z0-9_-]{20,100}")
_SIGNATURE = re.compile(r"([A-Za-z0-9]{1,10})=([0-9A-Fa-f]{1,200})")


def plausible(token: str) -> bool:
    """Whether a token can be one of ours, before anybody is asked about it."""
    return _TOKEN.fullmatch(token) is not None


class Call(StrEnum):
    """What a hub wants that calls."""

    CONFIRMS = "confirms"  # it tells from now on
    REPEATS = "repeats"  # it makes sure that it should go on; nothing changes
    ENDS = "ends"  # it stops, as it was asked to
    DENIES = "denies"
    SHORT = "short"  # it would tell, for a time that is not worth it
    STRANGE = "strange"  # nothing that was asked for


@dataclass(frozen=True, slots=True)
class Called:
    """A hub's call, understood."""

    what: Call
    challenge: str = ""  # to be sent back
    lease: timedelta = timedelta(0)
    reason: str = ""


def called(push: Push | None, query: Sequence[tuple[str, str]]) -> Called:
    """Whether a call of a hub (5.2, 5.3) answers to what was asked of it.

    Every parameter counts once: a hub adds its own behind ours, and we have none.
    """
    said = dict(query)
    if push is None or len(said) != len(query) or said.get("hub.topic") != push.topic:
        return Called(Call.STRANGE)
    mode, challenge = said.get("hub.mode"), said.get("hub.challenge", "")
    if mode == "denied":
        if push.state is PushState.ENDING:
            return Called(Call.STRANGE)
        return Called(Call.DENIES, reason=shown(said.get("hub.reason", "")))
    if not 0 < len(challenge) <= LONGEST_CHALLENGE or not challenge.isprintable():
        return Called(Call.STRANGE)
    if mode == "unsubscribe" and push.state is PushState.ENDING and push.asked_at:
        return Called(Call.ENDS, challenge)
    if mode != "subscribe" or push.state in {PushState.ENDING, PushState.DENIED}:
        return Called(Call.STRANGE)
    if push.asked_at is None:
        repeats = push.state is PushState.ACTIVE
        return Called(Call.REPEATS, challenge) if repeats else Called(Call.STRANGE)
    lease = _lease(said.get("hub.lease_seconds"))
    if lease is None:
        return Called(Call.STRANGE)
    if lease < SHORTEST_LEASE:
        return Called(Call.SHORT, reason=f"it offers only {lease.total_seconds():g} s")
    return Called(Call.CONFIRMS, challenge, min(lease, LONGEST_LEASE))


def _lease(seconds: str | None) -> timedelta | None:
    if seconds is None:
        return UNSAID_LEASE
    if not _DIGITS.fullmatch(seconds):
        return None
    return timedelta(seconds=min(int(seconds), int(LONGEST_LEASE.total_seconds())))


def renewal(lease: timedelta) -> timedelta:
    """How long after it began a lease is asked for anew."""
    return lease * RENEWED_AFTER


def signed(header: str, body: bytes, secret: str) -> bool:
    """Whether a body carries the signature of a secret (8.1). Without a secret nothing does."""
    match = _SIGNATURE.fullmatch(header.strip())
    algorithm = ALGORITHMS.get(match[1].lower()) if match else None
    if match is None or algorithm is None or not secret:
        return False
    right = hmac.new(secret.encode(), body, algorithm).hexdigest()
    return hmac.compare_digest(right, match[2].lower())


def foreign(push: Push, due: DueFeed, feed: ParsedFeed) -> bool:
    """Whether a document that a hub sent is another feed's than the one it was asked for.

    By the address it gives itself; where it gives none, by its site and title together.
    """
    said = feed.hints.topic
    if said:
        ours = {push.topic, due.url, due.validated_url}
        return said not in ours and canonical(said) not in {canonical(one) for one in ours if one}
    elsewhere = feed.site_url and due.site_url and source(feed.site_url) != source(due.site_url)
    return bool(elsewhere) and feed.title != due.title
