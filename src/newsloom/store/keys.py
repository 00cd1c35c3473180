"""Duplicate keys as stored: 64-bit numbers, and the copies found under them. Compares nothing."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection, bindparam, text

from newsloom.store.columns import moment
from newsloom.types import ArticleId, Copy, FeedId

# Below the least that any SQLite or PostgreSQL takes as parameters of one statement.
CHUNK = 500

_COPIES = text("""
    SELECT k.key, a.id, a.feed_id, a.original_id, a.guid, a.url, a.canonical_url, a.title,
        a.length, a.content_hash, a.dated_at
    FROM dedup_keys k JOIN articles a ON a.id = k.article_id
    WHERE k.layer = :layer AND k.key IN :keys
    ORDER BY k.key, k.article_id
""").bindparams(bindparam("keys", expanding=True))


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
        values = {"layer": layer, "keys": numbers[start : start + CHUNK]}
        for row in connection.execute(_COPIES, values):
            yield row[0], _copy(*row[1:])


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
        id=ArticleId(article),
        original=ArticleId(original),
    )
