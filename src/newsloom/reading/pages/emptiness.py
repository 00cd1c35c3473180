"""Why a list shows nothing, and what to do about it: the first reason that holds. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from newsloom.feeds.pages.fetching import Fetching, fetching, listed
from newsloom.reading.values.reading import Subscription
from newsloom.web.place import Page, Place, Show
from newsloom.web.wording import clean, count_words


@dataclass(frozen=True, slots=True)
class Empty:
    """What stands in place of rows."""

    heading: str
    words: str
    ways: tuple[tuple[str, Place], ...] = ()  # where else to go
    begin: bool = False  # with the form that follows a feed
    key: str = ""  # to press
    missing: bool = False  # there is no such list


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of an empty list."""

    place: Place
    subscriptions: Sequence[Subscription]
    first_pass: bool  # of this process is under way

    @property
    def feeds(self) -> list[Subscription]:
        return listed(self.place, self.subscriptions)

    @property
    def fetching(self) -> Fetching:
        return fetching(self.feeds)


FEEDS = Place(page=Page.FEEDS)
UNREAD = Place()


def _no_feeds(facts: Facts) -> Empty | None:
    if facts.subscriptions:
        return None
    return Empty(
        "No feeds yet",
        "Paste the address of a site you like. Newsloom finds its feed, reads it, and puts what "
        "matters to you first.",
        begin=True,
    )


def _no_such_list(facts: Facts) -> Empty | None:
    place = facts.place
    if facts.feeds:
        return None
    if place.feed is not None:
        words = "You do not follow this feed, or not any more."
        return Empty("No such feed", words, (("Your feeds", FEEDS),), missing=True)
    name = clean(place.category or "", 120)
    words = f"None of your feeds is in a category “{name}”."
    ways = (("All unread articles", UNREAD), ("Your feeds and their categories", FEEDS))
    return Empty("No such category", words, ways, missing=True)


def _past_the_end(facts: Facts) -> Empty | None:
    if not facts.place.offset:
        return None
    words = "The list does not go on this far."
    return Empty("Nothing further", words, (("To its start", facts.place.to()),))


def _filtered(facts: Facts) -> Empty | None:
    place = facts.place
    if not place.narrowed:
        return None
    ways = [("Show the list without its filters", place.wide.to())]
    if place.show is Show.UNREAD:
        ways.append(("Look among read articles too", place.to(show=Show.ALL)))
    return Empty("Nothing like that", "No article of this list passes its filters.", tuple(ways))


def _chosen(facts: Facts) -> Empty | None:
    if facts.place.show is Show.STARRED:
        words = "A star keeps an article here for as long as you like."
        return Empty("Nothing starred", words, key="s")
    if facts.place.show is Show.LATER:
        words = "What you put aside to read later stays here until you take it off."
        return Empty("Nothing to read later", words, key="b")
    if facts.place.tag:
        return Empty("Nothing with this tag", "No article of this list has it.")
    if facts.place.show is Show.LIKED:
        words = "What you like is found here, and teaches Newsloom what to put first."
        return Empty("Nothing liked", words, key="l")
    return None


def _being_fetched(facts: Facts) -> Empty | None:
    if not facts.fetching.under_way and not facts.first_pass:
        return None
    return Empty("Fetching your feeds", "The first articles are here in a moment.")


def _unreadable(facts: Facts) -> Empty | None:
    if not facts.fetching.hopeless:
        return None
    (first, *more) = facts.feeds
    problem = f" The first said: {clean(first.problem, 200)}." if first.problem else ""
    if more:
        words = f"None of these {len(facts.feeds):,} feeds could be read.{problem}"
        return Empty("Nothing could be read", words, (("What is wrong with them", FEEDS),))
    problem = f": {clean(first.problem, 200)}." if first.problem else "."
    way = ("About this feed", Place(page=Page.FEED, feed=first.feed_id))
    return Empty("It could not be read", f"This feed could not be read{problem}", (way,))


def _without_articles(facts: Facts) -> Empty | None:
    if any(one.articles for one in facts.feeds):
        return None
    words = f"{count_words(len(facts.feeds), 'feed')} answered, without any article so far."
    return Empty("Nothing here yet", words)


def _all_read(facts: Facts) -> Empty:
    place = facts.place
    if place.show is not Show.UNREAD:
        return Empty("Nothing here", "No articles have come in this list yet.")
    ways = [("Everything you have had", place.to(show=Show.ALL))]
    if place.feed or place.category:
        ways.append(("All unread articles", UNREAD))
    words = "Nothing is left in this list. New articles come by themselves."
    return Empty("All read", words, tuple(ways))


REASONS: tuple[Callable[[Facts], Empty | None], ...] = (
    _no_feeds,
    _no_such_list,
    _past_the_end,
    _filtered,
    _chosen,
    _being_fetched,
    _unreadable,
    _without_articles,
    _all_read,
)


def empty(
    place: Place, subscriptions: Sequence[Subscription], *, first_pass: bool = False
) -> Empty:
    """The first reason that holds; the last always does."""
    facts = Facts(place, subscriptions, first_pass)
    return next(found for reason in REASONS if (found := reason(facts)) is not None)
