"""Tables of digests: schedules, the archive, the outbox, secret addresses of feeds."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, SmallInteger, Table, Text, text

from newsloom.kernel.db.columns import Id, Json, Moment
from newsloom.kernel.db.leases import lease_columns
from newsloom.kernel.db.schema import metadata, ref, some_rows
from newsloom.kernel.delivery.store import sending_table, target_table

digest_schedules = Table(
    "digest_schedules",
    metadata,
    Column("id", Id, primary_key=True),
    ref("user_id", "users.id", index=True),
    Column("kind", Text, nullable=False),
    Column("at", SmallInteger, nullable=False),  # minutes after midnight, local
    Column("weekday", SmallInteger, nullable=False),
    Column("zone", Text, nullable=False),
    Column("next_at", Moment, nullable=False, index=True),
    *lease_columns(),
    Column("begun_at", Moment),  # when the reader asked for it; NULL: before that was kept
)

digest_targets = target_table("digest_targets", "digest_schedules")

digests = Table(
    "digests",
    metadata,
    Column("id", Id, primary_key=True),
    ref("user_id", "users.id"),
    # NULL: the schedule is gone.
    Column("schedule_id", Id, ForeignKey("digest_schedules.id")),
    Column("kind", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("end_at", Moment, nullable=False),
    Column("zone", Text, nullable=False),
    Column("made_at", Moment, nullable=False),
    # Until then a language model may still write its summaries, and nothing is sent.
    Column("ready_at", Moment, nullable=False),
    Column("body", Json(), nullable=False),  # as digests/written.py has it
    Column("memory", Json(), nullable=False),
    # The keys of topics that a language model has answered for, taken or not.
    Column("answered", Json()),
    Index(None, "user_id", "made_at"),
)
some_rows(
    "ix_digests_once",
    digests.c.schedule_id,
    digests.c.end_at,
    unique=True,
    where=text("schedule_id IS NOT NULL"),
)

digest_sendings = sending_table("digest_sendings", "digest_id", "digests")

# Secret addresses under which programs read a list without logging in.
feed_addresses = Table(
    "feed_addresses",
    metadata,
    ref("user_id", "users.id", primary_key=True),
    Column("name", Text, primary_key=True),  # "digests"
    Column("token", Text, nullable=False, unique=True),
    Column("made_at", Moment, nullable=False),
    sqlite_with_rowid=False,
)
