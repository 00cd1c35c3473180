"""Sweeps over all articles in the order of their ids, which is that in which they came.

What is due is found while others write; only what removes it keeps them waiting, and it looks once
more whether somebody has kept the article meanwhile.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, TextClause, text

from newsloom.articles.store.keys import drop_keys
from newsloom.articles.store.reader_tables import TEACHING
from newsloom.duplicates.store.duplicate_writes import keys_of
from newsloom.kernel.db.bulk import rows_of_those
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.db.dialects import full_text, portable
from newsloom.kernel.db.sql import CHUNK, Aggregate, many, rows_of
from newsloom.kernel.ids import ArticleId
from newsloom.retention.values import Aging, Removal, SweepPlace

# What is removed of articles, a few at a time, inside the caller's transaction.

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
_VECTORS_REMOVING = (_drop("embeddings", f"{_MAKERS} AND {_OF_THESE}"),)
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
            "playback_positions",
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
    _each(connection, _VECTORS_REMOVING, ids)


def _keys(connection: Connection, ids: list[int], _before: int) -> None:
    """In their order: what is touched together then lies together in the index."""
    found = rows_of_those(connection, _SIGNATURES, ids)
    drop_keys(connection, sorted(key for one in found for key in keys_of(one)))


def _articles(connection: Connection, ids: list[int], before: int) -> None:
    """What its feed knows an article by stays: its id, address, title and hash, and their keys."""
    _keys(connection, ids, before)
    connection.execute(_EVENTS, {"those": json.dumps(ids), "before": before})
    _each(connection, (*_TEXTS, *_VECTORS_REMOVING, *_ALL), ids)


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


# What is never pruned, and when an article is due. Conditions on an original `o`, in SQL.


@dataclass(frozen=True, slots=True)
class Keep:
    """A reason to keep an article, whatever its age."""

    name: str
    condition: str


# Where a table has no index by its articles it is read once a statement: it is small.
KEPT = (
    Keep(
        "starred, rated or put aside",
        "EXISTS (SELECT 1 FROM states s WHERE s.article_id = o.id"
        " AND (s.starred = TRUE OR s.later = TRUE OR s.rating <> 0))",
    ),
    Keep(
        "it teaches a model: liked, disliked, starred, finished or skipped",
        "EXISTS (SELECT 1 FROM states s JOIN events e"  # noqa: S608 - words of ours
        " ON e.user_id = s.user_id AND e.article_id = s.article_id"
        f" WHERE s.article_id = o.id AND {TEACHING})",
    ),
    Keep("tagged", "EXISTS (SELECT 1 FROM article_tags k WHERE k.article_id = o.id)"),
    Keep("noted", "EXISTS (SELECT 1 FROM article_notes k WHERE k.article_id = o.id)"),
    Keep("highlighted", "EXISTS (SELECT 1 FROM highlights k WHERE k.article_id = o.id)"),
    Keep(
        "in a followed story",
        "EXISTS (SELECT 1 FROM story_members m JOIN story_readers r ON r.story_id = m.story_id"
        " WHERE m.article_id = o.id AND r.stand = 1)",
    ),
    Keep(
        "in a story that goes on",
        "EXISTS (SELECT 1 FROM story_members m JOIN stories t ON t.id = m.story_id"
        " WHERE m.article_id = o.id AND t.state <> 'archived')",
    ),
    Keep("corrected", "EXISTS (SELECT 1 FROM story_corrections k WHERE k.article_id = o.id)"),
    Keep(
        "said not to be the same as another",
        "(EXISTS (SELECT 1 FROM separations k WHERE k.article_id = o.id)"
        " OR EXISTS (SELECT 1 FROM separations k WHERE k.other_id = o.id))",
    ),
    Keep("saved elsewhere", "o.id IN (SELECT article_id FROM shares)"),
    Keep("of another program", "EXISTS (SELECT 1 FROM bridge_entries k WHERE k.article_id = o.id)"),
    Keep("unread of a feed left lately", "o.id IN (SELECT article_id FROM left_states)"),
)
_NOT_KEPT = f"NOT ({' OR '.join(one.condition for one in KEPT)})"

_UNREAD = "EXISTS (SELECT 1 FROM states s WHERE s.article_id = o.id AND s.read = FALSE)"

# Keys find copies of a text, and hold nothing that anybody kept.
_DUE_KEPT = {
    Removal.TEXTS: _NOT_KEPT,
    Removal.VECTORS: _NOT_KEPT,
    Removal.KEYS: "TRUE",
    Removal.ARTICLES: f"(o.first_seen_at < :unread_before OR NOT {_UNREAD}) AND {_NOT_KEPT}",
}


def due(what: Removal) -> str:
    """The originals among `:those` of which it is to go; every copy of them is old enough."""
    return f"""
        SELECT o.id FROM articles o
        WHERE o.id IN numbers_in(:those) AND o.original_id = o.id AND NOT EXISTS (
            SELECT 1 FROM aged_articles g WHERE g.article_id = o.id
            AND (g.{what}_at IS NOT NULL OR g.articles_at IS NOT NULL)
        ) AND NOT EXISTS (
            SELECT 1 FROM articles c WHERE c.original_id = o.id AND c.first_seen_at >= :before
        ) AND {_DUE_KEPT[what]}
        ORDER BY o.id
    """  # noqa: S608 - names of ours


# What removing would free, in bytes as the database keeps them: compressed, where it does that.

# What SQLite and PostgreSQL call the size of a value.
_SIZE = {"sqlite": "LENGTH", "postgresql": "pg_column_size"}

_HTML = (
    ("articles", "content", "original_id"),
    ("articles", "summary", "original_id"),
    ("pages", "html", "article_id"),
    ("revisions", "content", "article_id"),
    ("revisions", "summary", "article_id"),
    ("texts", "rest", "article_id"),
)
_VECTORS = (("embeddings", "vector", "article_id"),)
_REST = (("texts", "lead", "article_id"), ("signatures", "signature", "article_id"))
_MEASURED = {
    Removal.TEXTS: _HTML,
    Removal.VECTORS: _VECTORS,
    Removal.KEYS: (),
    Removal.ARTICLES: (*_HTML, *_VECTORS, *_REST),
}
# A key of a text in the table and its index; some 16 an article. docs/run/backup.md.
KEYS_BYTES = 16 * 60


def measured(connection: Connection, what: Removal, ids: Sequence[int]) -> int:
    """Bytes of so many articles."""
    total = KEYS_BYTES * len(ids) if what in {Removal.KEYS, Removal.ARTICLES} else 0
    size = _SIZE[connection.dialect.name]
    for table, column, of in _MEASURED[what]:
        producers = " AND maker_id IN (SELECT id FROM makers)" if table == "embeddings" else ""
        statement = many(
            f"SELECT COALESCE(SUM({size}({column})), 0) AS bytes FROM {table}"  # noqa: S608
            f" WHERE {of} IN :ids{producers}"
        )
        total += sum(int(row.bytes) for row in rows_of(connection, statement, ids))
    return total


# Articles that are looked at in one read.
STRETCH = 2_000

_STRETCH = text("""
    SELECT id, original_id, first_seen_at FROM articles WHERE id > :place ORDER BY id LIMIT :limit
