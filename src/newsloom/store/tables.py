"""All tables as they are now. An empty database is made from them.

Feeds and articles are shared by all users; subscriptions, states, events, labels, scores and
models belong to one. Every derived row names its maker (a model or a stage with its version), so
what is left to do is a join, and a new version recomputes exactly its own results.
"""

from __future__ import annotations

from newsloom.accounts.store.tables import (
    accounts,
    app_passwords,
    invitations,
    sessions,
    sign_in_failures,
    sign_ins,
)
from newsloom.accounts.store.users.tables import users
from newsloom.articles.store.reader_tables import (
    TEACHING,
    categories,
    events,
    interest_edits,
    left_feeds,
    left_states,
    sent_marks,
    states,
    subscriptions,
)
from newsloom.articles.store.tables import (
    articles,
    embeddings,
    importances,
    judgements,
    ratings,
    revisions,
    term_background,
    texts,
)
from newsloom.bridges.store.tables import (
    bridge_accounts,
    bridge_entries,
    bridge_feeds,
    bridge_writes,
)
from newsloom.briefs.store.tables import (
    brief_places,
    brief_schedules,
    brief_sendings,
    brief_targets,
    briefs,
    pronunciations,
)
from newsloom.coverage.store.quality.tables import (
    domain_blocks,
    domain_hits,
    domain_outcomes,
    domain_rules,
)
from newsloom.coverage.store.tables import (
    coverage_answers,
    coverage_candidates,
    coverage_judgements,
    coverage_pages,
    coverage_readers,
    coverage_rejections,
    coverage_searches,
    coverage_vectors,
)
from newsloom.digests.store.tables import (
    digest_schedules,
    digest_sendings,
    digest_targets,
    digests,
    feed_addresses,
)
from newsloom.duplicates.store.tables import (
    clusters,
    dedup_keys,
    entities,
    fresh_keys,
    links,
    same_event_marks,
    separations,
    signatures,
)
from newsloom.engines.jobs.store.tables import history_jobs
from newsloom.feeds.store.push_tables import deliveries, pushes
from newsloom.feeds.store.sites.tables import icons, pages, pauses, robots
from newsloom.feeds.store.tables import feeds, holds, moves, polls, redirects, verdicts
from newsloom.importance.store.tables import source_facts, source_feeds, source_tiers
from newsloom.kernel.db.producers import producers
from newsloom.kernel.db.schema import metadata
from newsloom.llm.store.tables import (
    model_calls,
    services,
    spending,
)
from newsloom.ranking.store.tables import (
    encoder_switches,
    evaluations,
    forgettings,
    interests,
    models,
)
from newsloom.reading.store.annotations.tables import article_notes, article_tags, highlights
from newsloom.retention.store.tables import aged_articles, prunings
from newsloom.rules.store.tables import (
    muted_articles,
    rule_effects,
    rule_news,
    rule_queue,
    rule_sets,
    rules,
)
from newsloom.serving.store.tables import activities, serves
from newsloom.sharing.store.tables import share_services, shares
from newsloom.stories.store.tables import (
    event_terms,
    stories,
    story_centroids,
    story_corrections,
    story_decisions,
    story_members,
    story_questions,
    story_readers,
    thread_corrections,
    thread_decisions,
    thread_questions,
    thread_readers,
    threads,
)
from newsloom.work.store.tables import work_batches, work_failures

__all__ = [
    "TEACHING",
    "accounts",
    "activities",
    "aged_articles",
    "app_passwords",
    "article_notes",
    "article_tags",
    "articles",
    "bridge_accounts",
    "bridge_entries",
    "bridge_feeds",
    "bridge_writes",
    "brief_places",
    "brief_schedules",
    "brief_sendings",
    "brief_targets",
    "briefs",
    "categories",
    "clusters",
    "coverage_answers",
    "coverage_candidates",
    "coverage_judgements",
    "coverage_pages",
    "coverage_readers",
    "coverage_rejections",
    "coverage_searches",
    "coverage_vectors",
    "dedup_keys",
    "deliveries",
    "digest_schedules",
    "digest_sendings",
    "digest_targets",
    "digests",
    "domain_blocks",
    "domain_hits",
    "domain_outcomes",
    "domain_rules",
    "embeddings",
    "encoder_switches",
    "entities",
    "evaluations",
    "event_terms",
    "events",
    "feed_addresses",
    "feeds",
    "forgettings",
    "fresh_keys",
    "highlights",
    "history_jobs",
    "holds",
    "icons",
    "importances",
    "interest_edits",
    "interests",
    "invitations",
    "judgements",
    "left_feeds",
    "left_states",
    "links",
    "metadata",
    "model_calls",
    "models",
    "moves",
    "muted_articles",
    "pages",
    "pauses",
    "polls",
    "producers",
    "pronunciations",
    "prunings",
    "pushes",
    "ratings",
    "redirects",
    "revisions",
    "robots",
    "rule_effects",
    "rule_news",
    "rule_queue",
    "rule_sets",
    "rules",
    "same_event_marks",
    "sent_marks",
    "separations",
    "serves",
    "services",
    "sessions",
    "share_services",
    "shares",
    "sign_in_failures",
    "sign_ins",
    "signatures",
    "source_facts",
    "source_feeds",
    "source_tiers",
    "spending",
    "states",
    "stories",
    "story_centroids",
    "story_corrections",
    "story_decisions",
    "story_members",
    "story_questions",
    "story_readers",
    "subscriptions",
    "term_background",
    "texts",
    "thread_corrections",
    "thread_decisions",
    "thread_questions",
    "thread_readers",
    "threads",
    "users",
    "verdicts",
    "work_batches",
    "work_failures",
]
