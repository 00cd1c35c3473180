"""Duplicate keys as stored: 64-bit numbers, and the copies found under them. Compares nothing."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache, lru_cache

from sqlalchemy import Connection

from newsloom.duplicates.store.tables import fresh_keys
from newsloom.duplicates.values import Copy
from newsloom.kernel.db.bulk import insert_rows, rows, rows_of_those
from newsloom.kernel.db.columns import moment
from newsloom.kernel.db.dialects import portable
from newsloom.kernel.ids import ArticleId, FeedId

_COPY = """a.id, a.feed_id, a.original_id, a.guid, a.url, a.canonical_url, a.title,
        a.length, a.content_hash, a.dated_at, f.host, a.author, a.enclosures"""
_COPIES = portable(f"""
    WITH wanted AS (SELECT value FROM numbers_in(:those) AS t)
    SELECT k.key, {_COPY}
    FROM (
        SELECT key, article_id FROM fresh_keys WHERE key IN (SELECT value FROM wanted)
        UNION SELECT key, article_id FROM dedup_keys WHERE key IN (SELECT value FROM wanted)
    ) AS k JOIN articles a ON a.id = k.article_id JOIN feeds f ON f.id = a.feed_id
    ORDER BY k.key, k.article_id
""")  # noqa: S608
_COPIES_OF = portable(f"""
    SELECT {_COPY} FROM articles a JOIN feeds f ON f.id = a.feed_id
    WHERE a.id IN numbers_in(:those)
""")  # noqa: S608
_NEWEST = portable("""
    SELECT id, content_hash, dated_at FROM articles
    WHERE feed_id = :feed ORDER BY dated_at DESC, id DESC LIMIT :limit
""")
_DELETE = {
    table: portable(f"DELETE FROM {table} WHERE key = :key AND article_id = :article")  # noqa: S608
    for table in ("fresh_keys", "dedup_keys")
}
_COLUMNS = ("key", "article_id")


def hashed(text: str) -> int:
    """A signed 64-bit number for a text, the same on every machine."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


# A poll looks for the keys of its articles, then stores them: each is made once.
@lru_cache(maxsize=2_048)
def number(layer: str, key: str | int) -> int:
    """What stands in the table for a key of a layer; one that is a 64-bit hash already stays so."""
    return (hashed(key) if isinstance(key, str) else key) ^ _layer(layer)


@cache
def _layer(name: str) -> int:
    return hashed(name)


def copies(
    connection: Connection, wanted: Iterable[tuple[str, str]]
) -> Mapping[tuple[str, str], Sequence[Copy]]:
    """Stored copies under each (layer, key); keys without any are absent."""
    names = {number(*key): key for key in wanted}
    found: dict[tuple[str, str], list[Copy]] = defaultdict(list)
    for key, *copy in rows_of_those(connection, _COPIES, list(names)):
        found[names[key]].append(_copy(*copy))
    return dict(found)


def copies_of(connection: Connection, articles: Iterable[int]) -> Mapping[int, Copy]:
    """Stored articles by id."""
    return {row[0]: _copy(*row) for row in rows_of_those(connection, _COPIES_OF, sorted(articles))}


def newest(
    connection: Connection, feed: FeedId, limit: int
) -> Sequence[tuple[ArticleId, str, datetime]]:
    """The articles of a feed with the latest dates: their texts' hashes, and the dates."""
    found = rows(connection, _NEWEST, feed=feed, limit=limit)
    return [(row[0], row[1], moment(row[2])) for row in found]


def add_keys(connection: Connection, places: Iterable[tuple[int, int]]) -> None:
    """Keys as `number` makes them, each with its article."""
    insert_rows(connection, fresh_keys, _COLUMNS, sorted(set(places)))


def drop_keys(connection: Connection, places: Iterable[tuple[int, int]]) -> None:
    values = [{"key": key, "article": article} for key, article in places]
    if values:
        for statement in _DELETE.values():
            connection.execute(statement, values)


def _copy(
    article: int,
    feed: int,
    original: int,
    guid: str,
    url: str,
    canonical_url: str,
    title: str,
    length: int,
    content_hash: str,
    dated: int,
    publisher: str,
    author: str,
    enclosures: str | None,
) -> Copy:
    return Copy(
        feed_id=FeedId(feed),
        guid=guid,
        url=url,
        canonical_url=canonical_url,
        title=title,
        length=length,
        content_hash=content_hash,
        dated=moment(dated),
        publisher=publisher,
        id=ArticleId(article),
        original=ArticleId(original),
        author=author,
        enclosures=tuple(one[0] for one in json.loads(enclosures)) if enclosures else (),
    )
