"""Sites: pauses and turns of hosts, icons, rules for robots, pages with an article's full text."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, LargeBinary, Table, Text

from newsloom.kernel.db.columns import Id, Moment
from newsloom.kernel.db.schema import count, metadata, text_column

# One row a site, also where there is none: that is remembered too.
icons = Table(
    "icons",
    metadata,
    Column("site", Text, primary_key=True),  # scheme and authority
    text_column("url"),
    Column("at", Moment, nullable=False),  # when it was asked for last
    text_column("etag"),
    text_column("last_modified"),
    text_column("validated_url"),
    text_column("type"),  # empty: there is none
    text_column("tag"),  # changes with the picture
    text_column("problem"),
    count("tries"),  # with nothing to show for it, in a row
    Column("body", LargeBinary),
)

robots = Table(
    "robots",
    metadata,
    Column("site", Text, primary_key=True),
    Column("at", Moment, nullable=False),
    count("status"),  # 0: there was no answer
    Column("page_at", Moment),  # when a page of the site was asked for last
    text_column("body"),
)

pages = Table(
    "pages",
    metadata,
    # The original of a group of copies.
    Column("article_id", Id, ForeignKey("articles.id"), primary_key=True, autoincrement=False),
    Column("at", Moment, nullable=False),
    count("tries"),
    Column("next_at", Moment),  # when to try again; NULL: never
    Column("url", Text, nullable=False, server_default="", index=True),
    text_column("problem"),
    count("length"),  # visible characters
    text_column(
        "html"
    ),  # what was taken out of it; empty: nothing was, or no more than the feed has
)

# Hosts that asked for time, or that fail whatever is asked of them.
pauses = Table(
    "pauses",
    metadata,
    Column("host", Text, primary_key=True),
    Column("at", Moment, nullable=False),
    Column("until", Moment, nullable=False),
    text_column("because"),
    sqlite_with_rowid=False,
)

# Whose turn it is to ask a host, of all processes that use this store (host_turns.py).
host_turns = Table(
    "host_turns",
    metadata,
    Column("host", Text, primary_key=True),
    Column("owner", Text),  # NULL: nobody's
    Column("until", Moment),
    Column("asked_at", Moment),  # when its last owner ended asking; NULL: not known, or long ago
    Column("wanted_by", Text),
    Column("wanted_until", Moment),
    sqlite_with_rowid=False,
)

# One row: what signs the addresses under which we serve pictures (picture_key.py).
picture_keys = Table(
    "picture_keys",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=False),
    Column("secret", LargeBinary, nullable=False),
)
