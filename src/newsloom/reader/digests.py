"""A digest of what came in a window of time: gathered, grouped into topics, written up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from newsloom.digest.memory import by_key, remember
from newsloom.digest.select import digest, kind_of
from newsloom.errors import UserError
from newsloom.reader.importance import recency_term
from newsloom.scoring.followed import raised
from newsloom.scoring.importance import corroboration, importance
from newsloom.sources import known_tier, owner_of, source_of
from newsloom.sources.speaking import vouched
from newsloom.topics.grouping import Topic, TopicArticle, centre_of, matched, topics
from newsloom.topics.trends import Watched, trends
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
    Memory,
    Order,
    Remembered,
    Rows,
    Trend,
)

if TYPE_CHECKING:
    from newsloom.reader import Reader

# The most important articles of a window that are grouped; what is below them could only be lines
# without a summary.
MOST = 3_000
UNKNOWN_TIER = 4
# An article may be polled so long after it was published and still be in the next digest.
LATE = timedelta(days=2)
# Windows before this one that a trend is judged by, and trends that are told of.
FEWEST_WINDOWS, MOST_WINDOWS = 3, 7
MOST_TRENDS = 5


@dataclass(frozen=True, slots=True)
class Gathered:
    """A listed article with its text and its importance at the end of the window."""

    listed: Listed
    text: ArticleText
    importance: float


@dataclass(frozen=True, slots=True)
class Composed:
    """A digest, and what is kept of it for the next ones."""

    digest: Digest
    memory: Memory


def compose(
    reader: Reader, kind: DigestKind, begin: datetime | None, end: datetime, zone: str
) -> Digest:
    """The digest of a window, which is as long as the kind has it where no begin is told.

    Raises UserError for a window that ends before it begins.
    """
    begin = end - kind_of(kind).span if begin is None else begin
    if begin >= end:
        raise UserError("A digest needs a window that ends after it begins.")
    return composed(reader, kind, begin, end, zone).digest


def composed(
    reader: Reader,
    kind: DigestKind,
    begin: datetime,
    end: datetime,
    zone: str,
    memories: Sequence[Memory] = (),
    *,
    as_of: datetime | None = None,
) -> Composed:
    """A digest that says nothing again of what earlier ones told; `memories` has the last first.

    With an earlier one it takes what came since that was written, however late it came: an article
    that was polled an hour after it was published falls between no two digests. So one that is made
    late, `as_of` another moment than the end of its window, takes what came until then.
    """
    after = memories[0].newest if memories else None
    newest = reader.store.lists.as_of().article
    found = _gathered(reader, begin, as_of or end, after)
    groups = _named(_groups(reader, found), memories)
    emerging, declining = _trends(groups, memories)
    report = replace(_report(reader, begin, as_of or end), emerging=emerging, declining=declining)
    told = (one for memory in memories for one in memory.told)
    made = digest(groups, kind, begin, end, zone, report, by_key(memories), told)
    shown = (*made.top, *made.noteworthy, *made.mentioned)
    said = (sentence.text for one in shown for sentence in one.summary)
    return Composed(made, remember(groups, (one.key for one in shown), newest, said))


def _named(groups: Sequence[DigestGroup], memories: Sequence[Memory]) -> list[DigestGroup]:
    """With the keys that their topics had in earlier digests."""
    known = {one.key: one.terms for memory in reversed(memories) for one in memory.topics}
    keys = matched(known, [one.terms for one in groups])
    return [replace(one, key=key) if key else one for one, key in zip(groups, keys, strict=True)]


def _trends(
    groups: Sequence[DigestGroup], memories: Sequence[Memory]
) -> tuple[tuple[Trend, ...], tuple[Trend, ...]]:
    """Topics with more, and with fewer, independent sources than the windows before had."""
    if len(memories) < FEWEST_WINDOWS:
        return (), ()
    past = memories[:MOST_WINDOWS][::-1]
    before = [{one.key: one for one in memory.topics} for memory in past]
    labels = {one.key: one.label for memory in before for one in memory.values()}
    now = {one.key: one for one in groups if len(one.articles) > 1 or one.key in labels}
    watched = [_watched(key, now.get(key), labels.get(key, ""), before) for key in labels | now]
    owners = len({article.owner for one in groups for article in one.articles})
    emerging, declining = trends(watched, owners, [one.sources for one in past])
    return emerging[:MOST_TRENDS], declining[:MOST_TRENDS]


def _watched(
    key: str,
    group: DigestGroup | None,
    label: str,
    before: Sequence[Mapping[str, Remembered]],
) -> Watched:
    counts = tuple(one[key].sources if key in one else 0 for one in before)
    articles = group.articles if group else ()
    sources = len({one.owner for one in articles})
    named = group.label or articles[0].title if group else label
    return Watched(named, len(articles), sources, counts, (*counts, sources))


def _gathered(
    reader: Reader, begin: datetime, end: datetime, after: ArticleId | None
) -> list[Gathered]:
    query = ListQuery(
        order=Order.IMPORTANT,
        unread_only=False,
        since=begin if after is None else begin - LATE,
        newer_than=after,
        limit=MOST,
        rows=Rows.ARTICLE,
    )
    term = recency_term(reader)
    rows = reader.store.lists.page(
        reader.user, replace(query, recency=term), end, reader.half_lives_in_force()
    )
    rows = tuple(one for one in rows if one.dated <= end)
    texts = {one.id: one for one in reader.store.articles.texts([one.id for one in rows])}
    weights = {"recency": term.points / 100}
    # What the reader follows is told before what is as important.
    followed = reader.store.stories.followed_articles(reader.user, list(texts))
    return [
        Gathered(
            one,
            texts[one.id],
            raised(
                importance(one.points or 0.0, end - one.dated, term.fade, weights),
                followed=one.id in followed,
            ),
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
    own = {one.id: centre_of(one.terms) for one in offered}
    told = _corroborated(reader, grouped, by_id)
    made = [_group(one.label, one.articles, one.centre, told, categories) for one in grouped]
    return made + [_group("", (one,), own[one], by_id, categories) for one in alone]


def _corroborated(
    reader: Reader, grouped: Sequence[Topic], found: Mapping[ArticleId, Gathered]
) -> dict[ArticleId, Gathered]:
    """With the importance that articles have by what others of their topic tell.

    An article's own corroboration counts those that tell of its event in like words; a topic's
    sources tell of it too. Many unknown sources count as one, for anybody can have many.
    """
    everyone = reader.store.articles.importance(
        [article for one in grouped for article in one.articles]
    )
    weight = reader.weighed().weights["corroboration"]
    raised: dict[ArticleId, Gathered] = {}
    for one in grouped:
        together = corroboration(_owners(found[article].text.source for article in one.articles))
        for article in one.articles:
            own = everyone[article].corroboration if article in everyone else 0.0
            more = weight * max(together - own, 0.0)
            whole = found[article]
            raised[article] = replace(whole, importance=min(whole.importance + more, 100.0))
    return raised


def _owners(sources: Iterable[str]) -> int:
    """How many owners some sources have; all that nothing vouches for are one."""
    return len({owner_of(one) if vouched(one) else "" for one in sources})


def _group(
    label: str,
    ids: Sequence[ArticleId],
    terms: Mapping[str, float],
    found: Mapping[ArticleId, Gathered],
    categories: dict[FeedId, str],
) -> DigestGroup:
    return DigestGroup(
        key=str(min(ids)),
        label=label,
        lead=ids[0],
        articles=tuple(_article(found[one], categories) for one in ids),
        terms=terms,
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
