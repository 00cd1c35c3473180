"""A digest of what came in a window of time: gathered, grouped into topics, written up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from newsloom.digests.followed import developments
from newsloom.digests.memory import by_key, remember
from newsloom.digests.select import (
    digest,
    importance_of,
    kind_of,
    light,
    may_follow,
    same_subject,
)
from newsloom.digests.service.digest_articles import (
    Gathered,
    article_of,
    categories_of,
    tier_of,
    valued,
)
from newsloom.digests.service.followed_stories import PLACED, news_of
from newsloom.digests.values import (
    Digest,
    DigestArticle,
    DigestGroup,
    DigestKind,
    Memory,
    Remembered,
    Trend,
)
from newsloom.importance.score import WEEKLY_FADE, lasting_points
from newsloom.importance.service.importance import recency_term
from newsloom.importance.sources import owner_of
from newsloom.importance.sources.speaking import credited_source, vouched
from newsloom.importance.stages.importance import TermsOf, facts_of
from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.ranking.values.models import ArticleText, scale_of
from newsloom.reading.values.reading import ListQuery, Order, Rows
from newsloom.stories.same_event import SameEvent, judge_of
from newsloom.stories.values.pages import StoryId
from newsloom.summaries.boilerplate import is_roundup
from newsloom.summaries.dated import dated
from newsloom.summaries.summarise import lead_of
from newsloom.topics.grouping import Topic, TopicArticle, centre_of, cosine, matched, topics
from newsloom.topics.tfidf import Terms
from newsloom.topics.trends import Watched, trends

if TYPE_CHECKING:
    from newsloom.app.reader import Reader

# The most important articles of a window that are grouped; what is below them could only be lines
# without a summary.
MOST = 3_000
# An article may be polled so long after it was published and still be in the next digest.
LATE = timedelta(days=2)
# Windows before this one that a trend is judged by, and trends that are told of.
FEWEST_WINDOWS, MOST_WINDOWS = 3, 7
MOST_TRENDS = 5
DISLIKED = -1
# Newsletters, live pages and podcasts of the window, the most important.
MOST_ROUNDUPS = 8
# An article stays in a group whose first one, which is nearest to the centre, is as near: below,
# 5 of 60 pairs were about one event. Chosen by reading pairs of two weeks of feeds.
NEAR = 0.25


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
        raise UserError("The end of the period must be after its start.")
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
    newest = reader.store.lists.newest_article()
    until = as_of or end
    since = begin if after is None else begin - LATE
    wanted = ListQuery(since=since, newer_than=after, limit=MOST)
    found = gathered(reader, wanted, until, weekly=kind is DigestKind.WEEKLY)
    stood = stood_in(reader, found, memories)
    # Stories that the reader follows have a section of their own, those that they muted none.
    others = [one for one in found if one.listed.id not in stood]
    regular = {one.listed.id for one in others if is_roundup(one.text.title, one.text.text)}
    groups = named(
        groups_of(reader, [one for one in others if one.listed.id not in regular]), memories
    )
    categories = categories_of(reader)
    roundups = [article_of(one, categories) for one in others if one.listed.id in regular]
    emerging, declining = _trends(groups, [_of_others(one, stood) for one in memories])
    report = replace(
        reader.store.feeds.report(reader.user, begin, until),
        emerging=emerging,
        declining=declining,
    )
    late = LATE if memories else timedelta(0)
    told_of = begin - PLACED if memories else begin  # what was told since is remembered
    news = news_of(reader, lambda _story: told_of, until, late)
    earlier, lines = by_key(memories), [one for memory in memories for one in memory.told]
    followed = developments(news, kind, earlier, lines)
    made = digest(
        groups,
        kind,
        begin,
        end,
        zone,
        report,
        earlier,
        lines,
        followed,
        reader.address,
        reader.for_you_share,
    )
    made = replace(made, roundups=tuple(map(light, roundups[:MOST_ROUNDUPS])))
    said = (sentence.text for one in made.topics for sentence in one.summary)
    known = (*groups, *(one.group for one in news))
    below = {one.id for topic in made.topics for one in topic.related}
    shown = {one.key for one in made.topics}
    shown |= {one.key for one in groups if not below.isdisjoint(it.id for it in one.articles)}
    return Composed(dated(made), remember(known, shown, newest, said))


def stood_in(
    reader: Reader, found: Sequence[Gathered], memories: Sequence[Memory]
) -> Mapping[ArticleId, int]:
    """Which articles, also of earlier digests, are of stories that the reader follows or muted."""
    topics = [one for memory in memories for one in memory.topics]
    ids = {one.listed.id for one in found}
    ids |= {article for one in topics for article in one.articles}
    ids |= {ArticleId(int(one.key)) for one in topics if one.key.isdigit()}
    return reader.store.stories.stood_articles(reader.user, sorted(ids))


def _of_others(memory: Memory, stood: Mapping[ArticleId, int]) -> Memory:
    """Without the topics of stories that the reader follows or muted: they are no trend."""

    def other(one: Remembered) -> bool:
        if not one.key.isdigit():  # of a story
            return False
        return stood.keys().isdisjoint({ArticleId(int(one.key)), *one.articles})

    return replace(memory, topics=tuple(one for one in memory.topics if other(one)))


def named(groups: Sequence[DigestGroup], memories: Sequence[Memory]) -> list[DigestGroup]:
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


def gathered(
    reader: Reader, wanted: ListQuery, end: datetime, *, weekly: bool = False
) -> list[Gathered]:
    """The most important of the articles wanted, read ones too and none disliked, with their texts;
    news of a week fades more slowly (seed 001)."""
    term = recency_term(reader)
    if weekly:
        term = replace(term, fade=min(term.fade, WEEKLY_FADE))
    query = replace(wanted, order=Order.IMPORTANT, unread_only=False, rows=Rows.ARTICLE)
    rows = reader.store.lists.page(
        reader.user,
        replace(query, recency=term),
        end,
        reader.half_lives_in_force(),
    )
    wished = (one for one in rows if one.sort_date <= end and one.state.rating != DISLIKED)
    return valued(reader, tuple(wished), end, term)


def groups_of(reader: Reader, found: Sequence[Gathered]) -> list[DigestGroup]:
    """Articles by the matter they tell of; one that is alone is a group too."""
    terms = cache(reader.importance_services().terms())
    events = reader.store.stories.stories_of([one.listed.id for one in found])
    offered = [
        TopicArticle(
            id=one.listed.id,
            title=one.text.title,
            text=one.text.text,
            language=one.text.language,
            importance=one.importance,
            tier=tier_of(one.text),
            published=one.listed.dated,
            terms=terms(one.text.title, one.text.text, one.text.language),
            joined=events.get(one.listed.id, -1),
        )
        for one in found
    ]
    grouped, alone = topics(offered, names=reader.importance_services().names)
    by_id = {one.listed.id: one for one in found}
    categories = categories_of(reader)
    own = {one.id: centre_of(one.terms) for one in offered}
    near, far = _parted(grouped, own)
    told = _corroborated(reader, grouped, by_id, events, terms)
    model = reader.embedder().model_id
    vectors = reader.store.articles.vectors(model, [one.id for one in offered])
    apart = events_apart(near, events, own, vectors, judge_of(model))
    made = [_group(one.label, one.articles, one.centre, told, apart, categories) for one in near]
    made += [_group("", (one,), own[one], by_id, events, categories) for one in (*alone, *far)]
    stories = sorted(set(events.values()))
    heads = reader.store.stories.story_heads(ids=stories, least=1, limit=len(stories))
    related = scale_of(model).related
    made = [part for one in made for part in by_subject(one, own, vectors, related)]
    return _of_threads(made, {int(one.id): one.thread for one in heads if one.thread})


def by_subject(
    group: DigestGroup,
    own: Mapping[ArticleId, Terms],
    vectors: Mapping[ArticleId, NDArray[np.float32]],
    related: float,
) -> list[DigestGroup]:
    """A group without other events of its lead's owner that may not follow the lead, and a group
    of each of these. `own` has the terms of each article."""

    def of(articles: Sequence[DigestArticle], label: str = "") -> DigestGroup:
        ids = [one.id for one in articles]
        return DigestGroup(
            key=str(min(ids)),
            label=label if len(ids) > 1 else "",
            lead=ids[0],
            articles=tuple(articles),
            terms=centre_of(sum((Counter(own[one]) for one in ids), Counter[str]())),
            vector=vectors.get(ids[0]),
            related=related,
        )

    several = len({one.event for one in group.articles}) > 1
    lead = lead_of(group.articles) if several else group.articles[0]
    first = of([lead])
    others = (one for one in group.articles if one.event != lead.event)
    away = [one for one in others if not may_follow(first, of([one]))]
    if not away:
        return [replace(group, vector=vectors.get(group.lead), related=related)]
    left = [one for one in group.articles if one not in away]
    return [of(left, group.label), *(of([one]) for one in away)]


def _parted(
    grouped: Sequence[Topic], own: Mapping[ArticleId, Terms]
) -> tuple[list[Topic], list[ArticleId]]:
    """Topics without what is far from their first article, and that."""
    near: list[Topic] = []
    far: list[ArticleId] = []
    for topic in grouped:
        # An article without terms is near to nothing, itself included.
        kept = [
            one
            for one in topic.articles
            if one == topic.lead or cosine(own[one], own[topic.lead]) >= NEAR
        ]
        rest = [one for one in topic.articles if one not in kept]
        if rest:
            terms = sum((Counter(own[one]) for one in kept), Counter[str]())
            label = topic.label if len(kept) > 1 else ""
            topic = replace(topic, articles=tuple(kept), centre=centre_of(terms), label=label)
        near.append(topic)
        far += rest
    return near, far


def events_apart(
    grouped: Sequence[Topic],
    stories: Mapping[ArticleId, StoryId],
    own: Mapping[ArticleId, Terms],
    vectors: Mapping[ArticleId, NDArray[np.float32]],
    judge: SameEvent,
) -> dict[ArticleId, int]:
    """The event of each article of some topics: stories may hold several.

    The event is the story where `judge` finds one event with the story's first article in the topic
    as likely as not. Other articles of the story have an event below 0, which they share by the
    same rule. Of 32 entries whose articles all pass it, reviewers found 30 well grouped, of 15
    others 3 (docs/work/quality.md).
    """

    def same_event(one: ArticleId, other: ArticleId) -> bool:
        terms = cosine(own[one], own[other])
        if one not in vectors or other not in vectors:
            return terms >= NEAR
        cosines = np.array([[float(vectors[one] @ vectors[other]), terms, 0.0]])
        return bool(judge.weighed(cosines, titles=False)[0] >= 0)

    found: dict[ArticleId, int] = {}
    for topic in grouped:
        begun: dict[int, list[ArticleId]] = {}  # the first article of each event, by story
        for one in topic.articles:
            story = stories.get(one, 0)
            firsts = begun.setdefault(story, [])
            first = next((it for it in firsts if same_event(one, it)), one)
            if first == one:
                firsts.append(one)
            found[one] = story if first == firsts[0] else -first
    return found


def _of_threads(groups: Sequence[DigestGroup], threads: Mapping[int, int]) -> list[DigestGroup]:
    """Groups with those of one thread merged, if they are on one subject. Without that condition
    one thread merged 62 articles about New Zealand. `threads` has the thread of each story."""
    found: list[DigestGroup] = []
    first: dict[int, int] = {}  # the place of the most important group of each thread
    for one in sorted(groups, key=lambda one: (-importance_of(one), one.key)):
        thread = threads.get(one.articles[0].event, 0)
        place = first.setdefault(thread, len(found)) if thread else len(found)
        if place < len(found) and same_subject(found[place], one) and may_follow(found[place], one):
            joined = (*found[place].articles, *one.articles)
            found[place] = replace(found[place], articles=joined)
        else:
            found.append(one)
    return found


def _corroborated(
    reader: Reader,
    grouped: Sequence[Topic],
    found: Mapping[ArticleId, Gathered],
    events: Mapping[ArticleId, StoryId],
    terms: TermsOf,
) -> dict[ArticleId, Gathered]:
    """With the importance that articles have by what others of their story, or topic, tell.

    An article's own corroboration counts those that tell of its event in like words; a story's
    sources tell of it too. Many unknown sources count as one, for anybody can have many.
    """
    services = reader.importance_services()
    weights = services.weights
    interests, _name = services.interests(reader.user)
    own = reader.store.sources.own_tiers(reader.user)
    everyone = reader.store.articles.importance(
        [article for one in grouped for article in one.articles]
    )
    raised: dict[ArticleId, Gathered] = {}
    of_event: dict[tuple[int, int], list[ArticleId]] = {}
    for place, one in enumerate(grouped):
        for article in one.articles:
            of_event.setdefault((place, events.get(article, 0)), []).append(article)
    for those in of_event.values():
        together = _owners(found[article].text for article in those)
        for article in those:
            whole = found[article]
            if article in everyone:
                facts = facts_of(whole.text, everyone[article], interests, terms, own)
                more = replace(facts, sources=max(facts.sources, together))
                gained = lasting_points(more, weights) - lasting_points(facts, weights)
                whole = replace(whole, importance=min(whole.importance + gained, 100.0))
            raised[article] = whole
    return raised


def _owners(texts: Iterable[ArticleText]) -> int:
    """How many owners the sources of some articles have; all that nothing vouches for are one."""
    sources = {credited_source(one.source, one.feed_url) for one in texts}
    return len({owner_of(one) if vouched(one) else "" for one in sources})


def _group(
    label: str,
    ids: Sequence[ArticleId],
    terms: Mapping[str, float],
    found: Mapping[ArticleId, Gathered],
    events: Mapping[ArticleId, int],
    categories: Mapping[FeedId, str],
) -> DigestGroup:
    return DigestGroup(
        key=str(min(ids)),
        label=label,
        lead=ids[0],
        articles=tuple(article_of(found[one], categories, events.get(one, 0)) for one in ids),
        terms=terms,
    )
