"""Clusters as readers see them: who belongs together, why, and taking it apart. Judges nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Connection, Row, text

from newsloom.duplicates.store.cluster_rows import regroup
from newsloom.duplicates.values import Evidence, Link, Relation
from newsloom.kernel.db import sql
from newsloom.kernel.db.columns import beginning, micros, moment, row_title
from newsloom.kernel.db.sql import Aggregate, many, rows_of
from newsloom.kernel.ids import ArticleId
from newsloom.reading.values.reading import Related

if TYPE_CHECKING:
    from newsloom.kernel.ids import UserId

# Of very large groups the page of an article names only so many; the list has all of them.
MOST_RELATED = 200

_CLUSTER = text("""
    SELECT c.article_id FROM clusters g JOIN clusters c ON c.cluster_id = g.cluster_id
    WHERE g.article_id = :article ORDER BY c.article_id
""")
_LINKS = (
    many("SELECT article_id, other_id, relation, evidence FROM links WHERE article_id IN :ids"),
    many("SELECT article_id, other_id, relation, evidence FROM links WHERE other_id IN :ids"),
)
_LINKS_OF_ONE = text("""
    SELECT other_id AS id FROM links WHERE article_id = :article
    UNION SELECT article_id FROM links WHERE other_id = :article
""")
_PARTED = text("""
    SELECT other_id AS id, at FROM separations WHERE article_id = :article AND user_id = :user
    UNION SELECT article_id, at FROM separations WHERE other_id = :article AND user_id = :user
""")
_PUT_APART = text("""
    INSERT INTO separations (article_id, other_id, user_id, at)
    VALUES (:article, :other, :user, :at) ON CONFLICT DO NOTHING
""")
_FORGET = text("""
    DELETE FROM separations
    WHERE user_id = :user AND (article_id = :article OR other_id = :article)
""")
_FACTS = many(f"""
    SELECT s.article_id AS id, s.dated_at, s.read, f.title, o.url, o.source, o.feed_id,
        c.cluster_id, c.text_id,
        COALESCE(u.title, '') AS own_name, w.title AS feed_title, w.url AS feed_url,
        {beginning("s.article_id")}
    FROM states s CROSS JOIN articles o CROSS JOIN articles f CROSS JOIN feeds w
    LEFT JOIN subscriptions u ON u.feed_id = w.id AND u.user_id = s.user_id
    LEFT JOIN clusters c ON c.article_id = s.article_id
    WHERE s.user_id = :user AND s.article_id IN :ids AND o.id = s.article_id
    AND f.id = o.fullest_id AND w.id = o.feed_id
""")  # noqa: S608
_HAS = text("""
    SELECT 1 FROM articles a JOIN states s ON s.article_id = a.original_id
    WHERE a.id = :article AND s.user_id = :user
""")

_SUREST = {relation: place for place, relation in enumerate(Relation)}


class Tie(NamedTuple):
    """Why an article is related to another: directly, or by way of a third."""

    relation: Relation | None = None
    evidence: tuple[Evidence, ...] = ()
    through: ArticleId | None = None


class Clusters(Aggregate):
    """Links and clusters of originals, for pages."""

    def has(self, user: UserId, article: ArticleId) -> bool:
        """Whether the reader has an article, under its own number or a copy's."""
        return self._value(_HAS, int, user=user, article=article) is not None

    def cluster(self, article: ArticleId) -> tuple[ArticleId, ...]:
        """All originals of its cluster, itself among them; alone when it shares none."""
        with self.database.read() as connection:
            return _cluster(connection, article)

    def links(self, articles: Sequence[ArticleId]) -> tuple[Link, ...]:
        """Every decision about a pair with one of them in it, revisions too."""
        with self.database.read() as connection:
            return _links(connection, articles)

    def separate(self, user: UserId, article: ArticleId, at: datetime) -> int:
        """Take an article out of its cluster: from how many others it was parted, for good.

        The pairs are remembered: no evidence joins them again until `rejoin`.
        """
        with self.database.write() as connection:
            others = [one for one in _cluster(connection, article) if one != article]
            for other in others:
                pair = {"article": max(article, other), "other": min(article, other)}
                connection.execute(_PUT_APART, {**pair, "user": user, "at": micros(at)})
            if others:
                regroup(connection, [article, *others])
            return len(others)

    def rejoin(self, user: UserId, article: ArticleId) -> int:
        """Forget the separations of an article that this reader made; how many there were."""
        with self.database.write() as connection:
            values = {"user": user, "article": article}
            others = [row.id for row in connection.execute(_PARTED, values)]
            if others:
                connection.execute(_FORGET, values)
                regroup(connection, [article, *others])
            return len(others)


