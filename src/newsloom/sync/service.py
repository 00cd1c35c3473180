"""One reader's articles and feeds as programs of other makers keep copies of them.

What a program says is done as the pages do it, so it teaches and is undone alike. Programs say
things twice (they retry, and tell all at once what was done while they were away): what is so
already is not done again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice

from newsloom.app.reader import Reader
from newsloom.feeds.service import subscribing
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.reading.service import annotating
from newsloom.reading.values.reading import EventKind, Rows, Subscription, is_marked
from newsloom.reading.values.results import Added
from newsloom.reading.values.syncing import (
    UNCATEGORIZED,
    KnownArticle,
    StreamArticle,
    StreamKind,
    StreamPage,
    StreamPart,
    StreamQuery,
    StreamRef,
)

# Articles that are read whole at once.
AT_ONCE = 100
# Articles of one part of a whole list. A list of a million is read in a hundred.
PART = 10_000


@dataclass(frozen=True, slots=True)
class Syncing:
    """What a program may ask of one reader. `via` names the protocol in every event."""

    reader: Reader
    via: str

    # --- reading ---

    def page(self, query: StreamQuery) -> StreamPage:
        """One page of a stream."""
        return self.reader.store.syncing.stream(self.reader.user, query)

    def refs(self, query: StreamQuery) -> Iterable[StreamRef]:
        """A stream whole, whatever the query's limit."""
        query = replace(query, limit=PART)
        while True:
            page = self.page(query)
            yield from page.refs
            if not page.more:
                return
            query = replace(query, after=page.refs[-1].arrival)

    def size(self, query: StreamQuery) -> tuple[int, datetime | None]:
        """How many articles a stream has, and when the last came."""
        return self.reader.store.syncing.stream_size(self.reader.user, query)

    def articles(self, ids: Sequence[ArticleId]) -> tuple[StreamArticle, ...]:
        """Articles whole, in that order."""
        reader = self.reader
        return reader.store.syncing.stream_articles(
            reader.user, ids, reader.now(), reader.half_lives_in_force()
        )

    def in_parts(self, ids: Iterable[ArticleId]) -> Iterator[Sequence[StreamArticle]]:
        """The same of any number of articles, some at a time."""
        rest = iter(ids)
        while some := list(islice(rest, AT_ONCE)):
            yield self.articles(some)

    def known(self, numbers: Sequence[int]) -> Mapping[ArticleId, KnownArticle]:
        """What numbers mean to the reader."""
        ids = [ArticleId(one) for one in dict.fromkeys(numbers)]
        return self.reader.store.syncing.known_articles(self.reader.user, ids)

    def arrived(self, numbers: Sequence[int]) -> Sequence[ArticleId]:
        """The articles that arrival numbers mean to the reader."""
        return list(self.reader.store.syncing.arrived(self.reader.user, numbers).values())

    # --- marking ---

    def mark(self, numbers: Sequence[int], kind: EventKind) -> int:
        """Say one thing of articles; of how many it was not so yet. Strangers' are passed over.

        To have read several at once says nothing of any of them.
        """
        known = self.known(numbers).values()
        changed = {one.id for one in known if not is_marked(one.state, kind)}
        if not changed:
            return 0
        if kind is EventKind.READ and len(changed) > 1:
            return self._clear(sorted(changed))
        self.reader.mark(sorted(changed), kind, self.via)
        return len(changed)

    def unrate(self, numbers: Sequence[int], rating: int) -> int:
        """Take a like (1) or a dislike (-1) back from those articles that have it."""
        rated = [one.id for one in self.known(numbers).values() if one.state.rating == rating]
        return self.mark(rated, EventKind.UNRATE)

    def tag(self, numbers: Sequence[int], name: str, *, given: bool) -> None:
        """Give a tag to articles, or take it off. Strangers' are passed over. Raises UserError."""
        change = annotating.tag if given else annotating.untag
        ids = sorted({one.id for one in self.known(numbers).values()})
        if ids:
            change(self.reader, ids, name)

    def clear(self, parts: Iterable[StreamPart], until: datetime) -> int:
        """Mark read all unread that is in every part and came until then; how many articles."""
        unread = StreamPart(StreamKind.UNREAD)
        query = StreamQuery(within=(*parts, unread), until=until)
        return self._clear([one.id for one in self.refs(query)])

    def _clear(self, ids: Sequence[ArticleId]) -> int:
        reader = self.reader
        return reader.store.reading.clear_these(
            reader.user,
            ids,
            reader.now(),
            self.via,
            rows=reader.rows if reader.read_together else Rows.ARTICLE,
        )

    # --- feeds ---

    def subscriptions(self) -> tuple[Subscription, ...]:
        """The reader's feeds, each in a folder."""
        return tuple(
            replace(one, category=one.category or UNCATEGORIZED)
            for one in self.reader.subscriptions()
        )

    async def follow(self, address: str, folder: str = UNCATEGORIZED) -> Added:
        """Follow the feed at an address. Raises UserError."""
        category = "" if folder == UNCATEGORIZED else folder
        return await subscribing.add(self.reader, address, category)

    def edit(self, feed: FeedId, *, title: str | None = None, folder: str | None = None) -> None:
        """Name and file a feed; what is None, or an empty title, stays. Raises NotFound."""
        category = "" if folder == UNCATEGORIZED else folder
        self.reader.edit(feed, title=title or None, category=category)

    def refile(self, old: str, new: str) -> None:
        """Move every feed of a category to another, or to none (""), all or none."""
        reading, user = self.reader.store.reading, self.reader.user
        if new and new != old:
            reading.rename_category(user, old, new)
        elif not new:
            reading.drop_category(user, old)

    def rename_folder(self, old: str, new: str) -> None:
        """The same for folders: feeds without a category are in one, and so are those of a category
        that has its name."""
        if old == UNCATEGORIZED != new:
            self.refile("", new)
        if old != new:
            self.refile(old, "" if new == UNCATEGORIZED else new)

    def counts(self) -> Mapping[FeedId, tuple[int, int]]:
        """How many articles of each feed are read, and how many unread."""
        return self.reader.store.syncing.counts(self.reader.user)

    def newest_unread(self) -> Mapping[FeedId, datetime]:
        """When the last unread article of each feed came."""
        return self.reader.store.syncing.newest_unread(self.reader.user)

    def name(self) -> str:
        """The name that the reader signs in with."""
        account = self.reader.store.accounts.account_of(self.reader.user)
        return account.name if account else ""
