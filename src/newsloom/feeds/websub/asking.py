"""What is asked of a hub (WebSub 4 and 5.1), and what its answer means. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from urllib.parse import urlencode

from newsloom.feeds.values.health import PushState
from newsloom.feeds.values.published import PollHints
from newsloom.feeds.values.pushes import Push
from newsloom.feeds.websub.wording import LONGEST_REASON, hub_name
from newsloom.kernel.http.values import Failure, Reply
from newsloom.kernel.text.hosts import named
from newsloom.kernel.text.link_header import links
from newsloom.kernel.text.response_headers import Headers, retry_after
from newsloom.kernel.text.urls import is_http, join

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
        return Answered(telling or PushState.ASKED, later, _uncalled(push), over=over)
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


def _uncalled(push: Push) -> str:
    """What was wrong before, until the hub calls back."""
    return f"{hub_name(push)} has not called back" if push.tries > 1 else ""


def _step(ladder: Sequence[timedelta], tries: int) -> timedelta:
    return ladder[min(max(tries, 1), len(ladder)) - 1]


def unusable(base: str, *, plain: bool) -> str:
    """Why hubs cannot be given this address; "" when they can."""
    if not is_http(base) or "?" in base or "#" in base or "@" in base:
        return "hubs cannot call this address"
    if not _is_safe(base) and not plain:
        return "it is not https; set push.plain_http to allow it"
    return ""
