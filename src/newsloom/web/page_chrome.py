"""What surrounds the content of every page of a reader: feeds with their counts, and what is going
on. Read once, and kept until something of it may have changed; a mark changes the counts alone."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from newsloom.accounts.key_values import USUAL_KEYS, keys_of
from newsloom.accounts.preference_values import Preferences
from newsloom.accounts.service.preferences import preferences
from newsloom.feeds.pages.refreshing import Fetching, fetching
from newsloom.feeds.service import subscribing
from newsloom.kernel.ids import FeedId
from newsloom.reading.service.saved_lists import saved
from newsloom.reading.values.annotations import Tag
from newsloom.reading.values.reading import Rows, Subscription
from newsloom.web.list_view import ListView, parse

if TYPE_CHECKING:
    from newsloom.app.reader import Reader, ReaderStatus
    from newsloom.feeds.service.feeds import Condition


@dataclass(frozen=True, slots=True)
class Category:
    """Feeds that the reader filed together."""

    name: str  # empty: feeds in no category
    unread: int
    feeds: tuple[Subscription, ...]


def by_category(subscriptions: tuple[Subscription, ...]) -> tuple[Category, ...]:
    """Feeds under their categories, as the reader put both, those without one last."""
    found: dict[str, list[Subscription]] = {}
    unread: dict[str, int] = {}
    placed = False
    for one in subscriptions:
        found.setdefault(one.category, []).append(one)
        unread[one.category] = unread.get(one.category, 0) + one.unread
        placed = placed or one.place > 0
    # Unless the reader made an order, names are as ever: as they are written.
    names = sorted(found, key=lambda name: (not name, "" if placed else name))
    return tuple([Category(name, unread[name], tuple(found[name])) for name in names])


@dataclass(frozen=True)
class PageFrame:
    """What no mark changes. Templates know the fields by their names, as those of PageChrome."""

    subscriptions: tuple[Subscription, ...]  # their unread counts are of before the last marks
    categories: tuple[Category, ...]  # theirs too
    tree: str  # another one once the feeds in the sidebar look otherwise
    fetching: Fetching
    icons: Mapping[FeedId, str]
    preferred: Preferences
    keymap: Mapping[str, tuple[str, ...]]
    saved: tuple[tuple[int, str, ListView], ...]  # number, name and list
    interests: tuple[str, ...]
    alerts: tuple[Condition, ...]  # of feeds that need the reader
    story_news: int


@dataclass(frozen=True)
class PageChrome(PageFrame):
    """As of one moment."""

    feed_counts: str  # unread articles of each feed, as 12:40 13:2
    status: ReaderStatus
    tags_beside: tuple[Tag, ...]
    later: int  # articles to be read later
    languages: tuple[str, ...]
    unread: int


@dataclass(slots=True)
class ChromeCache:
    """The last of one reader, by what the rows of their lists are. Used from any thread."""

    # Of the last one: a part of a page that is made anew shows the same.
    icons: Mapping[FeedId, str] = field(default_factory=dict)
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: USUAL_KEYS)
    _frame: tuple[Hashable, PageFrame] | None = None
    _cached: dict[Rows, tuple[Hashable, PageChrome]] = field(default_factory=dict)

    def of(self, reader: Reader, version: Hashable, unmarked: Hashable) -> PageChrome:
        """The one of that version, or read now. `version`: of before the call, so that what changes
        meanwhile is not in it; `unmarked`: the same without marks."""
        cached = self._cached.get(reader.rows)
        if cached is None or cached[0] != version:
            frame = self._frame
            if frame is None or frame[0] != unmarked:
                frame = self._frame = unmarked, _frame(reader)
                self.icons, self.keys = frame[1].icons, frame[1].keymap
            cached = self._cached[reader.rows] = version, _chrome(reader, frame[1])
        return cached[1]


def _frame(reader: Reader) -> PageFrame:
    subscriptions, preferred = reader.subscriptions(), preferences(reader)
    icons = subscribing.icons(reader, subscriptions)
    return PageFrame(
        subscriptions=subscriptions,
        categories=by_category(subscriptions),
        tree=_tree(reader, subscriptions, icons),
        fetching=fetching(subscriptions),
        icons=icons,
        preferred=preferred,
        keymap=keys_of(preferred.chosen),
        saved=tuple([(one.id, one.name, parse(one.place).listing) for one in saved(reader)]),
        interests=tuple([one.text for one in reader.interests()]),
        alerts=reader.feeds.alerts(),
        story_news=reader.store.stories.followed_news(reader.user),
    )


def _chrome(reader: Reader, frame: PageFrame) -> PageChrome:
    unread = reader.store.lists.unread_by_feed(reader.user)
    return PageChrome(
        **vars(frame),
        feed_counts="".join([f"{feed}:{count} " for feed, count in unread.items()]),
        status=reader.status(),
        tags_beside=reader.store.annotations.tags(reader.user),
        later=reader.store.lists.later(reader.user),
        languages=reader.store.lists.languages(reader.user),
        unread=reader.unread(),
    )


def _tree(
    reader: Reader, subscriptions: tuple[Subscription, ...], icons: Mapping[FeedId, str]
) -> str:
    shown = [
        (one.category, one.feed_id, one.label or one.url, icons.get(one.feed_id))
        + ((one.problem,) if one.failures or one.dead else ())
        for one in subscriptions
    ]
    return hashlib.sha256(repr((reader.user, shown)).encode()).hexdigest()[:16]
