"""What is removed of articles, a few at a time, inside the caller's transaction."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, TextClause

from newsloom.articles.store.keys import drop_keys
from newsloom.duplicates.store.duplicate_writes import keys_of
from newsloom.kernel.db.bulk import rows_of_those
from newsloom.kernel.db.dialects import full_text, portable
from newsloom.retention.values import Removal

_THESE = "numbers_in(:those)"
_GROUP = f"(SELECT id FROM articles WHERE original_id IN {_THESE})"  # noqa: S608
_CANDIDATES = f"(SELECT id FROM coverage_candidates WHERE article_id IN {_THESE})"  # noqa: S608
# What leads a key in front of the article, so that its index is used: all there are.
_MAKERS = "maker_id IN (SELECT id FROM makers)"
_RULED = "user_id IN (SELECT user_id FROM rule_sets)"


def _drop(table: str, where: str) -> TextClause:
    return portable(f"DELETE FROM {table} WHERE {where}")  # noqa: S608 - names of ours


_OF_THESE = f"article_id IN {_THESE}"
_CUT = portable(
    f"SELECT article_id, title, lead FROM texts WHERE {_OF_THESE} AND rest <> ''"  # noqa: S608
)
# A text goes where it is written; the page is shorter then than what the feed had, and not shown.
_TEXTS = (
    portable(f"UPDATE texts SET rest = '' WHERE {_OF_THESE} AND rest <> ''"),  # noqa: S608
    portable(f"""
        UPDATE articles SET summary = '', content = ''
        WHERE original_id IN {_THESE} AND (summary <> '' OR content <> '')
    """),  # noqa: S608
    portable(f"UPDATE pages SET html = '', length = 0 WHERE {_OF_THESE} AND html <> ''"),  # noqa: S608
    _drop("revisions", f"article_id IN {_GROUP}"),
)
_VECTORS = (_drop("embeddings", f"{_MAKERS} AND {_OF_THESE}"),)
_SIGNATURES = portable(
    f"SELECT article_id, signature FROM signatures WHERE {_OF_THESE}"  # noqa: S608
)
_EVENTS = _drop(
    "events",
    f"at < :before AND {_OF_THESE}"  # noqa: S608
    f" AND user_id IN (SELECT user_id FROM states WHERE {_OF_THESE})",
)

# In this order: what refers to a row goes before it. Members of clusters and stories, links and
# decisions stay: they are small, and the others in them hang together by them.
_ALL = (
    *(
        _drop(table, f"{_RULED} AND {_OF_THESE}")
        for table in ("muted_articles", "rule_effects", "rule_news", "rule_queue")
    ),
    _drop("judgements", f"article_id IN {_GROUP}"),
    _drop("ratings", f"{_MAKERS} AND {_OF_THESE}"),
    _drop(
        "coverage_rejections",
        f"user_id IN (SELECT id FROM users) AND candidate_id IN {_CANDIDATES}",  # noqa: S608
    ),
    _drop("coverage_judgements", f"candidate_id IN {_CANDIDATES}"),
    *(
        _drop(table, _OF_THESE)
        for table in (
            "coverage_candidates",
            "coverage_searches",
            "states",
            "texts",
            "pages",
            "signatures",
            "entities",
            "same_event_marks",
            "importances",
            "story_questions",
        )
    ),
    portable(f"""
        UPDATE articles SET image = '', author = '', comments_url = '', categories = NULL,
            enclosures = NULL, fullest_id = original_id
        WHERE original_id IN {_THESE}
    """),  # noqa: S608
)


def _texts(connection: Connection, ids: list[int], _before: int) -> None:
    """A search finds what is left: the title and the beginning."""
    cut = [
        {"article_id": row[0], "title": row[1], "lead": row[2], "rest": ""}
        for row in rows_of_those(connection, _CUT, ids)
    ]
    _each(connection, _TEXTS, ids)
    full_text(connection).put(connection, cut)


def _vectors(connection: Connection, ids: list[int], _before: int) -> None:
    _each(connection, _VECTORS, ids)


def _keys(connection: Connection, ids: list[int], _before: int) -> None:
    """In their order: what is touched together then lies together in the index."""
    found = rows_of_those(connection, _SIGNATURES, ids)
    drop_keys(connection, sorted(key for one in found for key in keys_of(one)))


def _articles(connection: Connection, ids: list[int], before: int) -> None:
    """What its feed knows an article by stays: its id, address, title and hash, and their keys."""
    _keys(connection, ids, before)
    connection.execute(_EVENTS, {"those": json.dumps(ids), "before": before})
    _each(connection, (*_TEXTS, *_VECTORS, *_ALL), ids)


REMOVING: dict[Removal, Callable[[Connection, list[int], int], None]] = {
    Removal.TEXTS: _texts,
    Removal.VECTORS: _vectors,
    Removal.KEYS: _keys,
    Removal.ARTICLES: _articles,
}


def _each(connection: Connection, statements: Sequence[Any], ids: list[int]) -> None:
    """The numbers are one value, so a statement is the same for any number of them, and planned
    once."""
    values = {"those": json.dumps(ids)}
    for statement in statements:
        connection.execute(statement, values)
