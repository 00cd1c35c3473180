"""Clusters as rows, kept to what the links and separations say. Judges no pair."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, text

from newsloom.duplicates.store import cluster_rows
from newsloom.duplicates.store.tables import clusters, links
from newsloom.duplicates.union_find import Groups, Position, group
from newsloom.duplicates.values import Link, Relation
from newsloom.importance.store.signals import clusters_changed
from newsloom.kernel.db.bulk import insert_rows
from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.sql import CHUNK, fetch, many, rows_of
from newsloom.kernel.ids import ArticleId

_PLACES = many("SELECT article_id, cluster_id, text_id FROM clusters WHERE article_id IN :ids")
_MEMBERS = many("SELECT article_id FROM clusters WHERE cluster_id IN :ids")
_LINKS = (
    many("SELECT article_id, other_id, relation FROM links WHERE article_id IN :ids"),
    many("SELECT article_id, other_id, relation FROM links WHERE other_id IN :ids"),
)
UNLINK_PAIR = text("DELETE FROM links WHERE article_id = :article AND other_id = :other")
_APART = many("SELECT article_id, other_id FROM separations WHERE article_id IN :ids")
_PARTED = text("""
    SELECT p.id, c.cluster_id
    FROM (SELECT article_id AS id FROM separations UNION SELECT other_id FROM separations) AS p
    LEFT JOIN clusters c ON c.article_id = p.id
""")
_DELETE = many("DELETE FROM clusters WHERE article_id IN :ids")
_RENAME = text("UPDATE clusters SET cluster_id = :name WHERE cluster_id = :former")
_TEXTS = text("SELECT article_id, text_id FROM clusters WHERE cluster_id = :cluster")
_RENAME_TEXT = text("UPDATE clusters SET text_id = :name WHERE article_id = :article")
_COLUMNS = ("article_id", "cluster_id", "text_id")


def regroup(connection: Connection, ids: Iterable[int]) -> int:
    """Recompute the clusters that those originals are or were in: how many came into one.

    Reads every link of what they hang together with, and no other.
    """
    near, links = _component(connection, ids)
    apart = {
        (ArticleId(row.article_id), ArticleId(row.other_id))
        for row in rows_of(connection, _APART, near)
    }
    before, now = positions(connection, near), group(links, apart)
    changed = [one for one in near if before.get(ArticleId(one)) != now.get(ArticleId(one))]
    rows_of_changed = [ArticleId(one) for one in changed if ArticleId(one) in before]
    for start in range(0, len(rows_of_changed), CHUNK):
        connection.execute(_DELETE, {"ids": rows_of_changed[start : start + CHUNK]})
    _add(connection, {ArticleId(one): now[ArticleId(one)] for one in changed if one in now})
    if changed:
        clusters_changed(connection, near)
    return len(now.keys() - before.keys())


def join(connection: Connection, links: Sequence[Link]) -> int:
    """Bring in links that are new, as `regroup` of all in them would, and do not read it all.

    Ten thousand copies of one text arrive in batches, and each is to cost no more than the last.
    """
    joining = [link for link in links if link.relation.joins]
    ids = sorted({one for link in joining for one in (link.article, link.other)})
    before = positions(connection, ids)
    if _parted(connection, ids, before):
        return regroup(connection, ids)
    events, texts = Groups[ArticleId](), Groups[ArticleId]()
    for link in joining:
        a, b = (before.get(one, Position(one, one)) for one in (link.article, link.other))
        events.unite(a.cluster, b.cluster)
        if link.relation is Relation.SAME_TEXT:
            texts.unite(a.text, b.text)
    for former in {position.cluster for position in before.values()}:
        if (name := events.of(former)) != former:
            connection.execute(_RENAME, {"name": name, "former": former})
    changed = {events.of(one.cluster) for one in before.values() if texts.of(one.text) != one.text}
    for cluster in changed:  # read once each: one cluster may have thousands of texts
        renamed = [
            {"article": row.article_id, "name": name}
            for row in fetch(connection, _TEXTS, {"cluster": cluster})
            if (name := texts.of(row.text_id)) != row.text_id
        ]
        connection.execute(_RENAME_TEXT, renamed)
    new = [one for one in ids if one not in before]
    _add(connection, {one: Position(events.of(one), texts.of(one)) for one in new})
    clusters_changed(connection, ids)
    return len(new)


def positions(connection: Connection, ids: Sequence[int]) -> Mapping[ArticleId, Position]:
    """Where those stand that share a cluster."""
    return {
        ArticleId(row.article_id): Position(ArticleId(row.cluster_id), ArticleId(row.text_id))
        for row in rows_of(connection, _PLACES, ids)
    }


def _component(connection: Connection, ids: Iterable[int]) -> tuple[list[int], list[Link]]:
    """Everything those hang together with or stood beside, and the links between."""
    seen: set[int] = set()
    links: dict[tuple[int, int], Link] = {}
    new = set(ids)
    named: set[int] = set()
    while new:
        seen |= new
        wanted = sorted(new)
        found: set[int] = set()
        for query in _LINKS:
            for row in rows_of(connection, query, wanted):
                relation = Relation(row.relation)
                if relation.joins:
                    pair = ArticleId(row.article_id), ArticleId(row.other_id)
                    links[pair] = Link(*pair, relation, ())
                    found |= set(pair)
        names = {position.cluster for position in positions(connection, wanted).values()} - named
        named |= names
        found |= {row.article_id for row in rows_of(connection, _MEMBERS, sorted(names))}
        new = found - seen
    return sorted(seen), list(links.values())


def _parted(
    connection: Connection, ids: Iterable[ArticleId], before: Mapping[ArticleId, Position]
) -> bool:
    """Whether a reader has separated anything of what is to be joined."""
    parted = connection.execute(_PARTED).all()
    if not parted:
        return False
    names = {position.cluster for position in before.values()}
    wanted = set(ids)
    return any(row.id in wanted or row.cluster_id in names for row in parted)


def _add(connection: Connection, found: Mapping[ArticleId, Position]) -> None:
    rows = [(one, position.cluster, position.text) for one, position in sorted(found.items())]
    insert_rows(connection, clusters, _COLUMNS, rows)


# Links between articles written, and what follows for readers who have several of them.

# Copies of these articles' texts that somebody has read. A cluster is looked through once, however
# many of the articles are in it: alerts of one wording make clusters of thousands.
_READ_COPIES = many("""
    SELECT m.text_id, r.user_id, o.source, o.canonical_url,
        (
            SELECT MAX(e.at) FROM events e WHERE e.user_id = r.user_id
            AND e.article_id = r.article_id AND e.undone_by IS NULL
            AND e.kind IN ('read', 'opened', 'finished', 'skipped', 'bulk read')
        ) AS read_at
    FROM (SELECT DISTINCT cluster_id FROM clusters WHERE article_id IN :ids) t
    CROSS JOIN clusters m CROSS JOIN states r CROSS JOIN articles o
    WHERE m.cluster_id = t.cluster_id
    AND m.text_id IN (SELECT text_id FROM clusters WHERE article_id IN :ids)
    AND r.article_id = m.article_id AND r.read = TRUE AND o.id = m.article_id
