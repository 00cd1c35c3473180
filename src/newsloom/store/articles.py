"""Writing articles: new ones, duplicates, revisions, with their keys and evidence.

Does as the judgements say, inside the caller's transaction; decides nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Connection, delete, func, insert, select, update

from newsloom.store import makers
from newsloom.store.keys import hashed
from newsloom.store.tables import articles, dedup_keys, judgements, revisions, texts
from newsloom.types import Action, ArticleId, Enclosure, IncomingArticle, JudgedArticle

# Versions kept of one article besides the present one. In the polling data the most revised
# article changed its title 22 times.
MOST_REVISIONS = 24

_VERSION = (
    articles.c.id,
    articles.c.original_id,
    articles.c.version_at,
    articles.c.content_hash,
    articles.c.title,
    articles.c.summary,
    articles.c.content,
)


@dataclass(frozen=True, slots=True)
class Stored:
    """Which rows a poll made or changed."""

    first: int  # new rows have the ids first..last
    last: int
    revised: tuple[int, ...]


def store(connection: Connection, judged: Sequence[JudgedArticle], at: datetime) -> Stored:
    """Insert and revise as judged. `at` is when the document was seen."""
    added = [one for one in judged if one.judgement.action in {Action.NEW, Action.DUPLICATE}]
    revised = [one for one in judged if one.judgement.action is Action.REVISED]
    first = (connection.scalar(select(func.max(articles.c.id))) or 0) + 1
    if added:
        _insert(connection, added, first, at)
    for one in revised:
        _revise(connection, one, at)
    return Stored(first, first + len(added) - 1, tuple(_target(one) for one in revised))


def _insert(
    connection: Connection, added: Sequence[JudgedArticle], first: int, at: datetime
) -> None:
    targets = {_target(one) for one in added if one.judgement.action is Action.DUPLICATE}
    originals = _originals(connection, targets)
    rows = []
    for number, one in enumerate(added, start=first):
        duplicate = one.judgement.action is Action.DUPLICATE
        rows.append(
            {
                "id": number,
                "original_id": originals[_target(one)] if duplicate else number,
                "fullest_id": number,
                "first_seen_at": at,
                "dated_at": one.incoming.copy.dated,
                **_fields(one.incoming, at),
            }
        )
    connection.execute(insert(articles), rows)
    _add_keys(connection, {row["id"]: one.incoming for row, one in zip(rows, added, strict=True)})
    for row, one in zip(rows, added, strict=True):
        if one.judgement.action is Action.DUPLICATE:
            _add_evidence(connection, row["id"], one, at)
            if one.judgement.shown:
                _show(connection, row["original_id"], row["id"])


def _revise(connection: Connection, one: JudgedArticle, at: datetime) -> None:
    target = _target(one)
    before = connection.execute(select(*_VERSION).where(articles.c.id == target)).mappings().one()
    connection.execute(
        insert(revisions).values(
            article_id=target,
            seen_at=before["version_at"],
            content_hash=before["content_hash"],
            title=before["title"],
            summary=before["summary"],
            content=before["content"],
        )
    )
    _forget_oldest(connection, target)
    connection.execute(
        update(articles).where(articles.c.id == target).values(**_fields(one.incoming, at))
    )
    connection.execute(delete(dedup_keys).where(dedup_keys.c.article_id == target))
    _add_keys(connection, {target: one.incoming})
    _add_evidence(connection, target, one, at)
    original = before["original_id"]
    shown = select(articles.c.fullest_id).where(articles.c.id == original)
    if one.judgement.shown or connection.scalar(shown) == target:
        _show(connection, original, target)


def _show(connection: Connection, original: int, fullest: int) -> None:
    """Make one copy's text the one shown; what was made of the text before is out of date."""
    connection.execute(update(articles).where(articles.c.id == original).values(fullest_id=fullest))
    connection.execute(
        update(texts).where(texts.c.article_id == original).values(maker_id=makers.NOBODY)
    )


def _forget_oldest(connection: Connection, article: int) -> None:
    oldest_kept = (
        select(revisions.c.id)
        .where(revisions.c.article_id == article)
        .order_by(revisions.c.id.desc())
        .offset(MOST_REVISIONS - 1)
        .limit(1)
        .scalar_subquery()
    )
    connection.execute(
        delete(revisions).where(revisions.c.article_id == article, revisions.c.id < oldest_kept)
    )


def _originals(connection: Connection, ids: Iterable[int]) -> Mapping[int, int]:
    wanted = list(ids)
    if not wanted:
        return {}
    query = select(articles.c.id, articles.c.original_id).where(articles.c.id.in_(wanted))
    return {row.id: row.original_id for row in connection.execute(query)}


def _add_keys(connection: Connection, incoming: Mapping[int, IncomingArticle]) -> None:
    rows = [
        {"layer": layer, "key": key, "article_id": article, "published": one.copy.dated}
        for article, one in incoming.items()
        for layer, key in {(layer, hashed(key)) for layer, key in one.keys}
    ]
    if rows:
        connection.execute(insert(dedup_keys), rows)


def _add_evidence(connection: Connection, article: int, one: JudgedArticle, at: datetime) -> None:
    evidence = one.judgement.evidence
    connection.execute(
        insert(judgements).values(
            article_id=article,
            target_id=_target(one),
            action=one.judgement.action.value,
            layer=evidence.layer if evidence else "",
            score=evidence.score if evidence else 0.0,
            detail=evidence.detail if evidence else "",
            at=at,
        )
    )


def _target(one: JudgedArticle) -> ArticleId:
    target = one.judgement.target
    assert target is not None, "a duplicate or a revision is one of something"
    return target


def _fields(incoming: IncomingArticle, at: datetime) -> dict[str, Any]:
    """The columns of a version."""
    parsed, copy = incoming.parsed, incoming.copy
    return {
        "feed_id": copy.feed_id,
        "guid": copy.guid,
        "url": copy.url,
        "canonical_url": copy.canonical_url,
        "source": source(copy.url),
        "title": copy.title,
        "author": parsed.author,
        "language": parsed.language,
        "published_at": parsed.published,
        "updated_at": parsed.updated,
        "version_at": at,
        "content_hash": copy.content_hash,
        "length": copy.length,
        "image": parsed.image,
        "comments_url": parsed.comments_url,
        "categories": list(parsed.categories) or None,
        "enclosures": [_enclosure(one) for one in parsed.enclosures] or None,
        "summary": parsed.summary,
        "content": parsed.content,
    }


def source(url: str) -> str:
    """The host of an address without www; empty when it has none."""
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _enclosure(one: Enclosure) -> list[Any]:
    return [one.url, one.type, one.length]
