"""The starter set of real feeds, as the OPML file shipped with the package. Fetches nothing."""

from __future__ import annotations

from importlib.resources import files

from newsloom.feeds.parse import read_opml

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
