"""Writing articles: new ones, duplicates, revisions, with their keys and evidence.

Does as the judgements say, inside the caller's transaction; decides nothing itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Connection, update

from newsloom.dedup.arrival import keys
from newsloom.store import makers
from newsloom.store.articles.keys import add_keys, drop_keys, number
from newsloom.store.articles.tables import articles, judgements, revisions
from newsloom.store.bulk import insert_rows, rows, rows_of_those, run_for_each
from newsloom.store.columns import micros, moment
from newsloom.store.dialects import portable
from newsloom.text.language import language
from newsloom.text.lead_picture import lead_picture
from newsloom.types import (
    Action,
    Copy,
    Evidence,
    FeedId,
)

if TYPE_CHECKING:
    from newsloom.types import (
        ArticleId,
        IncomingArticle,
        JudgedArticle,
    )

# Versions kept of one article besides the present one. In the polling data the most revised
# article changed its title 22 times.
MOST_REVISIONS = 24

# The host of an http address: after any user name, before port and path. A pattern, for urlsplit
# took a tenth of the time of storing an article.
_HOST = re.compile(r"https?://(?:[^/?#@]*@)?([^/?#@:]+)", re.IGNORECASE)

_NO_EVIDENCE = Evidence("", 0.0)
_LAST = portable("SELECT MAX(id) FROM articles")

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
_UPDATE = portable(
    f"UPDATE articles SET {', '.join(f'{name} = :{name}' for name in _VERSION)}"  # noqa: S608
    " WHERE id = :of_article"
)

# What a revision keeps of the version before it, and what its keys were made of.
_REPLACED = portable("""
    SELECT a.id, a.original_id, o.fullest_id, a.version_at, a.summary, a.content,
        a.feed_id, a.guid, a.url, a.canonical_url, a.title, a.length, a.content_hash, a.dated_at
    FROM articles a JOIN articles o ON o.id = a.original_id
    WHERE a.id IN numbers_in(:those)
""")
_REVISION = ("article_id", "seen_at", "content_hash", "title", "summary", "content")
_FORGET_OLDEST = portable(f"""
    DELETE FROM revisions WHERE article_id = :article AND id < (
        SELECT id FROM revisions WHERE article_id = :article
        ORDER BY id DESC LIMIT 1 OFFSET {MOST_REVISIONS - 1}
    )
""")  # noqa: S608
_ORIGINALS = portable("SELECT id, original_id FROM articles WHERE id IN numbers_in(:those)")
_EVIDENCE = ("article_id", "target_id", "action", "layer", "score", "detail", "at")

# One copy's text is the one shown from now on; what was made of the text before is out of date.
_SHOW = (
    portable("UPDATE articles SET fullest_id = :fullest WHERE id = :original"),
    portable(f"UPDATE texts SET maker_id = {makers.NOBODY} WHERE article_id = :original"),  # noqa: S608
    portable("""
        UPDATE states SET language = :language
        WHERE article_id = :original AND language <> :language
    """),
    # There is a text again where one was removed for its age. Of an article that is gone as a
    # whole nothing comes back: its feed still lists it, or another one does.
    portable("DELETE FROM aged_articles WHERE article_id = :original AND articles_at IS NULL"),
)


class _Before(NamedTuple):
    """The stored version that another replaces."""

    id: int
    original_id: int
    fullest_id: int
    version_at: int
    summary: str
    content: str
    feed_id: int
    guid: str
    url: str
    canonical_url: str
    title: str
    length: int
    content_hash: str
    dated_at: int

    def revision(self) -> tuple[int | str, ...]:
        """As a row, in the order of _REVISION."""
        return (
            self.id,
            self.version_at,
            self.content_hash,
            self.title,
            self.summary,
            self.content,
        )

    def copy(self) -> Copy:
        """As the layers see it."""
        return Copy(
            feed_id=FeedId(self.feed_id),
            guid=self.guid,
            url=self.url,
            canonical_url=self.canonical_url,
            title=self.title,
            length=self.length,
            content_hash=self.content_hash,
            dated=moment(self.dated_at),
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
    copies: tuple[int, ...]  # the others
    revised: tuple[int, ...]


def store(connection: Connection, judged: Sequence[JudgedArticle], at: datetime) -> Stored:
    """Insert and revise as judged. `at` is when the document was seen."""
    added = [one for one in judged if one.judgement.action in {Action.NEW, Action.DUPLICATE}]
    revised = [one for one in judged if one.judgement.action is Action.REVISED]
    first = (rows(connection, _LAST)[0][0] or 0) + 1
    if added:
        _insert(connection, added, first, at)
    for each_once in _rounds(revised):
        _revise(connection, each_once, at)
    for one in judged:
        if one.judgement.moved:
            _move(connection, one)
    numbered = tuple(enumerate(added, start=first))
    return Stored(
        first=first,
        last=first + len(added) - 1,
        fresh=tuple(
            Fresh(article, micros(one.incoming.copy.dated), one.incoming.parsed.language)
            for article, one in numbered
            if one.judgement.action is Action.NEW
        ),
        copies=tuple(a for a, one in numbered if one.judgement.action is not Action.NEW),
        revised=tuple(_target(one) for one in revised),
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
    targets = list({_target(one) for one in duplicates.values()})
    originals = dict(rows_of_those(connection, _ORIGINALS, targets))
    seen = micros(at)
    made = []
    for article, one in numbered.items():
        original = originals[_target(one)] if article in duplicates else article
        dated = micros(one.incoming.copy.dated)
        made.append((article, original, article, seen, dated, *_version(one.incoming, seen)))
    insert_rows(connection, articles, _COLUMNS, made)
    _add_keys(connection, {article: one.incoming for article, one in numbered.items()})
    _add_evidence(connection, duplicates.items(), at)
    shown = [(originals[_target(o)], a, o) for a, o in duplicates.items() if o.judgement.shown]
    _show(connection, shown)


def _rounds(revised: Sequence[JudgedArticle]) -> Sequence[Mapping[ArticleId, JudgedArticle]]:
    """The revisions in their order, an article's second in the second round."""
    rounds: list[dict[ArticleId, JudgedArticle]] = []
    for one in revised:
        target = _target(one)
        free = next((later for later in rounds if target not in later), None)
        if free is None:
            rounds.append(free := {})
        free[target] = one
    return rounds


