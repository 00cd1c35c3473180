"""Whether a feed's address is another's now. Pure.

RFC 9110 lets an address be replaced after one 301. A captive portal, a wrong line in a server's
configuration and a lapsed domain send 301 too, so it must be said again and again first.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from newsloom.feeds.values.health import Moving
from newsloom.feeds.values.polling import DueFeed
from newsloom.kernel.http.values import Reply

# 302, 303 and 307 say where a feed is for now: they are followed and never remembered.
PERMANENT = frozenset({301, 308})

# Facts P18: "3 consecutive equal targets over >= 48 h". NewsBlur waits for ten redirects, which at
# an hour each is less than half a day.
LEAST_TIMES = 3
LEAST_SPAN = timedelta(hours=48)


@dataclass(frozen=True, slots=True)
class Moved:
    """What one readable answer says of a feed's address."""

    moving: Moving | None = None  # where it seems to go, so often by now
    still: bool = False  # it stays where it is
    to: str = ""  # believed
    because: str = ""


def moved(due: DueFeed, reply: Reply, now: datetime) -> Moved:
    """Called for answers that are a feed, or 304: the target was reached and can be read."""
    to = target(due.url, reply)
    if not to or to == due.declined:
        return Moved(still=True)
    same = due.moving is not None and due.moving.url == to
    before = due.moving if same else None
    moving = Moving(to, before.since, before.times + 1) if before else Moving(to, now)
    if moving.times < LEAST_TIMES or now - moving.since < LEAST_SPAN:
        return Moved(moving, still=False)
    statuses = " and ".join(sorted({str(one.status) for one in reply.redirects}))
    hours = (now - moving.since) // timedelta(hours=1)
    because = f"It redirected there permanently ({statuses}) {moving.times} times in {hours} hours."
    return Moved(to=to, because=because)


def target(url: str, reply: Reply) -> str:
    """Where every hop of the way was permanent and led elsewhere: that address; else "".

    Not where a name and a password stand in either address: the reader's would be lost, and a
    server's are none of ours to keep.
    """
    if not reply.redirects or any(one.status not in PERMANENT for one in reply.redirects):
        return ""
    if reply.url == url or _carries_secrets(url) or _carries_secrets(reply.url):
        return ""
    return reply.url


def _carries_secrets(url: str) -> bool:
    return "@" in urlsplit(url).netloc