""")
_COPIES = many("""
    SELECT c.article_id, c.text_id, a.dated_at, a.source, a.canonical_url
    FROM clusters c CROSS JOIN articles a WHERE c.article_id IN :ids AND a.id = c.article_id
""")
_READ = text("""
    UPDATE states SET read = TRUE WHERE user_id = :user AND article_id = :article
    AND read = FALSE AND starred = FALSE AND rating = 0 AND later = FALSE
""")
_LINK_COLUMNS = ("article_id", "other_id", "relation", "evidence", "at")


def insert_links(connection: Connection, found: Sequence[Link], at: datetime) -> None:
    """Store links between pairs that have none. Leaves the clusters as they are."""
    rows = [
        (
            one.article,
            one.other,
            one.relation.value,
            json.dumps([[why.layer, why.score, why.detail] for why in one.evidence]),
            micros(at),
        )
        for one in found
    ]
    insert_rows(connection, links, _LINK_COLUMNS, rows)


def mark_copies_read(connection: Connection, articles: Sequence[int]) -> None:
    """Mark articles as read for every reader who has read another copy of the same text.

    What a reader has starred, rated or set aside stays as it is. So does what the same source
    published after the reader read its copy: an alert that is given again is news.
    """
    values: list[dict[str, int]] = []
    for start in range(0, len(articles), CHUNK):
        some = articles[start : start + CHUNK]
        read: dict[int, dict[int, _Readings]] = defaultdict(lambda: defaultdict(_Readings))
        for copy in rows_of(connection, _READ_COPIES, some):
            read[copy.text_id][copy.user_id].add(copy)
        values += [
            {"user": user, "article": one.article_id}
            for one in (rows_of(connection, _COPIES, some) if read else ())
            for user, readings in read.get(one.text_id, {}).items()
            if not readings.published_again(one)
        ]
    if values:
        connection.execute(_READ, values)


@dataclass(slots=True)
class _Readings:
    """The copies of a text that a reader has read."""

    latest: Any = None
    addresses: dict[str, set[str]] = field(default_factory=dict)  # by source

    def add(self, copy: Row[Any]) -> None:
        if copy.read_at is not None and (self.latest is None or copy.read_at > self.latest):
            self.latest = copy.read_at
        self.addresses.setdefault(copy.source, set()).add(copy.canonical_url)

    def published_again(self, article: Row[Any]) -> bool:
        """Whether an article came out after the last reading of its copies in the same source."""
        addresses = self.addresses.get(article.source, set())
        others = len(addresses) - (article.canonical_url in addresses)
        return others > 0 and self.latest is not None and article.dated_at > self.latest


def link_copies(connection: Connection, found: Sequence[Link], at: datetime) -> None:
    """Join articles that a poll added with those they are copies of, once they have states."""
    if found:
        insert_links(connection, found, at)
        cluster_rows.join(connection, found)
        mark_copies_read(connection, [one.article for one in found])
