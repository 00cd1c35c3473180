"""Tables of what one reader adds to articles. Every article in them is an original."""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, Table, Text

from newsloom.kernel.db.columns import Id, Moment
from newsloom.kernel.db.schema import count, metadata, ref, text_column

# A tag is its rows: a name that no article has any more is gone. `key` is what makes two names one
# (text.tags); every row of a key has the same name.
article_tags = Table(
    "article_tags",
    metadata,
    ref("user_id", "users.id", primary_key=True),
    Column("key", Text, primary_key=True),
    ref("article_id", "articles.id", primary_key=True),
    Column("name", Text, nullable=False),
    Column("made_at", Moment, nullable=False),
    sqlite_with_rowid=False,
)
Index("ix_article_tags_article_id", article_tags.c.article_id, article_tags.c.user_id)

article_notes = Table(
    "article_notes",
    metadata,
    ref("user_id", "users.id", primary_key=True),
    ref("article_id", "articles.id", primary_key=True, index=True),
    Column("text", Text, nullable=False),
    Column("made_at", Moment, nullable=False),
    Column("changed_at", Moment, nullable=False),
    sqlite_with_rowid=False,
)

# How far a reader listened to a file of an article.
playback_positions = Table(
    "playback_positions",
    metadata,
    ref("user_id", "users.id", primary_key=True),
    ref("article_id", "articles.id", primary_key=True, index=True),
    Column("url", Text, primary_key=True),  # of the file
    Column("seconds", Integer, nullable=False),
    Column("at", Moment, nullable=False),
    sqlite_with_rowid=False,
)

# Words of an article by what they are and what stands around them, so that they are found in a
# text that was changed; see reading/quotes.py.
highlights = Table(
    "highlights",
    metadata,
    Column("id", Id, primary_key=True),
    ref("user_id", "users.id"),
    ref("article_id", "articles.id", index=True),
    Column("exact", Text, nullable=False),
    text_column("prefix"),
    text_column("suffix"),
    count("start"),  # where it stood in the text it was made in, in characters
    text_column("note"),
    Column("made_at", Moment, nullable=False),
    Index(None, "user_id", "article_id"),
)
