"""Why a feed is in its state, and what its reader may do, in words. Pure."""

from __future__ import annotations

from newsloom.feeds.values.health import FeedState
from newsloom.feeds.values.history import FeedHealth
from newsloom.feeds.values.published import Damage

# A poll at which nothing was readable or reachable, and what a reader can make of that.
_ADVICE = {
    FeedState.HEALTHY: "",
    FeedState.SLOW: "wait: it is asked again later",
    FeedState.UNHEALTHY: "look whether its site has another feed, or stop following it",
    FeedState.MOVED: "take the move back, if it should stay where it was",
    FeedState.HELD: "say whether it is the same feed, or keep it out",
    FeedState.DEAD: "stop following it; what you have of it stays",
}


def reason(one: FeedHealth) -> str:
    """Why it is in its state; "" when it is healthy."""
    if one.state is FeedState.DEAD:
        return "Its publisher says it is gone for good (410). It is not asked any more."
    if one.state is FeedState.HELD:
        kept_out = one.verdict is not None and not one.verdict.same
        held = one.held_because or "It may have changed hands."
        return f"{held} You keep it out; it is not asked any more." if kept_out else held
    if one.state is FeedState.MOVED:
        return _moved(one)
    if one.failures:
        return f"{_times(one)}: {one.problem.rstrip('. ') or 'nobody knows why'}."
    if one.damage is Damage.CUT:
        times = "last document" if one.damaged == 1 else f"last {one.damaged} documents"
        return f"Its {times} ended too early: {one.problem or 'some articles may be missing'}."
    if one.state is FeedState.SLOW:
        return "Its last answer took long."
    return ""


def advice(one: FeedHealth) -> str:
    """What its reader can do; "" when nothing is to be done."""
    if one.state is FeedState.HELD and one.verdict is not None and not one.verdict.same:
        return "let it in after all"
    return _ADVICE[one.state]


def _moved(one: FeedHealth) -> str:
    if one.moved is None:
        return "It has a new address."
    if one.moved.merged_id is not None:
        return f"The feed at {one.moved.from_url} moved here, and became part of it."
    return f"It was at {one.moved.from_url}, and has a new address."


def _times(one: FeedHealth) -> str:
    unread = one.unreadable if one.unreadable == one.failures else 0
    if one.failures == 1:
        return "It could not be read the last time" if unread else "It failed the last time"
    what = "be read" if unread else "be had"
    return f"It could not {what} the last {one.failures} times"
