"""The tables of bridges: other programs' accounts, feeds, entries, and what is to be told them."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

from newsloom.kernel.db.columns import Id, Moment
from newsloom.kernel.db.schema import count, metadata, ref, some_rows, text_column

# One reader of another program whose articles are ranked here, and how far reading there has come.
bridge_accounts = Table(
    "bridge_accounts",
    metadata,
    Column("id", Id, primary_key=True),
    Column("bridge", Text, nullable=False),  # "ttrss", "greader"
    Column("remote", Text, nullable=False),  # what the other side calls them
    ref("user_id", "users.id"),
    text_column("cursor"),  # the other side's own words
    Column("synced_at", Moment),
    count("failures"),  # in a row
    Column("next_try_at", Moment),  # NULL: nothing is wrong
    text_column("problem"),
    UniqueConstraint("bridge", "remote"),
)

bridge_feeds = Table(
    "bridge_feeds",
    metadata,
    ref("account_id", "bridge_accounts.id", primary_key=True),
    Column("remote", Text, primary_key=True),
    ref("feed_id", "feeds.id", index=True),
    sqlite_with_rowid=False,
)

# One entry of the other side, the article it became, and its marks there when last seen.
bridge_entries = Table(
    "bridge_entries",
    metadata,
    ref("account_id", "bridge_accounts.id", primary_key=True),
    Column("remote", BigInteger, primary_key=True, autoincrement=False),
    ref("article_id", "articles.id", index=True),
    text_column("digest"),  # of the text taken in
    Column("read", Boolean, nullable=False, server_default=false()),
    Column("starred", Boolean, nullable=False, server_default=false()),
    Column("disliked", Boolean, nullable=False, server_default=false()),
    Column("liked", Boolean, nullable=False, server_default=false()),
    Index(None, "account_id", "read", "remote", "article_id"),
    sqlite_with_rowid=False,
)

# What should stand there and what does, of each kind. A row with a next try waits to be told.
bridge_writes = Table(
    "bridge_writes",
    metadata,
    ref("account_id", "bridge_accounts.id", primary_key=True),
    Column("remote", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", Text, primary_key=True),
    Column("wanted", Text),  # NULL: only known, nothing asked of it
    Column("present", Text),  # NULL: not known
    count("attempts"),
    Column("next_try_at", Moment),
    text_column("problem"),
    sqlite_with_rowid=False,
)
some_rows(
    "ix_bridge_writes_pending",
    bridge_writes.c.account_id,
    bridge_writes.c.next_try_at,
    where=text("next_try_at IS NOT NULL"),
)
