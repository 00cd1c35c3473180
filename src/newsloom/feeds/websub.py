"""WebSub as a subscriber speaks it (W3C Recommendation of 23 January 2018). Pure: values to values.

Where the hub of a feed is and what is asked of it (asking), whether it may call back as it does and
whether what it sends is signed (calling). Numbers in brackets are sections of the Recommendation.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from urllib.parse import urlencode

from newsloom.feeds.values.health import PushState
from newsloom.feeds.values.polling import DueFeed, Push
from newsloom.feeds.values.published import ParsedFeed, PollHints
from newsloom.kernel.http.values import Failure, Reply
from newsloom.kernel.text.hosts import named
from newsloom.kernel.text.response_headers import Headers, links, retry_after
from newsloom.kernel.text.urls import canonical, host, is_http, join, source

__all__ = [
    "PATH",
    "RETRIES",
    "Answered",
    "Call",
    "Called",
    "addresses",
    "answered",
    "callback",
    "callback_host",
    "called",
    "denied_until",
    "describe",
    "discovered",
    "foreign",
    "hub_name",
    "plausible",
    "redirected",
    "renewal",
    "request_body",
    "signed",
    "unaskable",
    "unusable",
]


# What is asked of a hub (WebSub 4 and 5.1), and what its answer means. Pure.

PATH = "/push/"

# A hub that fails is asked again after these, one that refuses after those; the last one repeats.
RETRIES = (timedelta(hours=1), timedelta(hours=4), timedelta(hours=24))
DENIALS = (timedelta(days=3), timedelta(days=7), timedelta(days=14), timedelta(days=30))
# Hubs that do not answer a farewell are not asked for ever: the lease ends by itself.
MOST_FAREWELLS = 3

_USER = re.compile(r"[^/]*//[^/?#]*@")
_REDIRECTS = frozenset({301, 302, 307, 308})


def discovered(headers: Headers, base: str, hints: PollHints) -> PollHints:
    """Hints with the hub and topic of the Link headers, which go before the document's (4).

    Of several hubs the first with https.
    """
    own = [
        (join(base, link.target), link.relations)
        for link in links(value for name, value in headers if name == "link")
        if not link.anchor
    ]
    hubs = [url for url, relations in own if url and "hub" in relations]
    topics = [url for url, relations in own if url and "self" in relations]
    if not hubs:
        return hints
    hub = next(filter(_is_safe, hubs), hubs[0])
    return replace(hints, hub=hub, topic=topics[0] if topics else hints.topic)


def callback(base: str, token: str) -> str:
    """Where a hub reaches us about one feed."""
    return f"{base.rstrip('/')}{PATH}{token}"


def callback_host(base: str) -> str:
    """The name under which hubs call, as their Host header has it, but for a port."""
    return named(re.sub(r"^https?://|[/?#].*", "", base, flags=re.IGNORECASE)).strip("[]")


def addresses(hub: str) -> tuple[str, ...]:
    """Where to ask a hub: https before http, even where only http was named (9.2).

    Where a port is named there is only that.
    """
    plain = re.match(r"http://([^/?#:\[\]]+|\[[^\]]*\])(?=[/?#]|$)", hub, re.IGNORECASE)
    return (f"https{hub[4:]}", hub) if plain else (hub,)


def _is_safe(url: str) -> bool:
    return url[:6].lower() == "https:"


def unaskable(hub: str, topic: str) -> str:
    """Why a hub is not to be asked for a topic; "" when it may be."""
    if not is_http(hub) or not is_http(topic):
        return "the feed names an invalid hub"
    # A feed that does not say where it is was found at the reader's own address.
    if _USER.match(topic):
        return "the feed URL contains a password"
    return ""


def request_body(push: Push, lease: timedelta) -> bytes:
    """The form that asks a hub to tell, or to stop (5.1)."""
    ending = push.state is PushState.ENDING
    form = {
        "hub.mode": "unsubscribe" if ending else "subscribe",
        "hub.topic": push.topic,
        "hub.callback": callback(push.base, push.token),
    }
    if not ending:
        form["hub.lease_seconds"] = str(max(int(lease.total_seconds()), 1))
        form["hub.secret"] = push.secret
    return urlencode(form, errors="replace").encode("ascii")


def redirected(url: str, reply: Reply) -> str:
    """Where a hub sends us instead (5.1.2); "" when nowhere, or from https to http."""
    if reply.status not in _REDIRECTS:
        return ""
    target = join(url, reply.header("location"))
    return "" if _is_safe(url) and not _is_safe(target) else target


@dataclass(frozen=True, slots=True)
class Answered:
    """What a hub's answer to a request makes of it."""

    state: PushState
    next_at: datetime
    problem: str = ""
    awaits: bool = True  # whether it may still call back
    failing: bool = False  # the hub itself is ill: others need not ask it now
    over: bool = False  # nothing is left to agree


