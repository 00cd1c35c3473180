"""How things stand with a hub, in words. Pure."""

from __future__ import annotations

from datetime import datetime

from newsloom.feeds.values.health import PushState
from newsloom.feeds.values.pushes import Push
from newsloom.kernel.text.urls import host

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
