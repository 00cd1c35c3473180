"""Decides when a feed is asked for again. Pure: facts, `now` and a jitter come in, a plan goes out.

What a publisher says lengthens the wait. Only a Cache-Control of its own may lower the usual floor,
and only where there is nearly always news. docs/work/decisions/fetching.md says where the figures
come from.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from newsloom.feeds.schedule.rhythm import BUSY, best_wait, interval, kind_of, per_day
from newsloom.feeds.values.polling import (
    CLOCK_SLACK,
    READ,
    DueFeed,
    Pause,
    PollFacts,
    PollOutcome,
    PollPlan,
    PublishingRate,
)
from newsloom.feeds.values.published import Damage, PollHints
from newsloom.kernel.http.values import Failure, Reply
from newsloom.kernel.text.response_headers import (
    LONGEST_RETRY,
    TIMING,
    fresh_for,
    max_age,
    retry_after,
)
from newsloom.kernel.text.urls import shared_host

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

# One timeout may have been an accident of the way: it is tried once more, soon (seed 001).
AFTER_TIMEOUT = timedelta(seconds=60)

# Documents that may lack articles, which a 304 would hide: nothing of them is asked conditionally.
DAMAGED = {
    Damage.CUT: "the document was cut off",
    Damage.BROKEN: "the document was broken",
}

# Too many requests: what a server asks for is doubled each time it has to ask again.
TOO_MANY = 429

# A feed whose hub tells of its news is asked to be sure, once a day.
PUSHED_WAIT = timedelta(hours=24)

# The floor that a publisher's own max-age may lower, and how far.
USUAL_FLOOR = timedelta(hours=1)
LEAST_FLOOR = timedelta(minutes=15)

# Jitter spreads feeds that fell due together, by at most this share of the wait and no more than
# this long. It only adds: a tenth was tried, and cost a twentieth of the delay.
JITTER_SHARE = 0.05
MOST_JITTER = timedelta(minutes=30)

HOUR = timedelta(hours=1)
WEEK_HOURS = 7 * 24

# Further ahead no rule puts a poll: what lies beyond was set while the clock was wrong.
FURTHEST = LONGEST_RETRY + timedelta(days=7) + MOST_JITTER

NOT_MODIFIED = 304


def facts(
    due: DueFeed,
    reply: Reply,
    outcome: PollOutcome,
    hints: PollHints,
    pace: PublishingRate | None = None,
    damage: Damage = Damage.NONE,
) -> PollFacts:
    """All that the decision may see of one poll; `pace` as learned from it, if anything was."""
    answered = outcome in READ
    headers = [one for one in reply.headers if one[0] in TIMING]
    validators = reply.header("etag") or reply.header("last-modified")
    return PollFacts(
        outcome=outcome,
        interval=due.interval,
        failures=due.failures,
        unchanged=due.unchanged,
        hints=hints,
        fresh_for=fresh_for(headers, reply.received) if answered else None,
        retry_after=retry_after(headers, reply.received),
        status=reply.status,
        conditional=bool(validators) or reply.status == NOT_MODIFIED,
        newsy=due.newsy,
        pace=due.pace if pace is None else pace,
        floor=due.floor,
        max_age=max_age(headers) if answered else None,
        timed_out=reply.failure is Failure.TIMEOUT,
        limited=due.status == TOO_MANY,
        pushed=due.pushed,
        damage=damage,
        damaged=due.damaged,
    )


def plan(
    facts: PollFacts, now: datetime, floor: timedelta, ceiling: timedelta, jitter: float
) -> PollPlan:
    """When to ask again, and why. `jitter` is 0..1; the floor counts from `now`.

    The plan's interval is the feed's own rhythm; what only this answer asked for moves
    `next_poll` and is forgotten.
    """
    if facts.outcome is PollOutcome.GONE:
        return PollPlan(None, facts.interval, "discontinued (410)")
    floor = _floor(facts, now, floor)
    ceiling = max(floor, ceiling)
    asked = _retry_after(facts)
    if facts.outcome in READ:
        every, wait, reason = _rhythm(facts, now, floor, ceiling)
    else:
        every = min(facts.interval * 2, ceiling) if facts.status == TOO_MANY else facts.interval
        wait, reason = _after_failure(facts, floor)
    if asked is not None and asked > wait:
        wait, reason = asked, "the server asked to wait"
    wait += min(wait * JITTER_SHARE, MOST_JITTER) * jitter
    next_poll = now + wait
    allowed = _not_skipped(next_poll, facts.hints)
    if allowed > next_poll:
        next_poll, reason = allowed, "the feed skips these hours or days"
    return PollPlan(next_poll, every, reason, None if asked is None else now + asked)


def _floor(facts: PollFacts, now: datetime, usual: timedelta) -> timedelta:
    """The reader's own floor of this feed, or the usual one, or what a busy publisher allows."""
    if facts.floor is not None:
        return max(facts.floor, LEAST_FLOOR)
    kind = kind_of(per_day(facts.pace, now))
    allowed = facts.max_age
    if (
        usual == USUAL_FLOOR
        and allowed is not None
        and LEAST_FLOOR <= allowed < usual
        and kind is not None
        and kind.name in BUSY
    ):
        return allowed
    return usual


