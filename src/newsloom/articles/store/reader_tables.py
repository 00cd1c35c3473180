"""Tables of one reader's feeds, articles and marks."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    SmallInteger,
    Table,
    Text,
    false,
    text,
)

from newsloom.kernel.db.columns import Id, Moment
from newsloom.kernel.db.schema import count, metadata, ref, some_rows, text_column

subscriptions = Table(
    "subscriptions",
    metadata,
    ref("user_id", "users.id", primary_key=True),
    ref("feed_id", "feeds.id", primary_key=True, index=True),
    text_column("title"),
    text_column("category"),
    Column("since", Moment, nullable=False),
    count("position"),  # in its category, as the reader put it; 0: nowhere of its own
    sqlite_with_rowid=False,
)

# Categories that the reader made or put in an order; others are only named by subscriptions.
categories = Table(
    "categories",
    metadata,
    ref("user_id", "users.id", primary_key=True, autoincrement=False),
    Column("name", Text, primary_key=True),
    count("position"),  # 0: nowhere of its own
    sqlite_with_rowid=False,
)

# Feeds that a reader left lately, as they were, and what was unread of them: leaving can be taken
# back. `newest_id` is the last article there was.
left_feeds = Table(
    "left_feeds",
    metadata,
    ref("user_id", "users.id", primary_key=True),
    ref("feed_id", "feeds.id", primary_key=True),
    text_column("title"),
    text_column("category"),
    Column("since", Moment, nullable=False),
    Column("left_at", Moment, nullable=False),
    Column("newest_id", Id, nullable=False),
    count("position"),
    sqlite_with_rowid=False,
)

left_states = Table(
    "left_states",
    metadata,
    ref("user_id", "users.id", primary_key=True),
    Column("left_id", Id, primary_key=True),  # the feed whose leaving took it away
    ref("article_id", "articles.id", primary_key=True),
    Column("feed_id", Id, nullable=False),  # and so on: as in `states`
    Column("dated_at", Moment, nullable=False),
    Column("sensitivity", SmallInteger, nullable=False),
    Column("relevance", Float),
    Column("rank_key", BigInteger, nullable=False),
    Column("scored_by", Id, nullable=False),
    text_column("language"),
    sqlite_with_rowid=False,
)

# What one reader made of one original, and where it stands for them. Unscored: sensitivity 0,
# relevance NULL, scored_by 0. `rank_key` is in units of 2^-40 of a halving; see lists/rank_key.py.
states = Table(
    "states",
    metadata,
    ref("user_id", "users.id", primary_key=True),
    ref("article_id", "articles.id", primary_key=True, index=True),
    ref("feed_id", "feeds.id"),  # the original's
    Column("dated_at", Moment, nullable=False),
    Column("read", Boolean, nullable=False, server_default=false()),
    Column("starred", Boolean, nullable=False, server_default=false()),
    Column("rating", SmallInteger, nullable=False, server_default="0"),
    Column("sensitivity", SmallInteger, nullable=False, server_default="0"),
    Column("relevance", Float),
    Column("rank_key", BigInteger, nullable=False),
    Column("scored_by", Id, nullable=False, server_default="0"),
    text_column("language"),  # of the text shown: "en", whatever the region; "" when it names none
    # Importance without its recency, in millionths of a point, and the topic relevance in it.
    # Unweighed: 0, NULL, weighed_by 0.
    Column("points", BigInteger, nullable=False, server_default="0"),
    Column("topic", Float),
    Column("weighed_by", Id, nullable=False, server_default="0"),
    Column("later", Boolean, nullable=False, server_default=false()),  # to be read later
    # When it reached the reader: a number of theirs that only grows, and the time; see states.py.
    Column("arrival", Id, nullable=False, server_default="0"),
    Column("arrived_at", Moment, nullable=False, server_default="0"),
    sqlite_with_rowid=False,
)

# In this order: of two indexes that cost the same SQLite takes the one that was made last.
_newest = states.c.dated_at.desc(), states.c.article_id.desc()
Index("ix_states_scored", states.c.user_id, states.c.scored_by, *_newest)
some_rows(
    "ix_states_starred",
    states.c.user_id,
    states.c.starred,
    states.c.article_id,
    where=text("starred = TRUE"),
)
some_rows(
    "ix_states_liked",
    states.c.user_id,
    states.c.rating,
    states.c.article_id,
    where=text("rating = 1"),
)
Index("ix_states_weighed", states.c.user_id, states.c.weighed_by, *_newest)
some_rows(
    "ix_states_later",
    states.c.user_id,
    states.c.later,
    states.c.article_id,
    where=text("later = TRUE"),
)
Index(
    "ix_states_ranked",
    states.c.user_id,
    states.c.read,
    states.c.sensitivity,
    states.c.rank_key.desc(),
    states.c.article_id.desc(),
    states.c.feed_id,  # as in the next two: a category is tried without touching a row
)
# The last five make it answer "since" in ranked order, filters in this one, and the importance of
# what is new, by itself.
Index(
    "ix_states_newest",
    states.c.user_id,
    states.c.read,
    *_newest,
    states.c.sensitivity,
    states.c.rank_key,
    states.c.language,
    states.c.points,
    states.c.feed_id,
)
# One language in ranked order: fifty articles among a million are found without looking at others.
# The last two put what is of a rare one in any order.
Index(
    "ix_states_language",
    states.c.user_id,
    states.c.read,
    states.c.language,
    states.c.sensitivity,
    states.c.rank_key.desc(),
    states.c.article_id.desc(),
    states.c.feed_id,
    states.c.dated_at,
    states.c.points,
)
# The language makes it answer a category and a language together; the rest puts what some feeds
# have in any order without touching a row.
Index(
    "ix_states_unread",
    states.c.user_id,
    states.c.read,
    states.c.feed_id,
    states.c.language,
    states.c.dated_at,
    states.c.points,
    states.c.sensitivity,
    states.c.rank_key,
    states.c.article_id,  # which SQLite has in every index
)
_important = (
    states.c.points.desc(),
    states.c.article_id.desc(),
    states.c.dated_at,
    states.c.feed_id,
    states.c.language,
)
Index("ix_states_important", states.c.user_id, states.c.read, *_important)
# The same of each day: what is new is moved by its age, and what is of a day by nearly as much.
DAY = "(dated_at / 86400000000)"
Index("ix_states_days", states.c.user_id, states.c.read, text(DAY), *_important)
Index("ix_states_arrival", states.c.user_id, states.c.arrival)

# Only ever added to. A step is what one action did at once; `before` packs the state it met.
events = Table(
    "events",
    metadata,
    Column("id", Id, primary_key=True),
    ref("user_id", "users.id"),
    ref("article_id", "articles.id"),
    Column("kind", Text, nullable=False),
    Column("at", Moment, nullable=False),
    text_column("via"),
    Column("step", Id, nullable=False),
    Column("before", SmallInteger),  # NULL: changed no state
    Column("undone_by", Id),  # the step that took it back
    Index(None, "user_id", "article_id", "id"),
)
some_rows(
    "ix_events_standing",
    events.c.user_id,
    events.c.step,
    where=text("undone_by IS NULL AND before IS NOT NULL"),
)

# Marks that a browser may send again, by the key it gave each: what came of it, and its step.
sent_marks = Table(
    "sent_marks",
    metadata,
    Column("user_id", Id, ForeignKey("users.id"), primary_key=True, autoincrement=False),
    Column("key", Text, primary_key=True),
    Column("taken_at", Moment, nullable=False),
    text_column("outcome"),
    Column("step", Id),  # NULL: it changed nothing
    Index(None, "user_id", "taken_at"),
    sqlite_with_rowid=False,
)

# What a reader made of a topic of their interest profile: its weight times `factor`, 0 for none.
interest_edits = Table(
    "interest_edits",
    metadata,
    ref("user_id", "users.id", primary_key=True),
    Column("term", Text, primary_key=True),
    Column("factor", Float, nullable=False),
    Column("at", Moment, nullable=False),
    sqlite_with_rowid=False,
)

# What teaches or takes back: a few thousand among the marks of years of reading.
TEACHING = (
    "undone_by IS NULL AND kind IN"
    " ('like', 'dislike', 'unrate', 'star', 'unstar', 'finished', 'skipped')"
)
some_rows(
    "ix_events_teaching",
    events.c.user_id,
    events.c.id,
    where=text(TEACHING),
)
