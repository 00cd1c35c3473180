"""Duplicate keys as stored: 64-bit numbers, and the copies found under them. Compares nothing."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection, RowMapping, select

from newsloom.store.tables import articles, dedup_keys
from newsloom.types import ArticleId, Copy, FeedId

# Below the least that any SQLite or PostgreSQL takes as parameters of one statement.
CHUNK = 500

_COPY = (
    articles.c.id,
    articles.c.feed_id,
    articles.c.original_id,
    articles.c.guid,
    articles.c.url,
    articles.c.canonical_url,
    articles.c.title,
    articles.c.length,
    articles.c.content_hash,
    articles.c.dated_at,
)


def hashed(text: str) -> int:
    """A signed 64-bit number for a text, the same on every machine."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def copies(
    connection: Connection, wanted: Iterable[tuple[str, str]]
) -> Mapping[tuple[str, str], Sequence[Copy]]:
    """Stored copies under each (layer, key); keys without any are absent."""
    by_layer: dict[str, dict[int, str]] = defaultdict(dict)
    for layer, key in wanted:
        by_layer[layer][hashed(key)] = key
    found: dict[tuple[str, str], list[Copy]] = defaultdict(list)
    for layer, names in by_layer.items():
        for number, copy in _under(connection, layer, list(names)):
            found[layer, names[number]].append(copy)
    return dict(found)


def _under(
    connection: Connection, layer: str, numbers: Sequence[int]
) -> Iterable[tuple[int, Copy]]:
    for start in range(0, len(numbers), CHUNK):
        query = (
            select(dedup_keys.c.key, *_COPY)
            .join(articles, articles.c.id == dedup_keys.c.article_id)
            .where(
                dedup_keys.c.layer == layer, dedup_keys.c.key.in_(numbers[start : start + CHUNK])
            )
            .order_by(dedup_keys.c.key, dedup_keys.c.article_id)
        )
        for row in connection.execute(query).mappings():
            yield row["key"], _copy(row)


def _copy(row: RowMapping) -> Copy:
    return Copy(
        feed_id=FeedId(row["feed_id"]),
        guid=row["guid"],
        url=row["url"],
        canonical_url=row["canonical_url"],
        title=row["title"],
        length=row["length"],
        content_hash=row["content_hash"],
        dated=row["dated_at"],
        id=ArticleId(row["id"]),
        original=ArticleId(row["original_id"]),
    )
