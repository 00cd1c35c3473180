"""Clusters as rows, kept to what the links and separations say. Judges no pair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection, text

from newsloom.duplicates.clusters import Position, group
from newsloom.duplicates.store.tables import clusters
from newsloom.duplicates.union_find import Groups
from newsloom.duplicates.values import Link, Relation
from newsloom.importance.store.signals import clusters_changed
from newsloom.kernel.db.bulk import insert_rows
from newsloom.kernel.db.sql import CHUNK, many, rows_of
from newsloom.kernel.ids import ArticleId

_PLACES = many("SELECT article_id, cluster_id, text_id FROM clusters WHERE article_id IN :ids")
_MEMBERS = many("SELECT article_id FROM clusters WHERE cluster_id IN :ids")
_LINKS = (
    many("SELECT article_id, other_id, relation FROM links WHERE article_id IN :ids"),
    many("SELECT article_id, other_id, relation FROM links WHERE other_id IN :ids"),
)
_APART = many("SELECT article_id, other_id FROM separations WHERE article_id IN :ids")
_PARTED = text("""
    SELECT p.id, c.cluster_id
    FROM (SELECT article_id AS id FROM separations UNION SELECT other_id FROM separations) AS p
    LEFT JOIN clusters c ON c.article_id = p.id
""")
_DELETE = many("DELETE FROM clusters WHERE article_id IN :ids")
_RENAME = text("UPDATE clusters SET cluster_id = :name WHERE cluster_id = :former")
_RENAME_TEXT = text(
    "UPDATE clusters SET text_id = :name WHERE cluster_id = :cluster AND text_id = :former"
)
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
    events, texts = Groups(), Groups()
    for link in joining:
        a, b = (before.get(one, Position(one, one)) for one in (link.article, link.other))
        events.unite(a.cluster, b.cluster)
        if link.relation is Relation.SAME_TEXT:
            texts.unite(a.text, b.text)
    for former in {position.cluster for position in before.values()}:
        if (name := events.of(former)) != former:
            connection.execute(_RENAME, {"name": name, "former": former})
    for key in set(before.values()):
        if (name := texts.of(key.text)) != key.text:
            cluster = events.of(key.cluster)
            values = {"name": name, "former": key.text, "cluster": cluster}
            connection.execute(_RENAME_TEXT, values)
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
