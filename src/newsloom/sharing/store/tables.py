"""Tables of services to which articles are saved."""

from __future__ import annotations

from sqlalchemy import Column, Index, SmallInteger, Table, Text

from newsloom.kernel.db.columns import Id, Json, Moment
from newsloom.kernel.db.schema import metadata, ref, text_column
from newsloom.kernel.delivery.store import outbox_columns

share_services = Table(
    "share_services",
    metadata,
    Column("id", Id, primary_key=True),
    ref("user_id", "users.id", index=True),
    Column("kind", Text, nullable=False),
    text_column("name"),
    # What the service is reached and logged in with; no export has it.
    Column("secrets", Json(), nullable=False),
    # Whether what is starred is saved there, and the last event that was looked at for it.
    Column("stars", SmallInteger, nullable=False, server_default="0"),
    Column("seen_event", Id, nullable=False, server_default="0"),
    Column("made_at", Moment, nullable=False),
)

# An article is saved to a service once.
shares = Table(
    "shares",
    metadata,
    Column("id", Id, primary_key=True),
    ref("service_id", "share_services.id"),
    ref("article_id", "articles.id"),
    Index(None, "service_id", "article_id", unique=True),
    *outbox_columns(),
)
