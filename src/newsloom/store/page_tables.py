"""What was fetched besides feeds: icons, rules for robots, pages with an article's full text."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, LargeBinary, Table, Text

from newsloom.store.columns import Id, Moment
from newsloom.store.schema import count, metadata, words

# One row a site, also where there is none: that is remembered too.
icons = Table(
    "icons",
    metadata,
    Column("site", Text, primary_key=True),  # scheme and authority
    words("url"),
    Column("at", Moment, nullable=False),  # when it was asked for last
    words("etag"),
    words("last_modified"),
    words("type"),  # empty: there is none
    Column("body", LargeBinary),
    words("problem"),
)

robots = Table(
    "robots",
    metadata,
    Column("site", Text, primary_key=True),
    Column("at", Moment, nullable=False),
    count("status"),  # 0: there was no answer
    words("body"),
)

pages = Table(
    "pages",
    metadata,
    Column("article_id", Id, ForeignKey("articles.id"), primary_key=True, autoincrement=False),
    Column("at", Moment, nullable=False),
    count("tries"),
    words("url"),
    words("problem"),
    words("html"),  # what was taken out of it; empty: nothing was
)
