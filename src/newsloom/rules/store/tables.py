"""Tables of readers' rules: the rules, what they are still to look at, and what they did."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    SmallInteger,
    Table,
    false,
)

from newsloom.kernel.db.columns import Id, Json, Moment
from newsloom.kernel.db.schema import metadata, ref, text_column

rules = Table(
    "rules",
    metadata,
    Column("id", Id, primary_key=True),
    ref("user_id", "users.id", index=True),
    Column("place", Integer, nullable=False),  # in the reader's order
    text_column("name"),
    Column("enabled", Boolean, nullable=False),
    Column("body", Json(), nullable=False),  # as rules/written.py has it
    Column("since", Moment, nullable=False),  # when it was made or changed
)

# One row of each reader who ever had rules. The version counts every change of them.
rule_sets = Table(
    "rule_sets",
    metadata,
    ref("user_id", "users.id", primary_key=True),
    Column("version", Id, nullable=False),
    Column("active", Boolean, nullable=False),  # whether any is on
    sqlite_with_rowid=False,
)

# Articles that the rules of a reader are to look at: new ones, and what there was when the rules
# changed. An outcome of an earlier version than stands here is not kept.
rule_queue = Table(
    "rule_queue",
    metadata,
    ref("user_id", "users.id", primary_key=True),
    ref("article_id", "articles.id", primary_key=True),
    Column("version", Id, nullable=False),
    sqlite_with_rowid=False,
)

# What rules did to an article of a reader, so that it can be told and taken back. Most have none.
rule_effects = Table(
    "rule_effects",
    metadata,
    ref("user_id", "users.id", primary_key=True),
    ref("article_id", "articles.id", primary_key=True),
    Column("points", SmallInteger, nullable=False, server_default="0"),
    Column("raised", Boolean, nullable=False, server_default=false()),
    Column("base", Float),  # its relevance without the points; NULL: unscored
    Column("read", Boolean, nullable=False, server_default=false()),
    Column("starred", Boolean, nullable=False, server_default=false()),
    Column("tags", Json()),  # names that were not there before
    Column("notified", Boolean, nullable=False, server_default=false()),
    Column("spared", Boolean, nullable=False, server_default=false()),  # never muted again
    Column("did", Json()),  # as rules/written.py has it
    Column("at", Moment, nullable=False),  # when anything was first done
    sqlite_with_rowid=False,
)

# States that a rule took out of the reader's lists, as they were: always unread, unstarred and
# unrated ones.
muted_articles = Table(
    "muted_articles",
    metadata,
    ref("user_id", "users.id", primary_key=True),
    ref("article_id", "articles.id", primary_key=True),
    Column("rule_id", Id, nullable=False),  # the rule may be gone
    text_column("rule_name"),  # as it was then
    Column("muted_at", Moment, nullable=False),
    Column("feed_id", Id, nullable=False),  # and so on: as in `states`
    Column("dated_at", Moment, nullable=False),
    Column("sensitivity", SmallInteger, nullable=False),
    Column("relevance", Float),
    Column("rank_key", BigInteger, nullable=False),
    text_column("language"),
    sqlite_with_rowid=False,
)
Index(
    "ix_muted_articles_newest",
    muted_articles.c.user_id,
    muted_articles.c.dated_at.desc(),
    muted_articles.c.article_id.desc(),
)

# What rules say to tell of, until it is in a message.
rule_news = Table(
    "rule_news",
    metadata,
    ref("user_id", "users.id", primary_key=True),
    ref("article_id", "articles.id", primary_key=True),
    text_column("rule_name"),
    Column("at", Moment, nullable=False),
    sqlite_with_rowid=False,
)