def _revise(
    connection: Connection, by_target: Mapping[ArticleId, JudgedArticle], at: datetime
) -> None:
    """Another version of each article, and the one before as a revision."""
    before = {row[0]: _Before(*row) for row in rows_of_those(connection, _REPLACED, [*by_target])}
    insert_rows(connection, revisions, _REVISION, [before[one].revision() for one in by_target])
    run_for_each(connection, _FORGET_OLDEST, [{"article": one} for one in by_target])
    seen, updated, shown = micros(at), [], []
    fullest = {one.original_id: one.fullest_id for one in before.values()}
    for target, one in by_target.items():
        version = dict(zip(_VERSION, _version(one.incoming, seen), strict=True))
        updated.append({"of_article": target, **version})
        original = before[target].original_id
        if one.judgement.shown or fullest[original] == target:
            fullest[original] = target
            shown.append((original, target, one))
    run_for_each(connection, _UPDATE, updated)
    for target, one in by_target.items():
        _put_keys(
            connection, target, one.incoming.private, before[target].copy(), one.incoming.copy
        )
    _add_evidence(connection, by_target.items(), at)
    _show(connection, shown)


def _move(connection: Connection, one: JudgedArticle) -> None:
    """Give an article the address that its link was found to lead to; its text stays."""
    target, address = _target(one), one.incoming.copy.canonical_url
    (row,) = rows_of_those(connection, _REPLACED, [target])
    before = _Before(*row).copy()
    moved = replace(before, canonical_url=address)
    _put_keys(connection, target, one.incoming.private, before, moved)
    connection.execute(
        update(articles)
        .where(articles.c.id == target)
        .values(canonical_url=address, source=source(one.incoming.origin))
    )


def _show(connection: Connection, shown: Sequence[tuple[int, int, JudgedArticle]]) -> None:
    """Of each original which copy's text is shown from now on."""
    changes = [
        {
            "original": original,
            "fullest": fullest,
            "language": language(one.incoming.parsed.language),
        }
        for original, fullest, one in shown
    ]
    for statement in _SHOW:
        run_for_each(connection, statement, changes)


def _add_keys(connection: Connection, incoming: Mapping[int, IncomingArticle]) -> None:
    add_keys(
        connection,
        [(number(*key), article) for article, one in incoming.items() for key in one.keys],
    )


def _put_keys(
    connection: Connection, article: ArticleId, private: str, before: Copy, after: Copy
) -> None:
    """The keys of another version instead of those of the one before."""
    if keys(before) == keys(after):
        return
    old, new = (
        [(number(layer, private + key), article) for layer, key in keys(copy)]
        for copy in (before, after)
    )
    drop_keys(connection, [*old, *new])
    add_keys(connection, new)


def _add_evidence(
    connection: Connection, judged: Iterable[tuple[int, JudgedArticle]], at: datetime
) -> None:
    """Why each article is held to be what it was judged."""
    found = []
    for article, one in judged:
        why, action = one.judgement.evidence or _NO_EVIDENCE, one.judgement.action.value
        found.append((article, _target(one), action, why.layer, why.score, why.detail, micros(at)))
    insert_rows(connection, judgements, _EVIDENCE, found)


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
        parsed.image or lead_picture(parsed.content or parsed.summary, copy.url),
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
