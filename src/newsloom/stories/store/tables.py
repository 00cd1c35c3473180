"""The tables of stories."""

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
    false,
)

from newsloom.kernel.db.columns import Id, Json, Moment
from newsloom.kernel.db.schema import count, metadata, ref, words

# What several stories are parts of. Found anew each day; one that is much the same keeps its row.
story_parents = Table(
    "story_parents",
    metadata,
    Column("id", Id, primary_key=True),
    words("title"),
    Column("made_at", Moment, nullable=False),
    Column("latest", Moment, nullable=False),
)

# Never deleted, so that a number is never given twice: one that went into another says where, and
# has no members.
stories = Table(
    "stories",
    metadata,
    Column("id", Id, primary_key=True),
    Column("state", Text, nullable=False),
    Column("began", Moment, nullable=False),  # the dates of its first and its last article
    Column("latest", Moment, nullable=False),
    count("size"),
    words("title"),
    words("title_by"),
    words("summary"),
    words("summary_by"),
    Column("worded", Integer, nullable=False, server_default="0"),  # its size when it was worded
    # As `worded`, of the words that a language model has answered for, taken or not.
    Column("answered", Integer, nullable=False, server_default="0"),
    Column("parent_id", Id, ForeignKey("story_parents.id")),
    Column("archived_at", Moment),
    Column("revived_at", Moment),
    Column("merged_into", Id, ForeignKey("stories.id")),
    Index(None, "latest", "id"),
    Index(None, "state", "latest"),
    Index(None, "parent_id"),
)

# One row for each original that was judged. Maker 0: its text has changed since.
story_members = Table(
    "story_members",
    metadata,
    Column("article_id", Id, ForeignKey("articles.id"), primary_key=True),
    Column("maker_id", Id, nullable=False),
    ref("story_id", "stories.id"),
    Column("dated_at", Moment, nullable=False),  # as in articles
    Column("since", Moment, nullable=False),
    Column("probability", Float, nullable=False),
    Column("decided_by", Text, nullable=False),
    Column("relation", Text, nullable=False),
    Index(None, "story_id", "dated_at", "article_id"),
    Index(None, "maker_id", "article_id"),
)

# A sum and a count, not a mean: what leaves can be taken out again, and early members weigh no more
# than late ones (seed 002 renormalised a running mean, see docs/work/decisions/stories.md).
story_centroids = Table(
    "story_centroids",
    metadata,
    ref("story_id", "stories.id", primary_key=True),
    ref("maker_id", "makers.id", primary_key=True),  # of the vectors
    Column("size", Integer, nullable=False),
    Column("total", LargeBinary, nullable=False),  # float32, little-endian
    sqlite_with_rowid=False,
)

story_decisions = Table(
    "story_decisions",
    metadata,
    Column("id", Id, primary_key=True),
    Column("at", Moment, nullable=False),
    Column("choice", Text, nullable=False),
    Column("article_id", Id, ForeignKey("articles.id")),
    Column("story_id", Id, ForeignKey("stories.id")),
    Column("other_id", Id, ForeignKey("stories.id")),
    Column("candidates", Json()),  # [[story, title, probability, cosine], ...]
    words("reason"),
    Column("confidence", Float, nullable=False),
    words("relation"),
    words("judge"),
    words("prompt"),
    Index(None, "article_id", "id"),
    Index(None, "story_id", "id"),
    Index(None, "other_id", "id"),
)

story_corrections = Table(
    "story_corrections",
    metadata,
    Column("id", Id, primary_key=True),
    ref("user_id", "users.id"),
    Column("at", Moment, nullable=False),
    Column("kind", Text, nullable=False),
    Column("story_id", Id, ForeignKey("stories.id"), nullable=False),
    Column("article_id", Id, ForeignKey("articles.id")),
    Column("other_id", Id, ForeignKey("stories.id")),
    Index(None, "article_id"),
    Index(None, "story_id"),
    Index(None, "user_id"),
)

# How a reader stands to a story: 1 follows it, -1 has muted it, 0 has only looked.
story_readers = Table(
    "story_readers",
    metadata,
    ref("user_id", "users.id", primary_key=True),
    ref("story_id", "stories.id", primary_key=True, index=True),
    Column("stand", SmallInteger, nullable=False, server_default="0"),
    Column("looked_at", Moment),
    Column("stand_at", Moment),  # since when they stand so; NULL: before that was kept
    sqlite_with_rowid=False,
)

# What a language model is to be asked, and what it said to clear cases.
story_questions = Table(
    "story_questions",
    metadata,
    Column("article_id", Id, ForeignKey("articles.id"), primary_key=True),
    Column("control", Boolean, nullable=False, server_default=false()),
    Column("asked_at", Moment, nullable=False),
    Column("offered", Json()),  # as candidates of a decision
    words("answered_by"),
    Column("agreed", Boolean),
    Column("begins", Boolean),  # of a control: whether it is clear that the article is of no story
    Index(None, "answered_by", "control", "article_id"),
)
