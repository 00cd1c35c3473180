"""Why a list shows nothing, and what to do about it: the first reason that holds. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from newsloom.feeds.pages.refreshing import Fetching, fetching, listed
from newsloom.reading.values.reading import Subscription
from newsloom.web.list_view import ListView, Page, Show
from newsloom.web.wording import clean, count_words


@dataclass(frozen=True, slots=True)
class Empty:
    """What stands in place of rows."""

    heading: str
    words: str
    ways: tuple[tuple[str, ListView], ...] = ()  # where else to go
    begin: bool = False  # with the form that follows a feed
    key: str = ""  # to press
    missing: bool = False  # there is no such list


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of an empty list."""

    view: ListView
    subscriptions: Sequence[Subscription]
    first_pass: bool  # of this process is under way

    @property
    def feeds(self) -> list[Subscription]:
        return listed(self.view, self.subscriptions)

    @property
    def fetching(self) -> Fetching:
        return fetching(self.feeds)


FEEDS = ListView(page=Page.FEEDS)
UNREAD = ListView()


def _no_feeds(facts: Facts) -> Empty | None:
    if facts.subscriptions:
        return None
    return Empty(
        "No feeds yet",
        "Import your feeds, paste the URL of a site you like, or pick topics. Newsloom puts what "
        "matter to you first.",
        begin=True,
    )


def _no_such_list(facts: Facts) -> Empty | None:
    view = facts.view
    if facts.feeds:
        return None
    if view.feed is not None:
        words = "You do not follow this feed."
        return Empty("No such feed", words, (("Your feeds", FEEDS),), missing=True)
    name = clean(view.category or "", 120)
    words = f"You have no category “{name}”."
    ways = (("All unread articles", UNREAD), ("Your feeds", FEEDS))
    return Empty("No such category", words, ways, missing=True)


def _past_the_end(facts: Facts) -> Empty | None:
    if not facts.view.offset:
        return None
    words = "This list has no more articles."
    return Empty("No more articles", words, (("Back to the start", facts.view.to()),))


def _filtered(facts: Facts) -> Empty | None:
    view = facts.view
    if not view.narrowed:
        return None
    ways = [("Clear filters", view.wide.to())]
    if view.show is Show.UNREAD:
        ways.append(("Include read articles", view.to(show=Show.ALL)))
    return Empty(
        "No matching articles", "No article in this list matches the filters.", tuple(ways)
    )


def _chosen(facts: Facts) -> Empty | None:
    if facts.view.show is Show.STARRED:
        words = "Star articles to keep them here."
        return Empty("No starred articles", words, key="s")
    if facts.view.show is Show.LATER:
        words = "Articles you save for later appear here."
        return Empty("Nothing to read later", words, key="b")
    if facts.view.tag:
        return Empty("No articles with this tag", "No article in this list has this tag.")
    if facts.view.show is Show.LIKED:
        words = "Likes appear here. Newsloom learns from them."
        return Empty("No liked articles", words, key="l")
    return None


def _being_fetched(facts: Facts) -> Empty | None:
    if not facts.fetching.under_way and not facts.first_pass:
        return None
    return Empty("Fetching your feeds", "The first articles appear in a moment.")


def _unreadable(facts: Facts) -> Empty | None:
    if not facts.fetching.hopeless:
        return None
    (first, *more) = facts.feeds
    problem = f" First error: {clean(first.problem, 200)}." if first.problem else ""
    if more:
        words = f"None of {len(facts.feeds):,} feeds could be fetched.{problem}"
        return Empty("All feeds failed", words, (("Show problems", FEEDS),))
    problem = f": {clean(first.problem, 200)}." if first.problem else "."
    way = ("Feed details", ListView(page=Page.FEED, feed=first.feed_id))
    return Empty("Feed failed", f"This feed could not be fetched{problem}", (way,))


def _without_articles(facts: Facts) -> Empty | None:
    if any(one.articles for one in facts.feeds):
        return None
    words = f"{count_words(len(facts.feeds), 'feed')} fetched, no articles yet."
    return Empty("No articles yet", words)


def _all_read(facts: Facts) -> Empty:
    view = facts.view
    if view.show is not Show.UNREAD:
        return Empty("No articles", "This list has no articles yet.")
    ways = [("All articles", view.to(show=Show.ALL))]
    if view.feed or view.category:
        ways.append(("All unread articles", UNREAD))
    words = "New articles appear here automatically."
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
    view: ListView, subscriptions: Sequence[Subscription], *, first_pass: bool = False
) -> Empty:
    """The first reason that holds; the last always does."""
    facts = Facts(view, subscriptions, first_pass)
    return next(found for reason in REASONS if (found := reason(facts)) is not None)