""")
_DUE = {what: portable(due(what)) for what in Removal}
_MARK = {
    what: text(f"""
        INSERT INTO aged_articles (article_id, {what}_at) VALUES (:article, :at)
        ON CONFLICT (article_id) DO UPDATE SET {what}_at = excluded.{what}_at
    """)  # noqa: S608
    for what in Removal
} | {
    # With the article all of it goes.
    Removal.ARTICLES: text("""
        INSERT INTO aged_articles (article_id, texts_at, vectors_at, keys_at, articles_at)
        VALUES (:article, :at, :at, :at, :at)
        ON CONFLICT (article_id) DO UPDATE SET texts_at = excluded.texts_at,
            vectors_at = excluded.vectors_at, keys_at = excluded.keys_at,
            articles_at = excluded.articles_at
    """)
}
_STATE = text("SELECT place, begun_at, ended_at FROM prunings WHERE name = :name")
_PUT = text("""
    INSERT INTO prunings (name, place, begun_at, ended_at) VALUES (:name, :place, :at, :ended)
    ON CONFLICT (name) DO UPDATE SET place = excluded.place, ended_at = excluded.ended_at,
        begun_at = CASE WHEN :begins THEN excluded.begun_at ELSE prunings.begun_at END
""")


class Sweeps(Aggregate):
    """What is removed of articles for their age."""

    def sweep_place(
        self, what: Removal, now: datetime, *, rest: timedelta, anew: timedelta
    ) -> SweepPlace | None:
        """Where to go on; None while it rests, `rest` after it came to an end. It begins anew
        `anew` after it last began. A clock that was set back lets nothing wait for ever."""
        with self.database.read() as connection:
            row = connection.execute(_STATE, {"name": str(what)}).one_or_none()
        if row is None or not timedelta(0) <= now - moment(row.begun_at) < anew:
            return SweepPlace(ArticleId(0), begins=True)
        if row.ended_at is not None and timedelta(0) <= now - moment(row.ended_at) < rest:
            return None
        return SweepPlace(ArticleId(row.place), begins=False)

    def aging(
        self, what: Removal, article_id: ArticleId, before: datetime, unread_before: datetime
    ) -> Aging:
        """The next articles behind a place, and of which something is to go. Reads only."""
        times = {"before": micros(before), "unread_before": micros(unread_before)}
        with self.database.read() as connection:
            rows = connection.execute(_STRETCH, {"place": article_id, "limit": STRETCH}).all()
            old = [row for row in rows if row.first_seen_at < times["before"]]
            ended = len(old) < len(rows) or len(rows) < STRETCH
            upto = old[-1].id if old else article_id
            originals = [row.id for row in old if row.id == row.original_id]
            found = rows_of_those(connection, _DUE[what], originals, **times)
        return Aging(tuple(ArticleId(row[0]) for row in found), ArticleId(upto), ended)

    def freed(self, what: Removal, ids: Sequence[ArticleId]) -> int:
        """The bytes that removing it from those articles would free, as far as they are counted."""
        with self.database.read() as connection:
            return sum(
                measured(connection, what, ids[start : start + CHUNK])
                for start in range(0, len(ids), CHUNK)
            )

    def remove_aged(
        self,
        what: Removal,
        ids: Sequence[ArticleId],
        before: datetime,
        unread_before: datetime,
        at: datetime,
    ) -> int:
        """Remove it from those of the articles of which it is still due, in one transaction; of
        how many. Whoever calls sees to it that they are few."""
        times = {"before": micros(before), "unread_before": micros(unread_before)}
        with self.database.write() as connection:
            found = [int(row[0]) for row in rows_of_those(connection, _DUE[what], ids, **times)]
            if found:
                REMOVING[what](connection, found, times["before"])
                marks = [{"article": one, "at": micros(at)} for one in found]
                connection.execute(_MARK[what], marks)
        return len(found)

    def swept(
        self, what: Removal, article_id: ArticleId, at: datetime, *, begins: bool, ended: bool
    ) -> None:
        """A sweep has come so far."""
        with self.database.write() as connection:
            values = {"name": str(what), "place": article_id, "at": micros(at), "begins": begins}
            connection.execute(_PUT, values | {"ended": micros(at) if ended else None})
