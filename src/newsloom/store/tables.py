"""All tables as they are now. An empty database is made from them.

Feeds and articles are shared by all users; subscriptions, states, events, labels, scores and
models belong to one. Every derived row names its maker (a model or a stage with its version), so
what is left to do is a join, and a new version recomputes exactly its own results.
"""

# ruff: noqa: F401

from __future__ import annotations

import newsloom.accounts.store.tables
import newsloom.articles.store.reader_tables
import newsloom.articles.store.tables
import newsloom.bridges.store.tables
import newsloom.briefs.store.tables
import newsloom.coverage.store.tables
import newsloom.digests.store.tables
import newsloom.duplicates.store.tables
import newsloom.engines.jobs.store.store
import newsloom.feeds.store.tables
import newsloom.importance.store.tables
import newsloom.kernel.db.producers
import newsloom.llm.store.tables
import newsloom.ranking.store.tables
import newsloom.reading.store.annotations.tables
import newsloom.retention.store.tables
import newsloom.rules.store.tables
import newsloom.serving.store.tables
import newsloom.sharing.store.tables
import newsloom.stories.store.tables
import newsloom.work.store.tables
from newsloom.kernel.db.schema import metadata

__all__ = ["metadata"]
