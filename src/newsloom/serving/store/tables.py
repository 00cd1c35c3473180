"""Tables of the processes that serve pages, and of what each is doing for a reader."""

from __future__ import annotations

from sqlalchemy import Column, SmallInteger, Table, Text

from newsloom.kernel.db.columns import Moment
from newsloom.kernel.db.schema import count, metadata, ref, text_column

# A row stands for a process that serves pages, and is written again every few seconds.
serves = Table(
    "serves",
    metadata,
    Column("owner", Text, primary_key=True),
    Column("seen_at", Moment, nullable=False),
    Column("leads", SmallInteger, nullable=False, server_default="0"),
    text_column("version"),
    # Of the one that leads: how often others asked for a pass, and how many of these are done.
    count("nudges"),
    count("followed"),
    sqlite_with_rowid=False,
)

# What is under way for a reader, or what the last of it came to: one row for each kind.
activities = Table(
    "activities",
    metadata,
    ref("user_id", "users.id", primary_key=True, autoincrement=False),
    Column("kind", Text, primary_key=True),
    text_column("owner"),  # whose it is; empty: nothing is under way
    Column("wanted", SmallInteger, nullable=False, server_default="1"),  # 0: it is to end
    text_column("state"),  # JSON, of who made it
    Column("at", Moment, nullable=False),
    sqlite_with_rowid=False,
)
