"""Writing articles: new ones, copies in other feeds, revisions, with their keys and evidence.

Every feed's article has a row and a text of its own, so that a reader of one feed never sees what
another feed says. Does as the judgements say, inside the caller's transaction; decides nothing
itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Connection, update

from newsloom.articles.store.keys import add_keys, drop_keys, number
from newsloom.articles.store.tables import articles, judgements, revisions
from newsloom.duplicates.arrival import keys
from newsloom.duplicates.values import Action, Copy, Evidence, Link
from newsloom.feeds.values.published import Enclosure
from newsloom.kernel.db import producers
from newsloom.kernel.db.bulk import insert_rows, rows, rows_of_those, run_for_each
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.db.dialects import portable
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.kernel.text.language import language
from newsloom.kernel.text.lead_picture import lead_picture

if TYPE_CHECKING:
    from newsloom.duplicates.values import IncomingArticle, JudgedArticle

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
_BESIDE_TEXT = (
    *("url", "canonical_url", "source", "author", "updated_at", "image", "comments_url"),
    *("categories", "enclosures"),
)
_COLUMNS = ("id", "original_id", "fullest_id", "first_seen_at", "dated_at", *_VERSION)
_UPDATE = portable(
    f"UPDATE articles SET {', '.join(f'{name} = :{name}' for name in _VERSION)}"  # noqa: S608
    " WHERE id = :of_article"
)

# What a revision keeps of the version before it, and what its keys were made of.
_REPLACED = portable("""
    SELECT id, original_id, version_at, summary, content,
        feed_id, guid, url, canonical_url, title, length, content_hash, dated_at
    FROM articles WHERE id IN numbers_in(:those)
""")
_REVISION = ("article_id", "seen_at", "content_hash", "title", "summary", "content")
_FORGET_OLDEST = portable(f"""
    DELETE FROM revisions WHERE article_id = :article AND id < (
        SELECT id FROM revisions WHERE article_id = :article
        ORDER BY id DESC LIMIT 1 OFFSET {MOST_REVISIONS - 1}
    )
""")  # noqa: S608
_EVIDENCE = ("article_id", "target_id", "action", "layer", "score", "detail", "at")

# What was made of the text before is out of date.
_STALE = (
    portable(f"UPDATE texts SET maker_id = {producers.NOBODY} WHERE article_id = :original"),  # noqa: S608
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
    """A new article."""

    article: int
    feed: FeedId
    dated: int  # microseconds
    language: str


@dataclass(frozen=True, slots=True)
class Stored:
    """Which rows a poll or an import made or changed."""

    first: int  # new rows have the ids first..last
    last: int
    fresh: tuple[Fresh, ...]
    links: tuple[Link, ...]  # of new ones with those they are copies of
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
        if one.judgement.amended:
            _amend(connection, one, micros(at))
    numbered = tuple(enumerate(added, start=first))
    return Stored(
        first=first,
        last=first + len(added) - 1,
        fresh=tuple(
            Fresh(article, copy.feed_id, micros(copy.dated), one.incoming.language)
            for article, one in numbered
            for copy in (one.incoming.copy,)
        ),
        links=tuple(
            Link(ArticleId(article), _target(one), said.relation, (said.evidence,))
            for article, one in numbered
            if (said := one.judgement).relation is not None and said.evidence is not None
        ),
        revised=tuple(_target(one) for one in revised),
    )


def _insert(
    connection: Connection, added: Sequence[JudgedArticle], first: int, at: datetime
) -> None:
    numbered = dict(enumerate(added, start=first))
    seen = micros(at)
    made = []
    for article, one in numbered.items():
        dated = micros(one.incoming.copy.dated)
        made.append((article, article, article, seen, dated, *_version(one.incoming, seen)))
    insert_rows(connection, articles, _COLUMNS, made)
    keys = [
        (number(*key), article) for article, one in numbered.items() for key in one.incoming.keys
    ]
    add_keys(connection, keys)
    copies = [
        (article, one)
        for article, one in numbered.items()
        if one.judgement.action is Action.DUPLICATE
    ]
    _add_evidence(connection, copies, at)


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
    seen, updated, stale = micros(at), [], []
    for target, one in by_target.items():
        version = dict(zip(_VERSION, _version(one.incoming, seen), strict=True))
        updated.append({"of_article": target, **version})
        if before[target].original_id == target:
            stale.append({"original": target, "language": language(one.incoming.language)})
    run_for_each(connection, _UPDATE, updated)
    for target, one in by_target.items():
        _put_keys(
            connection, target, one.incoming.private, before[target].copy(), one.incoming.copy
        )
    _add_evidence(connection, by_target.items(), at)
    for statement in _STALE:
        run_for_each(connection, statement, stale)


def _amend(connection: Connection, one: JudgedArticle, seen: int) -> None:
    """Give an article what a feed corrected beside its text: link, author, enclosures, tags."""
    target = _target(one)
    (row,) = rows_of_those(connection, _REPLACED, [target])
    before = _Before(*row).copy()
    version = dict(zip(_VERSION, _version(one.incoming, seen), strict=True))
    found = {name: version[name] for name in _BESIDE_TEXT if version[name]}
    if found.get("canonical_url", before.canonical_url) != before.canonical_url:
        after = replace(before, url=found["url"], canonical_url=found["canonical_url"])
        _put_keys(connection, target, one.incoming.private, before, after)
    connection.execute(update(articles).where(articles.c.id == target).values(found))


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
        incoming.language,
        None if parsed.published is None else micros(parsed.published),
        None if parsed.updated is None else micros(parsed.updated),
        seen,
        copy.content_hash,
        copy.length,
        parsed.image or lead_picture(parsed.content or parsed.summary, copy.url),
        parsed.comments_url,
        _json(parsed.categories),
        _json([_stored(one) for one in parsed.enclosures]),
        parsed.summary,
        parsed.content,
    )


def _stored(one: Enclosure) -> list[Any]:
    """As short as what it says: most have no more than an address, a type and a length."""
    rest = [one.seconds, one.title] if one.seconds or one.title else []
    return [one.url, one.type, one.length, *rest]


def _json(values: Sequence[Any]) -> str | None:
    return json.dumps(values, ensure_ascii=False) if values else None


def source(url: str) -> str:
    """The host of an address without www; empty when it has none."""
    found = _HOST.match(url)
    return found[1].lower().removeprefix("www.") if found else ""
