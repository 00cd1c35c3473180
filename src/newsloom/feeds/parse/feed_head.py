"""A feed's own fields while its head is read. Shared by the formats; reads no article."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeVar

from newsloom.feeds.parse.hints import HintNotes
from newsloom.feeds.values.published import ParsedArticle, ParsedFeed

# Of a document with more only so many are read, and it says so: a generated one of a million must
# not fill memory. How many of them a poll adds: duplicates/long_documents.py.
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
