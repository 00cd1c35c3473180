"""A feed's own fields while its head is read. Shared by the formats; reads no article."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from newsloom.feeds.parse.elements import Node, canonical
from newsloom.feeds.parse.links import absolute
from newsloom.feeds.values.published import ParsedArticle, ParsedFeed, PollHints

# Of a document with more only so many are read, and it says so: a generated one of a million must
# not fill memory. How many of them a poll adds: duplicates/incoming.py.
MOST_ARTICLES = 10_000

_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)
Item = TypeVar("Item")


class FeedHead:
    """What the elements of a feed's head said, before the articles."""

    def __init__(self, base: str, language: str) -> None:
        self.base = base  # what relative addresses start from
        self.title = ""
        self.site_url = ""
        self.description = ""
        self.language = language
        self.image = ""
        self.author = ""
        self.notes = HintNotes(base)

    def home(self, url: str) -> str:
        """What relative addresses of articles start from where no xml:base says it.

        The address of the document, as in feedparser and RFC 3986 (5.1.3); SimplePie takes the
        channel's link. That is what is left where the document has no address.
        """
        return url or self.site_url

    def feed(
        self, wire_format: str, articles: tuple[ParsedArticle, ...], problem: str
    ) -> ParsedFeed:
        return ParsedFeed(
            format=wire_format,
            title=self.title,
            site_url=self.site_url,
            description=self.description,
            language=self.language,
            image=self.image,
            hints=self.notes.hints(),
            articles=articles,
            problem=problem,
        )


def newest(items: list[Item], date_of: Callable[[Item], datetime | None]) -> list[Item]:
    """At most MOST_ARTICLES of them, in their order: the newest, or without dates both ends."""
    if len(items) <= MOST_ARTICLES:
        return items
    dates = [date_of(one) or _LONG_AGO for one in items]
    if max(dates) == _LONG_AGO:
        return items[: MOST_ARTICLES // 2] + items[-MOST_ARTICLES // 2 :]
    places = sorted(range(len(items)), key=lambda place: dates[place], reverse=True)
    return [items[place] for place in sorted(places[:MOST_ARTICLES])]


def too_many(count: int) -> str:
    """Words for a document that was cut to the cap."""
    if count <= MOST_ARTICLES:
        return ""
    return f"has {count:,} articles, of which the newest {MOST_ARTICLES:,} are read"


# What a feed says about how often to ask for it, whatever the format. Decides nothing.

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
