"""Calls of `store.lists`; those of them that only read."""

from __future__ import annotations

from newsloom.reading.search_language import parse
from newsloom.reading.values.reading import ListQuery
from newsloom.reading.values.searching import SearchOrder
from store.builders import HALF_LIVES, NOW

from .made import ONE, USER

CALLS = {
    "later": lambda s: s.lists.later(USER),
    "subscriptions": lambda s: s.lists.subscriptions(USER),
    "unread": lambda s: s.lists.unread(USER),
    "unread_by_feed": lambda s: s.lists.unread_by_feed(USER),
    "elsewhere": lambda s: s.lists.elsewhere(USER),
    "feed_figures": lambda s: s.lists.feed_figures(USER, NOW, NOW),
    "unscored": lambda s: s.lists.unscored(USER),
    "as_of": lambda s: s.lists.as_of(USER),
    "newest_article": lambda s: s.lists.newest_article(),
    "lists.page": lambda s: s.lists.page(USER, ListQuery(), NOW, HALF_LIVES),
    "listing": lambda s: s.lists.listing(USER, ListQuery(), NOW, HALF_LIVES),
    "listing_ids": lambda s: s.lists.listing_ids(USER, ListQuery(), NOW, HALF_LIVES),
    "page_ids": lambda s: s.lists.page_ids(USER, ListQuery(), NOW, HALF_LIVES),
    "listed": lambda s: s.lists.listed(USER, [ONE], NOW, HALF_LIVES),
    "search": lambda s: s.lists.search(
        USER, parse("x author:y"), SearchOrder.BEST, 1, NOW, HALF_LIVES
    ),
    "languages": lambda s: s.lists.languages(USER),
}
READS = {
    "later",
    "as_of",
    "elsewhere",
    "feed_figures",
    "languages",
    "listed",
    "listing",
    "listing_ids",
    "newest_article",
    "lists.page",
    "page_ids",
    "search",
    "subscriptions",
    "unread",
    "unread_by_feed",
    "unscored",
}
