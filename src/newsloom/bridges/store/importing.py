"""Labelled articles from outside: feeds that nobody polls, their articles, the labels; and back.

One import is one transaction and one step for undo. Decides nothing but which events are there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime

from sqlalchemy import Connection, delete, exists, insert, select

from newsloom.articles.store import records
from newsloom.articles.store.keys import copies
from newsloom.articles.store.reader_tables import subscriptions
from newsloom.articles.store.tables import articles as articles_table
from newsloom.bridges.values import Mark
from newsloom.duplicates.values import Action, Copy, JudgedArticle
from newsloom.feeds.store.tables import feeds
from newsloom.feeds.values.published import ParsedArticle
from newsloom.kernel.db.aggregate import Aggregate, Transactions
from newsloom.kernel.db.columns import moment
from newsloom.kernel.db.sql import many, rows_of
from newsloom.kernel.ids import ArticleId, FeedId, UserId
from newsloom.reading.store import marks, states
from newsloom.reading.store.article_detail import fuller
from newsloom.reading.store.subscriptions import FIRST_INTERVAL

# Where the articles of a source stand that came from a file: the reader's own, for others' lists
# are none of its business.
CATEGORY = "Imported"

_ARTICLES = articles_table.c

_ORIGINALS = many("SELECT id, original_id FROM articles WHERE id IN :ids")
_HELD = many("SELECT article_id FROM states WHERE user_id = :user AND article_id IN :ids")
_WHOLE = many("""
    SELECT o.id, o.guid, o.url, o.source, o.dated_at, f.title, f.language, f.summary, f.content,
        h.url AS feed_url
    FROM articles o
    JOIN articles f ON f.id = o.fullest_id
    JOIN feeds h ON h.id = o.feed_id
    WHERE o.id IN :ids
""")


class Importing(Aggregate):
    """Labelled articles in and out."""

    @contextmanager
    def importing(self, user: UserId) -> Iterator[OpenImport]:
        """One write transaction; commits on a clean exit, else leaves nothing."""
        with self.database.write() as connection:
            opened = OpenImport(connection, self.database, user)
            yield opened
            opened.tidy()

    def whole(self, ids: Sequence[ArticleId]) -> Mapping[ArticleId, tuple[ParsedArticle, str]]:
        """Articles as shown, with what their source is called; the guid is empty if not imported"""
        with self.database.read() as connection:
            return {
                ArticleId(row.id): (
                    ParsedArticle(
                        guid=row.guid if _imported(row.feed_url) else "",
                        url=row.url,
                        title=row.title,
                        content=fuller(row.content, row.summary),
                        published=moment(row.dated_at),
                        language=row.language,
                    ),
                    _imported(row.feed_url) or row.source,
                )
                for row in rows_of(connection, _WHOLE, ids)
            }


class OpenImport:
    """One open write transaction of labelled articles from a file."""

    def __init__(self, connection: Connection, database: Transactions, user: UserId) -> None:
        self._connection = connection
        self._database = database
        self._user = user
        self._made: list[int] = []
        self._feeds: dict[str, FeedId] = {}

    def feed(self, source: str, now: datetime) -> FeedId:
        """The reader's feed of what was imported of a source, made if need be; never polled."""
        if source not in self._feeds:
            self._feeds[source] = self._feed(source, now)
        return self._feeds[source]

    def _feed(self, source: str, now: datetime) -> FeedId:
        with self._database.translate_errors():
            url = f"import:{self._user}/{source}"
            found = self._connection.scalar(select(feeds.c.id).where(feeds.c.url == url))
            if found is None:
                made = self._connection.execute(
                    insert(feeds).values(
                        url=url,
                        title=source,
                        next_poll_at=None,
                        polled_at=now,
                        ok_at=now,
                        interval=FIRST_INTERVAL,
                    )
                )
                assert made.inserted_primary_key is not None
                found = int(made.inserted_primary_key[0])
                self._made.append(found)
            self._follow(found, now)
            return FeedId(found)

    def _follow(self, feed: int, now: datetime) -> None:
        mine = (subscriptions.c.user_id == self._user) & (subscriptions.c.feed_id == feed)
        if not self._connection.scalar(select(exists().where(mine))):
            self._connection.execute(
                insert(subscriptions).values(
                    user_id=self._user, feed_id=feed, category=CATEGORY, since=now
                )
            )

    def candidates(
        self, keys: Iterable[tuple[str, str]]
    ) -> Mapping[tuple[str, str], Sequence[Copy]]:
        """Copies among the reader's articles under each (layer, key); keys without any are absent.

        What others follow is no business of a file's: its lines can name any address.
        """
        with self._database.translate_errors():
            found = copies(self._connection, keys)
            ids = sorted({one.id for some in found.values() for one in some if one.id})
            held = rows_of(self._connection, _HELD, ids, user=self._user)
            mine = {row.article_id for row in held}
            return {
                key: own
                for key, some in found.items()
                if (own := [c for c in some if c.id in mine])
            }

    def take_in(
        self, feed: FeedId, judged: Sequence[JudgedArticle], at: datetime
    ) -> tuple[ArticleId, ...]:
        """Store new and revised ones; what each is shown as. The reader has all of them then,
        read where they had them not. Duplicates are only pointed out, not stored once more."""
        with self._database.translate_errors():
            copied = [one for one in judged if one.judgement.action is not Action.DUPLICATE]
            stored = records.store(self._connection, copied, at)
            ids = _numbers(judged, stored.first)
            originals = {
                row.id: row.original_id for row in rows_of(self._connection, _ORIGINALS, ids)
            }
            shown = [originals[one] for one in ids]
            held = rows_of(self._connection, _HELD, shown, user=self._user)
            missing = sorted(set(shown) - {row.article_id for row in held})
            states.add_unread(self._connection, feed, stored, at)
            fresh = {article for article, _dated, _language in stored.fresh}
            others = [one for one in missing if one not in fresh]
            states.add_those(self._connection, feed, others, at)
            if missing:
                # What the reader labelled elsewhere is not news to them.
                marks.set_states(self._connection, self._user, missing, {"read": True})
        return tuple(ArticleId(one) for one in shown)

    def label(self, wanted: Sequence[Mark], via: str) -> int:
        """One step of label events; how many were new and not overruled by a later one."""
        with self._database.translate_errors():
            return marks.add_labels(self._connection, self._user, wanted, via)

    def tidy(self) -> None:
        """Feeds made for articles that all turned out to be here already are not needed."""
        with self._database.translate_errors():
            for feed in self._made:
                if not self._connection.scalar(select(exists().where(_ARTICLES.feed_id == feed))):
                    self._connection.execute(
                        delete(subscriptions).where(subscriptions.c.feed_id == feed)
                    )
                    self._connection.execute(delete(feeds).where(feeds.c.id == feed))


def _imported(url: str) -> str:
    """The source of a feed that was made here; empty for any other."""
    return url.partition("/")[2] if url.startswith("import:") else ""


def _numbers(judged: Sequence[JudgedArticle], first: int) -> list[int]:
    """The number of each article, stored just now or known before."""
    found, number = [], first
    for one in judged:
        if one.judgement.action is Action.NEW:
            found.append(number)
            number += 1
        else:
            assert one.judgement.target is not None
            found.append(one.judgement.target)
    return found
