"""Tables of retention: what was removed of articles, and how far each sweep has come."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Table, Text

from newsloom.kernel.db.columns import Id, Moment
from newsloom.kernel.db.schema import metadata

# One row for each original of which something was removed for its age: stages leave it alone.
aged_articles = Table(
    "aged_articles",
    metadata,
    Column("article_id", Id, ForeignKey("articles.id"), primary_key=True, autoincrement=False),
    Column("texts_at", Moment),  # its HTML, and its text behind the beginning
    Column("vectors_at", Moment),
    Column("keys_at", Moment),  # keys of its text
    Column("articles_at", Moment),  # all but what its feed knows it by: nobody has it any more
    sqlite_with_rowid=False,
)

# A sweep goes over all articles in the order of their ids, a day's share a day, and begins anew
# after some weeks: what somebody kept then may be kept no more.
prunings = Table(
    "prunings",
    metadata,
    Column("name", Text, primary_key=True),
    Column("place", Id, nullable=False),  # the last article that was looked at
    Column("begun_at", Moment, nullable=False),
    Column("ended_at", Moment),  # when it last came to what is too young; NULL: it goes on
    sqlite_with_rowid=False,
)
