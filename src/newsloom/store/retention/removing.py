"""What is removed of articles, a few at a time, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection

from newsloom.store.articles.keys import drop_keys
from newsloom.store.dialects import full_text
from newsloom.store.duplicates.duplicate_writes import keys_of
from newsloom.store.sql import CHUNK, many, rows_of
from newsloom.types import Removal

_CUT = many("""
    SELECT article_id, title, lead, '' AS rest FROM texts
    WHERE article_id IN :ids AND rest <> ''
""")
_CUT_TEXTS = many("UPDATE texts SET rest = '' WHERE article_id IN :ids AND rest <> ''")
_OF_GROUP = "(SELECT id FROM articles WHERE original_id IN :ids)"
# A text goes where it is written; the page is shorter then than what the feed had, and not shown.
_TEXTS = (
    many("""
        UPDATE articles SET summary = '', content = ''
        WHERE original_id IN :ids AND (summary <> '' OR content <> '')
    """),
    many("UPDATE pages SET html = '', length = 0 WHERE article_id IN :ids AND html <> ''"),
    many(f"DELETE FROM revisions WHERE article_id IN {_OF_GROUP}"),  # noqa: S608
)
_VECTORS = many("""
    DELETE FROM embeddings WHERE maker_id IN (SELECT id FROM makers) AND article_id IN :ids
""")
_SIGNATURES = many("SELECT article_id, signature FROM signatures WHERE article_id IN :ids")

# In this order: what refers to a row goes before it. Members of clusters and stories, links and
# decisions stay: they are small, and the others in them hang together by them.
_EVENTS = many("""
    DELETE FROM events WHERE at < :before AND article_id IN :ids AND user_id IN (
        SELECT user_id FROM states WHERE article_id IN :ids
    )
""")
_CANDIDATES = "(SELECT id FROM coverage_candidates WHERE article_id IN :ids)"
_OF_ARTICLE = (
    "states", "texts", "pages", "signatures", "entities", "same_event_marks", "importances",
    "story_questions",
)  # fmt: skip
_ALL = (
    *(
        many(
            f"DELETE FROM {table} WHERE user_id IN (SELECT user_id FROM rule_sets)"  # noqa: S608
            " AND article_id IN :ids"
        )
        for table in ("muted_articles", "rule_effects", "rule_news", "rule_queue")
    ),
    many(f"DELETE FROM judgements WHERE article_id IN {_OF_GROUP}"),  # noqa: S608
    many("DELETE FROM ratings WHERE maker_id IN (SELECT id FROM makers) AND article_id IN :ids"),
    many(
        "DELETE FROM coverage_rejections WHERE user_id IN (SELECT id FROM users)"  # noqa: S608
        f" AND candidate_id IN {_CANDIDATES}"
    ),
    many(f"DELETE FROM coverage_judgements WHERE candidate_id IN {_CANDIDATES}"),  # noqa: S608
    many("DELETE FROM coverage_candidates WHERE article_id IN :ids"),
    many("DELETE FROM coverage_searches WHERE article_id IN :ids"),
    *(many(f"DELETE FROM {table} WHERE article_id IN :ids") for table in _OF_ARTICLE),  # noqa: S608
    many("""
        UPDATE articles SET image = '', author = '', comments_url = '', categories = NULL,
            enclosures = NULL, fullest_id = original_id
        WHERE original_id IN :ids
    """),
)


def _texts(connection: Connection, ids: Sequence[int], _before: int) -> None:
    """A search finds what is left: the title and the beginning."""
    cut = [dict(row._mapping) for row in rows_of(connection, _CUT, ids)]  # noqa: SLF001
    _each(connection, (_CUT_TEXTS, *_TEXTS), ids)
    full_text(connection).put(connection, cut)


def _vectors(connection: Connection, ids: Sequence[int], _before: int) -> None:
    _each(connection, (_VECTORS,), ids)


def _keys(connection: Connection, ids: Sequence[int], _before: int) -> None:
    """In their order: what is touched together then lies together in the index."""
    rows = [key for one in rows_of(connection, _SIGNATURES, ids) for key in keys_of(one)]
    drop_keys(connection, sorted(rows))


def _articles(connection: Connection, ids: Sequence[int], before: int) -> None:
    """What its feed knows an article by stays: its id, address, title and hash, and their keys."""
    _keys(connection, ids, before)
    for start in range(0, len(ids), CHUNK):
        part = list(ids[start : start + CHUNK])
        connection.execute(_EVENTS, {"ids": part, "before": before})
    _each(connection, (*_TEXTS, _VECTORS, *_ALL), ids)


REMOVING: dict[Removal, Callable[[Connection, Sequence[int], int], None]] = {
    Removal.TEXTS: _texts,
    Removal.VECTORS: _vectors,
    Removal.KEYS: _keys,
    Removal.ARTICLES: _articles,
}


def _each(connection: Connection, statements: Sequence[Any], ids: Sequence[int]) -> None:
    for start in range(0, len(ids), CHUNK):
        for statement in statements:
            connection.execute(statement, {"ids": list(ids[start : start + CHUNK])})
