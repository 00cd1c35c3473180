"""Why a feed is in its state, and what its reader may do, in words. Pure."""

from __future__ import annotations

from newsloom.feeds.values.health import FeedState
from newsloom.feeds.values.history import FeedHealth
from newsloom.feeds.values.published import Damage

# A poll at which nothing was readable or reachable, and what a reader can make of that.
_ADVICE = {
    FeedState.HEALTHY: "",
    FeedState.SLOW: "wait: Newsloom tries again later",
    FeedState.UNHEALTHY: "look for another feed on the site, or unfollow this one",
    FeedState.MOVED: "undo the move if the old address is right",
    FeedState.HELD: "approve or block it",
    FeedState.DEAD: "unfollow it; its articles stay",
}


def reason(one: FeedHealth) -> str:
    """Why it is in its state; "" when it is healthy."""
    if one.state is FeedState.DEAD:
        return "The publisher has discontinued this feed (410). It is no longer fetched."
    if one.state is FeedState.HELD:
        kept_out = one.verdict is not None and not one.verdict.same
        held = one.held_because or "It may have a new owner."
        return f"{held} You blocked it." if kept_out else held
    if one.state is FeedState.MOVED:
        return _moved(one)
    if one.failures:
        return f"{_times(one)}: {one.problem.rstrip('. ') or 'nobody knows why'}."
    if one.damage is Damage.CUT:
        times = "document was" if one.damaged == 1 else f"{one.damaged} documents were"
        return f"Its last {times} cut off: {one.problem or 'some articles may be missing'}."
    if one.state is FeedState.SLOW:
        return "The last response was slow."
    return ""


def advice(one: FeedHealth) -> str:
    """What its reader can do; "" when nothing is to be done."""
    if one.state is FeedState.HELD and one.verdict is not None and not one.verdict.same:
        return "unblock it"
    return _ADVICE[one.state]


def _moved(one: FeedHealth) -> str:
    if one.moved is None:
        return "It has moved."
    if one.moved.merged_id is not None:
        return f"The feed at {one.moved.from_url} moved here and was merged into it."
    return f"It moved from {one.moved.from_url}."


def _times(one: FeedHealth) -> str:
    unread = one.unreadable if one.unreadable == one.failures else 0
    if one.failures == 1:
        return "The last response was unreadable" if unread else "The last fetch failed"
    what = "be read" if unread else "be fetched"
    return f"It could not {what} {one.failures} times in a row"
