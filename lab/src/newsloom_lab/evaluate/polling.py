"""What schedules would have cost and brought, replayed on histories: requests, delays, misses.

Newsloom's own is the real code of `schedule`, with what it learns on the way and nothing it could
not have known.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import fmean
from typing import Protocol

from newsloom.feeds import schedule
from newsloom.feeds.values.polling import DueFeed, PollOutcome
from newsloom.feeds.values.published import PollHints
from newsloom.kernel.http.values import Reply, Request
from newsloom.kernel.ids import FeedId
from newsloom_lab.evaluate.histories import DAY, History, Shown, Stretch

MINUTE, WEEK = timedelta(minutes=1), timedelta(weeks=1)
CEILING = timedelta(hours=24)

# Miniflux 2.2: internal/model/feed.go and storage/feed.go, with the defaults of its manual.
MINIFLUX = "Miniflux 2.2 entry_frequency"
MINIFLUX_LEAST, MINIFLUX_MOST, MINIFLUX_FACTOR = 5 * MINUTE, 1440 * MINUTE, 1


class Scheduler(Protocol):
    """One schedule of one feed, from its first poll on."""

    def resumed(self, at: datetime) -> None:
        """Polls went on unseen until now."""

    def next(self, at: datetime, new: Sequence[Shown]) -> datetime:
        """When to poll after a poll that found these."""


@dataclass(frozen=True, slots=True)
class Policy:
    name: str
    of: Callable[[PollHints], Scheduler]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one schedule came to on one feed, or on several."""

    requests: int
    days: float
    articles: int  # that it brought
    missed: int  # gone before any poll
    requests_per_day: float  # of one feed
    mean_delay_minutes: float
    p90_delay_minutes: float


@dataclass(frozen=True, slots=True)
class PolicyReport:
    name: str
    together: Outcome  # of the feeds that were really polled
    feeds: Mapping[str, Outcome]


@dataclass(frozen=True, slots=True)
class Against:
    """Where another schedule lies beside the line through ours; None: beyond its ends."""

    name: str
    delay_at_its_requests: float | None  # minutes
    requests_at_its_delay: float | None  # a day and feed


@dataclass(frozen=True, slots=True)
class PollingReport:
    policies: tuple[PolicyReport, ...]
    against: tuple[Against, ...]
    feeds: tuple[str, ...]
    made_up: tuple[str, ...]


class Fixed:
    """The same interval for ever."""

    def __init__(self, every: timedelta) -> None:
        self._every = every

    def resumed(self, at: datetime) -> None:
        """Knows nothing."""

    def next(self, at: datetime, new: Sequence[Shown]) -> datetime:  # noqa: ARG002
        return at + self._every


class Miniflux:
    """A week divided by the articles it would have at the mean distance of the last week's."""

    def __init__(self, least: timedelta, factor: int) -> None:
        self._least = least
        self._factor = factor
        self._published: list[datetime] = []

    def resumed(self, at: datetime) -> None:
        """It counts what it has."""

    def next(self, at: datetime, new: Sequence[Shown]) -> datetime:
        self._published += [one.dated or one.since for one in new]
        self._published = [one for one in self._published if one >= at - WEEK]
        return at + self._interval()

    def _interval(self) -> timedelta:
        last = self._published
        span = max(last) - min(last) if len(last) > 1 else timedelta(0)
        if not span:
            return MINIFLUX_MOST
        weekly = math.ceil(WEEK / (span / (len(last) - 1)))
        return max(self._least, min(WEEK / (weekly * self._factor), MINIFLUX_MOST))


class Newsloom:
    """The schedule of this package, its jitter drawn from a fixed seed."""

    def __init__(self, floor: timedelta, hints: PollHints) -> None:
        self._floor = floor
        self._due = DueFeed(FeedId(1), "https://feed.example/", "", hints=hints)
        self._chance = random.Random(1)
        self._unseen = False  # what came while nobody looked teaches nothing

    def resumed(self, at: datetime) -> None:
        pace = self._due.pace
        self._due = replace(self._due, pace=replace(pace, at=pace.at and at))
        self._unseen = pace.at is not None

    def next(self, at: datetime, new: Sequence[Shown]) -> datetime:
        due, pace = self._due, None
        if new and not self._unseen:
            dates = [one.dated for one in new if one.dated is not None]
            pace = schedule.learned(due.pace, at, len(new), dates, due.unchanged + 1)
        reply = Reply(Request(due.url), at, 0.0, status=200, headers=(("etag", '"1"'),))
        outcome = PollOutcome.CHANGED if new else PollOutcome.UNCHANGED
        facts = schedule.facts(due, reply, outcome, due.hints, pace)
        plan = schedule.plan(facts, at, self._floor, CEILING, self._chance.random())
        self._due = replace(
            due,
            interval=plan.interval,
            unchanged=0 if new else due.unchanged + 1,
            newsy=due.newsy + 1 if new else 0,
            pace=pace or due.pace,
        )
        self._unseen = False
        assert plan.next_poll is not None
        return plan.next_poll


