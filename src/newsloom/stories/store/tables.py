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
from newsloom.kernel.db.schema import count, metadata, ref, text_column

# Narratives over weeks, each of one story or more. Never deleted, as stories are not.
threads = Table(
    "threads",
    metadata,
    Column("id", Id, primary_key=True),
    Column("began", Moment, nullable=False),  # the dates of its first and its last article
    Column("latest", Moment, nullable=False),
    text_column("kind"),  # one of ThreadKind; "" while it is too small to tell
    count("size"),  # stories
    Column("merged_into", Id, ForeignKey("threads.id")),
    Index(None, "latest", "id"),
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
    text_column("title"),
    text_column("title_by"),
    text_column("summary"),
    text_column("summary_by"),
    Column("worded", Integer, nullable=False, server_default="0"),  # its size when it was worded
    # As `worded`, of the words that a language model has answered for, taken or not.
    Column("answered", Integer, nullable=False, server_default="0"),
    Column("thread_id", Id, ForeignKey("threads.id")),
    text_column("thread_by"),  # who put it there, as `decided_by` of a member
    Column("threaded_at", Moment),  # when its thread was last thought of
    Column("archived_at", Moment),
    Column("revived_at", Moment),
    Column("merged_into", Id, ForeignKey("stories.id")),
    Index(None, "latest", "id"),
    Index(None, "state", "latest"),
    Index(None, "thread_id"),
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
    text_column("reason"),
    Column("confidence", Float, nullable=False),
    text_column("relation"),
    text_column("judge"),
    text_column("prompt"),
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
    # Where the reader stands so to a thread that the story is of, not to the story itself.
    Column("thread_id", Id, ForeignKey("threads.id")),
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
    text_column("answered_by"),
    Column("agreed", Boolean),
    Column("begins", Boolean),  # of a control: whether it is clear that the article is of no story
    Index(None, "answered_by", "control", "article_id"),
)

# What of a story is compared with other stories. Made of its articles, and made again when missing.
event_terms = Table(
    "event_terms",
    metadata,
    ref("story_id", "stories.id", primary_key=True),
    Column("terms", LargeBinary, nullable=False),  # stories/events.py packs them
    sqlite_with_rowid=False,
)

# How a reader stands to a thread: 1 follows it, -1 has muted it.
thread_readers = Table(
    "thread_readers",
    metadata,
    ref("user_id", "users.id", primary_key=True),
    ref("thread_id", "threads.id", primary_key=True, index=True),
    Column("stand", SmallInteger, nullable=False),
    Column("stand_at", Moment, nullable=False),
    sqlite_with_rowid=False,
)

# The audit of threads, as story_decisions is that of stories.
thread_decisions = Table(
    "thread_decisions",
    metadata,
    Column("id", Id, primary_key=True),
    Column("at", Moment, nullable=False),
    Column("choice", Text, nullable=False),
    ref("story_id", "stories.id"),
    ref("thread_id", "threads.id"),
    Column("other_id", Id, ForeignKey("threads.id")),  # that it left
    Column("candidates", Json()),  # [[thread, link, score of the nearest story], ...]
    text_column("reason"),
    text_column("judge"),
    Column("confidence", Float, nullable=False, server_default="0"),
    text_column("relation"),
    text_column("prompt"),
    Index(None, "story_id", "id"),
    Index(None, "thread_id", "id"),
)

# Each story that a reader moved, and from where. Rows of one act are undone together.
thread_corrections = Table(
    "thread_corrections",
    metadata,
    Column("id", Id, primary_key=True),
    Column("act", Id, nullable=False),
    ref("user_id", "users.id"),
    Column("at", Moment, nullable=False),
    Column("kind", Text, nullable=False),
    ref("story_id", "stories.id"),
    ref("thread_id", "threads.id"),
    ref("before_id", "threads.id"),
    text_column("before_by"),
    Column("undone_at", Moment),
    Index(None, "act"),
    Index(None, "user_id", "act"),
    Index(None, "thread_id"),
)

# What a language model is to be asked about threads, and what it said; as story_questions.
thread_questions = Table(
    "thread_questions",
    metadata,
    Column("story_id", Id, ForeignKey("stories.id"), primary_key=True),
    Column("control", Boolean, nullable=False, server_default=false()),
    Column("asked_at", Moment, nullable=False),
    Column("offered", Json()),  # as candidates of a decision
    text_column("answered_by"),
    Column("agreed", Boolean),
    Column("begins", Boolean),  # whether the story was of no other thread
    Index(None, "answered_by", "control", "story_id"),
)
