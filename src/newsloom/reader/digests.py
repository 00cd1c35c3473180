"""A digest of what came in a window of time: gathered, grouped into topics, written up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from newsloom.digest.select import digest, kind_of
from newsloom.errors import UserError
from newsloom.reader.importance import recency_term
from newsloom.scoring.importance import importance
from newsloom.sources import known_tier, owner_of, source_of
from newsloom.topics.grouping import TopicArticle, topics
from newsloom.types import (
    ArticleId,
    ArticleText,
    Digest,
    DigestArticle,
    DigestGroup,
    DigestKind,
    FeedId,
    FeedReport,
    Listed,
    ListQuery,
    Order,
    Rows,
)

if TYPE_CHECKING:
    from newsloom.reader import Reader

# The most important articles of a window that are grouped; what is below them could only be lines
# without a summary.
MOST = 3_000
UNKNOWN_TIER = 4


@dataclass(frozen=True, slots=True)
class Gathered:
    """A listed article with its text and its importance at the end of the window."""

    listed: Listed
    text: ArticleText
    importance: float


def compose(
    reader: Reader, kind: DigestKind, begin: datetime | None, end: datetime, zone: str
) -> Digest:
    """The digest of a window, which is as long as the kind has it where no begin is told.

    Raises UserError for a window that ends before it begins.
    """
    begin = end - kind_of(kind).span if begin is None else begin
    if begin >= end:
        raise UserError("A digest needs a window that ends after it begins.")
    found = _gathered(reader, begin, end)
    return digest(_groups(reader, found), kind, begin, end, zone, _report(reader, begin, end))


def _gathered(reader: Reader, begin: datetime, end: datetime) -> list[Gathered]:
    query = ListQuery(
        order=Order.IMPORTANT, unread_only=False, since=begin, limit=MOST, rows=Rows.ARTICLE
    )
    term = recency_term(reader)
    rows = reader.store.lists.page(reader.user, query, end, reader.half_lives_in_force())
    rows = tuple(one for one in rows if one.dated <= end)
    texts = {one.id: one for one in reader.store.articles.texts([one.id for one in rows])}
    weights = {"recency": term.points / 100}
    return [
        Gathered(
            one,
            texts[one.id],
            importance(one.points or 0.0, end - one.dated, term.fade, weights),
        )
        for one in rows
        if one.id in texts
    ]


def _groups(reader: Reader, found: Sequence[Gathered]) -> list[DigestGroup]:
    terms = reader.weighed().terms()
    names = reader.weighed().names([f"{one.text.title}." for one in found])
    offered = [
        TopicArticle(
            id=one.listed.id,
            title=one.text.title,
            text=one.text.text,
            language=one.text.language,
            importance=one.importance,
            tier=_tier(one.text.source),
            published=one.listed.dated,
            terms=terms(one.text.title, one.text.text, one.text.language),
            names=said,
        )
        for one, said in zip(found, names, strict=True)
    ]
    grouped, alone = topics(offered)
    by_id = {one.listed.id: one for one in found}
    categories = {one.feed_id: one.category for one in reader.subscriptions()}
    made = [_group(one.label, one.articles, by_id, categories) for one in grouped]
    return made + [_group("", (one,), by_id, categories) for one in alone]


def _group(
    label: str,
    ids: Sequence[ArticleId],
    found: dict[ArticleId, Gathered],
    categories: dict[FeedId, str],
) -> DigestGroup:
    return DigestGroup(
        key=str(min(ids)),
        label=label,
        lead=ids[0],
        articles=tuple(_article(found[one], categories) for one in ids),
    )


def _article(one: Gathered, categories: dict[FeedId, str]) -> DigestArticle:
    return DigestArticle(
        id=one.listed.id,
        title=one.listed.title,
        url=one.listed.url,
        source=source_of(one.text.source),
        publisher=one.listed.feed_title or one.listed.source,
        owner=owner_of(one.text.source),
        tier=_tier(one.text.source),
        category=categories.get(one.listed.feed_id, ""),
        language=one.text.language,
        published=one.listed.dated,
        importance=one.importance,
        text=one.text.text,
    )


def _tier(source: str) -> int:
    known = known_tier(source)
    return known.tier if known else UNKNOWN_TIER


def _report(reader: Reader, begin: datetime, end: datetime) -> FeedReport:
    """What the feeds did in the window."""
    return reader.store.feeds.report(reader.user, begin, end)
