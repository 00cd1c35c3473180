"""Plain texts of articles: what is left to read, keeping what was read. Touches no markup.

What was made of a text goes when the part of it that models see has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, text, update

from newsloom.accounts.store.tables import users
from newsloom.articles.store.derived import article_texts, digests
from newsloom.articles.store.keys import hashed
from newsloom.articles.store.reader_tables import states
from newsloom.articles.store.tables import SHOWN, embeddings, ratings, texts
from newsloom.duplicates.store.tables import signatures
from newsloom.importance.store.backgrounds import Backgrounds
from newsloom.importance.store.signals import Importances, weigh_again
from newsloom.kernel.db import producers
from newsloom.kernel.db.dialects import full_text
from newsloom.kernel.db.producers import producers as producers_table
from newsloom.kernel.db.sql import Aggregate, many, rows_of
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.ranking.store.model_outputs import DistillationLabels, ModelOutputs, VectorSets
from newsloom.ranking.store.neighbours import Neighbours
from newsloom.ranking.store.scores import Scores
from newsloom.ranking.values.models import ArticleText, PlainText, RawArticle
from newsloom.reading.store.article_detail import fuller, page_with_feed_text
from newsloom.rules.store import queue
from newsloom.stories.store.membership import judge_again
from newsloom.work.store import pending
from newsloom.work.store.leases import batch_of, finish, unchanged
from newsloom.work.values import Batch, Lease, Put, StageKey

# Characters that models may see; the encoder reads a quarter of them, and one page of SQLite holds
# a row with this much.
LEAD = 2_000

_STAGE = pending.SOURCES["text"]
_LATEST = text("""
    SELECT t.lead FROM
        (SELECT id FROM articles WHERE feed_id = :feed ORDER BY dated_at DESC LIMIT :limit) a
    JOIN texts t ON t.article_id = a.id
""")
_RAW = many(f"""
    SELECT o.id, f.title, f.url, f.content, f.summary, p.html AS page,
        f.id AS fullest, f.version_at, f.content_hash, p.at AS page_at
    FROM articles o
    JOIN articles f ON f.id = o.fullest_id
    LEFT JOIN texts t ON t.article_id = o.id AND t.maker_id = :maker
    {SHOWN}
    WHERE o.id IN :ids AND t.article_id IS NULL
    ORDER BY o.id DESC
""")  # noqa: S608
_LABELLED_BY = many("""
    SELECT DISTINCT s.user_id FROM states s
    WHERE s.article_id IN :ids AND (s.rating <> 0 OR s.starred = TRUE OR EXISTS (
        SELECT 1 FROM events e WHERE e.user_id = s.user_id AND e.article_id = s.article_id
        AND e.undone_by IS NULL AND e.kind IN ('finished', 'skipped')
    ))
""")
_TEASERS = many("""
    SELECT o.id, f.summary FROM articles o
    JOIN articles f ON f.id = o.fullest_id
    JOIN texts t ON t.article_id = o.id
    WHERE o.id IN :ids AND f.summary <> '' AND 2 * length(f.summary) < length(t.lead)
""")
_PAGES = many("""
    SELECT o.id, f.title, f.url, f.content, f.summary, p.html AS page FROM articles o
    JOIN articles f ON f.id = o.fullest_id
    JOIN pages p ON p.article_id = o.id AND p.length > f.length
    WHERE o.id IN :ids AND NOT EXISTS (
        SELECT 1 FROM articles c JOIN feeds cf ON cf.id = c.feed_id
        WHERE c.original_id = o.id AND cf.full_text = TRUE
    )
