"""WebSub: what is agreed with hubs, and documents they sent that have not been taken in."""

from __future__ import annotations

from sqlalchemy import Column, Index, LargeBinary, Table, Text

from newsloom.kernel.db.columns import Id, Moment
from newsloom.kernel.db.schema import count, metadata, ref, text_column

# One a feed.
pushes = Table(
    "pushes",
    metadata,
    ref("feed_id", "feeds.id", primary_key=True, autoincrement=False),
    Column("token", Text, nullable=False, unique=True),  # in the address the hub calls
    text_column("secret"),
    text_column("base"),  # the rest of that address, as the settings had it
    text_column("hub"),
    text_column("topic"),
    text_column("state"),  # of types.PushState
    Column("asked_at", Moment),  # NULL: the hub owes no call back
    Column("active_at", Moment),  # since when it tells, renewals apart
    Column("until", Moment),  # when the lease ends
    Column("next_at", Moment, index=True),  # when to ask the hub again
    Column("pushed_at", Moment),  # last, with a right signature
    Column("missed_at", Moment),  # when a poll found news that the hub should have told
    count("tries"),
    count("received"),
    count("ignored"),  # of them: no feed, or another's
    count("refused"),  # with a wrong signature, or none
    Column("hour_at", Moment),  # when the present hour began, and what came in it
    count("in_hour"),
    text_column("problem"),
)

# What was acknowledged lies here until it is stored as articles.
deliveries = Table(
    "deliveries",
    metadata,
    Column("id", Id, primary_key=True),
    ref("feed_id", "feeds.id"),
    Column("at", Moment, nullable=False),
    text_column("content_type"),
    text_column("digest"),  # of the body: ids are given again
    Column("body", LargeBinary, nullable=False),
    Index(None, "feed_id"),
)
