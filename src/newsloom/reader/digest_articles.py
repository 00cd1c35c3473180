"""Articles as digests need them: listed, with their texts and what they are worth at a moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from newsloom.reader.importance import recency_term
from newsloom.scoring.importance import importance
from newsloom.sources import known_tier, owner_of, source_of
from newsloom.types import ArticleId, ArticleText, DigestArticle, FeedId, Listed, ListQuery, Rows

if TYPE_CHECKING:
    from newsloom.reader import Reader

UNKNOWN_TIER = 4


@dataclass(frozen=True, slots=True)
class Gathered:
    """A listed article with its text and its importance at the end of the window."""

    listed: Listed
    text: ArticleText
    importance: float


def valued(reader: Reader, rows: Sequence[Listed], end: datetime) -> list[Gathered]:
    """With their texts and what they are worth then; those without a text are left out."""
    term = recency_term(reader)
    weights = {"recency": term.points / 100}
    texts = {one.id: one for one in reader.store.articles.texts([one.id for one in rows])}
    return [
        Gathered(
            one,
            texts[one.id],
            importance(one.points or 0.0, end - one.dated, term.fade, weights),
        )
        for one in rows
        if one.id in texts
    ]


def by_id(reader: Reader, ids: Sequence[ArticleId], end: datetime) -> dict[ArticleId, Gathered]:
    """Those of some articles that are among the reader's."""
    query = ListQuery(unread_only=False, rows=Rows.ARTICLE, recency=recency_term(reader))
    rows = reader.store.lists.listed(
        reader.user, sorted(ids), end, reader.half_lives_in_force(), query
    )
    return {one.listed.id: one for one in valued(reader, rows, end)}


def categories_of(reader: Reader) -> dict[FeedId, str]:
    """How the reader filed each feed."""
    return {one.feed_id: one.category for one in reader.subscriptions()}


def article_of(one: Gathered, categories: Mapping[FeedId, str]) -> DigestArticle:
    return DigestArticle(
        id=one.listed.id,
        title=one.listed.title,
        url=one.listed.url,
        source=source_of(one.text.source),
        publisher=one.listed.feed_title or one.listed.source,
        owner=owner_of(one.text.source),
        tier=tier_of(one.text.source),
        category=categories.get(one.listed.feed_id, ""),
        language=one.text.language,
        published=one.listed.dated,
        importance=one.importance,
        text=one.text.text,
    )


def tier_of(source: str) -> int:
    """How far a source is believed, also an unknown one."""
    known = known_tier(source)
    return known.tier if known else UNKNOWN_TIER
