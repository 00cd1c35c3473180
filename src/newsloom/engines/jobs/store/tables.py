"""The table of whole-history jobs."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Float, ForeignKey, Table, Text

from newsloom.kernel.db.columns import Id, Json, Moment
from newsloom.kernel.db.schema import metadata, text_column


def _many(name: str) -> Column[int]:
    return Column(name, BigInteger, nullable=False, server_default="0")


history_jobs = Table(
    "history_jobs",
    metadata,
    Column("id", Id, primary_key=True),
    Column("kind", Text, nullable=False),
    # The kind while it is open, else NULL: one of each kind at a time.
    Column("open_kind", Text, unique=True),
    Column("state", Text, nullable=False),
    Column("user_id", Id, ForeignKey("users.id"), index=True),  # whose; NULL: everybody's
    Column("wish", Json(), nullable=False),
    Column("position", Json(), nullable=False),
    _many("total"),
    _many("done"),
    _many("refused"),
    Column("pace", Float),
    Column("share", Float),
    text_column("words"),
    Column("started_at", Moment, nullable=False),
    Column("ended_at", Moment),
    Column("moved_at", Moment),
    # What the rate is reckoned from: begun anew every half minute.
    Column("window_at", Moment),
    _many("window_done"),
    Column("rate", Float, nullable=False, server_default="0"),
    text_column("token"),
    text_column("owner"),
    Column("until", Moment),
)
