"""What stands around every page of a reader: feeds with their counts, and what goes on. Read once,
and kept until something of it may have changed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from newsloom.accounts.key_values import keys_of
from newsloom.accounts.preference_values import Preferences
from newsloom.accounts.service.preferences import preferences
from newsloom.kernel.ids import FeedId
from newsloom.reading.service.annotating import all_tags
from newsloom.reading.service.saved_lists import saved
from newsloom.reading.values.annotations import Tag
from newsloom.reading.values.reading import Rows, Subscription
from newsloom.web.place import Place, parse

if TYPE_CHECKING:
    from newsloom.app.reader import Reader, ReaderStatus
    from newsloom.feeds.service.feeds import Condition


@dataclass(frozen=True, slots=True)
class Surroundings:
    """As of one moment."""

    subscriptions: tuple[Subscription, ...]
    status: ReaderStatus
    icons: Mapping[FeedId, str]
    preferred: Preferences
    keys: Mapping[str, tuple[str, ...]]
    saved: tuple[tuple[int, str, Place], ...]  # number, name and list, of those kept
    tags: tuple[Tag, ...]
    later: int  # articles to be read later
    languages: tuple[str, ...]
    unread: int
    alerts: tuple[Condition, ...]  # of feeds that need the reader
    story_news: int


@dataclass(slots=True)
class KeptSurroundings:
    """The last of one reader, by what the rows of their lists are. Used from any thread."""

    _kept: dict[Rows, tuple[Hashable, Surroundings]] = field(default_factory=dict)

    def of(self, reader: Reader, version: Callable[[], Hashable]) -> Surroundings:
        """Those that are still right, or read now. `version` changes whenever any may have."""
        moment = version()  # before anything is read: what changes meanwhile is not in it
        kept = self._kept.get(reader.rows)
        if kept is None or kept[0] != moment:
            kept = self._kept[reader.rows] = moment, _read(reader)
        return kept[1]


def _read(reader: Reader) -> Surroundings:
    subscriptions, preferred = reader.subscriptions(), preferences(reader)
    return Surroundings(
        subscriptions=subscriptions,
        status=reader.status(),
        icons=reader.icons(subscriptions),
        preferred=preferred,
        keys=keys_of(preferred.chosen),
        saved=tuple((one.id, one.name, parse(one.place).listing) for one in saved(reader)),
        tags=all_tags(reader),
        later=reader.later(),
        languages=reader.languages(),
        unread=reader.unread(),
        alerts=reader.feeds.alerts(),
        story_news=reader.store.stories.followed_news(reader.user),
    )
