"""Tables of articles, and of what the stages made of them."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
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
    text,
)

from newsloom.kernel.db.columns import Id, Json, Moment
from newsloom.kernel.db.schema import count, metadata, ref, some_rows, text_column

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
    text_column("guid"),
    text_column("url"),
    text_column("canonical_url"),
    text_column("source"),
    text_column("title"),
    text_column("author"),
    text_column("language"),
    Column("published_at", Moment),
    Column("updated_at", Moment),
    Column("first_seen_at", Moment, nullable=False),
    Column("dated_at", Moment, nullable=False),  # never moves: rank keys are made of it
    Column("version_at", Moment, nullable=False),  # when the present version was first seen
    text_column("content_hash"),
    count("length"),
    text_column("image"),
    text_column("comments_url"),
    Column("categories", Json()),
    Column("enclosures", Json()),
    text_column("summary"),
    text_column("content"),
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
    text_column("content_hash"),
    text_column("title"),
    text_column("summary"),
    text_column("content"),
    Index(None, "article_id", "id"),
)

judgements = Table(
    "judgements",
    metadata,
    Column("id", Id, primary_key=True),
    ref("article_id", "articles.id"),
    Column("target_id", Id, ForeignKey("articles.id"), nullable=False),
    Column("action", Text, nullable=False),
    text_column("layer"),
    Column("score", Float, nullable=False),
    text_column("detail"),
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
    text_column("title"),
    text_column("lead"),
    text_column("rest"),
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
    text_column("explanation"),
    Column("made_at", Moment, nullable=False),
    sqlite_with_rowid=False,
)

# The signals of importance that are the same for every reader. Maker 0: the cluster has changed.
importances = Table(
    "importances",
    metadata,
    Column("article_id", Id, ForeignKey("articles.id"), primary_key=True),
    Column("maker_id", Id, nullable=False),
    Column("authority", Float, nullable=False),
    Column("corroboration", Float, nullable=False),
    Column("depth", Float, nullable=False),
    Column("sources", SmallInteger, nullable=False),
    Index(None, "maker_id", "article_id"),
)

# In how many of so many articles each term was: one row.
term_background = Table(
    "term_background",
    metadata,
    Column("id", Id, primary_key=True),
    Column("made_at", Moment, nullable=False),
    Column("newest", Id, nullable=False),  # the last article that was counted
    Column("articles", Integer, nullable=False),
    Column("counts", LargeBinary, nullable=False),
)

# Joins the page of an article `o`, whose shown copy is `f`, where it is what a reader sees: one of
# the article's feeds asks for it, and it is longer than what the feeds have.
SHOWN = """
    LEFT JOIN pages p ON p.article_id = o.id AND p.length > f.length AND EXISTS (
        SELECT 1 FROM articles c JOIN feeds cf ON cf.id = c.feed_id
        WHERE c.original_id = o.id AND cf.full_text = TRUE
    )
"""