""")
_RETEXT = (
    update(texts)
    .where(texts.c.article_id == bindparam("of_article"))
    .values({name: bindparam(name) for name in ("maker_id", "digest", "title", "lead", "rest")})
)


class Texts(Aggregate):
    """The text stage."""

    def leased_texts(self, lease: Lease, limit: int) -> tuple[Batch, tuple[RawArticle, ...]]:
        """The first `limit` of a lease that are still pending, as a batch with their versions."""
        with self.database.read() as connection:
            articles, versions = _raw(connection, lease.key, lease.ids)
            return batch_of(connection, lease, versions, limit), articles

    def put_texts(
        self,
        version: str,
        texts: Sequence[PlainText],
        *,
        batch: Batch | None = None,
        until: datetime | None = None,
    ) -> Put:
        """What was made of a text goes when the part of it that models see has changed."""
        with self.database.write() as connection:
            put = finish(connection, batch, until)
            if put is None or not texts:
                return put or Put(0)
            producer = producers.numbered(connection, version)
            ids = [one.id for one in texts]
            fresh = unchanged(batch, ids, _STAGE.versions(connection, ids))
            rows = [_text_row(one, producer) for one in texts if one.id in fresh]
            known = digests(connection, ids)
            _put(connection, rows, known)
            changed = [one for one in rows if known.get(one["article_id"]) != one["digest"]]
            changed_ids = [one["article_id"] for one in changed]
            _forget_derived(connection, [one for one in changed_ids if one in known])
            # What a reader has labelled reads differently now.
            learners = {row.user_id for row in rows_of(connection, _LABELLED_BY, changed_ids)}
            if learners:
                connection.execute(
                    update(users).where(users.c.id.in_(learners)).values(taste=users.c.taste + 1)
                )
            return replace(put, stored=len(rows))

    def texts(self, ids: Sequence[ArticleId]) -> tuple[ArticleText, ...]:
        with self.database.read() as connection:
            found = article_texts(connection, ids)
            return tuple(found[one] for one in ids if one in found)

    def teasers(self, ids: Sequence[ArticleId]) -> dict[ArticleId, str]:
        """The HTML of summaries that feeds have beside texts more than twice as long."""
        with self.database.read() as connection:
            return {ArticleId(row.id): row.summary for row in rows_of(connection, _TEASERS, ids)}

    def page_texts(self, ids: Sequence[ArticleId]) -> dict[ArticleId, str]:
        """The HTML of fetched pages that are longer than the feed's text. Not of feeds with full
        texts: their articles' texts are those of the pages already."""
        with self.database.read() as connection:
            rows = rows_of(connection, _PAGES, ids)
        return {ArticleId(row.id): _shown(row) for row in rows}

    def latest_texts(self, feeds: Sequence[FeedId], limit: int) -> Mapping[FeedId, tuple[str, ...]]:
        """The leads of a feed's latest articles, so many at most."""
        with self.database.read() as connection:
            return {
                feed: tuple(connection.scalars(_LATEST, {"feed": feed, "limit": limit}))
                for feed in feeds
            }


def _text_row(one: PlainText, producer: int) -> dict[str, Any]:
    lead, rest = split(one.text)
    return {
        "article_id": one.id,
        "maker_id": producer,
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
            .values(maker_id=producers.NOBODY)
        )


def _forget_derived(connection: Connection, ids: Sequence[int]) -> None:
    if not ids:
        return
    every = select(producers_table.c.id)
    for table in (embeddings, ratings):
        connection.execute(
            delete(table).where(table.c.maker_id.in_(every), table.c.article_id.in_(ids))
        )
    connection.execute(
        update(states).where(states.c.article_id.in_(ids)).values(scored_by=producers.NOBODY)
    )
    weigh_again(connection, ids)
    judge_again(connection, ids)
    queue.look_at(connection, ids)


def _raw(
    connection: Connection, key: StageKey, ids: Sequence[int]
) -> tuple[tuple[RawArticle, ...], dict[int, str]]:
    """Those of the articles that are pending, and what tells the version of each."""
    producer = producers.known(connection, key.producer)
    rows = sorted(rows_of(connection, _RAW, ids, maker=producer), key=lambda row: -row.id)
    articles = tuple(RawArticle(ArticleId(row.id), row.title, _shown(row)) for row in rows)
    return articles, {row.id: pending.text_version(row) for row in rows}


def _shown(row: Any) -> str:
    own = fuller(row.content, row.summary)
    return page_with_feed_text(row.page, own, row.title, row.url) or own


class ArticleStore(
    Texts,
    ModelOutputs,
    Neighbours,
    Scores,
    Importances,
    Backgrounds,
    DistillationLabels,
    VectorSets,
):
    """What the stages made of every article: texts, vectors, ratings, scores, importance."""
