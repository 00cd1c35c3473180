"""The table of who reads here."""

from __future__ import annotations

from sqlalchemy import (
    Column,
    Float,
    ForeignKey,
    Table,
    Text,
)

from newsloom.kernel.db.columns import Id, Json, Moment
from newsloom.kernel.db.schema import count, metadata, text_column

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
    # How fast recency fades an hour in importance; NULL: as the settings say.
    Column("fade", Float),
    # The daily training: when it was last begun, and what it came to, in words.
    Column("trained_at", Moment),
    text_column("trained_words"),
    # The last arrival number of this reader's articles, and when it was taken; see arrivals.py.
    Column("arrivals", Id, nullable=False, server_default="0"),
    Column("arrived_at", Moment, nullable=False, server_default="0"),
)

# What a reader chose: a scope is "" for everywhere, "feed:12" or "category:News".
preferences = Table(
    "preferences",
    metadata,
    Column("user_id", Id, ForeignKey("users.id"), primary_key=True, autoincrement=False),
    Column("scope", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("chosen", Text, nullable=False),
    sqlite_with_rowid=False,
)

saved_lists = Table(
    "saved_lists",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", Id, ForeignKey("users.id"), nullable=False, index=True),
    text_column("name"),
    text_column("place"),  # as web.list_view writes it
    Column("token", Text, nullable=False, server_default="", index=True),  # of its feed; "": none
    Column("made_at", Moment, nullable=False),
)
