"""When articles stood in feeds: from documents polled over months, or made up. Decides nothing.

A history is a folder of a feed's documents named by the time of their poll
(20200421T004301Z_anything.xml). What no poll saw is not known, so only stretches are looked at in
which each document shares articles with the one before: nothing can have come and gone unseen.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from newsloom.feeds.parse import parse_feed
from newsloom.feeds.values.published import ParsedFeed, PollHints
from newsloom.kernel.errors import ParseError, UserError

NAMED = "%Y%m%dT%H%M%SZ"

# Documents belong together when the later one shares so much of the earlier one, and comes so soon.
SHARED = 0.1
SHARED_LEAST = 2
LONGEST_GAP = timedelta(days=7)

# Shorter stretches say little of schedules that poll once a day.
SHORTEST_STRETCH = timedelta(hours=12)

MADE_FROM = datetime(2026, 1, 5, tzinfo=UTC)  # a Monday
MADE_DAYS = 120
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Shown:
    """One article, as long as the feed's document held it."""

    since: datetime
    until: datetime
    dated: datetime | None


@dataclass(frozen=True, slots=True)
class Stretch:
    """A time about which everything is known. `shown` is in the order of `since`."""

    begin: datetime
    end: datetime
    shown: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class History:
    name: str
    stretches: tuple[Stretch, ...]
    hints: PollHints
    made_up: bool = False

    @property
    def days(self) -> float:
        return sum((one.end - one.begin) / DAY for one in self.stretches)


@dataclass(frozen=True, slots=True)
class _Poll:
    at: datetime
    articles: Mapping[str, datetime | None]  # when each says it was published


def read_histories(folder: Path) -> tuple[History, ...]:
    """Every feed of a folder of folders. Raises UserError when there is none."""
    folders = sorted(one for one in folder.iterdir() if one.is_dir()) if folder.is_dir() else []
    found = [_read(one) for one in folders]
    histories = tuple(one for one in found if one is not None)
    if not histories:
        raise UserError(f"{folder} holds no folders of feed documents named like {NAMED}_x.xml.")
    return histories


def _read(folder: Path) -> History | None:
    polls, hints = [], PollHints()
    for file in sorted(folder.glob("*.xml")):
        try:
            at = datetime.strptime(file.name[:16], NAMED).replace(tzinfo=UTC)
            feed = parse_feed(file.read_bytes(), f"https://{folder.name}.example/")
        except (ValueError, ParseError):  # another file, or a poll that failed
            continue
        polls.append(_Poll(at, _articles(feed)))
        hints = feed.hints
    stretches = tuple(
        stretched(one) for one in _together(polls) if one[-1].at - one[0].at >= SHORTEST_STRETCH
    )
    return History(folder.name, stretches, hints) if stretches else None


def _articles(feed: ParsedFeed) -> dict[str, datetime | None]:
    return {one.guid or one.url or one.title: one.published or one.updated for one in feed.articles}


def _together(polls: Sequence[_Poll]) -> list[list[_Poll]]:
    runs: list[list[_Poll]] = []
    for poll in polls:
        if runs and _follows(runs[-1][-1], poll):
            runs[-1].append(poll)
        else:
            runs.append([poll])
    return runs


def _follows(before: _Poll, after: _Poll) -> bool:
    shared = len(before.articles.keys() & after.articles.keys())
    enough = max(SHARED_LEAST, SHARED * len(after.articles))
    return after.at - before.at <= LONGEST_GAP and shared >= enough


def stretched(polls: Sequence[_Poll]) -> Stretch:
    """An article stood there from its own date, as far as the polls around bear it out (without a
    date, from the first poll that shows it), to the first poll that shows it no more."""
    begin, end = polls[0].at, polls[-1].at
    since: dict[str, datetime] = {}
    until: dict[str, datetime] = {}
    dated: dict[str, datetime | None] = {}
    before = begin
    for poll in polls:
        for name, date in poll.articles.items():
            if name not in since:
                since[name] = min(max(date or poll.at, before), poll.at)
                dated[name] = date
            until.pop(name, None)
        for name in since.keys() - poll.articles.keys():
            until.setdefault(name, poll.at)
        before = poll.at
    shown = [
        Shown(moment, until.get(name, datetime.max.replace(tzinfo=UTC)), dated[name])
        for name, moment in since.items()
    ]
    return Stretch(begin, end, tuple(sorted(shown, key=lambda one: one.since)))


def made_up(seed: int = 0) -> tuple[History, ...]:
    """Feeds too quiet to be among those whose polls are worth keeping: four months of each."""
    chance = random.Random(seed)
    return (
        _made("a blog: on working days, mornings", _blog(chance)),
        _made("a weekly column: on Thursdays", _weekly(chance)),
        _made("three posts a month, at any time", _now_and_then(chance, MADE_DAYS / 10)),
        _made("dormant: two posts in four months", _now_and_then(chance, 2)),
    )


def _made(name: str, moments: Sequence[datetime]) -> History:
    """The newest ten stand in the document; there were as many before it begins."""
    moments = sorted(moments)
    first = moments[0]
    gap = (moments[-1] - first) / max(len(moments) - 1, 1)
    old = [first - gap * number for number in range(10, 0, -1)]
    every = [*old, *moments]
    gone = [*every[10:], *[datetime.max.replace(tzinfo=UTC)] * 10]
    shown = [Shown(since, until, since) for since, until in zip(every, gone, strict=True)]
    end = MADE_FROM + MADE_DAYS * DAY
    return History(name, (Stretch(MADE_FROM, end, tuple(shown)),), PollHints(), made_up=True)


def _blog(chance: random.Random) -> list[datetime]:
    days = [MADE_FROM + day * DAY for day in range(MADE_DAYS)]
    return [
        day + timedelta(hours=chance.gauss(9, 2))
        for day in days
        if day.weekday() < 5 and chance.random() < 0.9
    ]


def _weekly(chance: random.Random) -> list[datetime]:
    thursdays = [MADE_FROM + timedelta(days=3, weeks=week) for week in range(MADE_DAYS // 7)]
    return [day + timedelta(hours=chance.gauss(10, 1)) for day in thursdays]


def _now_and_then(chance: random.Random, posts: float) -> list[datetime]:
    return [MADE_FROM + chance.random() * MADE_DAYS * DAY for _ in range(round(posts))]
