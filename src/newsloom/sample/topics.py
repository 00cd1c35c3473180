"""Topics that a newcomer picks, with well-known feeds of each in several languages.

The file is shipped with the package. Fetches nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from newsloom.feeds.parse import read_opml

# What the languages call themselves, in the order of the page.
LANGUAGES = (
    ("en", "English"),
    ("de", "Deutsch"),
    ("es", "Español"),
    ("fr", "Français"),
    ("it", "Italiano"),
    ("nl", "Nederlands"),
    ("pt", "Português"),
)


@dataclass(frozen=True, slots=True)
class TopicFeed:
    """One feed to follow."""

    language: str
    title: str
    url: str
    site_url: str


@dataclass(frozen=True, slots=True)
class Topic:
    """A field, and the feeds that are followed by picking it."""

    name: str
    feeds: tuple[TopicFeed, ...]

    def in_languages(self, languages: Collection[str]) -> tuple[TopicFeed, ...]:
        return tuple(one for one in self.feeds if one.language in languages)


@cache
def topics() -> tuple[Topic, ...]:
    """All topics, in the order of the page."""
    text = (files("newsloom.sample") / "data" / "topics.tsv").read_text("utf-8")
    found: list[tuple[str, list[TopicFeed]]] = []
    for line in text.splitlines():
        if line.startswith("= "):
            found.append((line.removeprefix("= "), []))
        elif line and not line.startswith("#"):
            found[-1][1].append(TopicFeed(*line.split("\t")))
    return tuple(Topic(name, tuple(feeds)) for name, feeds in found)


def picked(names: Collection[str], languages: Collection[str]) -> list[tuple[str, str, str]]:
    """Address, title and category of each feed of some topics; an address once."""
    wanted: dict[str, tuple[str, str, str]] = {}
    for topic in topics():
        if topic.name in names:
            for one in topic.in_languages(languages):
                wanted.setdefault(one.url, (one.url, one.title, topic.name))
    return list(wanted.values())


# Which feeds are asked whether there is a network: of eight operators and networks, all of them
# large, so that no single one's bad day looks like none.
_ASKED = (
    "feeds.bbci.co.uk",
    "feeds.npr.org",
    "www.tagesschau.de",
    "www.lemonde.fr",
    "www.nasa.gov",
    "feeds.arstechnica.com",
    "news.ycombinator.com",
    "xkcd.com",
)


def starter_opml() -> bytes:
    """The starter set, ready to be imported."""
    return (files("newsloom.sample") / "data" / "starter.opml").read_bytes()


def starter_urls() -> tuple[str, ...]:
    """A handful of its feeds, to see whether the network answers at all."""
    feeds = read_opml(starter_opml())
    return tuple(feed.url for feed in feeds if feed.url.split("/")[2] in _ASKED)
