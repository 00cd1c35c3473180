"""What the wire formats of the sample share: moments, addresses, the dates that feeds get wrong.

Pure: `now` is when the sample began.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import format_datetime

from newsloom.sample.content import LINK_STYLES, SampleArticle, SampleFeed

# An id that is the same wherever the sample is served (RFC 4151).
_TAG = "tag:sample.newsloom.example,2026:"

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


@dataclass(frozen=True, slots=True)
class Edition:
    """One feed at one moment, at one place."""

    feed: SampleFeed
    port: int
    now: datetime
    generation: int

    @property
    def base(self) -> str:
        return base_of(self.feed.name, self.port)

    @property
    def url(self) -> str:
        return f"{self.base}{feed_path(self.feed)}"

    @property
    def site(self) -> str:
        return f"{self.base}/{self.feed.name}/"

    def articles(self) -> tuple[SampleArticle, ...]:
        return self.feed.shown(self.generation)

    def published(self, article: SampleArticle) -> datetime:
        return (self.now - timedelta(hours=article.hours)).replace(microsecond=0)

    def updated(self, article: SampleArticle) -> datetime:
        """A revision is dated to the sample's beginning, which is never in the future."""
        changed = self.original(article).revised(self.generation)
        return self.now.replace(microsecond=0) if changed else self.published(article)

    def original(self, article: SampleArticle) -> SampleArticle:
        """As it first appeared."""
        return next(one for one in self.feed.articles if one.key == article.key)

    def link(self, article: SampleArticle) -> str:
        """The address as this feed writes it."""
        path = link_path(article)
        relative = self.feed.relative_links and article.home == self.feed.name
        return path if relative else base_of(article.home, self.port) + path

    def guid(self, article: SampleArticle) -> str:
        return f"{_TAG}{self.feed.name}/{article.key}"

    def html(self, article: SampleArticle) -> str:
        return article.html if self.feed.relative_links else absolute(article.html, self.base)

    def lead(self, article: SampleArticle) -> str:
        """The first paragraph."""
        return self.html(article).split("\n")[0]

    def sound(self, article: SampleArticle) -> str:
        return f"{self.base}/media/{article.slug}.wav"

    def icon(self) -> str:
        return f"{self.base}/media/{self.feed.name}.svg"


def base_of(name: str, port: int) -> str:
    """The address of a publisher's site. Browsers and curl find such names on this machine
    (RFC 6761), so that each publisher has a host of its own."""
    return f"http://{name}.localhost:{port}"


def feed_path(feed: SampleFeed) -> str:
    ending = "json" if feed.format.startswith("json") else "xml"
    return f"/feeds/{feed.name}.{ending}"


def page_path(article: SampleArticle) -> str:
    """Where the article's page is."""
    return f"/{article.home}/{article.page or article.slug}"


def link_path(article: SampleArticle) -> str:
    """The page's address, as the feed that repeats an article writes it."""
    path = page_path(article)
    if article.page and not article.link:
        return f"{path}#{article.slug}"
    if not article.link:
        return path
    escaped = path[:-1] + f"%{ord(path[-1]):02x}"
    return LINK_STYLES[article.link].format(path=path, escaped=escaped, name=article.feed)


def absolute(html: str, base: str) -> str:
    """HTML whose addresses name the server."""
    for attribute in ("href", "src", "action"):
        html = html.replace(f'{attribute}="/', f'{attribute}="{base}/')
    return html


def http_date(moment: datetime) -> str:
    return format_datetime(moment, usegmt=True)


def rss_date(moment: datetime, oddity: str, now: datetime) -> str:
    """The date of an RSS item, spoilt in one of the ways of real feeds; "" for none."""
    if oddity == "none":
        return ""
    if oddity == "words":
        return "a while ago, after training"
    if oddity == "future":
        return http_date((now + timedelta(days=2)).replace(microsecond=0))
    right = http_date(moment)
    if oddity == "no zone":
        return right.removesuffix(" GMT")
    if oddity == "two digits":
        return right[5:].replace(f" {moment.year} ", f" {moment.year % 100:02d} ")
    if oddity == "wrong weekday":
        return _DAYS[(moment.weekday() + 3) % 7] + right[3:]
    if oddity == "us":
        half = "AM" if moment.hour < 12 else "PM"
        hour = moment.hour % 12 or 12
        return f"{moment.month}/{moment.day}/{moment.year} {hour}:{moment.minute:02d} {half}"
    return right