def related(connection: Connection, user: UserId, article: ArticleId) -> tuple[Related, ...]:
    """The reader's other articles that a decision ties to this one, the surest first."""
    parted = dict(sql.fetch(connection, _PARTED, {"user": user, "article": article}))
    direct = set(sql.column(connection, _LINKS_OF_ONE, ArticleId, article=article))
    members = _cluster(connection, article)[: MOST_RELATED + 1]
    wanted = sorted({*members, *direct, *parted} - {article})[: 2 * MOST_RELATED]
    if not wanted:
        return ()
    facts = rows_of(connection, _FACTS, [article, *wanted], user=user)
    own = next((row for row in facts if row.id == article), None)
    ties = _ties(article, _links(connection, [article, *members]), set(members))
    found = [
        _related(row, own, ties.get(row.id, Tie()), parted.get(row.id))
        for row in facts
        if row.id != article
    ]
    return tuple(sorted(found, key=_sureness))


def _related(row: Row[Any], own: Row[Any] | None, tie: Tie, parted: int | None) -> Related:
    from newsloom.articles.publishers import source_name  # marks need no names

    together = own is not None and own.cluster_id is not None and row.cluster_id == own.cluster_id
    return Related(
        id=ArticleId(row.id),
        title=row_title(row),
        url=row.url,
        source=row.source,
        feed_title=source_name(row.own_name, row.feed_title, row.feed_url),
        dated=moment(row.dated_at),
        read=bool(row.read),
        in_cluster=together,
        same_text=together and own is not None and row.text_id == own.text_id,
        relation=tie.relation,
        evidence=tie.evidence,
        through=tie.through,
        parted_at=None if parted is None else moment(parted),
    )


def _sureness(one: Related) -> tuple[bool, bool, int, datetime, int]:
    place = len(_SUREST) if one.relation is None else _SUREST[one.relation]
    return one.parted_at is not None, not one.same_text, place, one.dated, one.id


def _ties(article: ArticleId, links: Sequence[Link], members: set[ArticleId]) -> Mapping[int, Tie]:
    """What ties each other article to this one; of those tied only to a third, the surest link."""
    found: dict[int, Tie] = {}
    for link in links:
        if article in {link.article, link.other}:
            other = link.other if link.article == article else link.article
            found[other] = Tie(link.relation, link.evidence)
    for link in sorted(links, key=lambda link: _SUREST[link.relation]):
        if link.relation.joins and {link.article, link.other} <= members:
            for one, other in ((link.article, link.other), (link.other, link.article)):
                found.setdefault(one, Tie(link.relation, link.evidence, other))
    return found


def _cluster(connection: Connection, article: ArticleId) -> tuple[ArticleId, ...]:
    return sql.column(connection, _CLUSTER, ArticleId, article=article) or (article,)


def _links(connection: Connection, articles: Sequence[int]) -> tuple[Link, ...]:
    rows = {
        (row.article_id, row.other_id): row
        for query in _LINKS
        for row in rows_of(connection, query, articles)
    }
    return tuple(_link(rows[pair]) for pair in sorted(rows))


def _link(row: Row[Any]) -> Link:
    evidences = tuple(Evidence(*one) for one in json.loads(row.evidence))
    return Link(
        ArticleId(row.article_id), ArticleId(row.other_id), Relation(row.relation), evidences
    )
