"""Decides when a feed is asked for again. Pure: facts, `now` and a jitter come in, a plan goes out.

Nothing a publisher says can shorten the reader's floor; everything it says can lengthen the wait.
docs/decisions/polling.md says where the figures come from.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from newsloom.text.http_headers import fresh_for, retry_after
from newsloom.types import DueFeed, PollFacts, PollHints, PollOutcome, PollPlan, Reply

# After failures in a row: soon once, in case it was the line; then as the publisher would like.
LADDER = (
    timedelta(hours=1),
    timedelta(hours=4),
    timedelta(hours=12),
    timedelta(hours=24),
    timedelta(hours=48),
)

# A 403 is a publisher's decision and not an accident: Unread Cloud's published policy is 4 hours.
FORBIDDEN = 403
FORBIDDEN_WAIT = timedelta(hours=4)

# Rachel Kroll's feed score: a reader that cannot ask conditionally may ask once a day.
UNCONDITIONAL_WAIT = timedelta(hours=24)

# Polls in a row without news after which the interval doubles.
QUIET_POLLS = 5

# Jitter spreads feeds that fell due together, by at most this share of the wait and no more than
# this long. It only adds.
JITTER_SHARE = 0.1
MOST_JITTER = timedelta(minutes=30)

HOUR = timedelta(hours=1)
WEEK_HOURS = 7 * 24

ANSWERED = frozenset({PollOutcome.CHANGED, PollOutcome.UNCHANGED})
NOT_MODIFIED = 304


def facts(due: DueFeed, reply: Reply, outcome: PollOutcome, hints: PollHints) -> PollFacts:
    """All that the decision may see of one poll."""
    answered = outcome in ANSWERED
    validators = reply.header("etag") or reply.header("last-modified")
    return PollFacts(
        outcome=outcome,
        interval=due.interval,
        failures=due.failures,
        unchanged=due.unchanged,
        hints=hints,
        fresh_for=fresh_for(reply.headers, reply.received) if answered else None,
        retry_after=retry_after(reply.headers, reply.received),
        status=reply.status,
        conditional=bool(validators) or reply.status == NOT_MODIFIED,
    )


def plan(
    facts: PollFacts, now: datetime, floor: timedelta, ceiling: timedelta, jitter: float
) -> PollPlan:
    """When to ask again, and why. `jitter` is 0..1; the floor counts from `now`.

    The plan's interval is the feed's own rhythm; what only this answer asked for moves
    `next_poll` and is forgotten.
    """
    if facts.outcome is PollOutcome.GONE:
        return PollPlan(None, facts.interval, "gone for good (410)")
    if facts.outcome in ANSWERED:
        interval, wait, reason = _rhythm(facts, floor, ceiling)
    else:
        interval = facts.interval
        wait, reason = _after_failure(facts, floor)
    if facts.retry_after is not None and facts.retry_after > wait:
        wait, reason = facts.retry_after, "the server asked for time"
    wait += min(wait * JITTER_SHARE, MOST_JITTER) * jitter
    next_poll = now + wait
    allowed = _not_skipped(next_poll, facts.hints)
    if allowed > next_poll:
        next_poll, reason = allowed, "the feed names hours or days it is not updated in"
    return PollPlan(next_poll, interval, reason)


def _rhythm(
    facts: PollFacts, floor: timedelta, ceiling: timedelta
) -> tuple[timedelta, timedelta, str]:
    """The feed's own interval, the wait after this answer, and what made the wait."""
    interval = _interval(facts, floor, max(floor, ceiling))
    news = facts.outcome is PollOutcome.CHANGED
    wait, reason = interval, "it had news" if news else "it had no news"
    # What the document says is often a default of its software: taken up to the ceiling. What the
    # server says about this answer is taken as said (capped where it is read).
    for said, words in (
        (_capped(facts.hints.ttl, ceiling), "the feed's ttl"),
        (_capped(facts.hints.update_every, ceiling), "the feed's update period"),
        (facts.fresh_for, "the server says it is fresh until then"),
        (None if facts.conditional else UNCONDITIONAL_WAIT, "it cannot be asked for changes only"),
    ):
        if said is not None and said > wait:
            wait, reason = said, words
    return interval, wait, reason


def _interval(facts: PollFacts, floor: timedelta, ceiling: timedelta) -> timedelta:
    """The floor after news; doubled after every QUIET_POLLS polls in a row without any.

    Counted, not multiplied from the last interval, so a changed floor holds at once.
    """
    if facts.outcome is PollOutcome.CHANGED:
        return floor
    doublings = (facts.unchanged + 1) // QUIET_POLLS
    # 2**20 floors of a minute are two years; the power itself must not grow without bound.
    return min(floor * (1 << min(doublings, 20)), ceiling)


def _after_failure(facts: PollFacts, floor: timedelta) -> tuple[timedelta, str]:
    rung = LADDER[min(facts.failures, len(LADDER) - 1)]
    if facts.status == FORBIDDEN:
        rung = max(rung, FORBIDDEN_WAIT)
    times = facts.failures + 1
    return max(rung, floor), f"failed {times} time{'' if times == 1 else 's'} in a row"


def _capped(said: timedelta | None, ceiling: timedelta) -> timedelta | None:
    return None if said is None else min(said, ceiling)


def _not_skipped(moment: datetime, hints: PollHints) -> datetime:
    """The moment, or as many hours later as the feed asks to skip.

    The minute stays, so that feeds which skip alike do not all come due on the full hour. A feed
    that skips every hour of the week asks for nothing that can be done, and is ignored.
    """
    candidates = (moment + hours * HOUR for hours in range(WEEK_HOURS))
    return next(
        (
            one
            for one in candidates
            if one.hour not in hints.skip_hours and one.weekday() not in hints.skip_days
        ),
        moment,
    )
