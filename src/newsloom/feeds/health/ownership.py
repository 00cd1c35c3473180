"""Whether a feed is another than it was: its domain may have changed hands. Pure.

Four things tell who a feed is: its title, the host it is of, its language, its authors. Each says
"the same", "another", or nothing where one of the two documents does not tell.
docs/work/decisions/fetching.md has the measurements.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from newsloom.feeds.values.health import FeedIdentity
from newsloom.feeds.values.polling import DueFeed
from newsloom.feeds.values.published import ParsedFeed
from newsloom.kernel.text.language import language
from newsloom.kernel.text.urls import shared_host

# Facts F27: "more than 90% new guids". Alone it means nothing: of 7,009 pairs of documents of one
# feed, the next to the two hundredth after, 4,136 have new articles only.
MOST_KNOWN = 0.1

# So many of the four must tell, and all that tell must say "another". With two, title and site,
# a feed that is renamed and moves to another home would be held. One language is no sign of one
# feed where its authors are told and are others: most of the web is English, and so is what takes
# lapsed domains.
LEAST_TOLD = 3

# Authors and hosts kept of a document: those of the most articles.
MOST_KEPT = 40

# Titles with this share of the shorter one's words are one title: "BBC News - Home", "BBC News".
SAME_WORDS = 0.5
_SAYS_NOTHING = frozenset(
    {"a", "and", "blog", "com", "feed", "for", "from", "home", "latest", "my", "net", "news"}
    | {"of", "online", "org", "rss", "s", "the", "top", "www"}
)


def identity_of(feed: ParsedFeed) -> FeedIdentity:
    """Who a document says its feed is, besides its title, site and language."""
    return FeedIdentity(
        _most(_words(one.author) for one in feed.articles),
        _most(shared_host(one.url) for one in feed.articles),
    )


def ownership_changed(due: DueFeed, feed: ParsedFeed, articles: int, known: int) -> str:
    """Why a document is likely another's than the feed's, in words; "" when it is not.

    `known` of the `articles` in it the feed has had already.
    """
    if due.identity is None or not articles or known > articles * MOST_KNOWN:
        return ""
    found = traits(due, feed)
    if found["language"] is False and found["authors"]:
        found["language"] = None
    lines = [name for name, another in found.items() if another is not None]
    if len(lines) < LEAST_TOLD or False in found.values():
        return ""
    *most, last = lines
    return (
        f"Another {', '.join(most)} and {last} than before, and {known or 'none'} of its "
        f"{articles} articles known."
    )


def traits(due: DueFeed, feed: ParsedFeed) -> dict[str, bool | None]:
    """Of each thing that tells who a feed is, whether it is another; None where it is not told."""
    before, now = due.identity or FeedIdentity(), identity_of(feed)
    return {
        "title": _another_title(due.title, feed.title),
        "site": _another_site(due, before, feed.site_url, now),
        "language": _another((language(due.language),), (language(feed.language),)),
        "authors": _another(before.authors, now.authors),
    }


def _another_title(before: str, now: str) -> bool | None:
    a, b = (frozenset(_words(one).split()) for one in (before, now))
    if not a or not b:
        return None
    a, b = (one - _SAYS_NOTHING or one for one in (a, b))
    return len(a & b) < SAME_WORDS * min(len(a), len(b))


def _another_site(
    due: DueFeed, before: FeedIdentity, new_site: str, now: FeedIdentity
) -> bool | None:
    """By its own address, and by where its articles are: one host in common is the same.

    Unless that is the host the feed is at: who takes a domain has it too, so it tells nothing.
    """
    sites = {shared_host(due.site_url)} - {""}, {shared_host(new_site)} - {""}
    hosts = set(before.hosts), set(now.hosts)
    told = [a.isdisjoint(b) for a, b in (sites, hosts) if a and b]
    common = (sites[0] & sites[1]) | (hosts[0] & hosts[1])
    if not told or (common and common <= {due.host}):
        return None
    return all(told)


def _another(before: Iterable[str], now: Iterable[str]) -> bool | None:
    """Whether nothing is left of what was told; what is told no more is another too."""
    a, b = ({one for one in names if one} for names in (before, now))
    return a.isdisjoint(b) if a else None


def _words(text: str) -> str:
    spaced = "".join(char if char.isalnum() else " " for char in text[:500].casefold())
    return " ".join(spaced.split())


def _most(names: Iterable[str]) -> tuple[str, ...]:
    counted = Counter(one for one in names if one)
    return tuple(sorted(name for name, _times in counted.most_common(MOST_KEPT)))
