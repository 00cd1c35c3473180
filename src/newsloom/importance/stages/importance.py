"""The stages of importance: what an article is for everyone, and for each reader.

What ages is in no stored value, so nothing here is done again because time passed.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from newsloom.articles.stuffing import stuffed
from newsloom.duplicates.independence import independent
from newsloom.importance.score import (
    LENGTH,
    NO_BLEND,
    WEIGHTS,
    Blend,
    SignalFacts,
    Weights,
    corroboration,
    depth,
    lasting_points,
    shape,
    topic,
)
from newsloom.importance.sources import authority, source_of
from newsloom.importance.sources.speaking import (
    MOST_BORROWED,
    borrowed,
    credited_source,
    is_own,
    speaker_of,
    vouched,
)
from newsloom.importance.sources.table import row_of
from newsloom.importance.values import (
    ArticleImportance,
    Authority,
    ImportanceFacts,
    ReaderPoints,
    SourceFacts,
)
from newsloom.kernel.db.columns import micros
from newsloom.kernel.http.ports import Fetcher
from newsloom.kernel.ids import UserId
from newsloom.ranking.ports import RelevanceModel
from newsloom.ranking.scoring.interests import Interests
from newsloom.ranking.values.models import ArticleText
from newsloom.store import Store
from newsloom.work.service import Keep, Leases
from newsloom.work.values import Lease, StageKey

# 1: first; with the shipped table of sources. 2: a feed that links to others does not speak for
# them; stuffed texts are about nothing. 3: what cannot be known counts as what is known does;
# excerpts have the depth of the usual one.
SIGNALS_VERSION = "importance@3"
BATCH = 500

# A change of interests weighs anew what is younger. Older articles keep what they had: recency has
# taken them out of what a digest or the top of a list can show.
RECENT = timedelta(days=14)

NO_FACTS = SourceFacts()

TermsOf = Callable[[str, str, str], Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class ImportanceContext:
    """What the stages of importance work with."""

    store: Store
    users: Callable[[], list[UserId]]
    interests: Callable[[UserId], tuple[Interests, str]]  # in force, and their name
    terms: Callable[[], TermsOf]
    now: Callable[[], datetime]
    weights: Weights = field(default_factory=lambda: WEIGHTS)
    blend: Blend = NO_BLEND
    first_blend: Blend = NO_BLEND  # until a model of the reader's own ranks

    def blend_with(self, model: RelevanceModel) -> Blend:
        """How much importance counts beside what that model says."""
        return self.blend if model.personal else self.first_blend


def signals(context: ImportanceContext, leases: Leases) -> int:
    """A batch of what is the same for everyone: how many articles."""
    store = context.store

    def compute(lease: Lease) -> Keep | None:
        batch, articles = store.articles.leased_importance(lease, BATCH)
        if not articles:
            return None
        facts = store.sources.source_facts({one.source for one in articles})
        found = [
            _signals(one, authority(one.source, facts.get(source_of(one.source), NO_FACTS)))
            for one in articles
        ]
        return lambda until: store.articles.put_importance(
            SIGNALS_VERSION, found, batch=batch, until=until
        )

    return leases.work(StageKey("importance", SIGNALS_VERSION), BATCH, compute)


def points(
    context: ImportanceContext, leases: Leases, model_of: Callable[[UserId], RelevanceModel]
) -> int:
    """A batch of every reader's points: how many articles."""
    sole = context.store.articles.sole_producers("interest")
    return sum(
        _points_of(
            context,
            leases,
            user,
            sole.get(user, ""),
            rescore=context.blend_with(model_of(user)).share > 0,
        )
        for user in context.users()
    )


def _points_of(
    context: ImportanceContext, leases: Leases, user: UserId, sole: str, *, rescore: bool
) -> int:
    store, terms = context.store, context.terms()
    interests, name = context.interests(user)
    own = store.sources.own_tiers(user)
    # Names all that a reader's points depend on; time is not among it.
    body = repr((sorted(own.items()), sorted(context.weights.items()))).encode()
    version = f"{SIGNALS_VERSION} {name} {hashlib.blake2b(body, digest_size=4).hexdigest()}"
    if version == sole:
        return 0
    midnight = context.now().replace(hour=0, minute=0, second=0, microsecond=0)
    inputs = (SIGNALS_VERSION, str(micros(midnight - RECENT)))

    def compute(lease: Lease) -> Keep | None:
        batch, found = store.articles.leased_points(lease, BATCH)
        if not found:
            return None
        made = [
            reader_points(text, everyone, interests, terms, own, context.weights)
            for text, everyone in found
        ]
        return lambda until: store.articles.put_points(
            user,
            version,
            made,
            rescore=rescore,
            batch=batch,
            until=until,
        )

    return leases.work(StageKey("interest", version, inputs, user), BATCH, compute)


def facts_of(
    text: ArticleText,
    everyone: ArticleImportance,
    interests: Interests,
    terms: TermsOf,
    own: Mapping[str, int],
) -> SignalFacts:
    """What a reader's importance of an article is made of, but for its age."""
    nearness = nearness_of(text, interests, terms)
    believed = everyone.authority
    if own and not borrowed(text.source, believed):
        told = authority(text.source, NO_FACTS, own)
        believed = told.score if told.origin == "reader" else believed
    return SignalFacts(
        authority=believed,
        sources=everyone.sources,
        nearness=nearness,
        depth=everyone.depth,
        vouched=speaks_for_itself(text),
    )


def speaks_for_itself(text: ArticleText) -> bool:
    """Whether it is known who is behind its source, and its feed may speak for that."""
    return vouched(text.source) and credited_source(text.source, text.feed_url) == text.source


def nearness_of(text: ArticleText, interests: Interests, terms: TermsOf) -> float:
    """How near it is to what a reader follows; a text that only repeats words is near nothing."""
    near = interests.nearness(terms(text.title, text.text, text.language))
    return 0.0 if near and stuffed(text.title, text.text, text.language) else near


def reader_points(
    text: ArticleText,
    everyone: ArticleImportance,
    interests: Interests,
    terms: TermsOf,
    own: Mapping[str, int],
    weights: Weights,
) -> ReaderPoints:
    """What lasts of a reader's importance of an article."""
    facts = facts_of(text, everyone, interests, terms, own)
    return ReaderPoints(text.id, topic(facts.nearness), lasting_points(facts, weights))


def _signals(article: ImportanceFacts, believed: Authority) -> ArticleImportance:
    row, own = row_of(article.source), is_own(article.source, article.feeds)
    sources = max(independent(map(speaker_of, article.witnesses)), 1)
    counted = shape(article.html, article.text, article.source)
    deep = depth(counted, row.kind if row else None)
    return ArticleImportance(
        article_id=article.id,
        authority=believed.score if own else min(believed.score, MOST_BORROWED),
        corroboration=corroboration(sources),
        depth=deep if own and vouched(article.source) else min(deep, LENGTH),
        sources=sources,
    )


EVERY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class MeasuredSources:
    """A side task: measures all sources when the last time is a day ago."""

    store: Store
    now: Callable[[], datetime]

    async def run(self, _fetcher: Fetcher) -> int:
        """How many sources were measured."""
        return await asyncio.to_thread(self.measure_due)

    def measure_due(self) -> int:
        """Measure, if it is due; a clock that was set back lets nothing wait for ever."""
        now = self.now()
        last = self.store.sources.sources_measured_at()
        if last is not None and timedelta(0) <= now - last < EVERY:
            return 0
        return self.store.sources.measure_sources(now)
