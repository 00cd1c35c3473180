"""What a feed says about how often to ask for it, whatever the format. Decides nothing."""

from __future__ import annotations

from datetime import timedelta

from newsloom.feeds.parse.links import absolute
from newsloom.feeds.parse.names import canonical
from newsloom.feeds.parse.nodes import Node
from newsloom.feeds.values.published import PollHints

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_PERIODS = {
    "hourly": timedelta(hours=1),
    "daily": timedelta(days=1),
    "weekly": timedelta(weeks=1),
    "monthly": timedelta(days=30),
    "yearly": timedelta(days=365),
}
# Nobody asks less often than once a year; a larger number is a wrong unit.
_LONGEST = timedelta(days=366)


class HintNotes:
    """The hints of a feed while its head is read."""

    def __init__(self, base: str = "") -> None:
        self.base = base
        self.ttl: timedelta | None = None
        self.hours: set[int] = set()
        self.days: set[int] = set()
        self.period = ""
        self.frequency = 1
        self.hub = ""
        self.topic = ""

    def note(self, name: str, element: Node) -> None:
        """Take in an element of the feed's head; other names are ignored."""
        if name == "ttl":
            minutes = _number(element.text)
            if minutes and timedelta(minutes=minutes) <= _LONGEST:
                self.ttl = timedelta(minutes=minutes)
        elif name == "skiphours":
            # 24 is how 0.91 wrote midnight.
            hours = [_number(child.text) for child in element if canonical(child.tag) == "hour"]
            self.hours |= {hour % 24 for hour in hours if hour is not None and hour <= 24}
        elif name == "skipdays":
            days = [
                (child.text or "").strip().lower()
                for child in element
                if canonical(child.tag) == "day"
            ]
            self.days |= {_DAYS.index(day) for day in days if day in _DAYS}
        elif name == "sy:updateperiod":
            self.period = (element.text or "").strip().lower()
        elif name == "sy:updatefrequency":
            self.frequency = _number(element.text) or 1
        elif name == "atom:link":
            self.link(element)

    def link(self, element: Node) -> None:
        rel = (element.get("rel") or "").lower().split()
        if "hub" in rel and not self.hub:
            self.hub = absolute(self.base, element, element.get("href"))
        if "self" in rel and not self.topic:
            self.topic = absolute(self.base, element, element.get("href"))

    def hints(self) -> PollHints:
        """Skipping every hour or every day would mean never: then neither is meant."""
        period = _PERIODS.get(self.period)
        return PollHints(
            ttl=self.ttl,
            skip_hours=frozenset(self.hours) if len(self.hours) < 24 else frozenset(),
            skip_days=frozenset(self.days) if len(self.days) < 7 else frozenset(),
            update_every=period / self.frequency if period else None,
            hub=self.hub,
            topic=self.topic,
        )


def _number(text: str | None) -> int | None:
    text = (text or "").strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 7 else None