def fixed(minutes: int) -> Policy:
    return Policy(f"every {minutes} minutes", lambda _hints: Fixed(minutes * MINUTE))


def miniflux(least: timedelta = MINIFLUX_LEAST, factor: int = MINIFLUX_FACTOR) -> Policy:
    words = f"{MINIFLUX}, least {least // MINUTE}"
    name = words if factor == 1 else f"{words}, factor {factor}"
    return Policy(name, lambda _hints: Miniflux(least, factor))


def newsloom(minutes: int) -> Policy:
    return Policy(f"Newsloom, floor {minutes}", lambda hints: Newsloom(minutes * MINUTE, hints))


# What is compared: ours at its usual floor, its least, and some others; each rival at its own
# settings and at those floors.
OURS = tuple(newsloom(minutes) for minutes in (120, 90, 60, 45, 30, 15))
RIVALS = (
    *(fixed(minutes) for minutes in (120, 60, 45, 30, 15)),
    miniflux(),
    miniflux(15 * MINUTE),
    miniflux(60 * MINUTE),
)


def run(
    histories: Sequence[History],
    ours: Sequence[Policy] = OURS,
    rivals: Sequence[Policy] = RIVALS,
) -> PollingReport:
    """Every schedule on every history."""
    reports = [_report(policy, histories) for policy in (*ours, *rivals)]
    line = [one.together for one in reports[: len(ours)]]
    names = [tuple(h.name for h in histories if h.made_up is made) for made in (False, True)]
    against = tuple(_against(one, line) for one in reports[len(ours) :])
    return PollingReport(tuple(reports), against, *names)


def _report(policy: Policy, histories: Sequence[History]) -> PolicyReport:
    runs = {one.name: replayed(one, policy) for one in histories}
    real = [runs[one.name] for one in histories if not one.made_up]
    feeds = {name: one.outcome for name, one in runs.items()}
    return PolicyReport(policy.name, sum(real, Run()).outcome, feeds)


def _against(rival: PolicyReport, line: Sequence[Outcome]) -> Against:
    points = [(one.requests_per_day, one.mean_delay_minutes) for one in line]
    requests, delay = rival.together.requests_per_day, rival.together.mean_delay_minutes
    return Against(
        rival.name,
        _between(points, requests),
        _between([(late, often) for often, late in points], delay),
    )


def _between(points: Sequence[tuple[float, float]], at: float) -> float | None:
    """On the straight lines between the points."""
    points = sorted(points)
    for (left, low), (right, high) in pairwise(points):
        if left <= at <= right and left < right:
            return low + (high - low) * (at - left) / (right - left)
    return None


@dataclass(frozen=True, slots=True)
class Run:
    """One schedule over the history of a feed. Adds up."""

    requests: int = 0
    days: float = 0.0
    missed: int = 0
    delays: tuple[float, ...] = ()  # minutes

    def __add__(self, other: Run) -> Run:
        return Run(
            self.requests + other.requests,
            self.days + other.days,
            self.missed + other.missed,
            self.delays + other.delays,
        )

    @property
    def outcome(self) -> Outcome:
        delays = sorted(self.delays)
        return Outcome(
            requests=self.requests,
            days=round(self.days, 2),
            articles=len(delays),
            missed=self.missed,
            requests_per_day=self.requests / self.days if self.days else 0.0,
            mean_delay_minutes=fmean(delays) if delays else 0.0,
            p90_delay_minutes=delays[math.ceil(0.9 * len(delays)) - 1] if delays else 0.0,
        )


def replayed(history: History, policy: Policy) -> Run:
    """One feed polled by one schedule, stretch after stretch."""
    scheduler = policy.of(history.hints)
    total = Run()
    for stretch in history.stretches:
        total += _over(stretch, scheduler)
    return total


def _over(stretch: Stretch, scheduler: Scheduler) -> Run:
    """The first poll of a stretch finds what is there already: that is no news, and no delay.

    The first poll after its end still brings what stands there then, but is no request of it.
    """
    scheduler.resumed(stretch.begin)
    coming = list(stretch.shown)
    place = 0
    requests, delays, waiting = 0, [], list[Shown]()
    at = stretch.begin
    missed = 0
    while True:
        while place < len(coming) and coming[place].since <= min(at, stretch.end):
            waiting.append(coming[place])
            place += 1
        new = [one for one in waiting if one.until > at]
        missed += len(waiting) - len(new)
        waiting = []
        if at > stretch.begin:
            delays += [(at - one.since) / MINUTE for one in new]
        if at > stretch.end:
            break
        requests += 1
        at = scheduler.next(at, new)
    return Run(requests, (stretch.end - stretch.begin) / DAY, missed, tuple(delays))
