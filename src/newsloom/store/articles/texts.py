"""Plain texts of articles: what is left to read, keeping what was read. Touches no markup.

What was made of a text goes when the part of it that models see has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, insert, select, text, update

from newsloom.store import makers, tables
from newsloom.store.articles.derived import article_texts, digests
from newsloom.store.articles.handed import Handed
from newsloom.store.articles.keys import hashed
from newsloom.store.dialects import full_text
from newsloom.store.reading.article_detail import fuller
from newsloom.store.sites.pages import SHOWN
from newsloom.store.sql import many, rows_of
from newsloom.store.tables import embeddings, ratings, signatures, states, texts, users
from newsloom.types import ArticleId, ArticleText, PlainText, RawArticle

# Characters that models may see; the encoder reads a quarter of them, and one page of SQLite holds
# a row with this much.
LEAD = 2_000

_PENDING_TEXTS = text(f"""
    SELECT o.id, f.title, f.content, f.summary, p.html AS page,
        f.id AS fullest, f.version_at, f.content_hash, p.at AS page_at
    FROM (
        SELECT a.original_id AS id FROM articles a
        LEFT JOIN texts t ON t.article_id = a.original_id AND t.maker_id = :maker
        WHERE a.id = a.original_id AND t.article_id IS NULL
        ORDER BY a.original_id DESC LIMIT :limit
    ) AS w
    JOIN articles o ON o.id = w.id
    JOIN articles f ON f.id = o.fullest_id
    {SHOWN}
    ORDER BY o.id DESC
""")  # noqa: S608
_VERSIONS = many(f"""
    SELECT o.id, f.title, f.id AS fullest, f.version_at, f.content_hash, p.at AS page_at
    FROM articles o JOIN articles f ON f.id = o.fullest_id {SHOWN} WHERE o.id IN :ids
""")  # noqa: S608
_LABELLED_BY = many("""
    SELECT DISTINCT s.user_id FROM states s
    WHERE s.article_id IN :ids AND (s.rating <> 0 OR s.starred = TRUE OR EXISTS (
        SELECT 1 FROM events e WHERE e.user_id = s.user_id AND e.article_id = s.article_id
        AND e.undone_by IS NULL AND e.kind IN ('finished', 'skipped')
    ))
""")
_RETEXT = (
    update(texts)
    .where(texts.c.article_id == bindparam("of_article"))
    .values({name: bindparam(name) for name in ("maker_id", "digest", "title", "lead", "rest")})
)


class Texts(Handed):
    """The text stage."""

    def pending_texts(self, version: str, limit: int) -> tuple[RawArticle, ...]:
        with self.database.read() as connection:
            values = {"maker": makers.known(connection, version), "limit": limit}
            rows = connection.execute(_PENDING_TEXTS, values).all()
        self.remember("texts", {row.id: _version(row) for row in rows})
        return tuple(
            RawArticle(ArticleId(row.id), row.title, row.page or fuller(row.content, row.summary))
            for row in rows
        )

    def put_texts(self, version: str, texts: Sequence[PlainText]) -> None:
        """What was made of a text goes when the part of it that models see has changed."""
        if not texts:
            return
        with self.database.write() as connection:
            maker = makers.numbered(connection, version)
            ids = [one.id for one in texts]
            fresh = self.still("texts", ids, _versions(connection, ids))
            rows = [_text_row(one, maker) for one in texts if one.id in fresh]
            known = digests(connection, ids)
            _put(connection, rows, known)
            changed = [one for one in rows if known.get(one["article_id"]) != one["digest"]]
            changed_ids = [one["article_id"] for one in changed]
            _forget_derived(connection, [one for one in changed_ids if one in known])
            _tell_learners(connection, changed_ids)

    def texts(self, ids: Sequence[ArticleId]) -> tuple[ArticleText, ...]:
        with self.database.read() as connection:
            found = article_texts(connection, ids)
            return tuple(found[one] for one in ids if one in found)


def _text_row(one: PlainText, maker: int) -> dict[str, Any]:
    lead, rest = split(one.text)
    return {
        "article_id": one.id,
        "maker_id": maker,
        "digest": hashed(f"{one.title}\0{lead}"),
        "title": one.title,
        "lead": lead,
        "rest": rest,
    }


def split(plain: str) -> tuple[str, str]:
    """The lead and the rest, parted between two words."""
    if len(plain) <= LEAD:
        return plain, ""
    cut = max(plain.rfind(" ", 0, LEAD + 1), plain.rfind("\n", 0, LEAD + 1))
    cut = cut if cut > 0 else LEAD
    return plain[:cut], plain[cut:]


def _put(connection: Connection, rows: Iterable[dict[str, Any]], known: Mapping[int, int]) -> None:
    new = [row for row in rows if row["article_id"] not in known]
    old = [{"of_article": row["article_id"], **row} for row in rows if row["article_id"] in known]
    for row in old:
        del row["article_id"]
    if new:
        connection.execute(insert(texts), new)
        full_text(connection).put(connection, new)
    if old:
        connection.execute(_RETEXT, old)
        changed = [{"article_id": row["of_article"], **row} for row in old]
        full_text(connection).put(connection, changed)
        # Signed is all of a text, of which the digest tells the lead alone.
        again = [row["of_article"] for row in old]
        connection.execute(
            update(signatures)
            .where(signatures.c.article_id.in_(again))
            .values(maker_id=makers.NOBODY)
        )


def _forget_derived(connection: Connection, ids: Sequence[int]) -> None:
    if not ids:
        return
    every = select(tables.makers.c.id)
    for table in (embeddings, ratings):
        connection.execute(
            delete(table).where(table.c.maker_id.in_(every), table.c.article_id.in_(ids))
        )
    connection.execute(
        update(states).where(states.c.article_id.in_(ids)).values(scored_by=makers.NOBODY)
    )


def _tell_learners(connection: Connection, ids: Sequence[int]) -> None:
    """What a reader has labelled reads differently now."""
    learners = {row.user_id for row in rows_of(connection, _LABELLED_BY, ids)}
    if learners:
        connection.execute(
            update(users).where(users.c.id.in_(learners)).values(taste=users.c.taste + 1)
        )


def _versions(connection: Connection, ids: Sequence[int]) -> dict[int, object]:
    return {row.id: _version(row) for row in rows_of(connection, _VERSIONS, ids)}


def _version(row: Row[Any]) -> object:
    return row.fullest, row.version_at, row.content_hash, row.title, row.page_at
