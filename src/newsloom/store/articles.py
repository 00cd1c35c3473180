"""Writing articles: new ones, duplicates, revisions, with their keys and evidence.

Does as the judgements say, inside the caller's transaction; decides nothing itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, RowMapping, delete, func, insert, select, text, update

from newsloom.dedup.layers import keys
from newsloom.store import makers
from newsloom.store.bulk import insert_rows
from newsloom.store.columns import micros
from newsloom.store.keys import add_keys, drop_keys, number
from newsloom.store.tables import articles, judgements, revisions, states, texts
from newsloom.text.language import language
from newsloom.types import Action, ArticleId, Copy, FeedId, IncomingArticle, JudgedArticle

# Versions kept of one article besides the present one. In the polling data the most revised
# article changed its title 22 times.
MOST_REVISIONS = 24

# The host of an http address: after any user name, before port and path. A pattern, for urlsplit
# took a tenth of the time of storing an article.
_HOST = re.compile(r"https?://(?:[^/?#@]*@)?([^/?#@:]+)", re.IGNORECASE)

_LAST = select(func.max(articles.c.id))

# The columns of one version of an article, in the order _version gives their values.
_VERSION = (
    "feed_id",
    "guid",
    "url",
    "canonical_url",
    "source",
    "title",
    "author",
    "language",
    "published_at",
    "updated_at",
    "version_at",
    "content_hash",
    "length",
    "image",
    "comments_url",
    "categories",
    "enclosures",
    "summary",
    "content",
)
_COLUMNS = ("id", "original_id", "fullest_id", "first_seen_at", "dated_at", *_VERSION)
_UPDATE = text(
    f"UPDATE articles SET {', '.join(f'{name} = :{name}' for name in _VERSION)}"  # noqa: S608
    " WHERE id = :of_article"
)

# What a revision keeps of the version before it, and what its keys were made of.
_REPLACED = (
    articles.c.original_id,
    articles.c.feed_id,
    articles.c.guid,
    articles.c.url,
    articles.c.canonical_url,
    articles.c.length,
    articles.c.dated_at,
    articles.c.version_at,
    articles.c.content_hash,
    articles.c.title,
    articles.c.summary,
    articles.c.content,
)


class Fresh(NamedTuple):
    """A new original."""

    article: int
    dated: int  # microseconds
    language: str


@dataclass(frozen=True, slots=True)
class Stored:
    """Which rows a poll made or changed."""

    first: int  # new rows have the ids first..last
    last: int
    fresh: tuple[Fresh, ...]  # those of them that are originals
    revised: tuple[int, ...]

    @property
    def copies(self) -> bool:
        """Whether some of the new rows are duplicates."""
        return self.first + len(self.fresh) <= self.last


def store(connection: Connection, judged: Sequence[JudgedArticle], at: datetime) -> Stored:
    """Insert and revise as judged. `at` is when the document was seen."""
    added = [one for one in judged if one.judgement.action in {Action.NEW, Action.DUPLICATE}]
    revised = [one for one in judged if one.judgement.action is Action.REVISED]
    first = (connection.scalar(_LAST) or 0) + 1
    if added:
        _insert(connection, added, first, at)
    for one in revised:
        _revise(connection, one, at)
    for one in judged:
        if one.judgement.moved:
            _move(connection, one)
    return Stored(
        first,
        first + len(added) - 1,
        tuple(
            Fresh(article, micros(one.incoming.copy.dated), one.incoming.parsed.language)
            for article, one in enumerate(added, start=first)
            if one.judgement.action is Action.NEW
        ),
        tuple(_target(one) for one in revised),
    )


def _insert(
    connection: Connection, added: Sequence[JudgedArticle], first: int, at: datetime
) -> None:
    numbered = dict(enumerate(added, start=first))
    duplicates = {
        article: one
        for article, one in numbered.items()
        if one.judgement.action is Action.DUPLICATE
    }
    originals = _originals(connection, {_target(one) for one in duplicates.values()})
    seen = micros(at)
    rows = []
    for article, one in numbered.items():
        original = originals[_target(one)] if article in duplicates else article
        dated = micros(one.incoming.copy.dated)
        rows.append((article, original, article, seen, dated, *_version(one.incoming, seen)))
    insert_rows(connection, articles, _COLUMNS, rows)
    _add_keys(connection, {article: one.incoming for article, one in numbered.items()})
    for article, one in duplicates.items():
        _add_evidence(connection, article, one, at)
        if one.judgement.shown:
            _show(connection, originals[_target(one)], article)


def _revise(connection: Connection, one: JudgedArticle, at: datetime) -> None:
    target = _target(one)
    version = _version(one.incoming, micros(at))
    before = connection.execute(select(*_REPLACED).where(articles.c.id == target)).mappings().one()
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
    connection.execute(_UPDATE, {"of_article": target, **dict(zip(_VERSION, version, strict=True))})
    _put_keys(connection, target, one.incoming.private, _copy(before), one.incoming.copy)
    _add_evidence(connection, target, one, at)
    original = before["original_id"]
    shown = select(articles.c.fullest_id).where(articles.c.id == original)
    if one.judgement.shown or connection.scalar(shown) == target:
        _show(connection, original, target)


def _move(connection: Connection, one: JudgedArticle) -> None:
    """Give an article the address that its link was found to lead to; its text stays."""
    target, address = _target(one), one.incoming.copy.canonical_url
    row = connection.execute(select(*_REPLACED).where(articles.c.id == target)).mappings().one()
    before = _copy(row)
    moved = replace(before, canonical_url=address)
    _put_keys(connection, target, one.incoming.private, before, moved)
    connection.execute(
        update(articles)
        .where(articles.c.id == target)
        .values(canonical_url=address, source=source(one.incoming.origin))
    )


def _copy(before: RowMapping) -> Copy:
    """The stored version, as the layers see it."""
    return Copy(
        feed_id=FeedId(before["feed_id"]),
        guid=before["guid"],
        url=before["url"],
        canonical_url=before["canonical_url"],
        title=before["title"],
        length=before["length"],
        content_hash=before["content_hash"],
        dated=before["dated_at"],
    )


def _show(connection: Connection, original: int, fullest: int) -> None:
    """Make one copy's text the one shown; what was made of the text before is out of date."""
    connection.execute(update(articles).where(articles.c.id == original).values(fullest_id=fullest))
    connection.execute(
        update(texts).where(texts.c.article_id == original).values(maker_id=makers.NOBODY)
    )
    tag = connection.scalar(select(articles.c.language).where(articles.c.id == fullest))
    spoken = language(tag or "")
    connection.execute(
        update(states)
        .where(states.c.article_id == original, states.c.language != spoken)
        .values(language=spoken)
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
    add_keys(
        connection,
        [(number(*key), article) for article, one in incoming.items() for key in one.keys],
    )


def _put_keys(
    connection: Connection, article: ArticleId, private: str, before: Copy, after: Copy
) -> None:
    """The keys of another version instead of those of the one before."""
    old, new = (
        [(number(layer, private + key), article) for layer, key in keys(copy)]
        for copy in (before, after)
    )
    drop_keys(connection, [*old, *new])
    add_keys(connection, new)


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


def _version(incoming: IncomingArticle, seen: int) -> tuple[Any, ...]:
    parsed, copy = incoming.parsed, incoming.copy
    return (
        copy.feed_id,
        copy.guid,
        copy.url,
        copy.canonical_url,
        source(incoming.origin or copy.url),
        copy.title,
        parsed.author,
        parsed.language,
        None if parsed.published is None else micros(parsed.published),
        None if parsed.updated is None else micros(parsed.updated),
        seen,
        copy.content_hash,
        copy.length,
        parsed.image,
        parsed.comments_url,
        _json(parsed.categories),
        _json([(one.url, one.type, one.length) for one in parsed.enclosures]),
        parsed.summary,
        parsed.content,
    )


def _json(values: Sequence[Any]) -> str | None:
    return json.dumps(values, ensure_ascii=False) if values else None


def source(url: str) -> str:
    """The host of an address without www; empty when it has none."""
    found = _HOST.match(url)
    return found[1].lower().removeprefix("www.") if found else ""