def answered(push: Push, reply: Reply, now: datetime) -> Answered:
    """How to go on after asking. `push.tries` counts this time."""
    name = hub_name(push)
    ending = push.state is PushState.ENDING
    over = ending and push.tries >= MOST_FAREWELLS
    later = now + _step(RETRIES, push.tries)
    # Until its lease is over a hub tells, whatever it says of another one.
    telling = push.state if push.state in {PushState.ACTIVE, PushState.ENDING} else None
    if reply.failure is None and 200 <= reply.status < 300:
        # What was wrong before, until the hub calls back.
        problem = f"{hub_name(push)} has not called back" if push.tries > 1 else ""
        return Answered(telling or PushState.ASKED, later, problem, over=over)
    wait = retry_after(reply.headers, reply.received) or timedelta(0)
    if 400 <= reply.status < 500 and reply.status not in {408, 429} and not reply.failure:
        denied = max(denied_until(push, now), now + wait)
        words = f"{name} returned {reply.status}"
        return Answered(telling or PushState.DENIED, denied, words, awaits=False, over=ending)
    if reply.failure is not None:
        words = f"{name} does not respond ({reply.problem or reply.failure.value})"
    else:
        words = f"{name} returned {reply.status}"
    unsafe = reply.failure in {Failure.BLOCKED, Failure.URL}
    return Answered(
        telling or PushState.WANTED,
        max(later, now + wait),
        words[:LONGEST_REASON],
        failing=not unsafe,
        over=over,
    )


def denied_until(push: Push, now: datetime) -> datetime:
    """When a hub that said no may be asked again."""
    return now + _step(DENIALS, push.tries)


def _step(ladder: Sequence[timedelta], tries: int) -> timedelta:
    return ladder[min(max(tries, 1), len(ladder)) - 1]


def unusable(base: str, *, plain: bool) -> str:
    """Why hubs cannot be given this address; "" when they can."""
    if not is_http(base) or "?" in base or "#" in base or "@" in base:
        return "hubs cannot call this address"
    if not _is_safe(base) and not plain:
        return "it is not https; set push.plain_http to allow it"
    return ""


# What a hub says when it calls (WebSub 5.2, 5.3, 8): whether it may, and what it means. Pure.

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


LONGEST_REASON = 200


def hub_name(push: Push) -> str:
    return host(push.hub) or "the hub"


def describe(push: Push, now: datetime) -> str:
    """How things stand with a hub, for the readers of its feed."""
    name = hub_name(push)
    if push.state is PushState.ACTIVE and push.until and push.until > now:
        late = f" ({push.problem})" if push.problem else ""
        return f"pushed by {name} until {_day(push.until)}{late}"
    if push.state is PushState.ENDING:
        return f"unsubscribing from {name}"
    why = f": {push.problem}" if push.problem else ""
    again = f"; retry {_day(push.next_at)}" if push.next_at and push.tries else ""
    if push.state is PushState.DENIED:
        return f"polled; {name} does not push{why}{again}"
    if push.state is PushState.ASKED:
        return f"polled; subscribing to {name}{why}"
    return f"polled; will subscribe to {name}{why}{again}"


def _day(moment: datetime) -> str:
    return f"{moment.day} {moment:%b}"


def shown(text: str) -> str:
    """What a hub says, as far as it is fit to be shown."""
    return "".join(one if one.isprintable() else " " for one in text[:LONGEST_REASON]).strip()
