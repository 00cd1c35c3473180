"""Folders that Newsloom itself fills: for programs that know nothing but folders of articles.

What is in one is worked out anew at most every half a minute for a reader: a program that fetches
everything asks a hundred times in that time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from newsloom.kernel.ids import ArticleId, UserId
from newsloom.reading.values.reading import ListQuery
from newsloom.reading.values.syncing import UNCATEGORIZED
from newsloom.stories.service import stories, threads

if TYPE_CHECKING:
    from newsloom.app.reader import Reader
    from newsloom.stories.service.stories import StoryLine

KEPT = timedelta(seconds=30)
# Readers whose folders are kept at once.
MOST_READERS = 500
# Stories whose articles are top stories, the hottest.
TOP_STORIES = 20
LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Folder:
    """A name that no category of the reader's has, and what is in it."""

    name: str
    articles: tuple[ArticleId, ...]


# Name and contents of each, in the order in which they are shown; followed threads and stories come
# after.
FOLDERS: tuple[tuple[str, Callable[[Reader, Sequence[StoryLine], int], Iterable[int]]], ...] = (
    ("For you", lambda reader, _lines, most: _for_you(reader, most)),
    ("Top stories", lambda reader, lines, _most: _top(reader, lines)),
    ("Digest", lambda reader, _lines, _most: _digest(reader)),
)


def folders(reader: Reader, most: int, taken: Iterable[str]) -> tuple[Folder, ...]:
    """Every folder. `most` articles at most are in For you; names that are `taken` are not used."""
    lines = stories.lines(reader)
    used = {one.casefold() for one in taken}
    found = []
    for name, contents in FOLDERS:
        found.append(Folder(_free(name, used), _ids(contents(reader, lines, most))))
    followed = threads.followed(reader)
    alone = [
        one
        for one in lines
        if one.subscription == stories.FOLLOWS
        and one.head.thread not in {thread.head.id for thread in followed}
    ]
    named = [(one.title, one.stories) for one in followed]
    named += [(one.title, (one.head.id,)) for one in alone]
    members = reader.store.stories.visible_members(
        reader.user, [story for _title, those in named for story in those]
    )
    for title, those in named:
        ids = _ids(each.article for story in those for each in members.get(story, ()))
        found.append(
            Folder(_free(" ".join(title.split())[:LONGEST_NAME].strip() or "Story", used), ids)
        )
    return tuple(found)


def _for_you(reader: Reader, most: int) -> Iterable[int]:
    """The best unread rows, as the first page shows them: copies are one row."""
    return [one.id for one in reader.page(ListQuery(limit=most))]


def _top(reader: Reader, lines: Sequence[StoryLine]) -> Iterable[int]:
    """The articles of the hottest stories that are hot or developing."""
    warm = [one for one in lines if one.band in (stories.HOT, stories.DEVELOPING)]
    hottest = sorted(warm, key=lambda one: (-one.heat, -one.head.id))[:TOP_STORIES]
    ids = [one.head.id for one in hottest]
    members = reader.store.stories.visible_members(reader.user, ids)
    return [each.article for one in ids for each in members.get(one, ())]


def _digest(reader: Reader) -> Iterable[int]:
    """What the newest digest names."""
    digests = reader.store.digests.newest_digests(reader.user, 1)
    topics = [topic for one in digests for topic in (*one.digest.summarised, *one.digest.mentioned)]
    return [one.id for topic in topics for one in (topic.lead, *topic.related)]


def _ids(found: Iterable[int]) -> tuple[ArticleId, ...]:
    return tuple(ArticleId(one) for one in dict.fromkeys(found))


def _free(name: str, used: set[str]) -> str:
    """A name like that which is not used yet, and is from now on."""
    number, free = 1, name
    while free.casefold() in used:
        number += 1
        free = f"{name} ({number})"
    used.add(free.casefold())
    return free


@dataclass
class FolderCache:
    """Folders of several readers, each worked out when asked for and kept for half a minute."""

    now: Callable[[], datetime]
    most: int
    taken: tuple[str, ...] = ()  # names of labels that mean something else
    _cached: dict[UserId, tuple[datetime, Mapping[str, Folder]]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def of(self, reader: Reader) -> Mapping[str, Folder]:
        """By name, in order."""
        now = self.now()
        with self._lock:
            at, known = self._cached.get(reader.user, (None, {}))
        if at is not None and timedelta() <= now - at < KEPT:
            return known
        names = {one.category or UNCATEGORIZED for one in reader.subscriptions()}
        made = {one.name: one for one in folders(reader, self.most, (*self.taken, *names))}
        with self._lock:
            self._cached.pop(reader.user, None)
            while len(self._cached) >= MOST_READERS:
                del self._cached[next(iter(self._cached))]
            self._cached[reader.user] = now, made
        return made

    def forget(self, user: UserId) -> None:
        """Something changed that folders are named by."""
        with self._lock:
            self._cached.pop(user, None)
