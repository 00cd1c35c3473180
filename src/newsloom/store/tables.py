"""All tables as they are now. Migrations bring a file here; nothing else may name a column.

Feeds and articles are shared by all users; subscriptions, states, events, labels, scores and
models belong to one. Every derived row names its maker (a model or a stage with its version), so
what is left to do is a join, and a new version recomputes exactly its own results.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
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
    false,
    text,
)

from newsloom.store.bridges.tables import (
    bridge_accounts,
    bridge_entries,
    bridge_feeds,
    bridge_writes,
)
from newsloom.store.columns import Id, Json, Moment
from newsloom.store.duplicates.tables import (
    clusters,
    dedup_keys,
    entities,
    fresh_keys,
    links,
    redirects,
    separations,
    signatures,
)
from newsloom.store.feeds.push_tables import deliveries, pushes
from newsloom.store.feeds.tables import feeds, holds, moves, pauses, polls, verdicts
from newsloom.store.schema import count, metadata, ref, some_rows, words
from newsloom.store.sites.tables import icons, pages, robots
from newsloom.store.work.tables import work_batches, work_failures

__all__ = [
    "articles",
    "bridge_accounts",
    "bridge_entries",
    "bridge_feeds",
    "bridge_writes",
    "clusters",
    "dedup_keys",
    "deliveries",
    "embeddings",
    "entities",
    "evaluations",
    "events",
    "feeds",
    "forgettings",
    "fresh_keys",
    "holds",
    "icons",
    "interests",
    "judgements",
    "left_feeds",
    "left_states",
    "links",
    "makers",
    "metadata",
    "model_calls",
    "models",
    "moves",
    "pages",
    "pauses",
    "polls",
    "pushes",
    "ratings",
    "redirects",
    "revisions",
    "robots",
    "separations",
    "services",
    "signatures",
    "spending",
    "states",
    "subscriptions",
    "texts",
    "users",
    "verdicts",
    "work_batches",
    "work_failures",
]

users = Table(
    "users",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("made_at", Moment, nullable=False),
    # Counts every change of what this reader's model learns from; see labels.py.
    count("taste"),
    # Days in which a score halves, for sensitivity 1 to 5; NULL: as the settings say.
    Column("half_lives", Json()),
    # The daily training: when it was last begun, and what it came to, in words.
    Column("trained_at", Moment),
    words("trained_words"),
)

makers = Table(
    "makers",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
)

subscriptions = Table(
    "subscriptions",
    metadata,
    ref("user_id", "users.id", primary_key=True),
    ref("feed_id", "feeds.id", primary_key=True, index=True),
    words("title"),
    words("category"),
    Column("since", Moment, nullable=False),
    sqlite_with_rowid=False,
)

# Feeds that a reader left lately, as they were, and what was unread of them: leaving can be taken
# back. `newest_id` is the last article there was.
left_feeds = Table(
    "left_feeds",
    metadata,
    ref("user_id", "users.id", primary_key=True),
    ref("feed_id", "feeds.id", primary_key=True),
    words("title"),
    words("category"),
    Column("since", Moment, nullable=False),
    Column("left_at", Moment, nullable=False),
    Column("newest_id", Id, nullable=False),
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
    words("language"),
    sqlite_with_rowid=False,
)

# One row per article of a feed. A duplicate keeps its row and points at the original, so a merge
# can be taken back and nothing is lost. The two long texts stand last: SQLite reads a row from the
# front and needs not touch the pages they fill.
articles = Table(
    "articles",
    metadata,
    Column("id", Id, primary_key=True),
    ref("feed_id", "feeds.id"),
    Column("original_id", Id, ForeignKey("articles.id"), nullable=False),  # its own when original
    Column("fullest_id", Id, ForeignKey("articles.id"), nullable=False),  # whose text is shown
    words("guid"),
    words("url"),
    words("canonical_url"),
    words("source"),
    words("title"),
    words("author"),
    words("language"),
    Column("published_at", Moment),
    Column("updated_at", Moment),
    Column("first_seen_at", Moment, nullable=False),
    Column("dated_at", Moment, nullable=False),  # never moves: rank keys are made of it
    Column("version_at", Moment, nullable=False),  # when the present version was first seen
    words("content_hash"),
    count("length"),
    words("image"),
    words("comments_url"),
    Column("categories", Json()),
    Column("enclosures", Json()),
    words("summary"),
    words("content"),
    Index(None, "original_id", "feed_id"),
    Index(None, "feed_id", "dated_at", "original_id"),
)
some_rows(
    "ix_articles_duplicates",
    articles.c.feed_id,
    articles.c.original_id,
    where=text("original_id <> id"),
)

# Where articles are looked for by a name, all names there are are read first.
for _name in (articles.c.author, articles.c.source):
    some_rows(
        f"ix_articles_{_name.name}",
        _name,
        articles.c.original_id,
        where=text(f"{_name.name} <> ''"),
    )

revisions = Table(
    "revisions",
    metadata,
    Column("id", Id, primary_key=True),
    ref("article_id", "articles.id"),
    Column("seen_at", Moment, nullable=False),
    words("content_hash"),
    words("title"),
    words("summary"),
    words("content"),
    Index(None, "article_id", "id"),
)

judgements = Table(
    "judgements",
    metadata,
    Column("id", Id, primary_key=True),
    ref("article_id", "articles.id"),
    Column("target_id", Id, ForeignKey("articles.id"), nullable=False),
    Column("action", Text, nullable=False),
    words("layer"),
    Column("score", Float, nullable=False),
    words("detail"),
    Column("at", Moment, nullable=False),
    Index(None, "article_id", "id"),
)

# The plain text of each original, in two parts so that the lead can be read without the rest.
# `digest` names what the encoder was given; maker 0 says the text has changed since.
texts = Table(
    "texts",
    metadata,
    Column("article_id", Id, ForeignKey("articles.id"), primary_key=True),
    Column("maker_id", Id, nullable=False),
    Column("digest", BigInteger, nullable=False),
    words("title"),
    words("lead"),
    words("rest"),
    Index(None, "maker_id", "article_id"),
)

embeddings = Table(
    "embeddings",
    metadata,
    Column("id", Id, primary_key=True),
    ref("maker_id", "makers.id"),
    ref("article_id", "articles.id"),
    Column("vector", LargeBinary, nullable=False),  # float16, little-endian
    UniqueConstraint("maker_id", "article_id"),
)

ratings = Table(
    "ratings",
    metadata,
    ref("maker_id", "makers.id", primary_key=True),
    ref("article_id", "articles.id", primary_key=True),
    Column("rating", SmallInteger, nullable=False),
    Column("confidence", Float, nullable=False),
    words("explanation"),
    Column("made_at", Moment, nullable=False),
    sqlite_with_rowid=False,
)

# What one reader made of one original, and where it stands for them. Unscored: sensitivity 0,
# relevance NULL, scored_by 0. `rank_key` is in units of 2^-40 of a halving; see ranking.py.
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
    words("language"),  # of the text shown: "en", whatever the region; "" when it names none
    sqlite_with_rowid=False,
)
_newest = states.c.dated_at.desc(), states.c.article_id.desc()
Index(
    "ix_states_ranked",
    states.c.user_id,
    states.c.read,
    states.c.sensitivity,
    states.c.rank_key.desc(),
    states.c.article_id.desc(),
)
# One language in ranked order: fifty articles among a million are found without looking at others.
Index(
    "ix_states_language",
    states.c.user_id,
    states.c.read,
    states.c.language,
    states.c.sensitivity,
    states.c.rank_key.desc(),
    states.c.article_id.desc(),
)
# The last three make it answer "since" in ranked order, and filters in this one, by itself.
Index(
    "ix_states_newest",
    states.c.user_id,
    states.c.read,
    *_newest,
    states.c.sensitivity,
    states.c.rank_key,
    states.c.language,
)
Index("ix_states_unread", states.c.user_id, states.c.read, states.c.feed_id)
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

# Only ever added to. A step is what one action did at once; `before` packs the state it met.
events = Table(
    "events",
    metadata,
    Column("id", Id, primary_key=True),
    ref("user_id", "users.id"),
    ref("article_id", "articles.id"),
    Column("kind", Text, nullable=False),
    Column("at", Moment, nullable=False),
    words("via"),
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

interests = Table(
    "interests",
    metadata,
    Column("id", Id, primary_key=True),
    ref("user_id", "users.id", index=True),
    Column("text", Text, nullable=False),
    Column("added_at", Moment, nullable=False),
)

models = Table(
    "models",
    metadata,
    Column("id", Id, primary_key=True),
    ref("user_id", "users.id"),
    Column("kind", Text, nullable=False),
    Column("model_id", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("trained_at", Moment, nullable=False),
    Column("metrics", Json()),
    Column("active", Boolean, nullable=False, server_default=false()),
    Column("payload", LargeBinary, nullable=False),
    Column("trainer", Text, nullable=False, server_default="head"),
    words("verdict"),  # why it was promoted, or why not
    Column("promoted_at", Moment),  # NULL: never in force
    Column("withdrawn_at", Moment),  # NULL: the reader never went back from it
    words("made_of"),  # names all that training depended on
    Column("judge", LargeBinary),  # the same training without the frozen labels
    words("judge_sha256"),  # as `sha256`: it is its own judge; empty: nothing was held out
    Index(None, "user_id", "kind", "id"),
)
# One in force, whatever the code does.
some_rows(
    "ix_models_in_force",
    models.c.user_id,
    models.c.kind,
    unique=True,
    where=text("active = TRUE"),
)

# Stretches of time whose events a reader took out of what their model learns from.
forgettings = Table(
    "forgettings",
    metadata,
    Column("id", Id, primary_key=True),
    ref("user_id", "users.id", index=True),
    Column("since", Moment, nullable=False),
    Column("until", Moment, nullable=False),
    Column("at", Moment, nullable=False),
    Column("lifted_at", Moment),  # NULL: in force
)

# What was measured of a reader's model, kept for ever: the Model page draws it.
evaluations = Table(
    "evaluations",
    metadata,
    Column("id", Id, primary_key=True),
    ref("user_id", "users.id"),
    Column("at", Moment, nullable=False),
    Column("model_id", Text, nullable=False),
    Column("protocol", Text, nullable=False),
    Column("report", Json(), nullable=False),
    Index(None, "user_id", "id"),
)

# Services outside: whether they answer, and what they have cost today.
services = Table(
    "services",
    metadata,
    Column("name", Text, primary_key=True),
    Column("ok_at", Moment),
    Column("failed_at", Moment),
    count("failures"),  # in a row
    Column("open_until", Moment),  # not asked again before
    words("problem"),
    Column("day", Integer, nullable=False, server_default="0"),  # the one `tokens` counts
    Column("tokens", BigInteger, nullable=False, server_default="0"),
)

# Every question put to a language model: what it was asked about, with what, and what came of it.
# What each purpose of asking a language model has spent of the day's tokens: part of the service's.
spending = Table(
    "spending",
    metadata,
    Column("service", Text, primary_key=True),
    Column("purpose", Text, primary_key=True),
    Column("day", Integer, nullable=False),
    Column("tokens", BigInteger, nullable=False),
)
model_calls = Table(
    "model_calls",
    metadata,
    Column("id", Id, primary_key=True),
    Column("service", Text, nullable=False),
    Column("at", Moment, nullable=False),
    Column("purpose", Text, nullable=False),  # "sensitivity"
    words("prompt_version"),  # "rubric@1"
    Column("maker", Text, nullable=False),  # model and version of the prompt
    words("subject_kind"),  # what it was about: "article", "17"
    words("subject_id"),
    # The same for the same question, whatever the subject.
    Column("question_hash", Text, nullable=False, server_default="", index=True),
    count("tokens_in"),
    count("tokens_out"),
    Column("seconds", Float, nullable=False),
    Column("verdict", Text, nullable=False),  # "ok", "reused", or why the answer was not used
    words("answer"),  # as it came, cut
)
