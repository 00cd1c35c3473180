"""Tables of related coverage: who wants it, what is searched for, what was found and fetched, and
every decision."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
)

from newsloom.kernel.db.columns import Id, Json, Moment
from newsloom.kernel.db.schema import count, metadata, ref, text_column

# Readers who switched it on, or off again; for whom there is no row it is off.
coverage_readers = Table(
    "coverage_readers",
    metadata,
    ref("user_id", "users.id", primary_key=True),
    Column("wanted", Boolean, nullable=False),
    Column("at", Moment, nullable=False),
    sqlite_with_rowid=False,
)

# Articles that were chosen.
coverage_searches = Table(
    "coverage_searches",
    metadata,
    ref("article_id", "articles.id", primary_key=True, autoincrement=False),
    ref("user_id", "users.id"),
    Column("because", Text, nullable=False),
    Column("chosen_at", Moment, nullable=False),
    Column("state", Text, nullable=False),
    Column("next_at", Moment, nullable=False),  # not gone on with before
    Column("prepared", Json()),  # queries, entities, keywords, tickers
    text_column("prepared_by"),
    count("tries"),
    text_column("problem"),
    Index(None, "state", "next_at"),
    Index(None, "user_id", "chosen_at"),
    sqlite_with_rowid=False,
)

# What search services were asked and answered; the last hour of it bounds the next.
coverage_answers = Table(
    "coverage_answers",
    metadata,
    Column("id", Id, primary_key=True),
    Column("key", Text, nullable=False),
    Column("provider", Text, nullable=False),
    Column("at", Moment, nullable=False, index=True),
    Column("hits", Json()),  # NULL: it did not answer
    text_column("problem"),
    Index(None, "key", "at"),
)

# Pages that were asked for. One may report what several articles report.
coverage_pages = Table(
    "coverage_pages",
    metadata,
    Column("id", Id, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    Column("url", Text, nullable=False),
    text_column("address"),
    text_column("title"),
    Column("at", Moment, nullable=False),
    count("tries"),
    Column("next_at", Moment),
    text_column("failure"),
    text_column("problem"),
    text_column("body"),
)

# Hits, each once for each article.
coverage_candidates = Table(
    "coverage_candidates",
    metadata,
    Column("id", Id, primary_key=True),
    ref("article_id", "coverage_searches.article_id"),
    Column("key", Text, nullable=False),  # of title and source
    Column("link_key", Text, nullable=False),
    Column("link", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("source", Text, nullable=False),
    text_column("source_url"),
    Column("published_at", Moment),
    Column("provider", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("at", Moment, nullable=False),  # of the state
    Column("similarity", Float),
    Column("place", SmallInteger),
    Column("likeness", Float),  # of the texts
    text_column("url"),
    text_column("domain"),
    Column("page_id", Id, ForeignKey("coverage_pages.id"), index=True),
    text_column("problem"),
    UniqueConstraint("article_id", "key"),
    UniqueConstraint("article_id", "link_key"),
    Index(None, "state", "at"),
)

# Every decision, and what it rested on. A new model or prompt adds its own.
coverage_judgements = Table(
    "coverage_judgements",
    metadata,
    Column("id", Id, primary_key=True),
    ref("candidate_id", "coverage_candidates.id"),
    Column("at", Moment, nullable=False),
    Column("gate", Text, nullable=False),
    Column("maker", Text, nullable=False),
    Column("similarity", Float, nullable=False),
    Column("score", Float, nullable=False),
    Column("same_event", Boolean, nullable=False),
    Column("confidence", Float, nullable=False),
    Column("quality", SmallInteger, nullable=False),
    Column("abstained", Boolean, nullable=False),
    Column("accepted", Boolean, nullable=False),
    text_column("reason"),
    UniqueConstraint("candidate_id", "maker"),
)

# Hits of which a reader said that they are not the same.
coverage_rejections = Table(
    "coverage_rejections",
    metadata,
    ref("user_id", "users.id", primary_key=True),
    ref("candidate_id", "coverage_candidates.id", primary_key=True),
    Column("at", Moment, nullable=False),
    sqlite_with_rowid=False,
)

# Vectors of hits' headlines, in half precision. The maker names weights and composition.
coverage_vectors = Table(
    "coverage_vectors",
    metadata,
    Column("maker_id", Id, primary_key=True, autoincrement=False),
    Column("key", Text, primary_key=True),
    Column("at", Moment, nullable=False, index=True),
    Column("vector", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)


# Counts of an hour, added to in place: two processes that record at once lose nothing, what was
# recorded can be counted again with other settings, and a busy domain has few rows. Pruned by age.
domain_outcomes = Table(
    "domain_outcomes",
    metadata,
    Column("domain", Text, primary_key=True),
    Column("at", Moment, primary_key=True, autoincrement=False),  # the beginning of the hour
    Column("kind", Text, primary_key=True),  # of FailureKind; empty: a success
    Column("times", Integer, nullable=False),
    Column("judged", Float, nullable=False),  # sum of the judge's scores
    count("scored"),
    sqlite_with_rowid=False,
)

# The last block of a domain: a decision that stays, whatever is pruned above.
domain_blocks = Table(
    "domain_blocks",
    metadata,
    Column("domain", Text, primary_key=True),
    Column("since", Moment, nullable=False),
    Column("until", Moment, nullable=False),
    Column("times", Integer, nullable=False),
    Column("lifted_at", Moment),
    sqlite_with_rowid=False,
)

# A rule may be of a name below what somebody registered.
domain_rules = Table(
    "domain_rules",
    metadata,
    Column("domain", Text, primary_key=True),
    Column("rule", Text, nullable=False),
    Column("set_at", Moment, nullable=False),
    sqlite_with_rowid=False,
)

# How often a domain was among the results of searches, by day.
domain_hits = Table(
    "domain_hits",
    metadata,
    Column("domain", Text, primary_key=True),
    Column("at", Moment, primary_key=True, autoincrement=False),  # the beginning of the day
    Column("times", Integer, nullable=False),
    sqlite_with_rowid=False,
)
