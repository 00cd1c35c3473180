"""Which host is left alone after a poll, and until when. Pure.

A server that says 429 speaks for its host, whatever the address: politeness is owed to all that
one publisher runs. Other failures are an address's own until several of the host fail.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from newsloom.feeds.schedule.plan import LADDER, TOO_MANY
from newsloom.feeds.values.polling import DueFeed, Pause, PollPlan
from newsloom.kernel.http.values import Failure, Reply
from newsloom.kernel.text.response_headers import retry_after
from newsloom.kernel.text.urls import shared_host

# So many feeds of a host failing, and it is the host that fails (case P17 of the politeness suite).
FAILING_FEEDS = 3

# How long ago the failures of the others may be.
FAILING_WITHIN = timedelta(hours=24)

# Ends of names that no registrar gives out: machines of one's own network, each its own publisher.
_PRIVATE = ("localhost", "local", "internal", "lan", "home", "corp", "home.arpa")


def host_of(url: str, reply: Reply) -> str:
    """The host that answered, as far as it can be paused; empty: it counts by the address only.

    A name of one's own network may serve the feeds of many, and so may a number: a bridge passes on
    that others fail. But a number that says 429 was asked too much itself.
    """
    host = shared_host(reply.url or url)
    name = host.rpartition(":")[0] or host
    if host.endswith("]") or name[-1:].isdigit() or name.endswith("]"):
        return host if reply.status == TOO_MANY else ""
    private = any(name == end or name.endswith(f".{end}") for end in _PRIVATE)
    return host if "." in name and not private else ""


def requested_pause(reply: Reply, at: datetime) -> Pause | None:
    """The pause of a host that says 429, whatever was asked of it."""
    host = host_of(reply.request.url, reply) if reply.status == TOO_MANY else ""
    if not host:
        return None
    said = retry_after(reply.headers, reply.received)
    return Pause(host, at, at + max(said or LADDER[0], LADDER[0]), f"{host} asked to wait")


def may_pause(reply: Reply) -> bool:
    """Whether this failure says something of the host, so that it matters who else fails."""
    return reply.status >= 500 or reply.failure is Failure.TIMEOUT


def pause(due: DueFeed, reply: Reply, plan: PollPlan, at: datetime, failing: int) -> Pause | None:
    """The pause of the host after this poll; `failing` counts its other feeds that fail too."""
    host = host_of(due.url, reply)
    if not host:
        return None
    if reply.status == TOO_MANY:
        until = max(plan.not_before or at, at + LADDER[0])
        return Pause(host, at, until, f"{host} asked to wait")
    if may_pause(reply) and failing + 1 >= FAILING_FEEDS:
        until = max(plan.not_before or at, at + LADDER[0])
        return Pause(host, at, until, f"{failing + 1} feeds of {host} fail")
    return None