def _rhythm(
    facts: PollFacts, now: datetime, floor: timedelta, ceiling: timedelta
) -> tuple[timedelta, timedelta, str]:
    """The feed's own interval, the wait after this answer, and what made the wait."""
    every, ideal = interval(facts, now, floor, ceiling)
    news = facts.outcome is PollOutcome.CHANGED
    wait = best_wait(ideal, facts.pace, now, floor, ceiling)
    reason = "it had new articles" if news else "no change"
    if kind := kind_of(per_day(facts.pace, now)):
        reason += f"; usually {kind.words}"
    if facts.damage in DAMAGED:
        # As after failures: an accident costs an hour, a habit a day.
        rung = LADDER[min(facts.damaged, len(LADDER) - 1)]
        wait = max(floor, min(rung, UNCONDITIONAL_WAIT))
        reason = f"{DAMAGED[facts.damage]}, full download"
    # What the document says is often a default of its software: taken up to the ceiling. What the
    # server says about this answer is taken as said (capped where it is read).
    for said, words in (
        (_capped(facts.hints.ttl, ceiling), "the feed's ttl"),
        (_capped(facts.hints.update_every, ceiling), "the feed's update period"),
        (facts.fresh_for, "cached by the server until then"),
        (_unconditional(facts), "no conditional requests"),
        (PUSHED_WAIT if facts.pushed else None, "its hub pushes updates"),
    ):
        if said is not None and said > wait:
            wait, reason = said, words
    return every, wait, reason


def _unconditional(facts: PollFacts) -> timedelta | None:
    """The wait before another request for all there is, where none can be conditional."""
    return None if facts.conditional or facts.damage in DAMAGED else UNCONDITIONAL_WAIT


def _retry_after(facts: PollFacts) -> timedelta | None:
    """What the server asked for: Retry-After, doubled for each time it had to say so again."""
    if facts.status == FORBIDDEN:
        return max(FORBIDDEN_WAIT, facts.retry_after or FORBIDDEN_WAIT)
    if facts.retry_after is None or facts.status != TOO_MANY or not facts.limited:
        return facts.retry_after
    # 2**12 seconds are an hour, of which the ladder makes two days anyway.
    return min(facts.retry_after * (1 << min(facts.failures, 12)), LONGEST_RETRY)


def _after_failure(facts: PollFacts, floor: timedelta) -> tuple[timedelta, str]:
    if facts.timed_out and not facts.failures:
        return AFTER_TIMEOUT, "timeout; retry"
    # That one more try is no rung.
    rung = LADDER[min(facts.failures - int(facts.timed_out), len(LADDER) - 1)]
    times = facts.failures + 1
    return max(rung, floor), f"failed {times} time{'' if times == 1 else 's'} in a row"


def _capped(said: timedelta | None, ceiling: timedelta) -> timedelta | None:
    return None if said is None else min(said, ceiling)


def _not_skipped(moment: datetime, hints: PollHints) -> datetime:
    """The moment, or as many hours later as the feed asks to skip.

    The minute stays, so that feeds which skip alike do not all come due on the full hour. A feed
    that skips every hour of the week asks for nothing that can be done, and is ignored.
    """
    if not hints.skip_hours and not hints.skip_days:
        return moment
    candidates = (moment + hours * HOUR for hours in range(WEEK_HOURS))
    return next(
        (
            one
            for one in candidates
            if one.hour not in hints.skip_hours and one.weekday() not in hints.skip_days
        ),
        moment,
    )


# Which host is left alone after a poll, and until when. Pure.
# A server that says 429 speaks for its host, whatever the address: politeness is owed to all that
# one publisher runs. Other failures are an address's own until several of the host fail.

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


# Pure. Asking by hand is always conditional (the poll is the same), never sooner after the last
# request than the settings say, and never before the time a server asked for.


@dataclass(frozen=True, slots=True)
class Held:
    """Why a feed is not asked now, and until when."""

    until: datetime
    because: str  # for a person; the time is not in it


def by_hand(
    polled_at: datetime | None,
    not_before: datetime | None,
    pause: Pause | None,
    now: datetime,
    least: timedelta,
) -> Held | None:
    """None: it may be asked. `least` is the shortest time between two requests by hand."""
    reasons = []
    if polled_at is not None and polled_at <= now + CLOCK_SLACK:
        reasons.append(Held(polled_at + least, "it was fetched a moment ago"))
    if not_before is not None:
        reasons.append(Held(not_before, "its server asked to wait"))
    if pause is not None:
        reasons.append(Held(pause.until, pause.because))
    return max((one for one in reasons if one.until > now), key=lambda one: one.until, default=None)


# A server that is asked with the validators of half a document says 304 for ever, and the other
# half is never seen.


@dataclass(frozen=True, slots=True)
class Validators:
    """What the next request is to send; None keeps what is stored, an empty text forgets it."""

    etag: str | None = None
    last_modified: str | None = None
    url: str | None = None  # whose they are, after redirects


AS_BEFORE = Validators()
NO_MORE = Validators("", "", "")


def trusted(damage: Damage, damaged: int) -> bool:
    """Whether the validators of a document may be kept; `damaged` counts the documents in a row
    before it that were damaged.

    One that was only mended has all its articles. Mended once it may have been an accident, which a
    304 would keep; twice, and its publisher writes it so: to ask for it whole again and again would
    bring the same mistake each time.
    """
    return not damage or (damage is Damage.MENDED and damaged > 0)


def validators(reply: Reply, outcome: PollOutcome, damage: Damage, damaged: int) -> Validators:
    """What is kept of an answer. A 304 without a header keeps what is stored (RFC 9111, 3.2); a
    document without it forgets."""
    unchanged = reply.status == NOT_MODIFIED
    if outcome not in READ:
        # A 304 is a failure where nothing had been asked on condition.
        return NO_MORE if unchanged else AS_BEFORE
    if not trusted(damage, damaged):
        return NO_MORE
    etag, last_modified = reply.header("etag"), reply.header("last-modified")
    return Validators(
        None if unchanged and not etag else etag,
        None if unchanged and not last_modified else last_modified,
        reply.url,
    )
