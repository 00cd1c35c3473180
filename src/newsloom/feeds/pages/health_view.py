"""How feeds are, as their pages show it: bars of polls, parts of a score, words. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo

from newsloom.feeds.values.history import PastPoll, Reliability
from newsloom.feeds.values.polling import PollOutcome
from newsloom.web.wording import clock_words

# One bar for each poll that is remembered: what it is called, and how high it stands, so that
# nobody needs the colour to tell them apart.
KINDS = {
    PollOutcome.CHANGED: ("with new articles", "news", 24),
    PollOutcome.UNCHANGED: ("no change", "same", 10),
    PollOutcome.UNREADABLE: ("unreadable", "unread", 17),
    PollOutcome.FAILED: ("failed", "failed", 17),
    PollOutcome.GONE: ("gone", "failed", 24),
}
HEIGHT, STEP, PLACES = 24, 6, 100

# From which share on a part of the score is drawn as good, and as fair.
FINE, FAIR = 0.95, 0.8


@dataclass(frozen=True, slots=True)
class Bar:
    """One poll in the picture."""

    x: int
    y: int
    height: int
    kind: str  # its class
    words: str


@dataclass(frozen=True, slots=True)
class Part:
    """One thing a reliability is made of."""

    name: str
    meaning: str
    share: float | None

    @property
    def percent(self) -> int:
        return round(100 * (self.share or 0))

    @property
    def level(self) -> str:
        """Its class."""
        share = self.share or 0
        return "good" if share >= FINE else "fair" if share >= FAIR else "poor"

    @property
    def words(self) -> str:
        return "unknown" if self.share is None else f"{self.share:.0%}"


def bars(polls: Sequence[PastPoll], zone: tzinfo | None = None) -> tuple[Bar, ...]:
    """The polls from the oldest to the newest, the newest at the right edge."""
    shown = polls[:PLACES]
    found = []
    for place, one in enumerate(shown):
        words, kind, height = KINDS[one.outcome]
        x = (PLACES - 1 - place) * STEP
        about = f"{clock_words(one.at, zone)}: {words}"
        found.append(Bar(x, HEIGHT - height, height, kind, about))
    return tuple(reversed(found))


def legend(polls: Sequence[PastPoll]) -> tuple[tuple[str, str, int], ...]:
    """Which kinds of bars there are, by class and name, and how many of each."""
    counted = Counter((KINDS[one.outcome][1], KINDS[one.outcome][0]) for one in polls[:PLACES])
    return tuple(
        (kind, words, counted[kind, words])
        for words, kind, _height in KINDS.values()
        if counted[kind, words]
    )


def parts(known: Reliability) -> tuple[Part, ...]:
    return (
        Part("Answers", "polls with a response", known.uptime),
        Part("Valid", "responses with valid XML or JSON", known.valid),
        Part("Dates", "articles with a plausible date", known.dated),
    )
