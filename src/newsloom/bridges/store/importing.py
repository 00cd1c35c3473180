"""Labelled articles from outside: feeds that nobody polls, their articles, the labels; and back.

One import is one transaction and one step for undo. Decides nothing but which events are there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime

from sqlalchemy import Connection, insert

from newsloom.articles.store import records
from newsloom.articles.store.keys import copies
from newsloom.articles.store.reader_tables import subscriptions
from newsloom.bridges.values import Mark
from newsloom.duplicates.values import Action, Copy, JudgedArticle
from newsloom.feeds.store.tables import feeds
from newsloom.feeds.values.published import ParsedArticle
from newsloom.kernel.db.columns import moment
from newsloom.kernel.db.dialects import portable
from newsloom.kernel.db.sql import Aggregate, Transactions, many, rows_of
from newsloom.kernel.ids import ArticleId, FeedId, UserId
from newsloom.reading.store import marks, states
from newsloom.reading.store.article_detail import fuller
from newsloom.reading.store.subscriptions import FIRST_INTERVAL

# Where the articles of a source stand that came from a file: the reader's own, for others' lists
# are none of its business.
CATEGORY = "Imported"

_FEEDS = many("SELECT id, url FROM feeds WHERE url IN :ids")
_FOLLOWED = many("SELECT feed_id FROM subscriptions WHERE user_id = :user AND feed_id IN :ids")
_DROP_UNUSED = tuple(
    portable(f"""
        DELETE FROM {table} WHERE {feed} IN numbers_in(:those)
        AND NOT EXISTS (SELECT 1 FROM articles a WHERE a.feed_id = {table}.{feed})
    """)  # noqa: S608
    for table, feed in (("subscriptions", "feed_id"), ("feeds", "id"))
)
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

    def feeds(self, sources: Iterable[str], now: datetime) -> Mapping[str, FeedId]:
        """The feed of the reader's imports from each source, created if missing; never polled."""
        urls = {f"import:{self._user}/{source}": source for source in sources}
        with self._database.translate_errors():
            found = {row.url: int(row.id) for row in rows_of(self._connection, _FEEDS, [*urls])}
            new = [
                {
                    "url": url,
                    "title": source,
                    "next_poll_at": None,
                    "polled_at": now,
                    "ok_at": now,
                    "interval": FIRST_INTERVAL,
                }
                for url, source in urls.items()
                if url not in found
            ]
            if new:
                self._connection.execute(insert(feeds), new)
                added = [str(one["url"]) for one in new]
                made = {row.url: int(row.id) for row in rows_of(self._connection, _FEEDS, added)}
                self._made += made.values()
                found |= made
            self._follow([*found.values()], now)
        return {source: FeedId(found[url]) for url, source in urls.items()}

    def _follow(self, ids: Sequence[int], now: datetime) -> None:
        followed = rows_of(self._connection, _FOLLOWED, ids, user=self._user)
        missing = sorted(set(ids) - {row.feed_id for row in followed})
        if missing:
            self._connection.execute(
                insert(subscriptions),
                [
                    {"user_id": self._user, "feed_id": one, "category": CATEGORY, "since": now}
                    for one in missing
                ],
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

    def take_in(self, judged: Sequence[JudgedArticle], at: datetime) -> tuple[ArticleId, ...]:
        """Store new and revised articles of any feeds; the id that each is shown under. New ones
        are marked read: the reader labelled them elsewhere. Duplicates are not stored again."""
        with self._database.translate_errors():
            copied = [one for one in judged if one.judgement.action is not Action.DUPLICATE]
            stored = records.store(self._connection, copied, at)
            states.add_stored(self._connection, stored, at, read_by=self._user)
        return tuple(_numbers(judged, stored.first))

    def label(self, wanted: Sequence[Mark], via: str) -> int:
        """One step of label events; how many were new and not overruled by a later one."""
        with self._database.translate_errors():
            return marks.add_labels(self._connection, self._user, wanted, via)

    def tidy(self) -> None:
        """Feeds made for articles that all turned out to be here already are not needed."""
        with self._database.translate_errors():
            for statement in _DROP_UNUSED if self._made else ():
                self._connection.execute(statement, {"those": json.dumps(self._made)})


def _imported(url: str) -> str:
    """The source of a feed that was made here; empty for any other."""
    return url.partition("/")[2] if url.startswith("import:") else ""


def _numbers(judged: Sequence[JudgedArticle], first: int) -> list[ArticleId]:
    """The number of each article, stored just now or known before."""
    found, number = [], first
    for one in judged:
        if one.judgement.action is Action.NEW:
            found.append(ArticleId(number))
            number += 1
        else:
            assert one.judgement.target is not None
            found.append(one.judgement.target)
    return found
