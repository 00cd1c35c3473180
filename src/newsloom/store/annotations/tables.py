"""Tables of what one reader adds to articles."""

from __future__ import annotations

from sqlalchemy import Column, Index, Table, Text

from newsloom.store.columns import Moment
from newsloom.store.schema import metadata, ref

# A tag is its rows: a name that no article has any more is gone. `key` is what makes two names one
# (text.tags); every row of a key has the same name. The article is an original.
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
